"""Reads the checkers of one frame: every slot, the bar, and what a hand covers. No state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.layout import SLOTS
from companion.observation import FLOOR, Content, Reading
from companion.vision import nets
from companion.vision.rectify import DEFAULT_SPAN, STRIP_H, STRIP_W, rectifier

Corners = Sequence[Sequence[float]]

MIXED: tuple[Content, ...] = (
    *((1, n) for n in range(1, 16)),
    *((n, 1) for n in range(2, 16)),
    *((2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (4, 2), (5, 2)),
)
CONTENTS: tuple[Content, ...] = ((0, 0), *((n, 0) for n in range(1, 16)), *((0, n) for n in range(1, 16)), *MIXED)
"""What a slot can hold, in the order of the network's output."""

_COLUMNS = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28]
_BAR_COLUMN = 7
WARY = 1.4
"""Added to the logit that a slot is hidden: the network is slow to say so (on held-out scenes it then sees 7 of 8 hands
instead of 4, and none in 144 pictures without one).
"""
TOP_SEEN = 0.3
"""The middle of a top more probable than this was seen."""
_KEPT = 8
"""So many contents of a slot are kept; the rest is below the floor."""


@dataclass(frozen=True)
class CheckerReading:
    """What was read: the 24 slots, the bar and the trays (None when out of sight), and what is covered.

    ``hand`` is the probability that something covers the board, ``hidden`` that of each slot; ``span`` is
    where the bar begins and ends across the field (0 … 1); ``tops`` (n × 2) are the middles of the tops
    of checkers that were seen, in pixels of the strips.
    """

    slots: Mapping[str, Reading]
    bar: Reading | None
    off: Reading | None
    hand: float
    hidden: Mapping[str, float]
    span: tuple[float, float]
    tops: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 2)))


class CheckerReader:
    """Reads frames with the networks ``bar`` and ``checkers``."""

    def __init__(self) -> None:
        self._span = nets.net("bar")
        self._net = nets.net("checkers")

    def read(
        self, image: NDArray[np.uint8], corners: Corners, span: tuple[float, float] | None = None
    ) -> CheckerReading:
        """Reads a BGR frame (h, w, 3) whose playing field has the corners TL, TR, BR, BL (px).

        ``span`` is the bar's, where it is known from a calibration; else it is looked for.
        """
        four = tuple((float(x), float(y)) for x, y in corners)
        if span is None:
            span = self.find_span(rectifier(four).span_picture(image))
        contents, bar, hidden, *more = self._net.run(rectifier(four, span).strips(image)[None])
        slots = softmax(contents[0, :, 0, _COLUMNS])
        covered = sigmoid(hidden[0, 0, 0, _COLUMNS] + WARY)
        return CheckerReading(
            slots={slot: reading(p, CONTENTS) for slot, p in zip(SLOTS, slots, strict=True)},
            bar=_bar_reading(bar[0, :, 0, _BAR_COLUMN]),
            off=None,
            hand=float(covered.max()),
            hidden={slot: float(p) for slot, p in zip(SLOTS, covered, strict=True)},
            span=span,
            tops=peaks(more[0][0]) if more else np.empty((0, 2)),
        )

    def find_span(self, field: NDArray[np.uint8]) -> tuple[float, float]:
        """Where the bar begins and ends in the picture of the field (48×192)."""
        (logits,) = self._span.run(field[None])
        p = softmax(logits[0, :, 0])
        begin, end = _edge(p[0], DEFAULT_SPAN[0], (0.4, 0.505)), _edge(p[1], DEFAULT_SPAN[1], (0.495, 0.6))
        return min(begin, 0.5), max(end, 0.5)


def peaks(heat: NDArray[np.float32]) -> NDArray[np.float64]:
    """Middles of tops (n × 2) in pixels of the strips, from the heat maps (2, rows, columns) of light and dark tops."""
    p = np.asarray(sigmoid(heat).max(0), np.float32)
    rows, columns = np.nonzero((p >= cv2.dilate(p, np.ones((3, 3), np.uint8))) & (p > TOP_SEEN))
    tall, wide = STRIP_H / p.shape[0], STRIP_W / p.shape[1]
    around = np.pad(p, 1)
    places = []
    for row, column in zip(rows, columns, strict=True):
        near = around[row : row + 3, column : column + 3]
        x = float((near.sum(0) * (-1, 0, 1)).sum() / near.sum())
        y = float((near.sum(1) * (-1, 0, 1)).sum() / near.sum())
        places.append(((column + x + 0.5) * wide, (row + y + 0.5) * tall))
    return np.array(places, np.float64).reshape(-1, 2)


def _edge(p: NDArray[np.float64], usual: float, within: tuple[float, float]) -> float:
    """An edge of the bar from probabilities over places, drawn to the usual place as far as they are unsure."""
    place = (np.arange(len(p)) + 0.5) / len(p)
    allowed = np.where((place > within[0]) & (place < within[1]), p, 0)
    peak = int(allowed.argmax())
    near = np.where(np.abs(np.arange(len(p)) - peak) <= 2, allowed, 0)
    sure = float(near.sum())
    seen = float((near * place).sum()) / max(sure, 1e-9)
    return sure * seen + (1 - sure) * usual


def reading(p: NDArray[np.floating], contents: Sequence[Content]) -> Reading:
    """A reading of the most probable contents."""
    order = np.argsort(p)[::-1][:_KEPT]
    return Reading({contents[i]: float(p[i]) for i in order if p[i] > FLOOR})


def _bar_reading(logits: NDArray[np.float32]) -> Reading:
    """Light and dark counts of the bar are read apart and combined."""
    light, dark = softmax(logits.reshape(2, -1))
    both = np.outer(light, dark)
    contents = [(i, j) for i in range(len(light)) for j in range(len(dark))]
    return reading(both.ravel(), contents)


def softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Probabilities along the last axis."""
    shifted = np.asarray(logits, np.float64) - logits.max(-1, keepdims=True)
    e = np.exp(shifted)
    return np.asarray(e / e.sum(-1, keepdims=True), np.float64)


def sigmoid(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Probability of a logit."""
    return np.asarray(1 / (1 + np.exp(-np.clip(np.asarray(logits, np.float64), -40, 40))), np.float64)
