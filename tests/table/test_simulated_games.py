"""Whole games of every kind, played by people with their habits and seen by eyes that do not err."""

import pytest

from companion.rules import GAMES
from tests.simulator.match import simulate
from tests.simulator.noise import Noise

CLEAR = Noise(0)


@pytest.mark.parametrize("game", GAMES)
def test_clear_eyes_and_the_rules_give_a_faithful_account(game: str) -> None:
    count = simulate(game, 3, CLEAR, most_turns=15 if "mad" in game else 30)
    assert count.exact == count.turns, count.notes
    assert count.falsely == 0, count.notes
    assert count.noticed == count.to_notice


def test_eyes_that_err_accuse_hardly_anybody_falsely_and_never_jam_the_table() -> None:
    count = simulate("short", 5, Noise(1, 0), most_turns=60)
    count += simulate("long", 5, Noise(1, 0), most_turns=60)
    assert count.exact >= 0.9 * count.turns, count.notes
    assert count.falsely == 0, count.notes
    assert count.jams == 0
