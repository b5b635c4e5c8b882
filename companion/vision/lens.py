"""The lens between the picture and the board: straight lines for the eyes, the camera's own pixels for everybody else.

Everything inside ``vision`` works on pictures in which straight edges are straight; corners and boxes of an observation
are in pixels of the frame as it came. A lens whose bend is not known is measured: the four sides of the field are
straight, and the radial distortion that makes them so is the lens's.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.frame import Detail, Image
from companion.observation import Observation
from companion.vision.edges import EdgeFinder
from companion.vision.finder import halves
from companion.vision.geometry import Floats, Lens, as_corners, board_width, pose_from_corners

USUAL_FOCAL = 0.85
"""Focal length in widths of the picture where nothing tells it."""

MOST_BENT = 0.4
"""No usual lens has a k1 beyond this (at a focal length of one width)."""

STRAIGHTER = 0.65
"""A bend is believed when the sides are so much straighter with it (their residual, after by before)."""

SEEN_PX = 0.6
"""And when without it the sides are off by at least so many pixels."""


@dataclass(frozen=True)
class View:
    """One frame seen through a lens (None: it bends nothing); ``size`` is (width, height) of the frame."""

    lens: Lens | None
    size: tuple[int, int]

    @property
    def bends(self) -> bool:
        """Whether the lens bends lines at all."""
        return self.lens is not None and (self.lens.k1 != 0 or self.lens.k2 != 0)

    def straight_picture(self, image: Image) -> Image:
        """The frame (height × width × 3, uint8, BGR) as a lens without distortion would have given it."""
        if self.lens is None or not self.bends:
            return image
        across, down = _maps(self.lens, self.size)
        return np.asarray(cv2.remap(image, across, down, cv2.INTER_LINEAR), np.uint8)

    def straight_detail(self, detail: Detail) -> Detail:
        """A finer picture of a part of the frame, straightened as the frame is."""
        if not self.bends:
            return detail
        (x, y, width, height), picture = detail
        rim = [(x + width * i / 4, y + height * j / 4) for i in range(5) for j in range(5) if {i, j} & {0, 4}]
        at = self.straight(np.array(rim) - 0.5) + 0.5  # boxes count from the edge of the frame
        (left, top), (right, bottom) = at.min(axis=0), at.max(axis=0)
        across, down = picture.shape[1] / width, picture.shape[0] / height
        size = max(1, round((right - left) * across)), max(1, round((bottom - top) * down))
        i, j = np.meshgrid((np.arange(size[0]) + 0.5) / across + left, (np.arange(size[1]) + 0.5) / down + top)
        seen = self.bent(np.column_stack([i.ravel(), j.ravel()]) - 0.5) + 0.5
        at_x, at_y = ((seen - (x, y)) * (across, down) - 0.5).astype(np.float32).T.reshape(2, size[1], size[0])
        straight = cv2.remap(picture, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        box = (float(left), float(top), size[0] / across, size[1] / down)
        return box, np.asarray(straight, np.uint8)

    def straight(self, points: npt.ArrayLike) -> Floats:
        """Points (n × 2) of the frame as they lie in the straight picture."""
        if self.lens is None or not self.bends:
            return np.asarray(points, np.float64).reshape(-1, 2)
        return self.lens.undistorted(points, self.size)

    def bent(self, points: npt.ArrayLike) -> Floats:
        """Points (n × 2) of the straight picture as they lie in the frame."""
        if self.lens is None or not self.bends:
            return np.asarray(points, np.float64).reshape(-1, 2)
        return self.lens.distorted(points, self.size)

    def in_frame(self, seen: Observation) -> Observation:
        """What was seen in the straight picture, with corners and boxes in pixels of the frame."""
        if not self.bends:
            return seen
        board = seen.board
        if board.corners is not None:
            board = replace(board, corners=tuple((float(x), float(y)) for x, y in self.bent(board.corners)))
        dice = tuple(replace(die, box=self._box(die.box)) for die in seen.dice)
        return replace(seen, board=board, dice=dice)

    def _box(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        x, y, width, height = box
        (across, down) = self.bent([(x + width / 2, y + height / 2)])[0]
        return float(across) - width / 2, float(down) - height / 2, width, height


@lru_cache(maxsize=2)
def _maps(lens: Lens, size: tuple[int, int]) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    k, bend = lens.matrix(size), np.array([lens.k1, lens.k2, 0.0, 0.0])
    across, down = cv2.initUndistortRectifyMap(k, bend, np.eye(3), k, size, cv2.CV_16SC2)
    return np.asarray(across, np.int16), np.asarray(down, np.uint16)


def measured_lens(image: Image, corners: Floats, edges: EdgeFinder | None = None) -> Lens | None:
    """The radial distortion that makes the four sides of the field straight, or None where they are straight already
    or too little of them is seen.

    ``corners`` TL, TR, BR, BL (4 × 2) in pixels of the picture (height × width × 3, uint8, BGR).
    """
    size = (image.shape[1], image.shape[0])
    pose = pose_from_corners(corners, size)
    focal = USUAL_FOCAL if pose is None else pose.focal_px / size[0]
    finder = edges or EdgeFinder()
    k1 = _bend(image, as_corners(corners), focal, finder)
    if k1 is None:
        return None
    # Strongly bent sides leave their strips: straightened, they are seen whole, and what is left is measured again.
    view = View(Lens(focal, k1), size)
    left = _bend(view.straight_picture(image), view.straight(corners), focal, finder)
    return Lens(focal, k1 + (left or 0.0))


def _bend(image: Image, corners: Floats, focal: float, edges: EdgeFinder) -> float | None:
    """The k1 that makes the sides straight; None where they are straight already or cannot tell."""
    size = (image.shape[1], image.shape[0])
    sides = edges.sides(halves(image), corners)
    if len(sides) < 3:
        return None
    widest = MOST_BENT * focal**2
    tried = np.linspace(-widest, widest, 41)
    off = [_unstraightness(sides, Lens(focal, float(k1)), size) for k1 in tried]
    best = int(np.argmin(off))
    if best in (0, len(tried) - 1) or off[len(tried) // 2] < SEEN_PX * board_width(corners) / 1000:
        return None
    before, here, after = off[best - 1 : best + 2]
    step = 0.5 * (before - after) / max(before - 2 * here + after, 1e-9)
    k1 = float(tried[best] + step * (tried[1] - tried[0]))
    straighter = _unstraightness(sides, Lens(focal, k1), size) < STRAIGHTER * off[len(tried) // 2]
    return k1 if straighter else None


def _unstraightness(sides: list[tuple[Floats, Floats]], lens: Lens, size: tuple[int, int]) -> float:
    """How far in pixels the points of the sides are from straight lines, those that are far off counting less."""
    squares, weights = 0.0, 0.0
    for points, weight in sides:
        straight = lens.undistorted(points, size)
        w = weight
        for _ in range(4):
            middle = (straight * w[:, None]).sum(axis=0) / w.sum()
            about = (straight - middle) * np.sqrt(w)[:, None]
            _, vectors = np.linalg.eigh(about.T @ about)
            off = np.abs((straight - middle) @ vectors[:, 0])
            w = weight / (1 + (off / (2 * max(float(np.median(off)), 0.3))) ** 2)
        squares += float((w * off**2).sum())
        weights += float(w.sum())
    return float(np.sqrt(squares / max(weights, 1e-9)))
