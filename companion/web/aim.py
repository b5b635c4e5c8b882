"""Go or no-go while the camera is being aimed: light, sharpness, and how the board lies in the picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.frame import Image
from companion.languages import N_
from companion.web.ports import Corners

LEAST_WIDTH_PX = 480.0
"""A board narrower than this has dice of too few pixels to be read."""
DARK, BRIGHT = 45.0, 235.0
"""Median grey of the board between which checkers and dice can be told apart."""
SHARP = 18.0
"""Variance of the Laplacian of a sharp picture, at least."""
STEEPEST = 0.45
"""The far side must be at least so long, compared with the near one."""


@dataclass(frozen=True)
class Hint:
    """One check: ``go``, ``unsure`` or ``no-go``, and what to do, in English (translated where it is shown)."""

    state: str
    text: str


def hints(picture: Image | None, corners: Corners | None, size: tuple[int, int]) -> list[Hint]:
    """All checks of a picture of ``size`` (width, height) pixels with the board at ``corners``, worst first."""
    found = []
    if corners is None:
        found.append(Hint("no-go", N_("No board is found: drag the corners onto it")))
    else:
        found += _geometry(corners, size)
    if picture is not None:
        found += _light(_cut(picture, corners))
    return sorted(found, key=lambda hint: ("no-go", "unsure", "go").index(hint.state))


def verdict(found: Sequence[Hint]) -> str:
    """The worst of them."""
    return found[0].state if found else "go"


def _geometry(corners: Corners, size: tuple[int, int]) -> list[Hint]:
    sides = [math.dist(a, b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)]
    if not _is_clockwise(corners) or min(sides) < 20:
        return [Hint("no-go", N_("The corners cross: put them clockwise around the board"))]
    outside = sum(not (0 <= x <= size[0] and 0 <= y <= size[1]) for x, y in corners)
    far, near = sorted((sides[0], sides[2]))
    return [
        Hint("go", N_("The whole board is in the picture"))
        if not outside
        else Hint("unsure", N_("A corner lies outside: move the camera back if you can")),
        Hint("go", N_("The board is large enough"))
        if max(sides) >= LEAST_WIDTH_PX
        else Hint("no-go", N_("The board is too small: come nearer")),
        Hint("go", N_("The angle is good"))
        if far / near >= STEEPEST
        else Hint("unsure", N_("The view is very flat: raise the camera")),
    ]


def _light(part: Image) -> list[Hint]:
    grey = part.mean(axis=2)
    median = float(np.median(grey))
    if median < DARK:
        light = Hint("no-go", N_("It is too dark: switch a lamp on"))
    elif median > BRIGHT:
        light = Hint("no-go", N_("It is too bright: turn the lamp away"))
    else:
        light = Hint("go", N_("The light is good"))
    around = grey[1:-1, :-2] + grey[1:-1, 2:] + grey[:-2, 1:-1] + grey[2:, 1:-1]
    sharp = float((around - 4 * grey[1:-1, 1:-1]).var()) >= SHARP
    return [
        light,
        Hint("go", N_("The picture is sharp")) if sharp else Hint("unsure", N_("Not sharp: focus on the board")),
    ]


def _cut(picture: Image, corners: Corners | None) -> Image:
    """The part of the picture around the corners, or all of it."""
    if corners is None:
        return picture
    height, width = picture.shape[:2]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    left, right = max(0, int(min(xs))), min(width, int(max(xs)))
    top, bottom = max(0, int(min(ys))), min(height, int(max(ys)))
    part = picture[top:bottom, left:right]
    return part if min(part.shape[:2]) > 8 else picture


def _is_clockwise(corners: Corners) -> bool:
    """Every turn goes the same way, clockwise in the picture: the quadrilateral is convex."""
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) <= 0:
            return False
    return True
