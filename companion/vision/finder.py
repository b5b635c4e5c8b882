"""Find the playing field in one picture without help.

A small network looks at the whole picture, coarsely, and says for each 8 × 8 pixels whether they are field
and where on the board they lie; a homography through all of them gives the corners, also those that are
hidden or outside of the picture. The picture is then straightened by those corners and looked at again:
there the field is large and upright, and what is still wrong is small. At last each side is looked at closely
(``vision.edges``). How well all this agrees, whether checkers can be read there and whether the bar is in the middle
gives the confidence.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import ModelError
from companion.frame import Image
from companion.observation import FLOOR
from companion.vision.checkers import CheckerReader
from companion.vision.edges import EdgeFinder, Refined
from companion.vision.geometry import (
    UNIT_SQUARE,
    Floats,
    board_to_picture,
    is_board,
    transform,
    with_first_row_up,
)
from companion.vision.nets import Net

VIEW = (160, 128)
"""Width and height of what the network sees."""

STRIDE = 8
MARGIN = 0.12
"""Around the field in the straightened view, in parts of the view."""

SURE = 0.5
"""A board less probable than this is not reported: found "none", never a wrong board given as certain."""

_CONVINCED = 0.99
_TRAY = 0.13
"""How wide a tray is, in parts of the field."""

_STRAIGHT_LOOKS = 2
_CLOSE_LOOKS = 5
_AT_REST = 0.0015
FEATURES = 13
_LEAST_CELLS = 12
_UNCLEAR, _FAR_ASIDE = -0.15, 0.02
"""Worse than this does not count as worse."""
_UPRIGHT: Floats = (UNIT_SQUARE * (1 - 2 * MARGIN) + MARGIN) * np.array(VIEW) - 0.5


@dataclass(frozen=True)
class FoundBoard:
    """The field's corners TL, TR, BR, BL in pixels (4 × 2), the first row farther up, and the probability
    that they fit."""

    corners: Floats
    confidence: float


@dataclass(frozen=True)
class Look:
    """What one look says: corners in the view's pixels, and how well they explain what the network saw.

    ``spread`` is the weighted mean error of the fit on the unit board, ``expected`` the error the network
    expects itself, ``filled`` the mean mask inside the corners, ``spilled`` the share of the mask that lies
    outside of them.
    """

    corners: Floats
    spread: float
    expected: float
    filled: float
    spilled: float


class BoardFinder:
    """Finds the playing field with a trained network (``models/finder.onnx``)."""

    def __init__(self, models: Path | None = None) -> None:
        self._net = Net("finder", models)
        fit = self._net.card.get("confidence", {})
        self._weights = np.array(fit.get("weights", [0.0] * FEATURES), dtype=np.float64)
        self._bias = float(fit.get("bias", 0.0))
        if len(self._weights) != FEATURES:
            raise ModelError(f"finder: expected {FEATURES} weights of its confidence, got {len(self._weights)}")
        self._edges = EdgeFinder(models)
        self._checkers = CheckerReader()

    def find(self, image: Image) -> FoundBoard | None:
        """The field in a picture (height × width × 3, uint8, BGR), or None when unsure."""
        found = self.best_guess(image)
        return found if found is not None and found.confidence >= SURE else None

    def best_guess(self, image: Image) -> FoundBoard | None:
        """The field however unsure, or None when nothing looks like one."""
        pyramid = halves(image)
        best: FoundBoard | None = None
        for into_view in first_views(image.shape[1], image.shape[0]):
            best = _surer(best, self._guess(pyramid, into_view))
            if best is not None and best.confidence >= _CONVINCED:
                return best
        if best is None:
            return None
        for corners in _with_sides_moved(best.corners):
            best = _surer(best, self._guess(pyramid, _straightened(corners))) or best
            if best.confidence >= _CONVINCED:
                break
        return best

    def _guess(self, pyramid: list[Image], into_view: Floats) -> FoundBoard | None:
        """What one view of the picture leads to, with the probability that it is within 2 % of the board's
        width."""
        followed = self.follow(pyramid, into_view)
        if followed is None:
            return None
        corners, signs = followed
        score = float(signs @ self._weights + self._bias)
        return FoundBoard(with_first_row_up(corners), float(1 / (1 + np.exp(-np.clip(score, -30, 30)))))

    def follow(self, pyramid: list[Image], into_view: Floats) -> tuple[Floats, Floats] | None:
        """Look through one view of the picture, then straight at what was seen there, then closely at its
        sides.

        The corners (4 × 2), and the features (``FEATURES``) that tell whether they fit.
        """
        look = self._look(_warped(pyramid, into_view))
        for _ in range(_STRAIGHT_LOOKS):
            if look is None:
                return None
            corners = transform(_inverse(into_view), look.corners)
            if not is_board(corners):
                return None
            into_view = _straightened(corners)
            look = self._look(_warped(pyramid, into_view))
        if look is None:
            return None
        corners = transform(_inverse(into_view), look.corners)
        first: Refined | None = None
        refined: Refined | None = None
        for _ in range(_CLOSE_LOOKS):
            refined = self._edges.refine(pyramid, corners) if is_board(corners) else None
            if refined is None:
                return None
            first = first or refined
            corners = refined.corners
            if refined.shift < _AT_REST:
                break
        if refined is None or first is None:
            return None
        last = self._look(_warped(pyramid, _straightened(corners)))
        if last is None:
            return None
        return corners, np.concatenate([_features(last, first, refined), self.sense(pyramid[0], corners)])

    def sense(self, image: Image, corners: Floats) -> Floats:
        """Whether what lies there can be read as a board: how clear the slots are, and how far the bar is from the
        middle. A tray that was taken for a part of the field is told by both.
        """
        read = self._checkers.read(image, corners.tolist())
        best = [max(reading.probabilities.values(), default=FLOOR) for reading in read.slots.values()]
        aside = abs((read.span[0] + read.span[1]) / 2 - 0.5)
        return np.array([max(float(np.log(best).mean()), _UNCLEAR), min(aside, _FAR_ASIDE)])

    def _look(self, view: Image) -> Look | None:
        out = np.asarray(self._net.run(view[None])[0], dtype=np.float64)[0]
        mask = 1 / (1 + np.exp(-np.clip(out[0], -30, 30)))
        return _fitted(mask, out[1:3], np.exp(np.clip(out[3], -6, 1)))


def _fitted(mask: Floats, uv: Floats, error: Floats) -> Look | None:
    """The board that explains best what the network says for each cell."""
    rows, columns = mask.shape
    x, y = np.meshgrid((np.arange(columns) + 0.5) * STRIDE - 0.5, (np.arange(rows) + 0.5) * STRIDE - 0.5)
    used = mask > 0.5
    if int(used.sum()) < _LEAST_CELLS:
        return None
    cells = np.column_stack([x[used], y[used]])
    seen = uv[:, used].T
    weight = mask[used] / error[used]
    to_unit = fit_homography(cells, seen, weight)
    if to_unit is None:
        return None
    corners = transform(_inverse(to_unit), UNIT_SQUARE)
    if not is_board(corners):
        return None
    off = np.abs(transform(to_unit, cells) - seen).sum(axis=1) / 2
    everywhere = transform(to_unit, np.column_stack([x.ravel(), y.ravel()])).reshape(rows, columns, 2)
    inside = (np.abs(everywhere - 0.5) < 0.5).all(axis=2)
    return Look(
        corners=corners,
        spread=float((off * weight).sum() / weight.sum()),
        expected=float(np.median(error[used])),
        filled=float(mask[inside].mean()) if inside.any() else 0.0,
        spilled=float(mask[~inside].sum() / mask.sum()),
    )


def fit_homography(source: Floats, target: Floats, weight: Floats, rounds: int = 6) -> Floats | None:
    """The homography from source to target points (n × 2) by reweighted least squares, robust against
    outliers.

    The linear equations are weighted by the denominator of the round before, so that the error measured is
    the true one, and by Cauchy's weight of their residual. None where the points do not determine one.
    """
    middle, size = source.mean(axis=0), source.std() + 1e-9
    s = (source - middle) / size
    one, zero = np.ones(len(s)), np.zeros(len(s))
    p = np.column_stack([s, one])
    z = np.zeros_like(p)
    first = np.column_stack([p, z, -target[:, :1] * p])
    second = np.column_stack([z, p, -target[:, 1:] * p])
    w, depth = weight / weight.max(), one + zero
    h = np.eye(3)
    for _ in range(rounds):
        scale = (np.sqrt(w) / depth)[:, None]
        a = np.vstack([first * scale, second * scale])
        _, vectors = np.linalg.eigh(a.T @ a)
        h = vectors[:, 0].reshape(3, 3)
        depth = p @ h[2]
        if np.median(depth) < 0:
            h, depth = -h, -depth
        if (depth <= 1e-9).any():
            depth = np.maximum(depth, 1e-9)
        off = np.linalg.norm((p @ h[:2].T) / depth[:, None] - target, axis=1)
        usual = max(float(np.median(off)), 1e-4)
        w = weight / weight.max() / (1 + (off / (2 * usual)) ** 2)
    if not np.isfinite(h).all() or abs(np.linalg.det(h)) < 1e-12:
        return None
    normal = np.array([[1 / size, 0, -middle[0] / size], [0, 1 / size, -middle[1] / size], [0, 0, 1]])
    return np.asarray(h @ normal, dtype=np.float64)


def _features(look: Look, first: Refined, last: Refined) -> Floats:
    """What tells whether the corners fit: a last straight look, and how sure and steady the sides were."""
    off = np.linalg.norm(look.corners - _UPRIGHT, axis=1) / (VIEW[0] * (1 - 2 * MARGIN))
    return np.array(
        [
            np.log(look.spread + 0.002),
            np.log(look.expected),
            look.filled,
            look.spilled,
            np.log(float(off.mean()) + 0.003),
            np.log(float(off.max()) + 0.003),
            np.log(first.shift + 0.003),
            np.log(last.shift + 0.001),
            np.log(last.spread + 0.0005),
            last.sharp,
            last.seen / 4,
        ]
    )


def _straightened(corners: Floats) -> Floats:
    """The homography into the view in which these corners stand upright."""
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), _UPRIGHT.astype(np.float32))
    return np.asarray(matrix, dtype=np.float64)


def halves(image: Image) -> list[Image]:
    """The picture, and halves of it down to the network's size."""
    levels = [image]
    while levels[-1].shape[1] > 2 * VIEW[0] and levels[-1].shape[0] > 1:
        half = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, dtype=np.uint8))
    return levels


def first_views(width: int, height: int) -> list[Floats]:
    """The homographies of the first looks: the whole picture, it turned by a quarter, its middle, and from
    farther off.

    The others help where the first does not convince: boards that stand upright in the picture, are small, or
    reach beyond its edges.
    """
    across, down = VIEW[0] / width, VIEW[1] / height
    whole = np.array([[across, 0, across / 2 - 0.5], [0, down, down / 2 - 0.5], [0, 0, 1]])
    turned = np.array([[0, -VIEW[0] / height, VIEW[0]], [VIEW[1] / width, 0, 0], [0, 0, 1]])
    return [whole, turned, _zoomed(1.5) @ whole, _zoomed(0.7) @ whole]


def _with_sides_moved(corners: Floats) -> list[Floats]:
    """The same board without, or with, a tray that may have been taken for a part of the field, or the reverse."""
    to_px = board_to_picture(corners)
    left, right = np.array([[1, 0], [0, 0], [0, 0], [1, 0]]), np.array([[0, 0], [1, 0], [1, 0], [0, 0]])
    moves = (left * _TRAY, -right * _TRAY, -left * _TRAY, right * _TRAY)
    return [transform(to_px, UNIT_SQUARE + move) for move in moves]


def _surer(one: FoundBoard | None, other: FoundBoard | None) -> FoundBoard | None:
    if one is None or other is None:
        return one or other
    return other if other.confidence > one.confidence else one


def _zoomed(factor: float) -> Floats:
    middle = (np.array(VIEW) - 1) / 2
    return np.array([[factor, 0, middle[0] * (1 - factor)], [0, factor, middle[1] * (1 - factor)], [0, 0, 1]])


def _inverse(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def _warped(pyramid: list[Image], into_view: Floats) -> npt.NDArray[np.uint8]:
    """The view through a homography, from the level of the pyramid that is just large enough for its
    middle."""
    middle = transform(_inverse(into_view), np.array(VIEW) / 2 + np.array([[-8, 0], [8, 0], [0, -8], [0, 8]]))
    across, down = np.linalg.norm(middle[1] - middle[0]) / 16, np.linalg.norm(middle[3] - middle[2]) / 16
    level, size = 0, float(np.sqrt(across * down))
    while level + 1 < len(pyramid) and size > 1.5:
        level, size = level + 1, size / 2
    up = np.eye(3)
    up[0, 0] = up[1, 1] = 2.0**level
    up[0, 2] = up[1, 2] = (2.0**level - 1) / 2
    return np.asarray(cv2.warpPerspective(pyramid[level], into_view @ up, VIEW, flags=cv2.INTER_LINEAR), dtype=np.uint8)
