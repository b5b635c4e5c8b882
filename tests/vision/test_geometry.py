import numpy as np
import pytest

from companion.observation import SeenDie
from companion.vision.geometry import (
    Lens,
    board_to_picture,
    board_width,
    die_place,
    is_board,
    picture_to_board,
    place_die,
    pose_from_corners,
    transform,
    with_first_row_up,
)

CORNERS = ((100, 100), (500, 120), (540, 400), (60, 380))


def camera(tilt_deg, aspect=1.25, focal=900.0, size=(1280, 960)):
    """Corners of a field 1 wide seen by a known camera, and where a point 0.05 above its middle appears."""
    tilt = np.radians(tilt_deg)
    down = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    field = np.array(
        [[-0.5, -0.5 / aspect, 0], [0.5, -0.5 / aspect, 0], [0.5, 0.5 / aspect, 0], [-0.5, 0.5 / aspect, 0]]
    )
    points = np.vstack([field, [[0, 0, -0.05]]]) @ down.T + [0, 0, 1.6]
    pixels = points[:, :2] / points[:, 2:] * focal + [(size[0] - 1) / 2, (size[1] - 1) / 2]
    return pixels[:4], pixels[4]


def test_the_unit_board_goes_to_the_corners_and_back():
    there = transform(board_to_picture(CORNERS), [[0, 0], [1, 0], [1, 1], [0, 1]])
    assert there == pytest.approx(np.array(CORNERS, float), abs=1e-3)
    assert transform(picture_to_board(CORNERS), CORNERS) == pytest.approx(
        np.eye(4)[:, :2] * 0 + [[0, 0], [1, 0], [1, 1], [0, 1]], abs=1e-5
    )


def test_the_width_is_the_mean_of_the_rows():
    assert board_width(((0, 0), (100, 0), (90, 50), (10, 50))) == pytest.approx(90)


@pytest.mark.parametrize(
    "corners",
    [
        ((0, 0), (0, 100), (100, 100), (100, 0)),
        ((0, 0), (100, 0), (20, 20), (0, 100)),
        ((0, 0), (5, 0), (5, 5), (0, 5)),
        ((0, 0), (100, 0), (float("nan"), 100), (0, 100)),
    ],
    ids=["counter-clockwise", "not convex", "a point", "no number"],
)
def test_what_cannot_be_a_board_is_refused(corners):
    assert not is_board(corners)
    assert is_board(CORNERS)


def test_the_row_farther_up_comes_first():
    upside_down = (CORNERS[2], CORNERS[3], CORNERS[0], CORNERS[1])
    assert with_first_row_up(upside_down).tolist() == [list(map(float, c)) for c in CORNERS]
    assert with_first_row_up(CORNERS).tolist() == [list(map(float, c)) for c in CORNERS]


@pytest.mark.parametrize(
    ("xy", "place"),
    [((0.2, 0.5), "left"), ((0.8, 0.1), "right"), ((0.5, 0.5), "bar"), ((1.04, 0.5), "rim"), ((0.3, -0.5), "outside")],
)
def test_a_die_lies_where_its_centre_does(xy, place):
    assert die_place(xy) == place


def test_a_die_gets_its_place_from_the_corners_but_keeps_one_that_it_has():
    die = SeenDie((1, 0, 0, 0, 0, 0), 0.0, 1.0, (140, 130, 20, 20), None)
    assert place_die(die, picture_to_board(CORNERS)).place == "left"
    assert place_die(die, None).place is None
    known = SeenDie((1, 0, 0, 0, 0, 0), 0.0, 1.0, (140, 130, 20, 20), "rim", (0.1, 0.1))
    assert place_die(known, picture_to_board(CORNERS)) is known


@pytest.mark.parametrize("tilt_deg", [25, 45, 60])
def test_a_camera_that_fits_projects_heights(tilt_deg):
    corners, above = camera(tilt_deg)
    pose = pose_from_corners(corners, (1280, 960), aspect=1.25)
    assert pose is not None
    assert pose.focal_px == pytest.approx(900, rel=0.01)
    assert pose.project([[0.5, 0.5, 0.05]])[0] == pytest.approx(above, abs=0.5)
    assert pose.project([[0, 0, 0]])[0] == pytest.approx(corners[0], abs=0.5)


def test_from_straight_above_no_camera_is_invented():
    corners, _ = camera(0)
    assert pose_from_corners(corners, (1280, 960), aspect=1.25) is None


def test_a_known_focal_length_gives_the_pose_from_above():
    corners, above = camera(0)
    pose = pose_from_corners(corners, (1280, 960), aspect=1.25, focal_px=900.0)
    assert pose is not None
    assert pose.project([[0.5, 0.5, 0.05]])[0] == pytest.approx(above, abs=0.5)


def test_a_lens_bends_and_unbends():
    lens = Lens(focal=0.8, k1=-0.2, k2=0.05)
    points = np.array([[10.0, 20.0], [640.0, 480.0], [1200.0, 100.0]])
    bent = lens.distorted(points, (1280, 960))
    assert np.abs(bent - points).max() > 5
    assert lens.undistorted(bent, (1280, 960)) == pytest.approx(points, abs=0.1)
