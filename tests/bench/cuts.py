"""Power cuts of the table: ``python -m tests.bench.cuts [--moments 500]``.

Simulated games, refereed twice: once without a cut, and once in which the power fails before steps drawn at random.
After each cut another table recalls what the first one remembered, through JSON as it is kept in a file; its state must
be the same, and in the end every event of the game, to the byte.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.events import Event
from companion.layout import CORNERS, Layout
from companion.observation import Settled
from companion.rules import GAMES, get_game
from companion.settle import Settle
from companion.table import Table
from tests.simulator.count import Told
from tests.simulator.match import watched
from tests.simulator.noise import Noise, NoisyEyes
from tests.simulator.people import Habit, People

TURNS = 12
CUT_EVERY = 20
"""One step of so many begins with a power cut."""


@dataclass
class Outcome:
    """What the cuts did: how many there were, in which phases, and what was not the same afterwards."""

    moments: int = 0
    phases: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)


def pictures(name: str, seed: int) -> Iterator[tuple[float, Settled | None]]:
    """What is settled in each step of a simulated game."""
    chance = random.Random(f"{name} {seed}")
    game = get_game(name)
    people = People(game, chance, Habit(illegal_corrected=0.1))
    eyes = NoisyEyes(Noise(1), Layout(chance.choice(CORNERS), game.same_way), chance)
    settle = Settle()
    for seen in watched(eyes, people, TURNS, Told()):
        yield seen.t, settle.step(seen)


def restarted(table: Table) -> Table:
    """Another process, with what the first one remembered."""
    again = Table(table.game)
    again.recall(json.loads(json.dumps(table.remembered())))
    return again


def cut(name: str, seed: int, outcome: Outcome, most: int) -> None:
    """Referee one game with and without cuts, and compare."""
    game, power = get_game(name), random.Random(seed)
    steady, table = Table(game), Table(game)
    said: tuple[list[Event], list[Event]] = ([], [])
    for t, settled in pictures(name, seed):
        if outcome.moments < most and power.randrange(CUT_EVERY) == 0:
            outcome.moments += 1
            outcome.phases.add(table.state.phase)
            table = restarted(table)
            if table.state != steady.state:
                outcome.wrong.append(f"{name} {seed} at {t:.1f} s: the state")
        said[0].extend(steady.step(t, settled))
        said[1].extend(table.step(t, settled))
    never, often = ([json.dumps(e.to_json()) for e in events if e.name != "status"] for events in said)
    if never != often:
        outcome.wrong.append(f"{name} {seed}: the events")


def main() -> None:
    """Cut until there were enough moments, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=500)
    options = parser.parse_args()
    outcome, number = Outcome(), 0
    while outcome.moments < options.moments:
        cut(GAMES[number % len(GAMES)], number, outcome, options.moments)
        number += 1
    print(
        f"{outcome.moments} power cuts in {number} games, in the phases {', '.join(sorted(outcome.phases))}: "
        f"{len(outcome.wrong)} wrong"
    )
    print(*outcome.wrong, sep="\n", file=sys.stderr)
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
