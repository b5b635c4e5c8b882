"""Where something of the size of a die has arrived since the board was last at rest.

A die that the detector has never seen the like of (translucent, tiny, the colour of the board) still changes the
picture when it is thrown. Two pictures at rest without a hand, one before and one after something moved, are compared;
spots of the size of a die are proposed to the reader of dice, which says whether they are dice and which.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Corners

USUAL_SIDE = 0.036
"""Side of a die in widths of the board."""
LEAST, MOST = 0.45, 2.4
"""A spot is as large as a die when its longer side is between these, in sides of a die."""
WITH_SHADOW = 1.4
"""A spot longer than this many sides holds a die and its shadow."""
CHANGED = 22
"""Grey levels (of the channel that changed most) from which a pixel has changed."""
MANY = 12
"""So many spots of one change are looked at, those nearest to the size of a die."""
SCORE = 0.85

PATIENCE = 30
"""A place where a die was read is looked at for so many frames more after it was read last."""

Peak = tuple[float, float, float, float]
"""Centre x, y, side, score, as the detector gives them."""


class Arrivals:
    """Remembers the last picture at rest: ``look`` at every still frame, then ``keep`` what was read there."""

    def __init__(self) -> None:
        self._rest: NDArray[np.uint8] | None = None
        self._now: NDArray[np.uint8] | None = None
        self._places: list[tuple[Peak, int]] = []

    def look(self, image: NDArray[np.uint8], corners: Corners, *, disturbed: bool) -> list[Peak]:
        """Places in a still BGR frame (h, w, 3) where something of a die's size has arrived, or a die lay lately.

        ``disturbed``: something moved since the last call.
        """
        self._now = None
        if disturbed or self._rest is None:
            self._now = cv2.GaussianBlur(image, (0, 0), 1.0).astype(np.uint8)
            if self._rest is not None and self._rest.shape == self._now.shape:
                new = _spots(self._rest, self._now, np.asarray(corners, np.float32))
                kept = [known for known in self._places if not any(_touch(known[0], spot) for spot in new)]
                self._places = kept + [(spot, PATIENCE) for spot in new]
        return [place for place, _ in self._places]

    def keep(self, dice: Sequence[tuple[float, float]], *, hand: bool) -> None:
        """Where dice were read (centres in pixels) is looked at further; a picture with a hand is not at rest."""
        aged = [(p, 0 if any(_near(p, die) for die in dice) else age + 1) for p, age in self._places]
        self._places = [(place, age) for place, age in aged if age < PATIENCE]
        if self._now is not None and not hand:
            self._rest = self._now


def _near(place: Peak, die: tuple[float, float]) -> bool:
    return max(abs(place[0] - die[0]), abs(place[1] - die[1])) < 0.5 * place[2]


def _touch(a: Peak, b: Peak) -> bool:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) < 0.5 * max(a[2], b[2])


def _spots(before: NDArray[np.uint8], after: NDArray[np.uint8], corners: NDArray[np.float32]) -> list[Peak]:
    """What changed and is about as large as a die, on the board or close beside it."""
    side = USUAL_SIDE * float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    change = cv2.absdiff(before, after).max(axis=2)
    change = np.maximum(change.astype(np.int16) - int(np.median(change)), 0)
    mask = (change > CHANGED).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    field = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(field, _grown(corners).astype(np.int32), 1)
    count, _, stats, _centres = cv2.connectedComponentsWithStats(cv2.bitwise_and(mask, field), connectivity=8)
    spots: list[tuple[float, list[Peak]]] = []
    for x, y, w, h, area in stats[1:count]:
        if LEAST * side <= max(w, h) <= MOST * side and area >= 0.25 * w * h and min(w, h) >= 0.3 * side:
            spots.append((abs(float(np.log(max(w, h) / side))), _within(x, y, w, h, side)))
    likely = sorted(spots, key=lambda spot: spot[0])[:MANY]
    return [place for _, places in likely for place in places]


def _within(x: float, y: float, w: float, h: float, side: float) -> list[Peak]:
    """Where in a spot the die may be: with a shadow the spot is larger, and the die lies at one of its corners."""
    if max(w, h) <= WITH_SHADOW * side:
        return [(float(x + w / 2), float(y + h / 2), float(np.clip(max(w, h), 0.8 * side, 1.2 * side)), SCORE)]
    half = side / 2
    across = sorted({float(x + half), float(x + w - half)})
    down = sorted({float(y + half), float(y + h - half)})
    return [(a, b, side, SCORE) for a in across for b in down]


def _grown(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """The field and a little beside it."""
    middle = corners.mean(axis=0)
    grown: NDArray[np.float32] = middle + (corners - middle) * np.float32(1.08)
    return grown
