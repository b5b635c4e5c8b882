"""The pictures that are kept of a game: the playing field seen from above, and nothing that lies outside it."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.frame import Image
from companion.observation import Observation, SeenDie
from companion.vision.geometry import board_width

BOARD_W, BOARD_H = 640, 512
"""The size in pixels of a picture of the field."""

ROLL_MARGIN = 0.06
"""Room around the dice, in widths of the field."""

ROLL_PX = 320
"""The longer side of a picture of the dice is at most so many pixels."""

QUALITY = 80


def picture_of(kind: str, image: Image, seen: Observation) -> bytes | None:
    """A picture of what is seen: of the dice (``roll``), else of the whole field."""
    return roll_jpeg(image, seen) if kind == "roll" else field_jpeg(image, seen)


def field_jpeg(image: Image, seen: Observation) -> bytes | None:
    """The field as JPEG, seen from above; ``image`` is height × width × 3, uint8, BGR. None when no board is known."""
    if seen.board.corners is None:
        return None
    return _jpeg(_from_above(image, seen.board.corners, (0.0, 0.0, 1.0, 1.0), (BOARD_W, BOARD_H)))


def roll_jpeg(image: Image, seen: Observation) -> bytes | None:
    """The part of the field on which the dice lie, as JPEG; None when no board is known or no die lies on it."""
    corners = seen.board.corners
    box = None if corners is None else _around(seen.dice)
    if corners is None or box is None:
        return None
    left, top, right, bottom = box
    width_px = (right - left) * board_width(np.asarray(corners, np.float64))
    height_px = width_px * (bottom - top) * BOARD_H / ((right - left) * BOARD_W)
    scale = min(1.0, ROLL_PX / max(width_px, height_px))
    size = (max(8, round(width_px * scale)), max(8, round(height_px * scale)))
    return _jpeg(_from_above(image, corners, box, size))


def _around(dice: Sequence[SeenDie]) -> tuple[float, float, float, float] | None:
    """The part of the field (left, top, right, bottom; 0 to 1) that holds the dice, with room around them."""
    inside = [die.xy for die in dice if die.xy is not None and 0 <= die.xy[0] <= 1 and 0 <= die.xy[1] <= 1]
    if not inside:
        return None
    xs, ys = [x for x, _ in inside], [y for _, y in inside]
    more = ROLL_MARGIN * BOARD_W / BOARD_H
    return (
        max(0.0, min(xs) - ROLL_MARGIN),
        max(0.0, min(ys) - more),
        min(1.0, max(xs) + ROLL_MARGIN),
        min(1.0, max(ys) + more),
    )


def _from_above(
    image: Image, corners: Sequence[Sequence[float]], box: tuple[float, float, float, float], size: tuple[int, int]
) -> NDArray[np.uint8]:
    """A part of the field (of 0 to 1) as a picture of ``size``: width, height in pixels."""
    left, top, right, bottom = box
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_picture = cv2.getPerspectiveTransform(unit, np.array(corners, np.float32))
    wanted = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float32)
    seen = cv2.perspectiveTransform(wanted, to_picture)[0]
    w, h = size
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    above = cv2.warpPerspective(
        image, cv2.getPerspectiveTransform(seen.astype(np.float32), target), size, flags=cv2.INTER_AREA
    )
    return np.asarray(above, np.uint8)


def _jpeg(picture: NDArray[np.uint8]) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done
    return bytes(data)


def read_field(jpeg: bytes) -> Observation:
    """What the eyes see in a picture of the field that was kept."""
    from companion.vision.eyes import StillEyes  # only when asked for: it loads the networks

    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    height, width = image.shape[:2]
    return StillEyes().read(image, [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
