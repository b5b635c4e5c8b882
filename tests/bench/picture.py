"""Draw the picture of the README: ``python -m tests.bench.picture docs/demo.svg``.

It is the demo's own screen, at the moment at which the bundled game's illegal play is noticed.
"""

import io
import json
import re
import sys
from pathlib import Path

from rich.console import Console

from companion.cli.board import layout_for
from companion.cli.replay import in_words
from companion.cli.terminal import screen
from companion.config import data_folder
from companion.events import Event, GameStarted, IllegalPlay
from companion.rules import get_game
from companion.signals.plan import Plan

GAME = "long"
RECENT = 6
NIL = {"white": 0, "black": 0}


def events_until_the_illegal_play() -> list[Event]:
    """The bundled game's expected events, from its start position on."""
    lines = (data_folder("calibration") / "example" / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events: list[Event] = [GameStarted(t=0, game=GAME, board=get_game(GAME).start.to_json(), score=NIL)]
    for line in lines:
        events.append(Event.from_json(json.loads(line)))
        if isinstance(events[-1], IllegalPlay):
            break
    return events


def svg(events: list[Event]) -> str:
    """The screen as SVG, with the reader's own fonts: the picture fetches nothing."""
    t = events[-1].t
    plan = Plan().after(events)
    words = [in_words(event) for event in events if not isinstance(event, GameStarted)]
    console = Console(record=True, width=84, file=io.StringIO())
    console.print(screen(plan.view, plan.levels(t), words, layout_for(GAME), t, RECENT))
    drawn = console.export_svg(title="companion demo")
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(svg(events_until_the_illegal_play()), encoding="utf-8")
