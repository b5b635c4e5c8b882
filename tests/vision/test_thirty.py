"""Thirty checkers tell what a stack holds that cannot be counted by sight."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.layout import SLOTS
from companion.observation import Content, Observation, Reading, SeenBoard
from companion.vision.thirty import conserved

Probabilities = Mapping[Content, float]
START: dict[str, Content] = {
    **{"T0": (5, 0), "T4": (0, 3), "T6": (0, 5), "T11": (2, 0)},
    **{"B0": (0, 5), "B4": (3, 0), "B6": (5, 0), "B11": (0, 2)},
}
"""A start position: fifteen of each side."""


def board(change: Mapping[str, Probabilities] | None = None, bar: Probabilities | None = None) -> Observation:
    """The start position read surely, but for some places."""
    slots = {slot: Reading((change or {}).get(slot, {START.get(slot, (0, 0)): 0.999})) for slot in SLOTS}
    seen = SeenBoard(((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)), "given", 1.0)
    return Observation(t=0.0, board=seen, slots=slots, bar=Reading(bar or {(0, 0): 1.0}))


def best(seen: Observation) -> dict[str, Content]:
    """The most probable content of each place."""
    return {
        slot: reading.best for slot, reading in seen.slots.items() if reading is not None and reading.best != (0, 0)
    }


def test_a_stack_that_may_be_four_or_five_is_what_is_missing() -> None:
    seen = conserved(board({"T0": {(4, 0): 0.6, (5, 0): 0.4}}))
    assert best(seen) == START
    reading = seen.slots["T0"]
    assert reading is not None
    assert reading.confidence > 0.9


def test_what_is_on_the_bar_is_not_missing() -> None:
    seen = conserved(board({"T0": {(4, 0): 0.5, (5, 0): 0.5}}, bar={(1, 0): 1.0}))
    assert best(seen)["T0"] == (4, 0)
    assert seen.off is not None
    assert seen.off.best == (0, 0)


def test_nothing_is_borne_off_while_checkers_are_away_from_home() -> None:
    seen = conserved(board({"T0": {(3, 0): 0.9, (5, 0): 0.1}}))
    assert best(seen)["T0"] == (5, 0)


def test_what_is_read_surely_stays_and_the_rest_is_off() -> None:
    home = {slot: {(0, 0): 1.0} for slot in SLOTS} | {"B6": {(4, 0): 1.0}, "B8": {(3, 0): 1.0}, "T11": {(0, 6): 1.0}}
    seen = conserved(board(home))
    assert best(seen) == {"B6": (4, 0), "B8": (3, 0), "T11": (0, 6)}
    assert seen.off is not None
    assert seen.off.best == (8, 9)


def test_a_hidden_point_leaves_every_place_as_it_was_read() -> None:
    seen = board()
    hidden = Observation(t=0.0, board=seen.board, slots={**seen.slots, "T0": None}, bar=seen.bar)
    assert conserved(hidden) == hidden
    assert conserved(hidden).off is None


def test_more_than_fifteen_read_surely_fit_nowhere_and_stay() -> None:
    seen = board({"T2": {(9, 0): 1.0}, "T3": {(9, 0): 1.0}})
    assert conserved(seen) == seen


counts = st.dictionaries(st.sampled_from(SLOTS), st.tuples(st.integers(1, 15), st.booleans()), min_size=1, max_size=9)


@given(counts, st.floats(0.3, 0.99))
def test_the_probabilities_of_each_place_are_probabilities(places: dict[str, tuple[int, bool]], sure: float) -> None:
    change: dict[str, Probabilities] = {slot: {(0, 0): 1.0} for slot in SLOTS}
    for slot, (n, dark) in places.items():
        change[slot] = {(0, n) if dark else (n, 0): sure, (0, 0): 1 - sure}
    seen = conserved(board(change))
    for reading in [*seen.slots.values(), seen.bar]:
        assert reading is not None
        assert sum(reading.probabilities.values()) == pytest.approx(1.0, abs=0.02)
    if seen.off is not None:
        assert all(0 <= n <= 15 for content in seen.off.probabilities for n in content)
