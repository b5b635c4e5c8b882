"""``companion replay``: the pipeline of the table over a recording."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from companion.cli.options import KeepOptions, RigOptions, spread
from companion.errors import BoardNotFound, RecordingError

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
) -> None:
    """Referee a recorded game: a video file, a recorded folder, or a folder of pictures."""
    for wanted, option_name in ((resume, "--resume"), (keeping.evidence, "--evidence")):
        if wanted and out is None:
            raise typer.BadParameter(f"{option_name} needs the folder of the record: --out DIR")
    with ExitStack() as stack:
        _replay(stack, source, wishes, keeping, fps, out, resume)


def _replay(
    stack: ExitStack, source: Path, wishes: RigOptions, keeping: KeepOptions, fps: float, out: Path | None, resume: bool
) -> None:
    from companion.camera import open_source
    from companion.camera.folder import recorded_inputs
    from companion.cli.keeping import keep
    from companion.cli.rig import record_meta, rig_from, settings_for
    from companion.cli.telling import sink_to
    from companion.pipeline import build
    from companion.pipeline import replay as frames_through

    rig = rig_from(wishes, settings_for(wishes))
    frames = open_source(source, fps)
    stack.callback(frames.close)
    kept = None
    if out is not None:
        meta = record_meta(rig, str(source), keeping.names)
        kept = keep(stack, _folder(out), meta, resume=resume, evidence=bool(keeping.evidence))
    sink = sink_to(stack, wishes.events)
    pipeline = build(rig, record=kept.record if kept else None, album=kept.album if kept else None)
    inputs = recorded_inputs(source) if source.is_dir() else []
    try:
        for step in _with_progress(frames_through(pipeline, frames, inputs), frames, sys.stderr):
            for event in step.events:
                sink(event)
    except BoardNotFound as error:
        raise BoardNotFound(f"{source}: {error}") from None
    if kept is not None:
        kept.record.finish()


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
