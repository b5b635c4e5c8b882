"""The composition, with readers that only count how often they are asked."""

from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from companion.attention import Attention
from companion.frame import Frame
from companion.layout import SLOTS
from companion.observation import Reading, SeenDie
from companion.vision.calibration import Calibration
from companion.vision.eyes import Eyes, StillEyes
from companion.vision.finder import FoundBoard
from companion.vision.geometry import Lens, transform
from companion.vision.rectify import DEFAULT_SPAN
from tests.vision.tables import CORNERS, noisy, table, with_hand

EMPTY = Reading({(0, 0): 1.0})


@dataclass
class Reads:
    slots: dict = field(default_factory=lambda: dict.fromkeys(SLOTS, EMPTY))
    bar: Reading | None = EMPTY
    off: Reading | None = None
    hand: float = 0.0
    hidden: dict = field(default_factory=dict)
    span: tuple = DEFAULT_SPAN
    tops: np.ndarray = field(default_factory=lambda: np.empty((0, 2)))


class Checkers:
    def __init__(self, reading=None):
        self.reading, self.asked, self.spans = reading or Reads(), [], []

    def read(self, image, corners, span=None):
        self.asked.append(corners)
        self.spans.append(span)
        return self.reading


class Dice:
    def __init__(self):
        self.asked, self.closer = [], []

    def read(self, image, corners, span=None, also=(), details=()):
        self.asked.append(corners)
        self.closer.append([box for box, _ in details])
        return (SeenDie((0, 0, 0, 0, 0, 1), 0.0, 1.0, (200, 200, 20, 20), None),)


class Finder:
    def __init__(self, *answers):
        self.answers, self.asked = list(answers), 0

    def find(self, image):
        self.asked += 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def found(corners=CORNERS, confidence=0.9):
    return FoundBoard(np.array(corners, float), confidence)


def eyes(corners=CORNERS, finder=None, reading=None):
    checkers, dice = Checkers(reading), Dice()
    return Eyes(corners, checkers, dice, finder or Finder(None)), checkers, dice


def frame(t, picture=None):
    return Frame(noisy(table(), 2, int(t * 1000)) if picture is None else picture, t, int(t * 10))


def test_a_still_frame_is_read_in_full():
    seeing, _, _ = eyes()
    seen = seeing.observe(frame(0.0), Attention())
    assert seen.full
    assert seen.board.found == "given"
    assert set(seen.slots) == set(SLOTS)
    assert [(die.value, die.place) for die in seen.dice] == [(6, "left")]


def test_a_moving_frame_is_not_read():
    seeing, checkers, dice = eyes()
    seeing.observe(frame(0.0), Attention())
    seen = seeing.observe(frame(0.1, with_hand(table())), Attention())
    assert not seen.full
    assert seen.motion > 0.5
    assert seen.slots == {}
    assert (len(checkers.asked), len(dice.asked)) == (1, 1)


def test_what_the_camera_showed_larger_goes_to_the_reader_of_dice_until_something_moves():
    seeing, _, dice = eyes()
    box = (200.0, 150.0, 60.0, 60.0)
    detail = box, cv2.resize(table()[150:210, 200:260], (120, 120))
    seeing.observe(frame(0.0), Attention())
    seeing.observe(Frame(noisy(table(), 2, 1), 0.1, 1, (detail,)), Attention())
    seeing.observe(frame(0.2), Attention())
    seeing.observe(frame(0.3, with_hand(table())), Attention())
    seeing.observe(frame(0.4), Attention())
    seeing.observe(frame(0.5), Attention())
    assert dice.closer == [[], [box], [box], []]


def test_while_a_lamp_changes_nothing_is_read():
    seeing, checkers, _ = eyes()
    seen = seeing.observe(frame(0.0), Attention(not_evidence_until_s=0.5))
    assert not seen.full
    assert not checkers.asked
    assert seeing.observe(frame(0.6), Attention(not_evidence_until_s=0.5)).full


def test_the_bar_is_looked_for_until_it_is_known_and_again_when_the_board_moved():
    seeing, checkers, _ = eyes()
    for t in (0.0, 0.1, 0.2, 0.3):
        seeing.observe(frame(t), Attention())
    assert checkers.spans == [None, None, None, DEFAULT_SPAN]
    covered, checkers, _ = eyes(reading=Reads(hand=0.9))
    for t in (0.0, 0.1, 0.2, 0.3):
        covered.observe(frame(t), Attention())
    assert checkers.spans == [None] * 4, "under a hand the bar is not learnt"


def test_a_calibration_for_larger_pictures_fits_these_and_given_corners_win():
    twice = tuple((2 * x + 0.5, 2 * y + 0.5) for x, y in CORNERS)
    rig = Calibration(corners=twice, image_size=(1280, 960))
    seen = Eyes(None, Checkers(), Dice(), Finder(None), rig).observe(frame(0.0), Attention())
    assert np.array(seen.board.corners) == pytest.approx(np.array(CORNERS), abs=0.01)
    other = transform(np.array([[1, 0, 4], [0, 1, 4], [0, 0, 1.0]]), CORNERS)
    seen = Eyes(other, Checkers(), Dice(), Finder(None), rig).observe(frame(0.0), Attention())
    assert np.array(seen.board.corners) == pytest.approx(other, abs=0.01)


def test_through_a_lens_that_bends_the_readers_see_straight_and_corners_stay_those_of_the_frame():
    rig = Calibration(corners=CORNERS, distortion={"focal": 0.8, "k1": -0.2})
    checkers, dice = Checkers(), Dice()
    seen = Eyes(None, checkers, dice, Finder(None), rig).observe(frame(0.0), Attention())
    assert np.array(seen.board.corners) == pytest.approx(np.array(CORNERS), abs=0.05)
    assert np.abs(np.array(checkers.asked[0]) - np.array(CORNERS)).max() > 3
    x, y, w, h = seen.dice[0].box
    straight = Lens(0.8, -0.2).undistorted([(x + w / 2, y + h / 2)], (640, 480))[0]
    assert straight == pytest.approx((210, 210), abs=0.05)
    single = StillEyes(Checkers(), Dice(), Finder(None), rig).read(table())
    assert np.array(single.board.corners) == pytest.approx(np.array(CORNERS), abs=0.05)


def test_hidden_slots_are_unknown():
    seeing, _, _ = eyes(reading=Reads(hidden={"T3": 0.9, "T4": 0.1}))
    seen = seeing.observe(frame(0.0), Attention())
    assert seen.slots["T3"] is None
    assert seen.slots["T4"] is EMPTY


def test_without_corners_the_board_is_found_once_and_kept():
    finder = Finder(found(confidence=0.97))
    seeing, _, _ = eyes(None, finder)
    for t in (0.0, 0.1, 0.2, 1.5):
        seen = seeing.observe(frame(t), Attention())
    assert finder.asked == 1
    assert seen.board.found == "auto"
    assert seen.board.confidence == 0.97
    assert seen.board.corners == CORNERS


def test_a_board_found_with_doubt_is_looked_for_again_and_the_surest_is_kept():
    better = np.array(CORNERS) + 2.0
    upside_down = np.roll(better, 2, axis=0)
    finder = Finder(found(confidence=0.6), found(upside_down, 0.8), found(confidence=0.7), found(confidence=0.7))
    seeing, _, _ = eyes(None, finder)
    for t in (0.0, 0.6, 1.2, 1.8):
        seen = seeing.observe(frame(t), Attention())
    assert seen.board.confidence == 0.8
    assert np.array(seen.board.corners) == pytest.approx(better), "the first row stays the first"
    for t in range(2, 30):
        seeing.observe(frame(float(t)), Attention())
    assert finder.asked == 7


def test_while_no_board_is_found_only_dice_are_read_and_it_is_looked_for_again():
    finder = Finder(None, None, found())
    seeing, checkers, _ = eyes(None, finder)
    nothing = [seeing.observe(frame(t), Attention()) for t in (0.0, 0.1, 0.6)]
    assert all(seen.board.found == "none" and not seen.slots for seen in nothing)
    assert finder.asked == 2
    assert not checkers.asked
    assert seeing.observe(frame(1.2), Attention()).board.found == "auto"


def test_given_corners_are_never_looked_for():
    finder = Finder(found(confidence=0.99))
    seeing, _, _ = eyes(CORNERS, finder)
    for t in (0.0, 0.2, 2.0):
        seeing.observe(frame(t), Attention())
    assert finder.asked == 0


def test_a_bumped_board_is_followed_and_its_move_reported_once():
    shift = np.array([[1, 0, 9], [0, 1, -5], [0, 0, 1.0]])
    now = transform(shift, CORNERS)
    seeing, _, _ = eyes()
    seeing.observe(frame(0.0), Attention())
    seeing.observe(frame(0.1, with_hand(table())), Attention())
    seeing.observe(frame(0.2, noisy(table(now), 2, 3)), Attention())
    seen = seeing.observe(frame(0.3, noisy(table(now), 2, 4)), Attention())
    assert seen.full
    assert seen.board.residual_px == pytest.approx(9, abs=1.5)
    assert np.array(seen.board.corners) == pytest.approx(now, abs=1.5)
    later = seeing.observe(frame(1.6, noisy(table(now), 2, 5)), Attention())
    assert later.board.residual_px < 1.5


def test_a_board_that_is_covered_for_long_is_lost_until_it_is_seen_again():
    covered = np.full_like(table(), 90)
    seeing, _, _ = eyes(CORNERS, Finder(None))
    seeing.observe(frame(0.0), Attention())
    residuals = [
        seeing.observe(frame(t / 2, noisy(covered, 2, t)), Attention()).board.residual_px for t in range(2, 14)
    ]
    assert residuals[0] == 0.0
    assert residuals[-2:] == [float("inf")] * 2, "also between two checks"
    seeing.observe(frame(8.0), Attention())
    assert seeing.observe(frame(8.1), Attention()).board.residual_px < 1.5


def test_single_pictures_are_found_each_by_itself():
    finder = Finder(found(), None)
    still = StillEyes(Checkers(), Dice(), finder)
    assert still.read(table()).board.found == "auto"
    lost = still.read(table())
    assert (lost.board.found, lost.slots, len(lost.dice)) == ("none", {}, 1)
    assert still.read(table(), CORNERS).board.found == "given"
    assert finder.asked == 2
