"""The one place that knows all stages: it composes them and decides nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from companion.attention import Attention
from companion.errors import BoardNotFound
from companion.events import Event
from companion.frame import Frame, FrameSource
from companion.inputs import Input, InputQueue
from companion.layout import Corner, Shade
from companion.observation import Observation
from companion.rules import Game, Position
from companion.settle import Settle, SettleSettings
from companion.table import Table, TableSettings
from companion.vision.calibration import Calibration
from companion.vision.evidence import picture_of
from companion.vision.eyes import Eyes


class Looks(Protocol):
    """The eyes (``vision.eyes.Eyes``), or whatever stands in for them."""

    def observe(self, frame: Frame, attention: Attention) -> Observation:
        """What is seen in this frame."""
        ...


class Shows(Protocol):
    """Lamps, display, buzzer and voice (``signals.Signals``)."""

    def show(self, events: Sequence[Event], t: float) -> float:
        """Show what happened; answer the time in seconds before which frames are not evidence."""
        ...


class Keeps(Protocol):
    """The record (``records.Recorder``)."""

    def append(self, events: Sequence[Event] = (), inputs: Sequence[Input] = ()) -> None:
        """Store one step, all or nothing, before it acts."""
        ...


class Witnesses(Protocol):
    """The evidence pictures (``records.pictures.Album``)."""

    def see(self, events: Sequence[Event], t: float, take: Callable[[str], bytes | None]) -> None:
        """Keep pictures of what these events came of; ``take`` makes one (``roll``, or else of the board)."""
        ...


@dataclass(frozen=True)
class Step:
    """What one frame brought."""

    t: float
    events: tuple[Event, ...]
    inputs: tuple[Input, ...] = ()


@dataclass
class Pipeline:
    """Camera → vision → settle → table → record and signals, one frame at a time."""

    eyes: Looks
    table: Table
    settle: Settle
    signals: Shows | None = None
    record: Keeps | None = None
    album: Witnesses | None = None

    def __post_init__(self) -> None:
        self.inputs = InputQueue()
        self._attention = Attention()
        self._t = 0.0

    def step(self, frame: Frame) -> Step:
        """Take one frame through all stages."""
        self._t = frame.t
        inputs = self.inputs.drain(frame.t)
        if inputs and self.record is not None:
            self.record.append(inputs=inputs)
        seen = self.eyes.observe(frame, self._attention)
        events = self.table.step(frame.t, self.settle.step(seen), inputs)
        self._attention = self._told(events)
        if events and self.album is not None:
            self.album.see(events, frame.t, lambda kind: picture_of(kind, frame.image, seen))
        return Step(frame.t, events, tuple(inputs))

    def finish(self) -> Step:
        """The source has ended: say what is still open."""
        events = self.table.finish(self._t)
        self._told(events)
        return Step(self._t, events)

    def run(self, source: FrameSource, each: Callable[[Frame], None] | None = None) -> Iterator[Step]:
        """Take every frame of a source; ``each`` is told of every frame before it is seen (recording, progress)."""
        frames: Iterable[Frame] = source
        for frame in frames:
            if each is not None:
                each(frame)
            yield self.step(frame)
            source.attend(self._attention)
        yield self.finish()

    def _told(self, events: tuple[Event, ...]) -> Attention:
        """Store, then show; what the table and the signals want looked at next."""
        if events and self.record is not None:
            self.record.append(events)
        attention = self.table.attention()
        if self.signals is None:
            return attention
        until = self.signals.show(events, self._t)
        return replace(attention, not_evidence_until_s=until)


@dataclass(frozen=True)
class Rig:
    """What must be known before the first frame: the game and its options, where the board is, how the people play.

    ``corners`` TL, TR, BR, BL in pixels or None for those of the ``calibration``, and without any the board is found;
    ``home`` the corner where the light player bears off, or None to read it from the start position; ``start`` a
    position to begin from.
    """

    game: Game
    table: TableSettings = field(default_factory=TableSettings)
    settle: SettleSettings = field(default_factory=SettleSettings)
    corners: tuple[tuple[float, float], ...] | None = None
    calibration: Calibration | None = None
    home: Corner | None = None
    white: Shade = "light"
    start: Position | None = None


def build(
    rig: Rig, signals: Shows | None = None, record: Keeps | None = None, album: Witnesses | None = None
) -> Pipeline:
    """All stages for one rig."""
    table = Table(rig.game, rig.table, home=rig.home, white=rig.white, start=rig.start)
    return Pipeline(
        Eyes(corners=rig.corners, calibration=rig.calibration), table, Settle(rig.settle), signals, record, album
    )


def replay(pipeline: Pipeline, source: FrameSource, inputs: Sequence[Input] = ()) -> Iterator[Step]:
    """Run a recording through the pipeline; raises BoardNotFound when it never showed which way the board is used."""
    for item in inputs:
        pipeline.inputs.put(item)
    yield from pipeline.run(source)
    if pipeline.table.layout is None:
        raise BoardNotFound(
            "expected the start position, to read from it which way the board is used, and did not see "
            "it: say --home BR, BL, TL or TR (the corner where the light player bears off), or give --start"
        )
