import cv2
import numpy as np
import pytest

from companion.vision.geometry import transform
from companion.vision.track import BoardTracker
from tests.vision.tables import CORNERS, noisy, table


def moved_table(angle_deg, shift):
    matrix = cv2.getRotationMatrix2D((320, 240), angle_deg, 1.0)
    matrix[:, 2] += shift
    corners = transform(np.vstack([matrix, [0, 0, 1]]), CORNERS)
    return noisy(table(corners), 3, 7), corners


def tracker():
    watching = BoardTracker()
    watching.register(noisy(table(), 3, 1), CORNERS)
    return watching


def test_a_board_at_rest_has_not_moved():
    found = tracker().check(noisy(table(), 3, 2), CORNERS)
    assert found.corners is None
    assert not found.lost
    assert found.residual_px < 1.0


def test_checkers_that_move_are_not_the_board():
    frame = noisy(table(), 3, 2)
    for x in (200, 260, 320, 380):
        cv2.circle(frame, (x, 200), 14, (240, 240, 240), -1)
    found = tracker().check(frame, CORNERS)
    assert found.corners is None
    assert not found.lost


@pytest.mark.parametrize(("angle", "shift"), [(0, (6, -4)), (2.0, (10, 5)), (-3.0, (0, 12))])
def test_a_bumped_board_is_found_where_it_is_now(angle, shift):
    frame, corners = moved_table(angle, shift)
    found = tracker().check(frame, CORNERS)
    assert found.corners is not None
    assert found.corners == pytest.approx(corners, abs=1.5)
    assert found.residual_px == pytest.approx(np.abs(corners - np.array(CORNERS)).max(), abs=1.5)


def test_after_the_move_it_is_at_rest_again():
    frame, _ = moved_table(2.0, (10, 5))
    watching = tracker()
    first = watching.check(frame, CORNERS)
    again = watching.check(frame, first.corners)
    assert again.corners is None
    assert again.residual_px < 1.0


def test_a_board_that_is_gone_is_lost_after_three_looks_and_not_before():
    watching, elsewhere = tracker(), table(((10, 10), (90, 10), (90, 80), (10, 80)), seed=5)
    assert [watching.check(elsewhere, CORNERS).lost for _ in range(3)] == [False, False, True]
