"""``companion demo``: the bundled recorded game, refereed before your eyes."""

import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from companion import events as ev
from companion.languages import _

if TYPE_CHECKING:
    from rich.console import Console

    from companion.layout import Layout
    from companion.pipeline import Step

_SCREEN_ROWS = 23
"""Lines of the screen without the list of what happened, and one to spare."""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(epilog="Example: companion demo --fast")(demo)


def demo(
    fast: Annotated[bool, typer.Option("--fast", help="As fast as this machine can, without waiting.")] = False,
    speed: Annotated[float, typer.Option(min=0.1, max=100, help="How many times faster than the table.")] = 1.0,
) -> None:
    """Referee the bundled recorded game, with lamps and display drawn on the terminal; needs no hardware."""
    from rich.console import Console

    console = Console()
    with _example() as (steps, layout):
        paced = steps if fast else at_pace(steps, speed)
        happened = _watched(paced, layout, console) if console.is_terminal else _told(paced)
    print(summary(happened))


@contextmanager
def _example() -> "Iterator[tuple[Iterator[Step], Layout]]":
    """The steps of the bundled game, and how its board lies before the camera."""
    from companion.camera import open_source
    from companion.cli.board import layout_for
    from companion.config import data_folder
    from companion.pipeline import Rig, build, replay
    from companion.rules import get_game
    from companion.vision.calibration import load_calibration

    folder = data_folder("calibration") / "example"
    known = load_calibration(folder / "calibration.json")
    game = known.game or "long"
    rig = Rig(game=get_game(game), corners=known.corners, home=known.home, white=known.white)
    with closing(open_source(folder / "video.mp4")) as frames:
        yield replay(build(rig), frames), layout_for(game, known.home, known.white)


def at_pace(steps: "Iterable[Step]", speed: float) -> "Iterator[Step]":
    """Give each step at its time, ``speed`` times faster than it was recorded; never early, late when it must."""
    begun = time.monotonic()
    for step in steps:
        time.sleep(max(0.0, begun + step.t / speed - time.monotonic()))
        yield step


def summary(events: Iterable[ev.Event]) -> str:
    """What was refereed, in a few words."""
    kinds = [type(event) for event in events]
    plays, illegal, void = (kinds.count(kind) for kind in (ev.PlayMade, ev.IllegalPlay, ev.VoidRoll))
    told = _("Refereed to the end: plays {0}, illegal noticed {1}, void rolls {2}. See also: companion --help")
    return told.format(plays, illegal, void)


def _told(steps: "Iterable[Step]") -> list[ev.Event]:
    """One line for each event, for a pipe or a log."""
    from companion.cli.telling import in_words

    happened: list[ev.Event] = []
    for step in steps:
        for event in step.events:
            happened.append(event)
            if isinstance(event, ev.PUBLIC):
                print(in_words(event), flush=True)
    return happened


def _watched(steps: "Iterable[Step]", layout: "Layout", console: "Console") -> list[ev.Event]:
    """The whole screen, drawn anew for each frame."""
    from rich.live import Live

    from companion.cli.telling import in_words
    from companion.cli.terminal import screen
    from companion.signals.plan import Plan

    happened: list[ev.Event] = []
    recent: list[str] = []
    rows = max(1, min(8, console.height - _SCREEN_ROWS))
    plan = Plan()
    with Live(console=console, auto_refresh=False) as live:
        for step in steps:
            happened += step.events
            plan = plan.after(step.events)
            recent += [in_words(event) for event in step.events if isinstance(event, ev.PUBLIC)]
            live.update(screen(plan.view, plan.levels(step.t), recent, layout, step.t, rows), refresh=True)
    return happened
