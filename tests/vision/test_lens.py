"""A lens that bends is measured from the sides of the field, and what it bent is straightened."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.geometry import Lens
from companion.vision.lens import View, measured_lens

SCENES = Path(__file__).parents[1] / "data" / "scenes"
LABEL = json.loads((SCENES / "labels.jsonl").read_text().splitlines()[0])
SIZE = (1280, 960)


def through(lens, picture):
    """The picture as this lens would have bent it."""
    x, y = np.meshgrid(np.arange(picture.shape[1]), np.arange(picture.shape[0]))
    at = lens.undistorted(np.column_stack([x.ravel(), y.ravel()]), (picture.shape[1], picture.shape[0]))
    across, down = at.astype(np.float32).T.reshape(2, *picture.shape[:2])
    return cv2.remap(picture, across, down, cv2.INTER_LINEAR)


def test_points_go_there_and_back():
    view = View(Lens(0.8, -0.2, 0.03), SIZE)
    points = np.array([[10.0, 20.0], [640.0, 480.0], [1200.0, 900.0]])
    assert view.straight(view.bent(points)) == pytest.approx(points, abs=0.05)
    plain = View(None, SIZE)
    assert plain.bent(points) == pytest.approx(points)
    picture = np.zeros((960, 1280, 3), np.uint8)
    assert plain.straight_picture(picture) is picture


def test_a_bent_picture_is_straightened():
    lens = Lens(0.9, -0.15)
    picture = cv2.imread(str(SCENES / LABEL["file"]))
    again = View(lens, (picture.shape[1], picture.shape[0])).straight_picture(through(lens, picture))
    inner = (slice(200, -200), slice(250, -250))
    off = cv2.absdiff(cv2.blur(again[inner], (9, 9)), cv2.blur(picture[inner], (9, 9)))
    assert off.mean() < 1.0


@pytest.mark.parametrize("k1", [-0.25, -0.15, 0.12])
def test_the_bend_is_measured_from_the_sides_of_the_field(k1):
    lens = Lens(0.9, k1)
    picture = cv2.imread(str(SCENES / LABEL["file"]))
    corners = lens.distorted(LABEL["corners"], (picture.shape[1], picture.shape[0]))
    measured = measured_lens(through(lens, picture), corners)
    assert measured is not None
    assert measured.k1 / measured.focal**2 == pytest.approx(k1 / 0.9**2, abs=0.1)


def test_a_picture_without_a_board_tells_nothing_about_the_lens():
    noise = np.random.default_rng(1).normal(120, 6, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    assert measured_lens(noise, np.array([[100.0, 80], [540, 80], [540, 400], [100, 400]])) is None
