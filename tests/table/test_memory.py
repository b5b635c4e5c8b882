"""A power cut in any phase: the table comes back in the state in which it was, to the last doubt."""

import json
import random

import pytest

from companion.errors import RecordError
from companion.events import Event, Status
from companion.layout import CORNERS, Layout
from companion.rules import get_game
from companion.settle import Settle
from companion.table import Phase, Table
from tests.simulator.count import Told
from tests.simulator.match import watched
from tests.simulator.noise import Noise, NoisyEyes
from tests.simulator.people import Habit, People

TURNS = 15


def restarted(table: Table) -> Table:
    """Another process with what the first one remembered."""
    again = Table(table.game)
    again.recall(json.loads(json.dumps(table.remembered())))
    return again


def account(game: str, seed: int, cut: float, level: int = 0) -> tuple[list[str], set[Phase]]:
    """What is told of a game in which the power fails before a step with the probability ``cut``; in which phases."""
    chance, power = random.Random(seed), random.Random(seed + 1)
    rules = get_game(game)
    people = People(rules, chance, Habit(illegal_corrected=0.1))
    eyes = NoisyEyes(Noise(level, 0), Layout(chance.choice(CORNERS), rules.same_way), chance)
    table, settle = Table(rules), Settle()
    events: list[Event] = []
    phases = set()
    for seen in watched(eyes, people, TURNS, Told()):
        if power.random() < cut:
            before, phase = table.state, table.state.phase
            table = restarted(table)
            assert table.state == before
            phases.add(phase)
        events += table.step(seen.t, settle.step(seen))
    said = [json.dumps(event.to_json()) for event in events if not isinstance(event, Status)]
    return said, phases


@pytest.mark.parametrize("game", ["long", "gulbar", "mad-gulbar", "short"])
def test_the_power_fails_again_and_again_and_the_account_is_the_same(game: str) -> None:
    never, _ = account(game, 4, 0.0)
    often, phases = account(game, 4, 0.2)
    assert often == never
    assert {Phase.OPENING, Phase.WAITING_FOR_ROLL, Phase.MOVING} <= phases


def test_what_was_learnt_of_the_eyes_is_remembered_too() -> None:
    assert account("long", 2, 0.3, level=1)[0] == account("long", 2, 0.0, level=1)[0]


def test_what_is_no_memory_of_a_table_is_refused_in_one_line() -> None:
    table = Table(get_game("long"))
    with pytest.raises(RecordError, match="memory of the table: expected a TableState"):
        table.recall({"state": {"phase": "NAPPING"}, "start": None})
