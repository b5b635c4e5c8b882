"""What a player does with one roll, from its single plays: progressions, left-over moves (X1–X11).

A double of a progression is a play of its own (X1). A :class:`Chain` is the sequence of such plays; the next one begins
where the one before it has ended, and only when that played all four moves.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.rules.errors import TooManyPlays
from companion.rules.movement import MayLeave
from companion.rules.plays import Dice, Ends, Task, full_plays
from companion.rules.position import CHECKERS, OFF, Cells, Play

LISTED = 20_000
"""So many positions are looked at before a list of all plays is refused."""


@dataclass(frozen=True, slots=True)
class LeftOver:
    """Moves that pass to the opponent (X7): ``moves_left`` of ``die``, then four of each double in ``then``."""

    die: int
    moves_left: int
    then: tuple[int, ...] = ()

    def doubles(self) -> tuple[Dice, ...]:
        """The dice of each double that is to be made, in order."""
        return ((self.die,) * self.moves_left, *((die,) * 4 for die in self.then))

    def to_json(self) -> dict[str, Any]:
        """``{"die", "moves_left", "then"}``."""
        return {"die": self.die, "moves_left": self.moves_left, "then": list(self.then)}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a turn may have ended on a position: moves played, and what passes to the opponent."""

    played: int
    left_over: LeftOver | None = None

    def to_json(self) -> list[Any]:
        """``[played, null | left-over]``."""
        return [self.played, self.left_over and self.left_over.to_json()]


@dataclass(frozen=True, slots=True)
class Chain:
    """The doubles of one turn, and what may come of them.

    ``task`` makes the play of a double from its number in the chain and the cells where it begins.
    ``ends_at_home``: the chain ends with the double in which the last checker comes home (X5), ``one_more``:
    but the next one is still played when that was on the fourth move (X9). ``passes_on`` says what is left
    over for the opponent.
    """

    doubles: tuple[Dice, ...]
    task: Callable[[int, Cells], Task]
    from_head: tuple[int, ...]
    may_leave: MayLeave
    ends_at_home: bool = False
    one_more: bool = False
    passes_on: str = "nothing"

    def left_over(self, number: int, played: int, cells: Cells) -> LeftOver | None:
        """What passes to the opponent when a double was not completed."""
        dice = self.doubles[number]
        begun = number or played
        if self.passes_on == "nothing" or cells[OFF] == CHECKERS or (self.passes_on == "what was begun" and not begun):
            return None
        reached = () if self.ends_at_home and at_home(cells) else self.doubles[number + 1 :]
        return LeftOver(dice[0], len(dice) - played, tuple(double[0] for double in reached))

    def after_four(self, number: int, begin: Cells, end: Cells, homecomings: Iterable[bool]) -> set[bool]:
        """Whether the chain may end (False) or go on (True) after a double all of whose moves were played.

        ``homecomings``: for each way to the end, whether the last checker was at home before the last move.
        """
        if number == len(self.doubles) - 1 or end[OFF] == CHECKERS:
            return {False}
        if not self.ends_at_home or not at_home(end):
            return {True}
        if not self.one_more or at_home(begin):
            return {False}
        return {not earlier for earlier in homecomings}


def at_home(cells: Cells) -> bool:
    """Whether all of the mover's checkers in play are at home."""
    return all(n <= 0 for n in cells[7:])


@dataclass(frozen=True, slots=True)
class Turn:
    """The legal ends of a turn: how each may have come about, and the most moves in any of them."""

    max_dice: int
    endings: Mapping[Cells, tuple[Ending, ...]]
    plays: Callable[[Cells], tuple[Play, ...]] = field(repr=False)


def single(ends: Ends) -> Turn:
    """The turn of a plain roll."""
    return Turn(ends.max_dice, dict.fromkeys(ends.cells, (Ending(ends.max_dice),)), ends.plays)


_Links = dict[Cells, list[tuple[Cells, Ends]]]


def chained(chain: Chain, cells: Cells, limit: int = 0) -> Turn:
    """All ends of a chain of doubles; raises TooManyPlays when more than ``limit`` positions would be looked at."""
    limit = limit or LISTED
    endings: dict[Cells, dict[Ending, None]] = {}
    reached: list[_Links] = [{cells: []}]
    finished: dict[Cells, tuple[int, Ends, Cells]] = {}
    looked_at = played_before = 0
    for number, dice in enumerate(chain.doubles):
        following: _Links = {}
        for begin in reached[-1]:
            ends = full_plays(chain.task(number, begin))
            looked_at += len(ends.cells)
            if looked_at > limit:
                raise TooManyPlays(f"more than {limit} end positions: too many to be listed; judge one of them instead")
            for end in ends.cells:
                goes_on, stops = _outcome(chain, number, begin, end, ends)
                if goes_on:
                    following.setdefault(end, []).append((begin, ends))
                if stops:
                    left = chain.left_over(number, ends.max_dice, end) if ends.max_dice < len(dice) else None
                    endings.setdefault(end, {})[Ending(played_before + ends.max_dice, left)] = None
                    finished.setdefault(end, (number, ends, begin))
        played_before += len(dice)
        reached.append(following)
    most = max(ending.played for each in endings.values() for ending in each)
    return Turn(most, {end: tuple(each) for end, each in endings.items()}, _one_play(reached, finished))


def _outcome(chain: Chain, number: int, begin: Cells, end: Cells, ends: Ends) -> tuple[bool, bool]:
    """Whether the chain may go on from ``end``, and whether it may stop there."""
    if ends.max_dice < len(chain.doubles[number]):
        return False, True
    before_last = (at_home(before) for _, before, _ in ends.layer.ways[end])
    going = chain.after_four(number, begin, end, before_last)
    return True in going, False in going


def _one_play(
    reached: list[_Links], finished: Mapping[Cells, tuple[int, Ends, Cells]]
) -> Callable[[Cells], tuple[Play, ...]]:
    """For each end its plays; one of them when it took several doubles: all are too many."""

    def plays(end: Cells) -> tuple[Play, ...]:
        number, ends, begin = finished[end]
        if not number:
            return ends.plays(end)
        moves = list(ends.plays(end)[0])
        while number:
            previous, ends = reached[number][begin][0]
            moves += ends.plays(begin)[0]
            number, begin = number - 1, previous
        return (tuple(sorted(moves, reverse=True)),)

    return plays
