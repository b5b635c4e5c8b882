"""Every roll in a few positions of each game has as many end positions as counted before."""

import pytest

from companion.rules import get_game
from tests.rules.perft import cases, split


@pytest.mark.parametrize(
    ("name", "position", "counts"), [pytest.param(*case, id=f"{case[0]}-{i}") for i, case in enumerate(cases())]
)
def test_the_number_of_end_positions_of_each_roll(name, position, counts):
    found = split(get_game(name), position)
    wrong = {roll: (count, found.get(roll)) for roll, count in counts.items() if found.get(roll) != count}
    assert not wrong, f"{name}: roll: (expected, got) {wrong} in {position}"
