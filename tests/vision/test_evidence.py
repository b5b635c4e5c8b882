"""Evidence pictures show the field from above, and nothing that lies outside it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Observation, SeenBoard, SeenDie
from companion.vision.evidence import BOARD_H, BOARD_W, field_jpeg, picture_of, roll_jpeg

CORNERS = ((200.0, 120.0), (620.0, 140.0), (700.0, 500.0), (120.0, 480.0))
OUTSIDE, FIELD = (0, 0, 255), (0, 160, 0)


def frame() -> NDArray[np.uint8]:
    """A green field in a red room, with a blue quarter at its TL corner."""
    image = np.full((600, 800, 3), OUTSIDE, np.uint8)
    cv2.fillConvexPoly(image, np.array(CORNERS, np.int32), FIELD)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_px = cv2.getPerspectiveTransform(unit, np.array(CORNERS, np.float32))
    quarter = cv2.perspectiveTransform(np.array([[[0, 0], [0.5, 0], [0.5, 0.5], [0, 0.5]]], np.float32), to_px)[0]
    cv2.fillConvexPoly(image, quarter.astype(np.int32), (255, 0, 0))
    return image


def die(xy: tuple[float, float] | None) -> SeenDie:
    return SeenDie((1.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0, 1.0, (0.0, 0.0, 10.0, 10.0), "left", xy)


def seen(*places: tuple[float, float] | None, corners: tuple[tuple[float, float], ...] | None = CORNERS) -> Observation:
    return Observation(t=0.0, board=SeenBoard(corners, "given", 1.0), dice=tuple(map(die, places)))


def decoded(jpeg: bytes | None) -> NDArray[np.uint8]:
    assert jpeg is not None
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def reds(picture: NDArray[np.uint8]) -> float:
    """The share of pixels that show the room."""
    return float(((picture[:, :, 2] > 128) & (picture[:, :, 1] < 100) & (picture[:, :, 0] < 100)).mean())


def test_the_field_fills_the_picture_and_the_room_is_not_in_it() -> None:
    picture = decoded(field_jpeg(frame(), seen()))
    assert picture.shape == (BOARD_H, BOARD_W, 3)
    assert reds(picture[4:-4, 4:-4]) == 0.0
    assert reds(picture) < 0.01  # the seam itself
    assert picture[BOARD_H // 4, BOARD_W // 4, 0] > 200
    assert picture[3 * BOARD_H // 4, BOARD_W // 4, 1] > 120


def test_the_roll_is_a_part_of_the_field_around_the_dice() -> None:
    picture = decoded(roll_jpeg(frame(), seen((0.2, 0.2), (0.3, 0.25))))
    assert max(picture.shape[:2]) <= 320
    assert picture[:, :, 0].mean() > 200
    at_the_rim = decoded(roll_jpeg(frame(), seen((0.99, 0.99))))
    assert reds(at_the_rim[2:-4, 2:-4]) == 0.0


def test_dice_outside_the_field_are_not_pictured() -> None:
    assert roll_jpeg(frame(), seen((1.2, 0.5), None)) is None
    assert roll_jpeg(frame(), seen()) is None


def test_without_a_board_nothing_is_pictured() -> None:
    nothing = seen((0.5, 0.5), corners=None)
    assert picture_of("before", frame(), nothing) is None
    assert picture_of("roll", frame(), nothing) is None


def test_a_corner_outside_the_frame_is_no_error() -> None:
    corners = ((-50.0, -40.0), (620.0, 140.0), (900.0, 700.0), (120.0, 480.0))
    assert decoded(field_jpeg(frame(), seen(corners=corners))).shape == (BOARD_H, BOARD_W, 3)
