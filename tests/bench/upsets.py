"""One disturbance in a match, of every kind in turn: is the account right again within two turns, or the position asked
for? Printed by ``python -m tests.bench.table --disturb``.

Around the one turn people play as they should, so that whatever is wrong afterwards has come of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tests.simulator.count import Count
from tests.simulator.match import simulate
from tests.simulator.noise import Noise
from tests.simulator.people import CALM, Upset

TURNS = 8
"""So many turns are played, the disturbance in the third to the fifth of them."""

KINDS = {
    "hesitate": "a checker is put down on the way",
    "take_back": "a move is taken back",
    "illegal_before_lifting": "an illegal play is put right before the dice are lifted",
    "illegal_corrected": "the dice are put back after an illegal play",
    "illegal_stood": "an illegal play stands",
    "relaid": "the dice are taken up before the play, and laid back",
    "cocked": "a cocked roll",
    "split": "dice in both halves are played on",
    "nudge": "a hand over the board between two turns",
    "long_hand": "a hand stays over the board",
    "fast": "the next dice lie before a picture without any",
    "bump": "the board is pushed",
    "away": "the camera is away for half a minute",
    "two_unseen": "two turns that nobody sees",
    "mislaid": "what is out of play lies on the wrong tray, or on the bar",
}


@dataclass
class After:
    """What came of a kind: sums of its matches, how many had no wrong turn, and how many asked or have a gap."""

    sum: Count
    right: int = 0
    asked: int = 0


def upset(kind: str, games: Sequence[str], noise: Noise, matches: int, seed: int) -> After:
    """Play matches with one disturbance of a kind each."""
    after = After(Count())
    habit = replace(CALM, **{kind: 1.0})
    for game in games:
        for number in range(seed, seed + matches):
            count = simulate(game, number, noise, most_turns=TURNS, upset=Upset(habit, 2 + number % 3))
            after.sum += count
            after.right += count.whole
            after.asked += not count.whole and bool(count.gaps or count.asked)
    return after


def rows(games: Sequence[str], noise: Noise, matches: int, seed: int) -> Iterator[tuple[str, After]]:
    """A line of a Markdown table for each kind, with what it tells."""
    for kind, what in KINDS.items():
        after = upset(kind, games, noise, matches, seed)
        done = after.sum
        yield (
            f"| {what} | {done.games} | {after.right} | {after.asked} | {done.exact} of {done.seen} "
            f"| {done.jams} | {done.falsely} |",
            after,
        )


HEAD = (
    "| disturbance | matches | no wrong turn | gap, or asked | turns exact | jams | falsely accused |\n"
    + "|---" * 7
    + "|"
)


def disturbed(games: Sequence[str], levels: Sequence[int], group: int | None, matches: int, seed: int) -> int:
    """Print the table of each noise level; the exit status is 1 when the account was ever jammed."""
    jams = 0
    for level in levels:
        print(f"Noise level {level}\n", HEAD, sep="\n", flush=True)
        notes: list[str] = []
        for line, after in rows(games, Noise(level, group), matches, seed):
            print(line, flush=True)
            jams += after.sum.jams
            notes += after.sum.notes
        print("", *notes, sep="\n")
    return 1 if jams else 0
