"""Whether the way that checkers have gone can be cut into moves of given dice.

A move of d pips from point p passes the d boundaries below p. So the numbers of passings of all boundaries
must be a sum of such stretches, as many of each die as were played, and none begins or ends where the opponent
stands. Which checker goes on by which die is not asked here.
"""

from collections.abc import Sequence
from functools import cache

from companion.rules.position import HEAD, Cells

_BITS, _MOST = 8, 255
_Way = int
"""Its digit i, to the base 256: how often the boundary between the points i + 1 and i is passed. Numbers are laid and
taken away faster than lists, and here most of the time of a long progression goes."""
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
        dice = [double[0] for double in doubles]
        self._dice = dice
        self._full = tuple(map(len, doubles))
        self._from_head = from_head
        self._tiles = [
            {
                end: _way([1] * die) << _BITS * end
                for end in range(1, HEAD + 1 - die)
                if min(start[end], start[end + die]) >= 0
            }
            for die in dice
        ]
        self._every = [[_way(([0] * first + [_MOST] + [0] * die)[:die] * HEAD) for first in range(die)] for die in dice]
        self._known: dict[tuple[_Way, _Left], bool] = {}

    @property
    def tried(self) -> int:
        """How many ways were looked at."""
        return len(self._known)

    def can_be_cut(self, way: Sequence[int], number: int) -> bool:
        """Whether the way is exactly all moves of the first ``number`` doubles.

        Element i of the way: how often the boundary between the points i + 1 and i is passed, at most 127 times; all
        passings together are fewer than 255.
        """
        return self._cut(_way(way), self._full[:number])

    def _cut(self, way: _Way, left: _Left) -> bool:
        if not way:
            return not any(left)
        key = way, left
        known = self._known.get(key)
        if known is None:
            known = self._counted(way, left) and self._cut_without_one(way, left)
            self._known[key] = known
        return known

    def _counted(self, way: _Way, left: _Left) -> bool:
        """Whether each boundary of those that the largest die passes once is passed so often, and not too often."""
        most, number = sum(left), len(left) - 1
        if not most:
            return False
        while not left[number]:
            number -= 1
        least = left[number]
        # A number modulo one less than its base is the sum of its digits.
        return all(least <= (way & boundaries) % _MOST <= most for boundaries in self._every[number])

    def _cut_without_one(self, way: _Way, left: _Left) -> bool:
        """Whether it can be cut without one of the moves of :meth:`_one_of`."""
        for number, tile in self._one_of(way, left):
            if self._cut(way - tile, (*left[:number], left[number] - 1, *left[number + 1 :])):
                return True
        return False

    def _one_of(self, way: _Way, left: _Left) -> list[tuple[int, int]]:
        """Moves of which one must be among those that are left, each with the number of its double.

        They are the moves from the highest point or, if those are fewer, the moves to the lowest.
        """
        begin = -(-way.bit_length() // _BITS)
        moves = self._fitting(way, left, [begin - die for die in self._dice])
        if begin == HEAD:
            return [each for each in moves if self._full[each[0]] - left[each[0]] < self._from_head[each[0]]]
        if len(moves) < 2:
            return moves
        end = (way & -way).bit_length() // _BITS  # The highest bit of a digit is never set.
        return min(moves, self._fitting(way, left, [end] * len(left)), key=len)

    def _fitting(self, way: _Way, left: _Left, ends: list[int]) -> list[tuple[int, int]]:
        """Of the moves to these points, one for each double, those that lie within the way."""
        found = []
        for number, count in enumerate(left):
            tile = self._tiles[number].get(ends[number]) if count else None
            if tile:
                # The highest bit of each digit under the tile stays only if that digit is not 0.
                high = tile << _BITS - 1
                if (way | high) - tile & high == high:
                    found.append((number, tile))
        return found


def _way(passings: Sequence[int]) -> _Way:
    return int.from_bytes(bytes(passings), "little")
