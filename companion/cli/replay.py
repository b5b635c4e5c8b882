"""``companion replay``: the pipeline of the table over a recording."""

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import KeepOptions, RigOptions, spread
from companion.errors import BoardNotFound, RecordingError

if TYPE_CHECKING:
    from companion.cli.keeping import Kept
    from companion.config import Settings
    from companion.frame import FrameSource
    from companion.pipeline import Pipeline, Rig

Source = Annotated[Path, typer.Argument(help="A video file, a recorded folder, or a folder of pictures.")]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("replay", epilog="Example: companion replay game.mp4 --game long --events -")(replay)


@spread
def replay(
    source: Source,
    wishes: RigOptions,
    keeping: KeepOptions,
    fps: Annotated[float, typer.Option("--fps", help="Pictures per second of a folder without times.")] = 2.0,
    out: Annotated[Path | None, typer.Option("--out", help="A folder for the record.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the record in --out.")] = False,
    speed: Annotated[
        float, typer.Option("--speed", min=0.1, max=1000, help="With --page: how many times faster than the table.")
    ] = 1.0,
) -> None:
    """Referee a recorded game: a video file, a recorded folder, or a folder of pictures."""
    for wanted, option_name in ((resume, "--resume"), (keeping.evidence, "--evidence")):
        if wanted and out is None:
            raise typer.BadParameter(f"{option_name} needs the folder of the record: --out DIR")
    from companion.cli.rig import rig_from, settings_for

    with ExitStack() as stack:
        settings = settings_for(wishes)
        rig = rig_from(wishes, settings)
        frames = _opened(stack, source, fps, speed if wishes.page else None)
        _replay(stack, source, frames, rig, wishes, settings, keeping, out, resume)


def _opened(stack: ExitStack, source: Path, fps: float, speed: float | None) -> "FrameSource":
    """The recording; where people watch on the page, at the pace of the table."""
    from companion.camera import open_source
    from companion.camera.live import Paced

    frames = open_source(source, fps)
    stack.callback(frames.close)
    return frames if speed is None else Paced(frames, speed)


def _replay(
    stack: ExitStack,
    source: Path,
    frames: "FrameSource",
    rig: "Rig",
    wishes: RigOptions,
    settings: "Settings",
    keeping: KeepOptions,
    out: Path | None,
    resume: bool,
) -> None:
    from companion.camera.folder import recorded_inputs
    from companion.cli.keeping import keep, limits_of, rig_meta
    from companion.cli.rig import record_meta
    from companion.cli.telling import sink_to
    from companion.pipeline import build
    from companion.pipeline import replay as frames_through
    from companion.signals import Signals, SignalsConfig

    kept = None
    if out is not None:
        meta = record_meta(rig, str(source), keeping.names)
        meta |= rig_meta(rig, wishes.profile or settings.game.profile)
        evidence, limits = bool(keeping.evidence), limits_of(settings)
        kept = keep(stack, _folder(out), meta, resume=resume, evidence=evidence, limits=limits)
    sink = sink_to(stack, wishes.events)
    # The lamps of the table, in memory: frames in which one would change are no evidence, here as there.
    signals = stack.enter_context(Signals.from_config(SignalsConfig(hardware="none", mode=rig.table.mode)))
    pipeline = build(rig, signals, kept.record if kept else None, kept.album if kept else None)
    if wishes.page:
        _show(stack, pipeline, wishes, settings, keeping, kept)
    inputs = recorded_inputs(source) if source.is_dir() else []
    try:
        for step in _with_progress(frames_through(pipeline, frames, inputs), frames, sys.stderr):
            for event in step.events:
                sink(event)
    except BoardNotFound as error:
        raise BoardNotFound(f"{source}: {error}") from None
    if kept is not None:
        kept.record.finish()
    if wishes.page:
        print("companion: the recording has ended; the page stays until Ctrl-C", file=sys.stderr, flush=True)
        threading.Event().wait()


def _show(
    stack: ExitStack,
    pipeline: "Pipeline",
    wishes: RigOptions,
    settings: "Settings",
    keeping: KeepOptions,
    kept: "Kept | None",
) -> None:
    """Serve the page, with what is being replayed on it."""
    from companion.cli.page import config_for, served

    config = config_for(wishes, settings)
    assert config is not None
    desk = served(stack, config, kept.path if kept else None)
    white, black = keeping.names
    desk.attach(pipeline, {"white": white, "black": black}, kept.record.recording if kept else None)


def _folder(out: Path) -> Path:
    """The folder for the record; it is made here, so that the record is a file inside it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordingError(
            f"{out}: expected a folder to write to: {(error.strerror or str(error)).lower()}"
        ) from None
    return out


def _with_progress(steps: Iterator[Any], frames: Any, terminal: IO[str]) -> Iterator[Any]:
    """Show a progress bar on a terminal, and nothing where the output is piped."""
    if not terminal.isatty() or sys.stdout.isatty():
        yield from steps
        return
    from rich.console import Console
    from rich.progress import track

    total = len(frames) if hasattr(frames, "__len__") else None
    yield from track(steps, "refereeing", total=total, console=Console(file=terminal), transient=True)
