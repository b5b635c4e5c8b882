"""Whether the board or the camera moved, and where the board is now.

When the board becomes known, corners of texture in and around the field are remembered (rim, triangles, bar;
checkers are among them and are outvoted). On a still frame they are followed by optical flow; the homography
on which most of them agree tells how far the board's corners moved. Cheap: 160 points on a picture half as
large.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.frame import Image
from companion.vision.geometry import Corners, Floats, as_corners, board_width, is_board, transform

MOVED = 0.004
"""A board moved when its corners did by more than this part of its width."""

_WORK_WIDTH = 640
_POINTS = 160
_LEAST_POINTS = 24
_RIM = 0.12
_AGREE_PX = 1.0
_LEAST_AGREEMENT = 0.45
_RESTING = 0.5

Grey = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Moved:
    """What a check found: the new corners if the board moved, how far in pixels it is off, or that it is
    lost."""

    residual_px: float = 0.0
    corners: Floats | None = None
    lost: bool = False


class BoardTracker:
    """Remembers how the board looked where it was found, and checks still frames against that."""

    def __init__(self) -> None:
        self._reference: Grey | None = None
        self._points: npt.NDArray[np.float32] = np.empty((0, 1, 2), np.float32)
        self._corners: Floats | None = None
        self._lost_checks = 0

    def register(self, image: Image, corners: Corners) -> None:
        """Take this picture (height × width × 3, uint8, BGR) as the one in which the board lies at
        ``corners``."""
        self._corners = as_corners(corners)
        self._reference, scale = _work_picture(image)
        mask = np.zeros(self._reference.shape, np.uint8)
        centre = self._corners.mean(axis=0)
        grown = (centre + (self._corners - centre) * (1 + 2 * _RIM)) * scale
        cv2.fillConvexPoly(mask, np.round(grown).astype(np.int32), 255)
        found = cv2.goodFeaturesToTrack(self._reference, _POINTS, 0.01, 6, mask=mask)
        self._points = np.empty((0, 1, 2), np.float32) if found is None else found.astype(np.float32)
        self._lost_checks = 0

    def check(self, image: Image, corners: Corners) -> Moved:
        """Compare a still frame with the registered one; the first frame, or other corners, are
        registered."""
        now, scale = _work_picture(image)
        known = as_corners(corners)
        if self._reference is None or self._reference.shape != now.shape or self._corners is None:
            self.register(image, known)
            return Moved()
        if len(self._points) < _LEAST_POINTS:
            return Moved()
        matrix, agreement = self._movement(now)
        if matrix is None or agreement < _LEAST_AGREEMENT:
            return self._unsure()
        self._lost_checks = 0
        corners_now = transform(matrix, self._corners * scale) / scale
        residual = float(np.abs(corners_now - known).max())
        if residual <= max(1.5, MOVED * board_width(known)) or not is_board(corners_now):
            return Moved(residual_px=residual)
        self.register(image, corners_now)
        return Moved(residual_px=residual, corners=corners_now)

    def _unsure(self) -> Moved:
        """One frame that does not fit may be a hand or an arm that rests; three in a row are a board that is
        gone."""
        self._lost_checks += 1
        return Moved(lost=self._lost_checks >= 3)

    def _movement(self, now: Grey) -> tuple[Floats | None, float]:
        """The homography from the registered picture to this one, and the share of points that agree with
        it."""
        assert self._reference is not None
        there, status, _ = cv2.calcOpticalFlowPyrLK(
            self._reference, now, self._points, np.empty_like(self._points), winSize=(21, 21), maxLevel=4
        )
        kept = status.reshape(-1).astype(np.bool_)
        if int(kept.sum()) < _LEAST_POINTS // 2:
            return None, 0.0
        before, after = self._points[kept], there[kept]
        shift = np.linalg.norm(after - before, axis=2).ravel()
        resting = float((shift < _AGREE_PX).mean())
        if resting >= _RESTING:
            # Nothing moved: a homography through few and crowded points would invent a movement at the corners.
            rest = np.eye(3)
            rest[:2, 2] = np.median((after - before).reshape(-1, 2), axis=0)
            return rest, resting
        matrix, inliers = cv2.findHomography(before, after, cv2.RANSAC, _AGREE_PX)
        if matrix is None:
            return None, 0.0
        return np.asarray(matrix, dtype=np.float64), float(inliers.sum()) / len(self._points)


def _work_picture(image: Image) -> tuple[Grey, float]:
    """The picture in grey and small enough, and the factor that takes its pixels there."""
    scale = min(1.0, _WORK_WIDTH / image.shape[1])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8), scale
