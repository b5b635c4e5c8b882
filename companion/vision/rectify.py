"""From the four corners to canonical pictures of the playing field, and between pixels and the field.

Field coordinates are (0, 0) at the TL and (1, 1) at the BR corner. The *strips* are the picture that the
checkers are read from: both rows side by side, each with its rim at the top, so that every slot lies at
the same columns whatever the board:

    | margin | T0 … T5 | bar | T6 … T11 | margin | margin | B0 … B5 | bar | B6 … B11 | margin |

Each column is ``SLOT_PX`` wide. Above the rim is a margin, because seen from the side stacks lean out of
the field; below, the strip reaches over the middle of the board.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]

SLOT_PX = 24
ROW_COLUMNS = 15
STRIP_W = 2 * ROW_COLUMNS * SLOT_PX
STRIP_H = 192
FIELD_SLOTS = 10.5
"""Height of a usual field in widths of a point: ten checkers and the gap between the rows."""
RIM_SLOTS = 1.6
"""Margin above the rim."""
SPAN_SIZE = (192, 48)
"""Width and height of the small picture of the field in which the bar is found."""

DEFAULT_SPAN = (0.463, 0.537)


@dataclass(frozen=True)
class Rectifier:
    """Maps one frame's board.

    ``corners`` are TL, TR, BR, BL in pixels; ``span`` is where the bar begins and ends (0 … 1).
    """

    corners: tuple[tuple[float, float], ...]
    span: tuple[float, float] = DEFAULT_SPAN

    @cached_property
    def to_px(self) -> NDArray[np.float64]:
        """3×3 from field coordinates to pixels."""
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        return np.asarray(cv2.getPerspectiveTransform(unit, np.array(self.corners, np.float32)), np.float64)

    @cached_property
    def to_field(self) -> NDArray[np.float64]:
        """3×3 from pixels to field coordinates."""
        return np.asarray(np.linalg.inv(self.to_px), np.float64)

    def pixels(self, points: NDArray[np.floating]) -> Array:
        """(N, 2) field coordinates -> pixels."""
        return _apply(self.to_px, points)

    def field(self, points: NDArray[np.floating]) -> Array:
        """(N, 2) pixels -> field coordinates."""
        return _apply(self.to_field, points)

    def column_to_x(self, columns: NDArray[np.floating]) -> Array:
        """Columns of a strip (0 = left end of slot 0, 6 … 7 the bar, 13 = right end) -> field x.

        Straight on outside.
        """
        a, b = self.span
        left, right = columns * (a / 6), b + (columns - 7) * ((1 - b) / 6)
        inside = a + (columns - 6) * (b - a)
        return np.asarray(np.where(columns < 6, left, np.where(columns > 7, right, inside)), np.float32)

    def x_to_column(self, x: NDArray[np.floating]) -> Array:
        """Field x -> columns of a strip; the inverse of ``column_to_x``."""
        a, b = self.span
        inside = 6 + (x - a) / max(b - a, 1e-6)
        return np.asarray(np.where(x < a, x * 6 / a, np.where(x > b, 7 + (x - b) * 6 / (1 - b), inside)), np.float32)

    def strips(self, image: Picture) -> Picture:
        """The strips of a frame: uint8 BGR, STRIP_H × STRIP_W."""
        return self._sample(image, self._strip_grid)

    def strip_points(self, pixels: NDArray[np.floating]) -> tuple[Array, Array]:
        """Where (N, 2) frame pixels lie in the strips.

        (N, 2) as seen in the top row's strip, and in the bottom row's.
        """
        field = self.field(pixels)
        x = (self.x_to_column(field[:, 0]) + 1) * SLOT_PX
        top = (field[:, 1] * FIELD_SLOTS + RIM_SLOTS) * SLOT_PX
        bottom = ((1 - field[:, 1]) * FIELD_SLOTS + RIM_SLOTS) * SLOT_PX
        return (
            np.stack([x, top], 1).astype(np.float32),
            np.stack([x + STRIP_W // 2, bottom], 1).astype(np.float32),
        )

    def span_picture(self, image: Picture) -> Picture:
        """The whole field without margins, uint8 BGR 48×192, in which the bar is looked for."""
        return self._sample(image, self._span_grid)

    @cached_property
    def _strip_grid(self) -> Array:
        """Pixels of the frame (STRIP_H, STRIP_W, 2) that the strips are made of."""
        columns = (np.arange(STRIP_W // 2, dtype=np.float32) + 0.5) / SLOT_PX - 1
        x = self.column_to_x(columns)
        y = ((np.arange(STRIP_H, dtype=np.float32) + 0.5) / SLOT_PX - RIM_SLOTS) / FIELD_SLOTS
        return np.concatenate([self._grid(x, y), self._grid(x, 1 - y)], axis=1)

    @cached_property
    def _span_grid(self) -> Array:
        w, h = SPAN_SIZE
        x, y = (np.arange(w, dtype=np.float32) + 0.5) / w, (np.arange(h, dtype=np.float32) + 0.5) / h
        return self._grid(x, y)

    def _grid(self, x: NDArray[np.floating], y: NDArray[np.floating]) -> Array:
        """Pixels (len(y), len(x), 2) of the field coordinates x × y."""
        h = self.to_px.astype(np.float32)
        u, v, z = (h[i, 0] * x[None, :] + (h[i, 1] * y + h[i, 2])[:, None] for i in range(3))
        return np.asarray(np.stack([u, v], -1) / np.maximum(z, 1e-6)[..., None], np.float32)

    def _sample(self, image: Picture, at: Array) -> Picture:
        """The frame at a grid (h, w, 2) of pixels, averaged where the frame is finer than the grid."""
        h, w = at.shape[:2]
        step = float(np.linalg.norm(at[h // 2, w // 4 + 1] - at[h // 2, w // 4]))
        down = float(np.linalg.norm(at[h // 2 + 1, w // 4] - at[h // 2, w // 4]))
        scale = 1 / max(1.0, float(np.sqrt(step * down)))
        ends = at[[0, 0, 0, 0, -1, -1, -1, -1], [0, w // 2 - 1, w // 2, -1] * 2]
        low = np.maximum(np.floor(ends.min(0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(ends.max(0)).astype(int) + 3, [image.shape[1], image.shape[0]])
        part = image[low[1] : max(high[1], low[1] + 1), low[0] : max(high[0], low[0] + 1)]
        if part.size == 0:
            return np.zeros((h, w, 3), np.uint8)
        at = at - low.astype(np.float32)
        if scale < 0.8:
            size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
            at = (at + 0.5) * (np.array([size[0] / part.shape[1], size[1] / part.shape[0]], np.float32)) - 0.5
            part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
        sampled = cv2.remap(
            part, np.ascontiguousarray(at, np.float32), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )  # type: ignore[call-overload]
        return np.asarray(sampled, np.uint8)


@lru_cache(maxsize=8)
def rectifier(corners: tuple[tuple[float, float], ...], span: tuple[float, float] = DEFAULT_SPAN) -> Rectifier:
    """The same rectifier again for the same board: a camera at rest asks many times."""
    return Rectifier(corners, span)


def _apply(h: NDArray[np.float64], points: NDArray[np.floating]) -> Array:
    p = np.asarray(points, np.float64)
    z = np.maximum(p @ h[2, :2] + h[2, 2], 1e-6)
    return np.asarray((p @ h[:2, :2].T + h[:2, 2]) / z[:, None], np.float32)
