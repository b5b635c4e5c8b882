"""The motion gate: whether something moves in or near the board, cheap enough for every frame.

Two successive frames are compared on a coarse grid (one cell for 8 × 8 pixels) in the logarithm of the green
channel. A change of exposure or of lamp light is smooth over the board and is taken away; a hand, a checker
and a die have edges and stay. Noise is measured in the difference itself.
"""

import cv2
import numpy as np
import numpy.typing as npt

from companion.frame import Image
from companion.vision.geometry import Corners

CELL_PX = 8
MARGIN = 0.06
"""How far around the field motion counts, in parts of the field."""

_SMOOTH_CELLS = 11
_LEAST_CHANGE = 12.0
_NOISE_FACTOR = 6.0
_HALF_SURE_CELLS = 2.5
"""So many changed cells mean motion with probability 0.5: less than a die covers when it appears."""

_JUMP = 4.0
_LEVELS = 24
"""A median change above ``_JUMP`` is a change of exposure, undone for each of so many levels of
brightness."""

# 144 / grey at mid grey, so that a difference is about one grey level there, and less steep than 1 / grey in
# the dark.
_LOG = (176.0 * np.log((np.arange(256, dtype=np.float32) + 48.0) / 48.0)).astype(np.float32)

Cells = npt.NDArray[np.float32]


class MotionGate:
    """Remembers the last frame and tells how probable it is that something moved since."""

    def __init__(self) -> None:
        self._last: Cells | None = None
        self._mask: npt.NDArray[np.uint8] | None = None
        self._corners: npt.NDArray[np.float64] | None = None

    def watch(self, corners: Corners | None) -> None:
        """Watch the board at these corners only (None: the whole picture)."""
        self._corners = None if corners is None else np.asarray(corners, dtype=np.float64).reshape(4, 2)
        self._mask = None

    def motion(self, image: Image) -> float:
        """The probability of motion between the frame before and this one (height × width × 3, uint8, BGR);
        at first 0."""
        cells = _cells(image)
        last, self._last = self._last, cells
        if last is None:
            return 0.0
        if last.shape != cells.shape:
            return 1.0
        changed = self._changed(_without_gain(last, cells))
        return float(1 / (1 + np.exp(-(changed - _HALF_SURE_CELLS))))

    def _changed(self, difference: Cells) -> float:
        """How many cells changed more than light and noise explain."""
        smooth = cv2.blur(difference, (_SMOOTH_CELLS, _SMOOTH_CELLS))
        sharp = np.abs(difference - smooth)
        mask = self._watched(difference.shape)
        seen = sharp[mask]
        if not seen.size:
            return 0.0
        noise = 1.4826 * float(np.median(seen))
        changed = ((sharp > max(_LEAST_CHANGE, _NOISE_FACTOR * noise)) & mask).astype(np.float32)
        neighbours = cv2.boxFilter(changed, -1, (3, 3), normalize=False)  # a lone cell is noise, a die covers four
        return min(50.0, float(np.count_nonzero((changed > 0) & (neighbours >= 3))))

    def _watched(self, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
        if self._mask is None or self._mask.shape != shape:
            self._mask = np.ones(shape, np.uint8)
            if self._corners is not None:
                centre = self._corners.mean(axis=0)
                grown = centre + (self._corners - centre) * (1 + 2 * MARGIN)
                self._mask = cv2.fillConvexPoly(
                    np.zeros(shape, np.uint8), np.round(grown / CELL_PX).astype(np.int32), 1
                ).astype(np.uint8)
        return self._mask.astype(np.bool_)


def _without_gain(last: Cells, cells: Cells) -> Cells:
    """The difference, less what a change of exposure did to each level of brightness."""
    difference = cells - last
    if abs(float(np.median(difference))) < _JUMP:
        return difference
    level = np.minimum((last * (_LEVELS / _LOG[-1])).astype(np.intp), _LEVELS - 1)
    for value in range(_LEVELS):
        same = level == value
        if same.any():
            difference[same] -= np.median(difference[same])
    difference[(last >= _LOG[250]) | (cells >= _LOG[250])] = 0.0  # burnt out before or after: says nothing
    return difference


def _cells(image: Image) -> Cells:
    """The coarse grid: every second pixel, averaged by four in each direction."""
    green = np.ascontiguousarray(image[1::2, 1::2, 1])
    size = (max(1, green.shape[1] // 4), max(1, green.shape[0] // 4))
    return np.asarray(_LOG[cv2.resize(green, size, interpolation=cv2.INTER_AREA)], dtype=np.float32)
