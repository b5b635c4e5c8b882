"""A die that touches a checker is more probably cocked than one that lies free."""

import numpy as np
import pytest

from companion.layout import SLOTS
from companion.observation import Reading, SeenDie
from companion.vision.contact import with_contact
from companion.vision.rectify import Rectifier

CORNERS = ((0.0, 0.0), (1200.0, 0.0), (1200.0, 1050.0), (0.0, 1050.0))
BOARD = Rectifier(CORNERS, (0.5, 0.5))
"""Seen from straight above: points and checkers are 100 px wide."""


def slots(**contents):
    return {slot: Reading({contents.get(slot, (0, 0)): 1.0}) for slot in SLOTS}


def die(x, y, cocked=0.3):
    return SeenDie((0, 0, 0, 0, 0, 1.0), cocked, 1.0, (x - 20, y - 20, 40, 40), "left")


def judged(x, y, cocked=0.3, tops=(), **contents):
    (seen,) = with_contact([die(x, y, cocked)], slots(**contents), np.array(tops).reshape(-1, 2), BOARD)
    return seen


def test_a_die_that_lies_free_is_flat_unless_it_surely_leans():
    assert judged(250, 500, 0.6, T2=(3, 0)).state == "flat"
    assert judged(250, 500, 0.6).state == "flat", "no checkers at all"


def test_a_die_beside_a_checker_may_lean_on_it():
    leaning = judged(250 + 70, 250, 0.5, T2=(3, 0))
    assert leaning.state == "cocked"
    assert leaning.on_checker == 0.0
    assert judged(250 + 70, 250, 0.05, T2=(3, 0)).state == "flat", "the reader is sure that it does not"


def test_a_die_on_top_of_a_checker_stands_on_it():
    seen = judged(250, 150, 0.3, T2=(3, 0))
    assert seen.state == "cocked"
    assert seen.on_checker > 0.5


def test_the_sixth_checker_of_a_slot_is_where_its_top_was_seen():
    row = [(84.0, 24 * (1.6 + 0.5 + k)) for k in range(7)]
    assert judged(250, 650, 0.4, row, T2=(7, 0)).state == "cocked"
    assert judged(250, 650, 0.4, (), T2=(7, 0)).state == "flat"
    broken = [*row[:5], (84.0, 24 * 8.6)]
    assert judged(250, 720, 0.4, broken, T2=(7, 0)).state == "flat", "that top is the die itself"


@pytest.mark.parametrize("slot", ["T0", "T11", "B0", "B11"])
def test_rows_and_sides_are_not_mixed_up(slot):
    x = 50 if slot.endswith("0") else 1150
    y = 50 if slot[0] == "T" else 1000
    assert judged(x, y, 0.4, **{slot: (1, 0)}).state == "cocked"
    assert judged(1200 - x, y, 0.4, **{slot: (1, 0)}).state == "flat"
    assert judged(x, 1050 - y, 0.4, **{slot: (1, 0)}).state == "flat"


def test_nothing_else_of_a_die_changes():
    before = die(250, 150)
    (after,) = with_contact([before], slots(T2=(3, 0)), np.empty((0, 2)), BOARD)
    assert (after.values, after.box, after.presence, after.place) == (
        before.values,
        before.box,
        before.presence,
        before.place,
    )
    assert with_contact([], slots(), np.empty((0, 2)), BOARD) == ()
