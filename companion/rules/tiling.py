"""Whether the way that checkers have gone can be cut into moves of given dice.

A move of d pips from point p passes the d boundaries below p. So the numbers of passings of all boundaries
must be a sum of such stretches, as many of each die as were played, and none begins or ends where the opponent
stands. Which checker goes on by which die is not asked here.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from companion.rules.position import HEAD, Cells

_Way = tuple[int, ...]
"""Element i: how often the boundary between the points i + 1 and i is passed; the last element is not 0."""
_Left = tuple[int, ...]
"""How many moves of each double are left."""


def can_be_counted(way: Sequence[int], doubles: tuple[tuple[int, ...], ...]) -> bool:
    """Whether the numbers of passings alone allow it.

    A move of d pips passes at least d // n and at most d / n, rounded up, of every n-th boundary.
    """
    for every, least, most in _bounds(doubles):
        for first in range(every):
            if not least <= sum(way[first::every]) <= most:
                return False
    return True


@cache
def _bounds(doubles: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, int, int], ...]:
    dice = [die for double in doubles for die in double]
    return tuple((n, sum(die // n for die in dice), sum(-(-die // n) for die in dice)) for n in range(2, 7))


class Tiles:
    """The moves of a chain of doubles from a position, to be laid on ways; what was tried is remembered.

    ``from_head`` says how many may leave the head in each double. Bearing off is not considered.
    """

    def __init__(self, start: Cells, doubles: tuple[tuple[int, ...], ...], from_head: tuple[int, ...]) -> None:
        self._dice = tuple(double[0] for double in doubles)
        self._full = tuple(map(len, doubles))
        self._from_head = from_head
        self._ends = [
            {end for end in range(1, HEAD + 1 - die) if start[end] >= 0 and start[end + die] >= 0} for die in self._dice
        ]
        self._known: dict[tuple[_Way, _Left], bool] = {}

    @property
    def tried(self) -> int:
        """How many ways were looked at."""
        return len(self._known)

    def can_be_cut(self, way: Sequence[int], number: int) -> bool:
        """Whether the way is exactly all moves of the first ``number`` doubles."""
        return self._cut(_trimmed(tuple(way)), self._full[:number])

    def _cut(self, way: _Way, left: _Left) -> bool:
        if not way:
            return not any(left)
        key = way, left
        known = self._known.get(key)
        if known is None:
            known = self._counted(way, left) and any(self._cut(*rest) for rest in self._without_one(way, left))
            self._known[key] = known
        return known

    def _counted(self, way: _Way, left: _Left) -> bool:
        """Whether each boundary of those that the largest die passes once is passed so often, and not too often."""
        dice = [(die, count) for die, count in zip(self._dice, left, strict=False) if count]
        if not dice:
            return False
        (die, least), most = dice[-1], sum(left)
        return all(least <= sum(way[first::die]) <= most for first in range(die))

    def _without_one(self, way: _Way, left: _Left) -> Iterator[tuple[_Way, _Left]]:
        """What can be left without one move: one from the highest point, or, if fewer can be, one to the lowest."""
        begin = len(way)
        moves = [
            (number, begin - die, die)
            for number, die in enumerate(self._dice[: len(left)])
            if left[number] and begin - die in self._ends[number] and min(way[begin - die :]) > 0
        ]
        if begin == HEAD:
            moves = [each for each in moves if self._full[each[0]] - left[each[0]] < self._from_head[each[0]]]
        elif len(moves) > 1:
            end = next(point for point, passed in enumerate(way) if passed)
            lowest = [
                (number, end, die)
                for number, die in enumerate(self._dice[: len(left)])
                if left[number] and end in self._ends[number] and end + die <= begin and min(way[end : end + die]) > 0
            ]
            moves = min(moves, lowest, key=len)
        for number, end, die in moves:
            rest = (*way[:end], *[n - 1 for n in way[end : end + die]], *way[end + die :])
            yield _trimmed(rest), (*left[:number], left[number] - 1, *left[number + 1 :])


def _trimmed(way: _Way) -> _Way:
    """The way up to its highest boundary that is passed."""
    end = len(way)
    while end and not way[end - 1]:
        end -= 1
    return way[:end]
