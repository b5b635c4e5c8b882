"""``companion replay`` and ``companion run``: the same pipeline over a recording, or at the table."""

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from companion.errors import BoardNotFound, ConfigError, RecordingError
from companion.events import PUBLIC, SCHEMA, Event

Source = Annotated[Path, typer.Argument(help="A video file, a recorded folder, or a folder of pictures.")]
GameName = Annotated[
    str | None, typer.Option("--game", help="long, short, tabla … (default: the calibration's, else long).")
]
Calibration = Annotated[Path | None, typer.Option("--calibration", help="A calibration file.")]
CornersText = Annotated[
    str | None,
    typer.Option("--corners", help='The playing field\'s outer corners in pixels, "x,y x,y x,y x,y": TL TR BR BL.'),
]
Home = Annotated[str | None, typer.Option("--home", help="The corner where the light player bears off: BR BL TR TL.")]
White = Annotated[str | None, typer.Option("--white", help="Whose checkers White plays: light or dark.")]
Start = Annotated[Path | None, typer.Option("--start", help="A position (JSON) to begin from.")]
Profile = Annotated[str | None, typer.Option("--profile", help="House rules: the name or the file of a profile.")]
Options = Annotated[list[str] | None, typer.Option("--option", help="One house rule, name=value; may be repeated.")]
Mode = Annotated[str, typer.Option("--mode", help="teach, referee, director or silent.")]
Policy = Annotated[str, typer.Option("--policy", help="What becomes of an illegal play: legal, responsible or demand.")]
Events = Annotated[str | None, typer.Option("--events", help="Where to write events as JSON lines; - prints them.")]
Evidence = Annotated[
    bool, typer.Option("--evidence/--no-evidence", help="Keep pictures of the field and the dice of each turn.")
]
WhiteName = Annotated[str, typer.Option("--white-name", help="Who plays White, for the record.")]
BlackName = Annotated[str, typer.Option("--black-name", help="Who plays Black.")]
Length = Annotated[int | None, typer.Option("--length", help="Points of the match; 0: money (default: 3).", min=0)]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("run", epilog="Example: companion run --game long --record evening")(run)
    app.command("replay", epilog="Example: companion replay game.mp4 --game long --events -")(replay)


@dataclass(frozen=True)
class Wishes:
    """What the command line says about the rig, before it is checked."""

    game: str | None
    calibration: Path | None
    corners: str | None
    home: str | None
    white: str | None
    start: Path | None
    profile: str | None
    options: list[str] | None
    mode: str
    policy: str
    length: int | None


@dataclass(frozen=True)
class Keeping:
    """Where and how the game is kept; ``names`` are those of White and Black."""

    out: Path | None
    names: tuple[str, str] = ("", "")
    resume: bool = False
    evidence: bool = False


def replay(
    source: Source,
    game: GameName = None,
    calibration: Calibration = None,
    corners: CornersText = None,
    home: Home = None,
    white: White = None,
    start: Start = None,
    profile: Profile = None,
    option: Options = None,
    mode: Mode = "referee",
    policy: Policy = "legal",
    length: Length = None,
    fps: Annotated[float, typer.Option("--fps", help="Pictures per second of a folder without times.")] = 2.0,
    out: Annotated[Path | None, typer.Option("--out", help="A folder for the record.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the record in --out.")] = False,
    evidence: Evidence = False,
    white_name: WhiteName = "",
    black_name: BlackName = "",
    events: Events = None,
) -> None:
    """Referee a recorded game: a video file, a recorded folder, or a folder of pictures."""
    for wanted, option_name in ((resume, "--resume"), (evidence, "--evidence")):
        if wanted and out is None:
            raise typer.BadParameter(f"{option_name} needs the folder of the record: --out DIR")
    wishes = Wishes(game, calibration, corners, home, white, start, profile, option, mode, policy, length)
    with ExitStack() as stack:
        keeping = None if out is None else Keeping(out, (white_name, black_name), resume=resume, evidence=evidence)
        _replay(stack, source, wishes, fps, keeping, events)


def _replay(
    stack: ExitStack, source: Path, wishes: Wishes, fps: float, keeping: Keeping | None, events: str | None
) -> None:
    from companion.camera import open_source
    from companion.camera.folder import recorded_inputs
    from companion.cli.keeping import keep
    from companion.cli.rig import record_meta, rig_from
    from companion.pipeline import build
    from companion.pipeline import replay as frames_through

    rig = rig_from(wishes)
    frames = open_source(source, fps)
    stack.callback(frames.close)
    kept = None
    if keeping is not None and keeping.out is not None:
        meta = record_meta(rig, str(source), keeping.names)
        kept = keep(stack, _folder(keeping.out), meta, resume=keeping.resume, evidence=keeping.evidence)
    sink = _sink(stack, events)
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


def run(
    game: GameName = None,
    calibration: Calibration = None,
    corners: CornersText = None,
    home: Home = None,
    white: White = None,
    start: Start = None,
    profile: Profile = None,
    option: Options = None,
    mode: Mode = "referee",
    policy: Policy = "legal",
    length: Length = None,
    camera: Annotated[str, typer.Option("--camera", help="The camera: its number (0) or device file.")] = "0",
    record: Annotated[Path | None, typer.Option("--record", help="A new folder for every whole frame.")] = None,
    simulate: Annotated[Path | None, typer.Option("--simulate", help="A recording in place of the camera.")] = None,
    evidence: Evidence = True,
    white_name: WhiteName = "",
    black_name: BlackName = "",
    events: Events = None,
) -> None:
    """Referee at the table, with lamps and display; Ctrl-C (or SIGTERM) ends it and closes the record."""
    wishes = Wishes(game, calibration, corners, home, white, start, profile, option, mode, policy, length)
    signal.signal(signal.SIGTERM, _stop)
    with ExitStack() as stack:
        keeping = Keeping(None, (white_name, black_name), evidence=evidence)
        _run(stack, wishes, camera, record, simulate, keeping, events)


def _run(
    stack: ExitStack,
    wishes: Wishes,
    camera: str,
    record: Path | None,
    simulate: Path | None,
    keeping: Keeping,
    events: str | None,
) -> None:
    from companion.camera.folder import Recorder as FrameRecorder
    from companion.camera.live import LiveCamera, Paced
    from companion.camera.sources import open_source
    from companion.cli.keeping import keep
    from companion.cli.rig import record_meta, rig_from
    from companion.config import state_folder
    from companion.pipeline import build
    from companion.signals import Signals, SignalsConfig

    rig = rig_from(wishes)
    frames = Paced(open_source(simulate)) if simulate is not None else LiveCamera(camera)
    stack.callback(frames.close)
    signals = stack.enter_context(Signals.from_config(SignalsConfig(mode=rig.table.mode), recording=record is not None))
    meta = record_meta(rig, str(simulate or camera), keeping.names)
    kept = keep(stack, state_folder() / "record.sqlite", meta, evidence=keeping.evidence)
    pipeline = build(rig, signals, kept.record, kept.album)
    recorder = stack.enter_context(FrameRecorder(record)) if record is not None else None
    sink = _sink(stack, events)
    for step in pipeline.run(frames, recorder.frame if recorder else None):
        for item in step.inputs if recorder else ():
            recorder.input(item)  # type: ignore[union-attr]  # the loop is empty without one
        for event in step.events:
            sink(event)


def _stop(number: int, frame: Any) -> None:
    raise SystemExit(0)


_NOT_IN_WORDS = ("t", "event", "player", "dice", "board", "confidence")


class EventSink:
    """Writes public events: JSON lines with the schema's version in the first, or one short line for a person."""

    def __init__(self, file: IO[str], *, as_json: bool) -> None:
        self._file = file
        self._json = as_json
        self._first = True

    def __call__(self, event: Event) -> None:
        """Write one event, unless it is not part of the public stream."""
        if not isinstance(event, PUBLIC):
            return
        if self._json:
            head = {"schema": SCHEMA} if self._first else {}
            line = json.dumps(head | event.to_json(), ensure_ascii=False)
        else:
            line = in_words(event)
        self._first = False
        print(line, file=self._file, flush=True)


def in_words(event: Event) -> str:
    """One event in one line for a person."""
    data = event.to_json()
    dice = "-".join(str(value) for value in event.dice) if event.dice else ""
    rest = {key: value for key, value in data.items() if key not in _NOT_IN_WORDS and value not in ([], "own")}
    if data["event"] == "play" and data["play"] == "":
        rest["play"] = "no move"
    words = " ".join(_word(value) for value in rest.values() if value is not None)
    return f"{event.t:8.1f} s  {event.name:<12} {event.player or '':<5}  {dice:<4} {words}".rstrip()


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key} {item}" for key, item in value.items())
    return ", ".join(str(item) for item in value) if isinstance(value, list) else str(value)


def _sink(stack: ExitStack, events: str | None) -> EventSink:
    if events is None or events == "-":
        return EventSink(sys.stdout, as_json=events == "-")
    try:
        return EventSink(stack.enter_context(open(events, "w", encoding="utf-8")), as_json=True)
    except OSError as error:
        raise ConfigError(f"{events}: cannot be written: {(error.strerror or str(error)).lower()}") from None


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
