"""The trained finder on a path-traced picture of a board that it was not trained with, and on what is no board."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.finder import BoardFinder, fit_homography
from companion.vision.geometry import board_width, transform

PICTURES = Path(__file__).parents[1] / "data" / "pictures"


@pytest.fixture(scope="module")
def finder():
    return BoardFinder()


@pytest.fixture(scope="module")
def board():
    label = json.loads((PICTURES / "board.json").read_text())
    return cv2.imread(str(PICTURES / label["file"])), np.array(label["corners"])


def error(found, truth):
    """Mean distance of the corners in parts of the board's width, whichever row is first."""
    return min(np.linalg.norm(np.roll(found, k, axis=0) - truth, axis=1).mean() for k in (0, 2)) / board_width(truth)


def test_the_field_is_found_to_a_percent_of_its_width(finder, board):
    picture, corners = board
    found = finder.find(picture)
    assert found is not None
    assert found.confidence > 0.5
    assert error(found.corners, corners) < 0.012


def test_the_first_row_is_the_one_farther_up_and_corners_go_clockwise(finder, board):
    upside_down = cv2.rotate(board[0], cv2.ROTATE_180)
    for picture in (board[0], upside_down):
        (tl, tr, br, bl) = finder.find(picture).corners
        assert tl[1] + tr[1] < bl[1] + br[1]
        assert (tr[0] - tl[0]) * (bl[1] - tl[1]) - (tr[1] - tl[1]) * (bl[0] - tl[0]) > 0


@pytest.mark.parametrize("factor", [0.5, 1.5])
def test_the_size_of_the_picture_does_not_matter(finder, board, factor):
    picture = cv2.resize(board[0], None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    found = finder.find(picture)
    assert found is not None
    assert error(found.corners, (board[1] + 0.5) * factor - 0.5) < 0.015


def test_a_board_turned_by_a_quarter_is_found(finder, board):
    picture = cv2.rotate(board[0], cv2.ROTATE_90_CLOCKWISE)
    turned = np.column_stack([board[0].shape[0] - 1 - board[1][:, 1], board[1][:, 0]])
    found = finder.find(picture)
    assert found is not None
    assert error(found.corners, turned) < 0.02


def test_nothing_is_found_where_there_is_nothing(finder):
    rng = np.random.default_rng(3)
    grain = cv2.resize(rng.random((60, 20)).astype(np.float32), (1280, 960), interpolation=cv2.INTER_CUBIC)
    wood = np.clip(60 + 90 * grain[..., None] * np.array([0.5, 0.7, 1.0]), 0, 255).astype(np.uint8)
    for picture in (wood, np.zeros((480, 640, 3), np.uint8), rng.integers(0, 255, (480, 640, 3), np.uint8)):
        assert finder.find(picture) is None


def test_a_tiny_picture_is_no_trouble(finder):
    assert finder.find(np.zeros((5, 7, 3), np.uint8)) is None


def test_a_homography_is_fitted_in_spite_of_outliers():
    rng = np.random.default_rng(2)
    truth = np.array([[1.2, 0.1, 5], [-0.1, 0.9, 3], [1e-3, 5e-4, 1]])
    source = rng.uniform(0, 100, (80, 2))
    target = transform(truth, source) + rng.normal(0, 0.02, (80, 2))
    target[:12] += rng.uniform(5, 30, (12, 2))
    fitted = fit_homography(source, target, np.ones(80))
    assert fitted is not None
    assert transform(fitted, source[12:]) == pytest.approx(transform(truth, source[12:]), abs=0.1)
