"""The last step of finding a board: each side of the field looked at closely, to a fraction of a pixel.

A *strip* is the picture along one side of the field as it is believed to lie: 128 pixels along the side and a
little beyond its ends, 48 pixels across, the outside of the board at the top. A small network says for each
of 16 columns how far down the strip the edge of the 24 points runs; a straight line through the columns, and
four lines give four corners.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.frame import Image
from companion.vision.geometry import (
    FIELD_ASPECT,
    Floats,
    board_to_picture,
    board_width,
    is_board,
    transform,
)
from companion.vision.nets import Net

STRIP = (128, 48)
"""Width (along the side) and height (across) of a strip in pixels."""

COLUMNS, ROWS = 16, 24
BEYOND = 0.06
"""How far a strip reaches beyond the ends of the side, in parts of its length."""

REACH = 0.08
"""How far it reaches to either side of the edge, in parts of the board's width."""

_LEAST_COLUMNS = 4


@dataclass(frozen=True)
class Refined:
    """Corners (4 × 2), and how good they are: ``shift`` and ``spread`` in board widths, ``sharp`` 0 … 1,
    ``seen`` sides."""

    corners: Floats
    shift: float
    spread: float
    sharp: float
    seen: int


def strip_to_picture(corners: Floats) -> list[Floats]:
    """For each side (top, right, bottom, left) the homography from the pixels of its strip to those of the
    picture."""
    along = (1 + 2 * BEYOND) / STRIP[0]
    across = 2 * REACH / STRIP[1]
    # Strip pixels to (t along the side, d into the board in board widths).
    to_side = np.array(
        [[along, 0, 0.5 * along - BEYOND], [0, across, 0.5 * across - REACH], [0, 0, 1]], dtype=np.float64
    )
    deep = FIELD_ASPECT
    sides = (
        np.array([[1, 0, 0], [0, deep, 0], [0, 0, 1]], dtype=np.float64),
        np.array([[0, -1, 1], [1, 0, 0], [0, 0, 1]], dtype=np.float64),
        np.array([[-1, 0, 1], [0, -deep, 1], [0, 0, 1]], dtype=np.float64),
        np.array([[0, 1, 0], [-1, 0, 1], [0, 0, 1]], dtype=np.float64),
    )
    to_px = board_to_picture(corners)
    return [np.asarray(to_px @ side @ to_side, dtype=np.float64) for side in sides]


class EdgeFinder:
    """Moves roughly known corners to where the edges of the field are (``models/edges.onnx``)."""

    def __init__(self, models: Path | None = None) -> None:
        self._net = Net("edges", models)

    def refine(self, pyramid: list[Image], corners: Floats) -> Refined | None:
        """Better corners in a picture (given with its halves), or None when the sides do not make a board."""
        out, matrices = self._look(pyramid, corners)
        size_px = (pyramid[0].shape[1], pyramid[0].shape[0])
        sides = [
            _side(cells, matrix, size_px, tuple(corners[[i, (i + 1) % 4]]))
            for i, (cells, matrix) in enumerate(zip(out, matrices, strict=True))
        ]
        better = np.array([_crossing(sides[i - 1].line, sides[i].line) for i in range(4)])
        if not is_board(better):
            return None
        width = board_width(corners)
        seen = [side for side in sides if side.seen]
        return Refined(
            corners=better,
            shift=float(np.linalg.norm(better - corners, axis=1).max() / width),
            spread=max((side.spread_px for side in seen), default=width) / width,
            sharp=min((side.sharp for side in seen), default=0.0),
            seen=len(seen),
        )

    def sides(self, pyramid: list[Image], corners: Floats) -> list[tuple[Floats, Floats]]:
        """The points (n × 2, pixels) of each side in which the edge is seen, with their weights (n)."""
        out, matrices = self._look(pyramid, corners)
        size = (pyramid[0].shape[1], pyramid[0].shape[0])
        seen = [_edge_points(cells, matrix, size) for cells, matrix in zip(out, matrices, strict=True)]
        return [(points, sharp**2) for points, sharp in seen if len(points) >= 2 * _LEAST_COLUMNS]

    def _look(self, pyramid: list[Image], corners: Floats) -> tuple[Floats, list[Floats]]:
        """What the network says about the four strips (4 × ROWS × COLUMNS), and where they lie in the picture."""
        matrices = strip_to_picture(corners)
        size = board_width(corners) * (1 + 2 * BEYOND) / STRIP[0] / 2.4
        level = min(len(pyramid) - 1, max(0, round(float(np.log2(max(size, 1.0))))))
        strips = [_strip(pyramid[level], matrix, level) for matrix in matrices]
        out = np.asarray(self._net.run(np.stack(strips))[0], dtype=np.float64).reshape(4, ROWS, COLUMNS)
        return out, matrices


@dataclass(frozen=True)
class _Side:
    """A line a·x + b·y = c in the picture, how far its columns are from it, how sharp they are, and whether
    it was seen."""

    line: Floats
    spread_px: float
    sharp: float
    seen: bool


def _strip(image: Image, matrix: Floats, level: int) -> npt.NDArray[np.uint8]:
    down = np.diag([0.5**level, 0.5**level, 1.0])
    down[:2, 2] = (0.5**level - 1) / 2
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, down @ matrix, STRIP, flags=flags), dtype=np.uint8)


def _side(cells: Floats, matrix: Floats, size: tuple[int, int], ends: tuple[Floats, ...]) -> _Side:
    """The edge in one strip; where the strip shows none, the side as it was believed to be."""
    points, sharp = _edge_points(cells, matrix, size)
    if len(points) < _LEAST_COLUMNS:
        return _Side(_line(np.array(ends), np.ones(2)), 0.0, 0.0, seen=False)
    weight = sharp**2
    w = weight
    for _ in range(5):
        line = _line(points, w)
        off = np.abs(points @ line[:2] - line[2])
        w = weight / (1 + (off / (2 * max(float(np.median(off)), 0.2))) ** 2)
    return _Side(line, float(np.median(off)), float(np.median(sharp)), seen=True)


def _edge_points(cells: Floats, matrix: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Where the edge is in the columns of one strip that lie in the picture (n × 2, pixels), and how sharp (n)."""
    share = np.exp(cells - cells.max(axis=0))
    share /= share.sum(axis=0)
    rows = np.arange(ROWS, dtype=np.float64)
    peak = share.argmax(axis=0)
    near = share * (np.abs(rows[:, None] - peak[None, :]) <= 2)
    sharp = near.sum(axis=0)
    row = (near * rows[:, None]).sum(axis=0) / sharp
    x = (np.arange(COLUMNS) + 0.5) * (STRIP[0] / COLUMNS) - 0.5
    y = (row + 0.5) * (STRIP[1] / ROWS) - 0.5
    points = transform(matrix, np.column_stack([x, y]))
    t = (np.arange(COLUMNS) + 0.5) / COLUMNS * (1 + 2 * BEYOND) - BEYOND
    usable = (points >= 1).all(axis=1) & (points <= np.array(size) - 2).all(axis=1) & (t > 0.02) & (t < 0.98)
    return points[usable], sharp[usable]


def _line(points: Floats, weight: npt.NDArray[np.float64]) -> Floats:
    """The line nearest to the points: (a, b, c) with a·x + b·y = c and a² + b² = 1."""
    middle = (points * weight[:, None]).sum(axis=0) / weight.sum()
    off = (points - middle) * np.sqrt(weight)[:, None]
    _, vectors = np.linalg.eigh(off.T @ off)
    normal = vectors[:, 0]
    return np.array([normal[0], normal[1], float(normal @ middle)])


def _crossing(first: Floats, second: Floats) -> Floats:
    """Where two lines cross; far away when they hardly do."""
    determinant = first[0] * second[1] - first[1] * second[0]
    if abs(determinant) < 1e-6:
        return np.full(2, np.inf)
    x = (first[2] * second[1] - first[1] * second[2]) / determinant
    y = (first[0] * second[2] - first[2] * second[0]) / determinant
    return np.array([x, y])
