import numpy as np

from companion.layout import SLOTS
from companion.observation import Observation, Reading, SeenBoard, SeenDie
from companion.vision.draw import drawn
from tests.vision.tables import CORNERS, table


def seen(**changes):
    slots = dict.fromkeys(SLOTS, Reading({(0, 0): 1.0}))
    return Observation(0.0, SeenBoard(CORNERS, "auto", 0.97), slots=slots | changes)


def differs(a, b):
    return np.abs(a.astype(int) - b.astype(int)).max(axis=2) > 30


def test_a_drawing_is_wide_enough_to_look_at_and_leaves_the_picture_alone():
    picture = table()
    before = picture.copy()
    assert drawn(picture, seen()).shape[1] >= 1280
    assert (picture == before).all()


def test_each_reading_changes_the_drawing_near_its_point_only():
    plain = drawn(table(), seen())
    five = drawn(table(), seen(T0=Reading({(5, 0): 0.99})))
    ys, xs = np.nonzero(differs(plain, five)[: plain.shape[0] - 60])
    assert len(xs)
    assert np.hypot(xs.mean() - 2 * 166, ys.mean() - 2 * 105) < 60


def test_unknown_and_unsure_points_look_different_from_sure_ones():
    sure = drawn(table(), seen(T0=Reading({(5, 0): 0.99})))
    unsure = drawn(table(), seen(T0=Reading({(5, 0): 0.6, (4, 0): 0.4})))
    unknown = drawn(table(), seen(T0=None))
    assert differs(sure, unsure).any()
    assert differs(sure, unknown).any()


def test_dice_are_drawn_without_a_board():
    die = SeenDie((0, 0, 1, 0, 0, 0), 0.0, 1.0, (300, 200, 20, 20), None)
    none = Observation(0.0, SeenBoard(None, "none"))
    with_die = Observation(0.0, SeenBoard(None, "none"), dice=(die,))
    assert differs(drawn(table(), none), drawn(table(), with_die)).any()
