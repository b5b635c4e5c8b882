"""Where things of the board lie in the picture: homographies, the lens, the camera's pose.

The *unit board* is the playing field as a square: (0, 0) is the TL and (1, 1) the BR corner of the 24 points,
as in :class:`companion.observation.SeenDie`. Pixels are OpenCV's: the centre of the first pixel is (0, 0).
Points are arrays of shape (n, 2), float64.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.observation import DiePlace, SeenDie

Floats = npt.NDArray[np.float64]
Corners = Sequence[Sequence[float]] | Floats
"""TL, TR, BR, BL of the playing field in pixels."""

UNIT_SQUARE: Floats = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64)
FIELD_ASPECT = 1.22
"""Width by height of a usual playing field; used only where no measure of this board is known."""

BAR_HALF_WIDTH = 0.035
"""Half the width of a usual bar on the unit board."""

RIM_WIDTH = 0.07
"""How far a die may lie beyond the field and still lie on the rim or in a tray, on the unit board."""


def as_corners(corners: Corners) -> Floats:
    """Four corners as an array of shape (4, 2)."""
    return np.array(corners, dtype=np.float64).reshape(4, 2)


def board_to_picture(corners: Corners) -> Floats:
    """The 3 × 3 homography that takes the unit board to pixels."""
    quad = np.asarray(corners, dtype=np.float32).reshape(4, 2)
    return np.asarray(cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), quad), dtype=np.float64)


def picture_to_board(corners: Corners) -> Floats:
    """The 3 × 3 homography that takes pixels to the unit board."""
    return np.asarray(np.linalg.inv(board_to_picture(corners)), dtype=np.float64)


def transform(matrix: Floats, points: npt.ArrayLike) -> Floats:
    """Points (n, 2) after a homography."""
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    lifted = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], dtype=np.float64)


def board_width(corners: Corners) -> float:
    """The mean length in pixels of the two long sides (the rows): what errors of corners are measured
    against."""
    quad = np.asarray(corners, dtype=np.float64).reshape(4, 2)
    return float((np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2)


def is_board(corners: Corners) -> bool:
    """Whether four corners can be a board: convex, clockwise in the picture, no side shorter than 8
    pixels."""
    quad = np.asarray(corners, dtype=np.float64).reshape(4, 2)
    sides = np.roll(quad, -1, axis=0) - quad
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    return bool(np.isfinite(quad).all() and (turns > 0).all() and (np.linalg.norm(sides, axis=1) >= 8).all())


def with_first_row_up(corners: Corners) -> Floats:
    """The same field with the row first that is farther up in the picture; half a turn is the only choice
    there is."""
    quad = np.asarray(corners, dtype=np.float64).reshape(4, 2)
    first, second = quad[:2, 1].mean(), quad[2:, 1].mean()
    return quad if first <= second else np.roll(quad, 2, axis=0)


def die_place(xy: tuple[float, float]) -> DiePlace:
    """Where a die lies, from its centre on the unit board."""
    x, y = xy
    if 0 <= x <= 1 and 0 <= y <= 1:
        if abs(x - 0.5) < BAR_HALF_WIDTH:
            return "bar"
        return "left" if x < 0.5 else "right"
    beyond = max(-x, x - 1, (max(-y, y - 1)) / FIELD_ASPECT)
    return "rim" if beyond <= RIM_WIDTH else "outside"


def place_die(die: SeenDie, to_unit: Floats | None) -> SeenDie:
    """The die with its place and its centre on the unit board, if it has none yet; ``to_unit`` None means no
    board."""
    if to_unit is None or (die.place is not None and die.xy is not None):
        return die
    x, y, width, height = die.box
    xy = die.xy
    if xy is None:
        u, v = transform(to_unit, [(x + width / 2, y + height / 2)])[0]
        xy = (float(u), float(v))
    return replace(die, xy=xy, place=die.place or die_place(xy))


@dataclass(frozen=True)
class Lens:
    """A lens: focal length in widths of the picture, and the radial distortion k1, k2 of OpenCV's model."""

    focal: float
    k1: float = 0.0
    k2: float = 0.0

    def matrix(self, size: tuple[int, int]) -> Floats:
        """The 3 × 3 camera matrix for a picture of ``size`` (width, height), its centre in the middle."""
        width, height = size
        f = self.focal * width
        return np.array([[f, 0, (width - 1) / 2], [0, f, (height - 1) / 2], [0, 0, 1]], dtype=np.float64)

    def undistorted(self, points: npt.ArrayLike, size: tuple[int, int]) -> Floats:
        """Pixels as a lens without distortion would have given them."""
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 1, 2)
        k = self.matrix(size)
        bent = np.array([self.k1, self.k2, 0.0, 0.0])
        return np.asarray(cv2.undistortPoints(flat, k, bent, P=k), dtype=np.float64).reshape(-1, 2)

    def distorted(self, points: npt.ArrayLike, size: tuple[int, int]) -> Floats:
        """The way back: pixels without distortion as this lens gives them."""
        k = self.matrix(size)
        rays = transform(np.asarray(np.linalg.inv(k), dtype=np.float64), points)
        r2 = (rays**2).sum(axis=1, keepdims=True)
        bent = rays * (1 + self.k1 * r2 + self.k2 * r2**2)
        return transform(k, bent)


@dataclass(frozen=True)
class Pose:
    """A camera that fits a homography: projects points above the field.

    ``projection`` is 3 × 4 and takes (x, y, z, 1), with x, y on the unit board and z the height in board
    widths, to pixels.
    """

    projection: Floats
    focal_px: float

    def project(self, points: npt.ArrayLike) -> Floats:
        """Pixels (n, 2) of points (n, 3) of unit board and height."""
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        lifted = np.column_stack([flat, np.ones(len(flat))]) @ self.projection.T
        return np.asarray(lifted[:, :2] / lifted[:, 2:], dtype=np.float64)


def focal_from_homography(matrix: Floats, size: tuple[int, int], aspect: float) -> float | None:
    """The focal length in pixels that makes the columns of the homography orthogonal and as long as
    ``aspect`` says.

    None where none does: the board is seen from straight above, or somebody stretched or cropped the picture
    (Zhang, "A flexible new technique for camera calibration", 2000, with square pixels and a known centre).
    """
    h = _centred(matrix, size) @ np.diag([1.0, aspect, 1.0])
    a, b = h[:, 0], h[:, 1]
    square = a[2] ** 2 - b[2] ** 2
    estimates = []
    if abs(a[2] * b[2]) > 1e-12:
        estimates.append((abs(a[2] * b[2]), -(a[0] * b[0] + a[1] * b[1]) / (a[2] * b[2])))
    if abs(square) > 1e-12:
        estimates.append((abs(square), -(a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2) / square))
    usable = [(weight, value) for weight, value in estimates if value > 0]
    if not usable:
        return None
    focal = float(np.sqrt(max(usable)[1]))
    return focal if 0.3 * size[0] < focal < 10 * size[0] else None


def pose_from_corners(
    corners: Corners, size: tuple[int, int], aspect: float = FIELD_ASPECT, focal_px: float | None = None
) -> Pose | None:
    """The camera's pose over the board, or None where none fits; ``size`` is (width, height) of the
    picture."""
    matrix = board_to_picture(corners)
    focal = focal_px or focal_from_homography(matrix, size, aspect)
    if focal is None:
        return None
    k = np.diag([focal, focal, 1.0])
    rays = np.linalg.inv(k) @ _centred(matrix, size) @ np.diag([1.0, aspect, 1.0])
    rays /= (np.linalg.norm(rays[:, 0]) + np.linalg.norm(rays[:, 1])) / 2
    if (rays @ np.array([0.5, 0.5 / aspect, 1.0]))[2] < 0:
        rays = -rays
    up = -np.cross(rays[:, 0], rays[:, 1])  # x goes right, y towards the viewer, so x × y points down into the table
    projection = k @ np.column_stack([rays[:, 0], rays[:, 1] / aspect, up, rays[:, 2]])
    back = np.eye(3)
    back[:2, 2] = (size[0] - 1) / 2, (size[1] - 1) / 2
    return Pose(projection=back @ projection, focal_px=focal)


def _centred(matrix: Floats, size: tuple[int, int]) -> Floats:
    shift = np.eye(3)
    shift[:2, 2] = -(size[0] - 1) / 2, -(size[1] - 1) / 2
    return np.asarray(shift @ matrix, dtype=np.float64)
