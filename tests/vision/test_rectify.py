"""The strips: every slot at its columns whatever the board, and the way back to the frame."""

import cv2
import numpy as np
import pytest

from companion.vision.rectify import RIM_SLOTS, SLOT_PX, STRIP_H, STRIP_W, Rectifier

CORNERS = ((310.0, 140.0), (960.0, 170.0), (1090.0, 800.0), (180.0, 760.0))


def test_field_corners_map_to_the_given_pixels_and_back() -> None:
    rectifier = Rectifier(CORNERS)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    assert rectifier.pixels(unit) == pytest.approx(np.array(CORNERS), abs=1e-2)
    assert rectifier.field(np.array(CORNERS, np.float32)) == pytest.approx(unit, abs=1e-5)


@pytest.mark.parametrize("span", [(0.463, 0.537), (0.43, 0.545), (0.48, 0.52)])
def test_columns_follow_the_bar(span: tuple[float, float]) -> None:
    rectifier = Rectifier(CORNERS, span)
    columns = np.array([0.0, 6.0, 7.0, 13.0])
    x = rectifier.column_to_x(columns)
    assert x == pytest.approx([0.0, span[0], span[1], 1.0], abs=1e-6)
    assert rectifier.x_to_column(x) == pytest.approx(columns, abs=1e-4)


def test_a_mark_in_the_frame_appears_in_both_strips_where_promised() -> None:
    frame = np.zeros((960, 1280, 3), np.uint8)
    rectifier = Rectifier(CORNERS)
    spot = rectifier.pixels(np.array([[0.25, 0.5]], np.float32))
    cv2.circle(frame, tuple(int(v) for v in spot[0]), 7, (255, 255, 255), -1)
    strips = rectifier.strips(frame)
    assert strips.shape == (STRIP_H, STRIP_W, 3)
    for place, half in zip(
        rectifier.strip_points(spot), (slice(0, STRIP_W // 2), slice(STRIP_W // 2, STRIP_W)), strict=True
    ):
        rows, columns = np.nonzero(strips[:, half, 0] > 100)
        assert (columns.mean() + half.start, rows.mean()) == pytest.approx(tuple(place[0]), abs=1.5)


def test_the_bottom_row_stands_on_its_own_rim() -> None:
    frame = np.zeros((960, 1280, 3), np.uint8)
    rectifier = Rectifier(CORNERS)
    near = rectifier.pixels(np.array([[1 / 26, 1.0]], np.float32))
    _, bottom = rectifier.strip_points(near)
    assert bottom[0, 1] == pytest.approx(RIM_SLOTS * SLOT_PX, abs=0.1)
    assert STRIP_W // 2 + SLOT_PX < bottom[0, 0] < STRIP_W // 2 + 2.2 * SLOT_PX
    assert rectifier.strips(frame).max() == 0


def test_a_board_partly_outside_the_frame_is_still_sampled() -> None:
    frame = np.full((240, 320, 3), 77, np.uint8)
    beyond = ((-60.0, -40.0), (300.0, -30.0), (420.0, 300.0), (-90.0, 280.0))
    assert (Rectifier(beyond).strips(frame) == 77).all()
