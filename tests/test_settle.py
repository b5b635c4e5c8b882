"""Settling: stillness and agreement, counted in seconds."""

import pytest

from companion.layout import Layout
from companion.observation import Observation
from companion.rules import get_game
from companion.settle import Settle, SettleSettings, merged
from tests.table.seeing import die, observe, pair

LAYOUT = Layout("BR", same_way=True)
START = get_game("long").start


def seen(t: float, **more: object) -> Observation:
    return observe(t, START, LAYOUT, **more)  # type: ignore[arg-type]


def test_a_picture_settles_after_the_dwell_and_not_before() -> None:
    settle = Settle(SettleSettings(dwell_s=0.3))
    answers = [settle.step(seen(t / 10)) for t in range(6)]
    assert [answer is not None for answer in answers] == [False, False, False, True, True, True]
    assert answers[3] is not None
    assert answers[3].since_s == 0.0
    assert answers[3].readings == 4


def test_the_dwell_is_time_and_not_a_number_of_frames() -> None:
    settle = Settle(SettleSettings(dwell_s=0.3))
    answers = [settle.step(seen(t / 30)) for t in range(12)]
    assert [answer is not None for answer in answers].index(True) == 9


def test_motion_begins_the_dwell_anew() -> None:
    settle = Settle(SettleSettings(dwell_s=0.2))
    assert [settle.step(seen(t / 10)) is not None for t in range(3)] == [False, False, True]
    assert settle.step(seen(0.3, motion=0.9)) is None
    assert [settle.step(seen(0.4 + t / 10)) is not None for t in range(3)] == [False, True, True]


def test_the_dwell_counts_from_the_last_frame_that_moved() -> None:
    settle = Settle(SettleSettings(dwell_s=0.3))
    settle.step(seen(0.0, motion=0.9))
    settle.step(seen(0.2))
    answer = settle.step(seen(0.4))
    assert answer is not None
    assert answer.since_s == 0.0


def test_a_hand_that_rests_over_the_board_is_no_evidence() -> None:
    settle = Settle()
    assert all(settle.step(seen(t / 10, hand=0.9)) is None for t in range(20))


def test_the_first_settled_picture_after_motion_says_so_and_the_next_does_not() -> None:
    settle = Settle(SettleSettings(dwell_s=0.1))
    settle.step(seen(0.0, motion=0.9))
    answers = [settle.step(seen(0.1 + t / 10)) for t in range(3)]
    assert [answer.moved for answer in answers if answer is not None] == [True, False]


def test_a_die_that_appears_begins_the_dwell_anew() -> None:
    settle = Settle(SettleSettings(dwell_s=0.2))
    for t in range(3):
        settle.step(seen(t / 10))
    assert settle.step(seen(0.3, dice=pair((3, 1)))) is None
    assert settle.step(seen(0.5, dice=pair((3, 1)))) is not None


def test_readings_are_averaged_so_that_equal_errors_do_not_add_up() -> None:
    unsure = [seen(t / 10, sure=0.7) for t in range(8)]
    slot = "T11"
    assert merged(unsure).slots[slot] is not None
    reading = merged(unsure).slots[slot]
    assert reading is not None
    assert reading.confidence == pytest.approx(0.7, abs=1e-6)


def test_a_die_seen_in_half_of_the_readings_is_half_present() -> None:
    half = merged([seen(0.0, dice=(die(3),)), seen(0.1)])
    assert half.dice[0].presence == pytest.approx(0.99 / 2)
