"""What has come over the board since it was last at rest: a hand that lies still, an arm, a cup.

The network sees hands in single pictures, not all of them. Where a picture at rest without a hand is remembered, a hand
is also one large thing that has come from the edge: larger than the few checkers and dice that change between two
pictures at rest. How large it is becomes evidence that joins the network's. What stays longer than ``PATIENCE_S`` is
taken as part of the board.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from companion.frame import Image
from companion.layout import SLOTS
from companion.vision.geometry import Floats, board_to_picture

SIZE = (96, 80)
"""Width and height of the small picture of the field that is remembered."""
CHANGED = 22
"""Grey levels (of the channel that changed most) from which a cell has changed."""
SHARES = (0.016, 0.03, 0.06, 0.1)
EVIDENCE = (0.0, 1.0, 2.5, 4.0)
"""Nats for a hand where one thing covers these shares of the field (in a recorded game, plays change 1.6 % at most, and
30 of 31 hands more than 2.4 %).
"""
OVERLAP = 0.25
"""A slot of which so much is under the thing is hidden as the thing is a hand."""
PATIENCE_S = 4.0

Cells = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Cover:
    """Evidence in nats that something covers the board, and that it covers each slot (those without are left out)."""

    board: float = 0.0
    slots: Mapping[str, float] = field(default_factory=dict)


class CoverWatch:
    """Remembers the field at rest: ``look`` at every still frame, then say with ``keep`` whether a hand was seen."""

    def __init__(self) -> None:
        self._rest: Cells | None = None
        self._now: Cells | None = None
        self._since_s: float | None = None

    def forget(self) -> None:
        """The board has moved: what was remembered is of another place."""
        self._rest = self._now = self._since_s = None

    def look(self, image: Image, corners: Floats, t: float) -> Cover:
        """What has come over the field of this still picture (height × width × 3, uint8, BGR; ``t`` in seconds)."""
        self._now = _field(image, corners)
        share, thing = (0.0, None) if self._rest is None else _largest(self._rest, self._now)
        evidence = float(np.interp(share, SHARES, EVIDENCE))
        if thing is None or evidence <= 0:
            self._since_s = None
            return Cover()
        self._since_s = t if self._since_s is None else self._since_s
        if t - self._since_s > PATIENCE_S:
            self._since_s = None
            return Cover()
        return Cover(evidence, {slot: evidence for slot in SLOTS if _part(thing, slot) > OVERLAP})

    def keep(self, *, hand: bool) -> None:
        """A picture without a hand is the board at rest."""
        if self._now is not None and not hand:
            self._rest = self._now


def _field(image: Image, corners: Floats) -> Cells:
    """The field as a small picture (80 × 96 × 3)."""
    width, height = SIZE
    into = np.diag([1 / width, 1 / height, 1.0])
    matrix = board_to_picture(corners) @ into
    step = float(np.linalg.norm(corners[1] - corners[0])) / width
    blurred = cv2.blur(image, (max(1, round(step)), max(1, round(step)))) if step >= 1.5 else image
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(blurred, matrix, SIZE, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _largest(before: Cells, now: Cells) -> tuple[float, npt.NDArray[np.bool_] | None]:
    """The largest thing that changed and reaches the edge of the field: its share of the field, and where it is."""
    change = cv2.absdiff(before, now).max(axis=2).astype(np.int16)
    change -= int(np.median(change))
    mask = (change > CHANGED).astype(np.uint8)
    for how in (cv2.MORPH_OPEN, cv2.MORPH_CLOSE):
        mask = np.asarray(cv2.morphologyEx(mask, how, np.ones((3, 3), np.uint8)), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    best, where = 0.0, None
    for label in range(1, count):
        x, y, w, h, area = stats[label]
        edge = x <= 1 or y <= 1 or x + w >= SIZE[0] - 1 or y + h >= SIZE[1] - 1
        if edge and area > best:
            best, where = float(area), np.asarray(labels == label, np.bool_)
    return best / (SIZE[0] * SIZE[1]), where


def _part(thing: npt.NDArray[np.bool_], slot: str) -> float:
    """How much of a slot's half column the thing covers."""
    width, height = SIZE
    start = int(slot[1:]) * width // 12
    rows = slice(0, height * 4 // 10) if slot[0] == "T" else slice(height * 6 // 10, height)
    return float(thing[rows, start : start + width // 12].mean())
