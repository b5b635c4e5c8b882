"""What the camera showed in full resolution, for as long as it is what lies there."""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.frame import Detail, Image
from companion.vision.geometry import Floats
from companion.vision.lens import View

ALIKE = 0.95
"""A detail is of this frame when the two correlate by so much, as a whole and in their middles. 174 dice of scenes,
half as large, with noise and in another light: 0.99 and more; a third of a die beside it: 0.73 in the median.
"""

MOST = 8
"""So many are kept, the newest."""

SMALLEST_PX = 8
"""A part of the frame smaller than this tells nothing."""


class Closer:
    """Keeps the details of a picture at rest: give it every frame."""

    def __init__(self) -> None:
        self.details: tuple[Detail, ...] = ()

    def look(self, image: Image, new: Sequence[Detail], view: View, *, moving: bool) -> None:
        """Take the details that came with a frame (height × width × 3, uint8, BGR), straightened as the frame is; with
        motion all that were known are forgotten. A still is taken some time before its frame comes: one in which
        something else lay, or a hand was, is left out.
        """
        kept = () if moving else self.details
        self.details = (*(view.straight_detail(detail) for detail in new if shows(image, detail)), *kept)[:MOST]


def shows(image: Image, detail: Detail) -> bool:
    """Whether a detail shows what the frame shows in its place, whatever the light."""
    (x, y, width, height), picture = detail
    left, top, right, bottom = round(x), round(y), round(x + width), round(y + height)
    part = image[max(0, top) : bottom, max(0, left) : right]
    if part.shape[:2] != (bottom - top, right - left) or min(part.shape[:2]) < SMALLEST_PX:
        return False
    small = cv2.resize(picture, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_AREA)
    a, b = (cv2.GaussianBlur(each, (0, 0), 1.0).astype(np.float64) for each in (part, small))
    across, down = part.shape[1] // 4, part.shape[0] // 4
    middle = slice(down, -down), slice(across, -across)
    return _alike(a, b) and _alike(a[middle], b[middle])


def _alike(a: Floats, b: Floats) -> bool:
    a, b = a - a.mean(), b - b.mean()
    return bool((a * b).sum() > ALIKE * np.sqrt((a * a).sum() * (b * b).sum()))
