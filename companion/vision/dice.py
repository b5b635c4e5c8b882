"""Finds and reads the dice of one frame.

A small detector over the picture, a reader of crops in full resolution. No state.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.frame import Detail
from companion.observation import DiePlace, SeenDie
from companion.vision import nets
from companion.vision.checkers import sigmoid, softmax
from companion.vision.rectify import DEFAULT_SPAN, Rectifier

Corners = Sequence[Sequence[float]]
Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]
Peak = tuple[float, float, float, float]
"""Centre x, y, side, score."""
Crops = Callable[[float, float, float], Picture]
"""What gives the reader a square around (x, y)."""

CANVAS = 704
"""Side of the square picture in which dice are looked for."""
AROUND = 0.16
"""So much of the board's extent is looked at on each side of it."""
READ_PX = 48
"""Side of the crop from which a die is read; it covers ``READ_SIDES`` times the die."""
READ_SIDES = 1.5
CELL = 4
LEAST = 0.12
"""Weaker peaks of the detector are not looked at."""
PRESENT = 0.4
"""A die less probable than this is not reported."""
BELIEF = (1.22, 0.88, 2.14, -4.87, -1.61)
"""Weights of the finder's score, the first look, the surest value and the size (all as logits or logs), and an
offset: together the logit that there is a die. Fitted on held-out scenes (``models.training.dice_belief``).
"""
USUAL_SIDE = 0.042
"""Side of a die's box in widths of the board."""
FIRST_LOOK = 0.2
"""What is less probably a die at the first look is not looked at again."""
SIZES = (0.82, 1.25)
"""Other sizes at which a candidate is first looked at: on boards that it never saw the finder errs by so much."""
STAY = 2.0
"""Nats by which another size than the finder's must look more like a die."""
DOUBT = (-3.0, 8.0)
"""Other sizes are tried where the finder's looks like a die by so many nats: half of the candidates lie outside, and
of 186 dice that were reported another size would have changed none of those.
"""
LOOKS = (0.86, 1.0, 1.16)
"""Sizes, around the one at which it looks most like a die, at which a die is read."""
CHANGE_OF_MIND = 2.0
"""Further looks change the logit of a die by less than this: in 182 rendered scenes by 1.3 at most."""
SHORT_OF_BEST = 1.5
"""And no die comes so near to what its score and size allow at best: there by 2.3 at least."""
TEMPERATURE = 0.75
"""The logits of the values are divided by it: the reader is less sure than it is right. Of 480 dice of held-out scenes
and photographs 401 are then read with 0.9 or more instead of 372, all of them right.
"""
_NO_DOUBT = np.array([1.0, 0, 0, 0, 0, 0, 0])
MOST = 36
ONE_DIE_PX = 400
"""A picture no larger than this may be a crop of one die."""


def region_of(shape: tuple[int, int], corners: Corners | None) -> Box:
    """x, y, width, height in pixels of what is looked at.

    The board and what lies beside it, or the whole frame.
    """
    h, w = shape
    if corners is None:
        return 0.0, 0.0, float(w), float(h)
    p = np.array(corners, float)
    low, high = p.min(0), p.max(0)
    margin = AROUND * float((high - low).max())
    low, high = np.maximum(low - margin, 0), np.minimum(high + margin, [w, h])
    if (high - low).min() < 8:
        return 0.0, 0.0, float(w), float(h)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


class DiceReader:
    """Reads frames with the networks ``dice-find`` and ``dice-read``."""

    def __init__(self) -> None:
        self._find = nets.net("dice-find")
        self._read = nets.net("dice-read")

    def read(
        self,
        image: Picture,
        corners: Corners | None,
        span: tuple[float, float] | None = None,
        also: Sequence[Peak] = (),
        details: Sequence[Detail] = (),
    ) -> tuple[SeenDie, ...]:
        """Every die in a BGR frame (h, w, 3), most certain first.

        With ``corners`` (TL, TR, BR, BL of the playing field) the board and its surroundings are searched
        and each die gets its place; without, the whole picture, which may also be a crop of one die.
        ``span`` is the bar's, where it is known. ``also`` are places where something has arrived: they are
        looked at too. ``details`` are parts of the frame in a finer resolution: a die in one is read from it.
        """
        found, rows = self.candidates(image, corners, also, details, hopeful_only=True)
        rectifier = None
        if corners is not None:
            rectifier = Rectifier(tuple((float(x), float(y)) for x, y in corners), span or DEFAULT_SPAN)
        width = _row_px(corners)
        dice = [_seen(f, row, rectifier, width) for f, row in zip(found, rows, strict=True)]
        return _distinct_dice([d for d in dice if d.presence >= PRESENT])

    def candidates(
        self,
        image: Picture,
        corners: Corners | None,
        also: Sequence[Peak] = (),
        details: Sequence[Detail] = (),
        *,
        hopeful_only: bool = False,
    ) -> tuple[list[Peak], list[NDArray[np.float64]]]:
        """What looks like a die, with the logits of its value, "not a die" and "cocked".

        They are the mean over several sizes and mirrored crops of what is a die at a first look. ``hopeful_only``:
        what will not be reported whatever further looks say is left out early. What a detail shows comes twice: as
        the frame shows it, and as the detail does.
        """
        found = self.find(image, corners)
        found += [p for p in also if all(np.hypot(p[0] - f[0], p[1] - f[1]) > 0.25 * f[2] for f in found)]
        if not found and corners is None:
            found = _whole(image)
        width = _row_px(corners)
        if hopeful_only:
            found = [f for f in found if _belief(f, _NO_DOUBT, width) >= _logit(PRESENT) + SHORT_OF_BEST]
        if not found:
            return [], []
        least = _logit(PRESENT) - CHANGE_OF_MIND if hopeful_only else -np.inf
        kept, rows = self._look(partial(cut, image), found, width, least)
        for detail in details:
            finer, more = self._look(partial(_crop, detail), [f for f in found if _within(f, detail)], width, least)
            kept, rows = kept + finer, rows + more
        return kept, rows

    def _look(
        self, crop: Crops, found: list[Peak], width: float | None, least: float
    ) -> tuple[list[Peak], list[NDArray[np.float64]]]:
        """Which of the candidates look like a die, and the logits of all looks at each."""
        if not found:
            return [], []
        found, first = self._first_look(crop, found)
        looks = [softmax(row[:7]) for row in first]
        kept = [i for i, p in enumerate(looks) if 1 - p[6] > FIRST_LOOK and _belief(found[i], p, width) >= least]
        if not kept:
            return [], []
        again = self._logits(np.stack([view for i in kept for view in _views(crop, found[i])]))
        rows = (again.reshape(len(kept), -1, again.shape[1]).sum(axis=1) + first[kept]) / (2 * len(LOOKS))
        return [found[i] for i in kept], list(rows)

    def _first_look(self, crop: Crops, found: list[Peak]) -> tuple[list[Peak], NDArray[np.float64]]:
        """Each candidate with the size at which it looks most like a die, and the reader's logits (n, 8) of it so."""
        rows = self._logits(np.stack([crop(x, y, side * READ_SIDES) for x, y, side, _ in found]))
        like = _like(rows)
        doubtful = [i for i in range(len(found)) if DOUBT[0] < like[i] < DOUBT[1]]
        if not doubtful:
            return found, rows
        found = list(found)
        tried = [(*found[i][:2], found[i][2] * scale) for i in doubtful for scale in SIZES]
        others = self._logits(np.stack([crop(x, y, side * READ_SIDES) for x, y, side in tried]))
        for i, looks in zip(doubtful, others.reshape(len(doubtful), len(SIZES), -1), strict=True):
            best = int(_like(looks).argmax())
            if _like(looks)[best] > like[i] + STAY:
                x, y, side, score = found[i]
                found[i], rows[i] = (x, y, side * SIZES[best], score), looks[best]
        return found, rows

    def _logits(self, crops: Picture) -> NDArray[np.float64]:
        """The reader's logits (n, 8) of n crops."""
        (out,) = self._read.run(crops)
        return np.asarray(out.reshape(len(crops), -1), np.float64)

    def find(self, image: Picture, corners: Corners | None) -> list[Peak]:
        """Centre x, y, side in frame pixels, and score, of what may be a die.

        Without corners dice may have any size: smaller copies of the picture are searched too, all on one
        canvas.
        """
        region = region_of(image.shape[:2], corners)
        found = self._find_at(image, region, (1.0,))
        if corners is None:
            found += self._find_at(image, region, (0.5, 0.25, 0.125, 0.0625))
        return sorted(found, key=lambda f: -f[3])[:MOST]

    def _find_at(self, image: Picture, region: Box, scales: tuple[float, ...]) -> list[Peak]:
        """Peaks in copies of the region at these scales, side by side on the canvas."""
        x0, y0, w, h = region
        part = image[int(y0) : int(y0 + h + 0.5), int(x0) : int(x0 + w + 0.5)]
        whole = min(CANVAS / max(part.shape[:2]), 2.0)
        copies = []
        left = 0
        for scale in scales:
            size = max(8, int(part.shape[1] * whole * scale)), max(8, int(part.shape[0] * whole * scale))
            copies.append((left, size))
            left += size[0]
        canvas = np.full((_room(max(high for _, (_, high) in copies)), _room(left), 3), 110, np.uint8)
        for (left, size), scale in zip(copies, scales, strict=True):
            how = cv2.INTER_AREA if whole * scale < 1 else cv2.INTER_LINEAR
            canvas[: size[1], left : left + size[0]] = cv2.resize(part, size, interpolation=how)
        (maps,) = self._find.run(canvas[None])
        peaks = decode(maps[0])
        found: list[Peak] = []
        for left, (cw, ch) in copies:
            fx, fy = part.shape[1] / cw, part.shape[0] / ch
            found += [
                (int(x0) + (x - left) * fx, int(y0) + y * fy, side * max(fx, fy), score)
                for x, y, side, score in peaks
                if left <= x < left + cw and y < ch
            ]
        return found


def _like(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """By how many nats crops look rather like a die (n) than not, from the reader's logits (n, 8)."""
    return np.asarray(rows[:, :6].max(1) - rows[:, 6], np.float64)


def _room(pixels: int) -> int:
    """The canvas that holds so many pixels and a margin; steps keep the shapes few, and the network adapts to each."""
    return min(CANVAS, -(-(pixels + 16) // 64) * 64)


def _within(found: Peak, detail: Detail) -> bool:
    """Whether a detail shows all that the reader looks at."""
    (left, top, width, height), _ = detail
    x, y, side, _ = found
    half = side * max(SIZES) * max(LOOKS) * READ_SIDES / 2
    return left <= x - half and x + half <= left + width and top <= y - half and y + half <= top + height


def _crop(detail: Detail, x: float, y: float, side: float) -> Picture:
    """The square of the frame around (x, y), from a detail that shows it."""
    (left, top, width, height), picture = detail
    across, down = picture.shape[1] / width, picture.shape[0] / height
    # Boxes count from the edge of the frame, places from the middle of its first pixel.
    return cut(picture, (x + 0.5 - left) * across - 0.5, (y + 0.5 - top) * down - 0.5, side * (across + down) / 2)


def _views(crop: Crops, found: Peak) -> list[Picture]:
    """The further crops of a candidate: other sizes, and mirrored; the first look has seen the plain one."""
    x, y, side, _ = found
    views = [crop(x, y, side * READ_SIDES * scale) for scale in LOOKS]
    return [view for view, scale in zip(views, LOOKS, strict=True) if scale != 1.0] + [view[:, ::-1] for view in views]


def _row_px(corners: Corners | None) -> float | None:
    return None if corners is None else float(np.hypot(*np.subtract(corners[1], corners[0])))


def _whole(image: Picture) -> list[Peak]:
    """A small picture in which nothing was found may be a crop of one die, of about these sizes."""
    h, w = image.shape[:2]
    if max(h, w) > ONE_DIE_PX:
        return []
    return [(w / 2, h / 2, share * max(w, h), 0.5) for share in (0.6, 0.75, 0.95)]


def _distinct_dice(dice: list[SeenDie]) -> tuple[SeenDie, ...]:
    """Most certain first, without those that lie on a more certain one."""
    kept: list[SeenDie] = []
    for die in sorted(dice, key=lambda d: -d.confidence):
        x, y, side, _ = die.box
        clear = all(
            max(abs(x + side / 2 - a - s / 2), abs(y + side / 2 - b - s / 2)) > 0.45 * max(side, s)
            for a, b, s, _ in (k.box for k in kept)
        )
        if clear:
            kept.append(die)
    return tuple(kept)


def decode(maps: NDArray[np.float32]) -> list[Peak]:
    """The detector's output (16, h/8, w/8) -> centre x, y, side and score of each peak, in pixels of its
    picture.
    """
    c, h, w = maps.shape
    fine = maps.reshape(c // 4, 2, 2, h, w).transpose(0, 3, 1, 4, 2).reshape(c // 4, 2 * h, 2 * w)
    score = np.asarray(sigmoid(fine[0]), np.float32)
    top = cv2.dilate(score, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((score >= top) & (score > LEAST))
    order = np.argsort(-score[rows, columns], kind="stable")[: 2 * MOST]
    rows, columns = rows[order], columns[order]
    _, dx, dy, size = fine[:4, rows, columns].astype(np.float64)
    x, y = (columns + 0.5 + dx) * CELL, (rows + 0.5 + dy) * CELL
    side = 16 * np.exp(np.clip(size, -2, 2.5))
    peaks = np.column_stack([x, y, side, score[rows, columns]])
    return [(float(x), float(y), float(side), float(s)) for x, y, side, s in peaks[_distinct(peaks)]]


def _distinct(peaks: NDArray[np.float64]) -> list[int]:
    """Which of the peaks (n × 4, strongest first) do not lie on a stronger one that is kept."""
    kept: list[int] = []
    for i, (x, y, side, _) in enumerate(peaks):
        others = peaks[kept]
        apart = np.maximum(np.abs(others[:, 0] - x), np.abs(others[:, 1] - y))
        if (apart > 0.45 * np.maximum(others[:, 2], side)).all():
            kept.append(i)
    return kept


def cut(picture: Picture, x: float, y: float, side: float, size: int = READ_PX) -> Picture:
    """A square around (x, y) as size×size pixels, averaged where the picture is finer."""
    scale = size / side
    if scale < 0.7:
        low = max(int(x - side), 0), max(int(y - side), 0)
        part = picture[low[1] : max(int(y + side) + 1, 1), low[0] : max(int(x + side) + 1, 1)]
        if part.size == 0:
            return np.zeros((size, size, 3), np.uint8)
        target = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
        small = cv2.resize(part, target, interpolation=cv2.INTER_AREA)
        x, y = (x - low[0]) * target[0] / part.shape[1], (y - low[1]) * target[1] / part.shape[0]
        picture, scale = np.asarray(small, np.uint8), 1.0
    move = np.array([[scale, 0, size / 2 - scale * x], [0, scale, size / 2 - scale * y]])
    out = cv2.warpAffine(picture, move, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


def clues(found: Peak, p: NDArray[np.floating], width: float | None) -> NDArray[np.float64]:
    """What tells a die from other things: four clues and a one; ``p`` are the six values and "not a die"."""
    *values, none = (float(v) for v in p)
    surest = max(values) / max(sum(values), 1e-9)
    size = 0.0 if width is None else math.log(found[2] / max(width, 1.0) / USUAL_SIDE)
    size = min(max(size, -1.2), 1.2) ** 2
    return np.array([_logit(found[3]), min(max(_logit(1 - none), -6.0), 6.0), math.log(surest), size, 1.0])


def _belief(found: Peak, p: NDArray[np.floating], width: float | None) -> float:
    """The logit that there is a die (see ``BELIEF``)."""
    return float(clues(found, p, width) @ np.array(BELIEF))


def _logit(p: float) -> float:
    p = min(max(float(p), 1e-4), 1 - 1e-4)
    return math.log(p / (1 - p))


def _seen(found: Peak, logits: NDArray[np.floating], rectifier: Rectifier | None, width: float | None) -> SeenDie:
    """The die of a crop: logits are 6 values, not a die, cocked."""
    x, y, side, _ = found
    p = softmax(logits[:7])
    presence = float(sigmoid(np.array(_belief(found, p, width))))
    values = softmax(logits[:6] / TEMPERATURE)
    cocked = float(sigmoid(logits[7:8])[0])
    place: DiePlace | None = None
    xy = None
    if rectifier is not None:
        field = rectifier.field(np.array([[x, y + 0.15 * side]], np.float32))[0]
        xy = (float(field[0]), float(field[1]))
        place = place_of(xy, rectifier.span)
    box = (x - side / 2, y - side / 2, side, side)
    one, two, three, four, five, six = (float(v) for v in values)
    return SeenDie((one, two, three, four, five, six), cocked, presence, box, place, xy)


def place_of(xy: tuple[float, float], span: tuple[float, float]) -> DiePlace:
    """Where a die lies whose foot is at these field coordinates."""
    x, y = xy
    outside = max(-x, x - 1, -y, y - 1)
    if outside > 0.06:
        return "outside"
    if outside > 0.0:
        return "rim"
    if span[0] < x < span[1]:
        return "bar"
    return "left" if x <= span[0] else "right"
