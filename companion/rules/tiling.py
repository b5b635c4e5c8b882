"""Whether the way that checkers have gone can be cut into moves of given dice.

A move of d pips from point p passes the d boundaries below p. So the numbers of passings of all boundaries
must be a sum of such stretches, as many of each die as were played; a stretch must not end where the opponent
stands, and a checker must be there to begin it. Doubles are played in ascending order, so a checker can go on
only by the same die or a larger.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from operator import sub

from companion.rules.position import HEAD, Cells

_Active = tuple[tuple[int, int], ...]
"""Moves that are under way at a point: (end, die) of each, sorted."""


def can_be_counted(way: Sequence[int], doubles: tuple[tuple[int, ...], ...]) -> bool:
    """Whether the numbers of passings alone allow it.

    A move of d pips passes at least d // n and at most d / n, rounded up, of every n-th boundary.
    """
    return all(
        least <= sum(way[first::every]) <= most for every, least, most in _bounds(doubles) for first in range(every)
    )


@cache
def _bounds(doubles: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, int, int], ...]:
    dice = [die for double in doubles for die in double]
    return tuple((n, sum(die // n for die in dice), sum(-(-die // n) for die in dice)) for n in range(2, 7))


@lru_cache(maxsize=10_000)
def can_be_cut(
    way: tuple[int, ...], start: Cells, doubles: tuple[tuple[int, ...], ...], from_head: tuple[int, ...]
) -> bool:
    """Whether ``way`` (element i: passings from above point i to i or below) is exactly all moves of the doubles.

    ``start`` are the cells before the first; ``from_head`` says how many may leave the head in each double.
    Bearing off is not considered.
    """
    dice = [double[0] for double in doubles]
    failed: set[tuple[int, _Active, tuple[int, ...]]] = set()

    def cut(point: int, active: _Active, left: tuple[int, ...]) -> bool:
        while point:
            going = tuple(move for move in active if move[0] < point) if active else active
            beginning = way[point - 1] - len(going)
            if beginning:
                break
            active, point = going, point - 1
        else:
            return not any(left)
        key = point, active, left
        if beginning < 0 or start[point] < 0 or key in failed:
            return False
        arrived = [die for end, die in active if end == point]
        caps = [
            min(have, most if point == HEAD else have) if point > die and start[point - die] >= 0 else 0
            for die, have, most in zip(dice, left, from_head, strict=True)
        ]
        for counts in _choices(beginning, caps):
            begun = [die for die, count in zip(dice, counts, strict=True) for _ in range(count)]
            if _are_there(begun, arrived, start[point]):
                ends = ((point - die, die) for die in begun)
                rest = tuple(map(sub, left, counts))
                if cut(point - 1, tuple(sorted((*going, *ends))), rest):
                    return True
        failed.add(key)
        return False

    return cut(HEAD, (), tuple(len(double) for double in doubles))


def _choices(count: int, caps: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to take ``count`` dice, of each no more than its cap."""
    first, *others = caps
    if not others:
        if count <= first:
            yield (count,)
        return
    for taken in range(min(count, first), -1, -1):
        for rest in _choices(count - taken, others):
            yield taken, *rest


def _are_there(begun: list[int], arrived: list[int], standing: int) -> bool:
    """Whether each move, in ascending order of dice, finds a checker that stood there or has arrived by then."""
    return all(n <= standing + sum(1 for by in arrived if by <= die) for n, die in enumerate(begun, 1))
