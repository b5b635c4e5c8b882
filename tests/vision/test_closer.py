"""Finer pictures of parts of a frame: kept while they show what lies there, and straightened as the frame is."""

from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision.closer import MOST, Closer, shows
from companion.vision.geometry import Lens
from companion.vision.lens import View
from tests.vision.tables import table, with_hand

SIZE = (640, 480)
STRAIGHT = View(None, SIZE)
BOX = (200.0, 150.0, 60.0, 60.0)


def larger(picture: Any, box: tuple[float, float, float, float] = BOX, times: int = 2) -> Any:
    """What a camera of so many times the resolution shows of a region."""
    whole = cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
    x, y, w, h = (int(v * times) for v in box)
    return box, whole[y : y + h, x : x + w]


@pytest.fixture(scope="module")
def picture() -> Any:
    return table()


def test_a_detail_is_kept_until_something_moves(picture: Any) -> None:
    closer, detail = Closer(), larger(picture)
    closer.look(picture, (detail,), STRAIGHT, moving=False)
    closer.look(picture, (), STRAIGHT, moving=False)
    assert closer.details == (detail,)
    closer.look(picture, (), STRAIGHT, moving=True)
    assert closer.details == ()


def test_one_that_comes_with_the_end_of_a_motion_counts(picture: Any) -> None:
    closer, old, new = Closer(), larger(picture), larger(picture, (300.0, 200.0, 60.0, 60.0))
    closer.look(picture, (old,), STRAIGHT, moving=False)
    closer.look(picture, (new,), STRAIGHT, moving=True)
    assert closer.details == (new,)


def test_not_more_than_some_are_kept(picture: Any) -> None:
    closer = Closer()
    for number in range(MOST + 3):
        closer.look(picture, (larger(picture, (200.0 + number, 150.0, 60.0, 60.0)),), STRAIGHT, moving=False)
    assert [box[0] for box, _ in closer.details] == [200.0 + MOST + 2 - number for number in range(MOST)]


@pytest.mark.parametrize("light", [0.6, 1.0, 1.3])
def test_light_is_no_difference(picture: Any, light: float) -> None:
    box, part = larger(picture)
    assert shows(picture, (box, np.clip(part * light, 0, 255).astype(np.uint8)))


def test_what_shows_something_else_does_not_count(picture: Any) -> None:
    box, part = larger(picture)
    assert not shows(picture, larger(with_hand(picture), (180.0, 200.0, 60.0, 60.0)))
    assert not shows(picture, (box, larger(picture, (330.0, 200.0, 60.0, 60.0))[1]))
    assert not shows(picture, ((610.0, 150.0, 60.0, 60.0), part)), "it lies beside the frame"
    assert not shows(picture, ((200.0, 150.0, 3.0, 3.0), part[:6, :6])), "it is too small to tell"
    assert not shows(np.full_like(picture, 90), (box, np.full_like(part, 90))), "nothing is nothing in particular"


@pytest.mark.parametrize("box", [BOX, (40.0, 30.0, 80.0, 60.0), (520.0, 370.0, 60.0, 60.0)])
def test_a_bent_detail_is_straightened_to_where_the_straight_frame_has_it(picture: Any, box: Any) -> None:
    view = View(Lens(0.8, -0.2), SIZE)
    (x, y, w, h), part = view.straight_detail(larger(picture, box))
    assert (part.shape[1] / w, part.shape[0] / h) == pytest.approx((2, 2))
    straight = view.straight_picture(picture)
    moves = np.array([[2.0, 0, 0.5 - 2 * x], [0, 2.0, 0.5 - 2 * y]])  # from the frame's pixels to the detail's
    expected = cv2.warpAffine(straight, moves, (part.shape[1], part.shape[0]))
    middle = (slice(part.shape[0] // 4, -part.shape[0] // 4), slice(part.shape[1] // 4, -part.shape[1] // 4))
    off = cv2.absdiff(cv2.blur(expected[middle], (5, 5)), cv2.blur(part[middle], (5, 5)))
    assert off.mean() < 4.0
