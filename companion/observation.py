"""What was seen, with probabilities: no pixels, no rules.

An :class:`Observation` is made by ``vision`` from one frame, and by ``settle`` from several. Contents are
pairs ``(light, dark)``: how many lighter and how many darker checkers a slot holds; both are above zero only
after an illegal play. What could not be seen is None, never a guess.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from companion.attention import Box
from companion.layout import BOTTOM_SLOTS, SLOTS, TOP_SLOTS

Content = tuple[int, int]
"""(light, dark) checkers on a slot."""

FLOOR = 1e-4
"""No content is ever impossible to the eyes: the least probability that a reading gives to anything."""

LOG_FLOOR = math.log(FLOOR)

READABLE = 0.5
"""A place whose best content is less probable than this is reported as unknown."""

DiePlace = Literal["left", "right", "bar", "rim", "outside"]
BoardFound = Literal["given", "auto", "none"]


@dataclass(frozen=True)
class Reading:
    """Probabilities of the contents of one place; what is not listed has at most ``FLOOR``."""

    probabilities: Mapping[Content, float]

    @cached_property
    def best(self) -> Content:
        """The most probable content."""
        return max(self.probabilities, key=lambda c: self.probabilities[c])

    @cached_property
    def confidence(self) -> float:
        """The probability of the best content."""
        return self.probabilities[self.best]

    @cached_property
    def logs(self) -> Mapping[Content, float]:
        """The evidence for every content that is listed, in nats, bounded below by ``FLOOR``."""
        return {content: math.log(max(p, FLOOR)) for content, p in self.probabilities.items()}

    def log_likelihood(self, content: Content) -> float:
        """The evidence for a content in nats, bounded below by ``FLOOR``."""
        return self.logs.get(content, LOG_FLOOR)

    def to_json(self) -> list[list[float]]:
        """``[[light, dark, probability], …]``, most probable first."""
        ranked = sorted(self.probabilities.items(), key=lambda item: (-item[1], item[0]))
        return [[light, dark, round(p, 5)] for (light, dark), p in ranked]


@dataclass(frozen=True)
class SeenDie:
    """One die: six value probabilities (index 0 is the value 1), that it is cocked, that it is a die at all,
    and where.

    ``box`` is x, y, width, height in pixels of the frame; ``xy`` the centre on the rectified board, (0, 0)
    the TL and (1, 1) the BR corner of the playing field, None without a board; ``on_checker`` is the
    probability that it stands on one.
    """

    values: tuple[float, float, float, float, float, float]
    cocked: float
    presence: float
    box: Box
    place: DiePlace | None
    xy: tuple[float, float] | None = None
    on_checker: float = 0.0

    @property
    def value(self) -> int:
        """The most probable value."""
        return self.values.index(max(self.values)) + 1

    @property
    def confidence(self) -> float:
        """The probability that there is a die with this value."""
        return max(self.values) * self.presence

    @property
    def state(self) -> Literal["flat", "cocked"]:
        """Flat, or cocked: it leans, or stands on a checker."""
        return "cocked" if self.cocked > 0.5 else "flat"

    def to_json(self) -> dict[str, Any]:
        """The form that ``companion read`` prints."""
        return {
            "value": self.value,
            "confidence": round(self.confidence, 4),
            "box": [round(v, 1) for v in self.box],
            "state": self.state,
            "place": self.place,
        }


@dataclass(frozen=True)
class SeenCube:
    """The doubling cube as a proposal: the number on top (1 means 64 in the middle too), where, and how
    sure."""

    value: int
    place: str
    confidence: float

    def to_json(self) -> dict[str, Any]:
        """The form that ``companion read`` prints."""
        return {"value": self.value, "place": self.place}


@dataclass(frozen=True)
class SeenBoard:
    """The playing field in the frame: corners TL, TR, BR, BL in pixels, how found, how well they fit now."""

    corners: tuple[tuple[float, float], ...] | None
    found: BoardFound
    confidence: float = 1.0
    residual_px: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The form that ``companion read`` prints."""
        corners = None if self.corners is None else [[round(x, 1), round(y, 1)] for x, y in self.corners]
        return {"corners": corners, "found": self.found}


@dataclass(frozen=True)
class Observation:
    """What was seen at the time ``t`` (seconds).

    ``slots`` maps each slot to its reading (or None: hidden, not read); ``bar`` and ``off`` are readings of
    the bar and of the trays, or None when they lie out of sight. ``hand`` and ``motion`` are probabilities.
    ``full`` is False when only the cheap motion gate ran.
    """

    t: float
    board: SeenBoard
    slots: Mapping[str, Reading | None] = field(default_factory=dict)
    bar: Reading | None = None
    off: Reading | None = None
    dice: tuple[SeenDie, ...] = ()
    cube: SeenCube | None = None
    hand: float = 0.0
    motion: float = 0.0
    full: bool = True

    def to_read_json(self) -> dict[str, Any]:
        """The JSON of ``companion read`` (design.md §5), without the name of the picture."""
        return {
            "board": self.board.to_json(),
            "dice": [die.to_json() for die in self.dice],
            "top": [_entry(self.slots.get(slot)) for slot in TOP_SLOTS] if self.slots else None,
            "bottom": [_entry(self.slots.get(slot)) for slot in BOTTOM_SLOTS] if self.slots else None,
            "bar": _pair(self.bar),
            "off": _pair(self.off),
            "cube": None if self.cube is None else self.cube.to_json(),
            "hand": self.hand > 0.5,
            "confidence": round(self.confidence, 4),
        }

    @property
    def confidence(self) -> float:
        """The probability that every slot was read right (independent slots), 0 when one could not be
        read."""
        product = 1.0
        for slot in SLOTS:
            reading = self.slots.get(slot)
            product *= 0.0 if reading is None else reading.confidence
        return product

    def to_json(self) -> dict[str, Any]:
        """Everything, for the record and for tests."""
        return {
            "t": self.t,
            "board": self.board.to_json() | {"residual_px": _finite(self.board.residual_px)},
            "slots": {s: None if r is None else r.to_json() for s, r in self.slots.items()},
            "bar": None if self.bar is None else self.bar.to_json(),
            "off": None if self.off is None else self.off.to_json(),
            "dice": [
                die.to_json()
                | {"values": list(die.values), "cocked": die.cocked, "presence": die.presence, "xy": die.xy}
                for die in self.dice
            ],
            "cube": None if self.cube is None else self.cube.to_json() | {"confidence": self.cube.confidence},
            "hand": self.hand,
            "motion": self.motion,
            "full": self.full,
        }


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else round(value, 2)


def _entry(reading: Reading | None) -> list[Any] | None:
    """A point as ``read`` prints it: ``["l", 5]``, ``["m", [light, dark]]``, or None when it cannot be
    read."""
    if reading is None or reading.confidence < READABLE:
        return None
    light, dark = reading.best
    if light and dark:
        return ["m", [light, dark]]
    return ["l", light] if light else ["d", dark] if dark else ["", 0]


def _pair(reading: Reading | None) -> dict[str, int] | None:
    if reading is None or reading.confidence < READABLE:
        return None
    light, dark = reading.best
    return {"l": light, "d": dark}


@dataclass(frozen=True)
class Settled:
    """What several readings of a still picture agree on: ``seen`` at its last moment, still since
    ``since_s``.

    ``readings`` is how many full readings went in; ``moved`` tells that a hand or other motion came between
    the settled picture before and this one.
    """

    seen: Observation
    since_s: float
    readings: int
    moved: bool

    @property
    def still_s(self) -> float:
        """How long the picture has been still, in seconds."""
        return self.seen.t - self.since_s
