"""Whether a position can be the end of a chain of doubles, without listing the chain's millions of ends.

The search goes backwards, from the largest double to the first: few checkers of the end position can have
come by a large number, and the small ones must then fit what is left of the way. Dead ends are pruned by
counting and by laying the small moves on it (:mod:`tiling`), and remembered. A wrong guess about the large
numbers can cost long, so the search is broadened step by step: first it tries few of the possibilities everywhere,
then more of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul, sub

from companion.rules.block import Points, held_of
from companion.rules.change import Change
from companion.rules.movement import moved
from companion.rules.plays import standard
from companion.rules.position import CHECKERS, HEAD, OFF, Cells, Move, Play
from companion.rules.tiling import Tiles, can_be_counted
from companion.rules.turn import Chain, Ending, at_home

EXACT = 3
"""Up to so many doubles from the start it is decided at once whether the way can be cut into their moves."""
WIDTHS = (1, 2, 4, 8, 16, 1000)
"""How many of the possible beginnings of a double are tried, step by step."""
LIMIT = 40_000
"""So many positions are looked at, then the search gives up; few need more than an eighth of them."""
REACHABLE = 100_000
"""So many positions are looked at forwards, when the search has given up; the most that was needed are 64,000."""

_Test = Callable[[int, Cells, Cells, int], bool]


def end_cells(start: Cells, change: Change) -> Cells:
    """The cells after the change: the opponent stands as before, where the mover does not."""
    return tuple(now or min(then, 0) for now, then in zip(change.own, start, strict=True))


def reachable(chain: Chain, start: Cells, end: Cells) -> list[frozenset[Cells]] | None:
    """Where each double of a chain that leads to ``end`` can begin, and some more; None when that is too much.

    Head and blocks are not asked for, only whether somebody still has to pass all the points of a move.
    """
    begins, looked_at = [frozenset({start})], 0
    for number, dice in enumerate(chain.doubles):
        layer = set(begins[-1])
        movement = chain.task(number, start).movement
        for die in dice:
            following = set()
            for cells in layer:
                way = list(accumulate(map(sub, end, cells)))
                for move in movement.moves(cells, die, chain.may_leave):
                    if min(way[move[1] : move[0]]) > 0:
                        following.add(moved(cells, move))
            layer = following
            looked_at += len(layer)
            if looked_at > REACHABLE:
                return None
        begins.append(frozenset(layer))
    return begins


@dataclass(frozen=True, slots=True)
class Stop:
    """How far a chain has come: ``played`` moves of the double ``number``, which began in ``begin``."""

    number: int
    played: int
    begin: Cells


class Retrace:
    """The search for a chain of doubles that leads from ``start`` to the end of ``change``.

    ``reachable``, when known: where each double can begin (:func:`reachable`). ``met_a_block`` tells afterwards whether
    some way was refused because of six in a row, ``gave_up`` whether the limit was too small to find all.
    """

    def __init__(
        self, chain: Chain, start: Cells, change: Change, limit: int = LIMIT,
        reachable: Sequence[frozenset[Cells]] | None = None,
    ) -> None:  # fmt: skip
        self.chain = chain
        self.start = start
        self.end = end_cells(start, change)
        self.met_a_block = self.gave_up = False
        self._reachable = reachable
        self._looked_at, self._limit = 0, limit
        self._first = chain.task(0, start)
        limits = self._first.limits
        self._never = limits.never
        self._blocks = limits.never + limits.unless_forced
        self._known: dict[tuple[int, Cells], bool] = {}
        self._begun: dict[tuple[int, Cells], Cells] = {}
        self._begins: dict[tuple[int, Cells, int], tuple[list[Cells], list[Cells]]] = {}
        self._tiles = Tiles(start, chain.doubles, chain.from_head)
        self._steps = {die: self._open_steps(die) for die in range(1, 7)}

    def endings(self) -> Iterator[tuple[Ending, Stop]]:
        """The ways in which the chain can have ended there; none when it cannot."""
        if self._is_refused(self._never, self.end):
            return
        before = 0
        for number, dice in enumerate(self.chain.doubles):
            for played in range(len(dice) + 1):
                if self._pips_fit(number, played) and self._could_stop(number, played):
                    begin = self._found(number, played, self._stops)
                    if begin:
                        left = self.chain.left_over(number, played, self.end) if played < len(dice) else None
                        yield Ending(before + played, left), Stop(number, played, begin)
            before += len(dice)

    def stops(self) -> Iterator[Stop]:
        """The ways in which the chain can have come there, whether it may end there or not."""
        for number, dice in enumerate(self.chain.doubles):
            for played in range(0 if number else 1, len(dice)):
                if self._pips_fit(number, played):
                    begin = self._found(number, played, lambda *_: True)
                    if begin:
                        yield Stop(number, played, begin)

    def play(self, stop: Stop) -> Play:
        """The moves of one way to a stop."""
        moves: list[Move] = []
        number, played, begin, end = stop.number, stop.played, stop.begin, self.end
        while True:
            if played:
                moves += next(self._ways(number, begin, end, played))
            if not number:
                return tuple(sorted(moves, reverse=True))
            end, number = begin, number - 1
            begin, played = self._begun[number + 1, end], len(self.chain.doubles[number])

    def _pips_fit(self, number: int, played: int) -> bool:
        doubles = self.chain.doubles
        thrown = sum(map(sum, doubles[:number])) + played * doubles[number][0]
        walked = sum(self._way_from_start(self.end))
        return walked == thrown or (walked < thrown and self.end[OFF] > self.start[OFF])

    def _could_stop(self, number: int, played: int) -> bool:
        """Whether nothing that is quickly seen stands against the chain ending here."""
        dice, last = self.chain.doubles[number], len(self.chain.doubles) - 1
        if played == len(dice):
            won = self.end[OFF] == CHECKERS
            return number == last or won or (self.chain.ends_at_home and at_home(self.end))
        if not played:
            return not standard(self.chain.task(number, self.end)).count
        # One more move that neither the head nor a block can forbid: then the double was not full.
        moves = self._first.movement.moves(self.end, dice[0], self.chain.may_leave)
        return not any(move[0] != HEAD and not held_of(self._blocks, moved(self.end, move)) for move in moves)

    def _found(self, number: int, played: int, test: _Test) -> Cells | None:
        """The cells from which ``played`` moves of a double lead to the end, if the chain can have come there."""
        for width in WIDTHS:
            found = self._begin_of(number, self.end, played, width, test)
            if found is not None:
                return found or None
        return None

    def _begin_of(self, number: int, end: Cells, played: int, width: int, test: _Test) -> Cells | None:
        """Where the double can have begun; empty when nowhere, None when the width was not enough to know."""
        begins, undecided = self._possible_begins(number, end, played, width)
        early = at_home(end)  # There the order of the moves matters, and most of the ways are none.
        for begin in begins:
            if early and not self._is_play(number, begin, end, played):
                continue
            reached = self._reached(number, begin, width)
            if reached is None:
                undecided = True
            elif reached and (early or self._is_play(number, begin, end, played)) and test(number, begin, end, played):
                return begin
        return None if undecided else ()

    def _reached(self, number: int, cells: Cells, width: int) -> bool | None:
        """Whether the double ``number`` can begin in these cells; None when the width was not enough to know."""
        if not number:
            return cells == self.start
        key = number, cells
        if key not in self._known:
            begin = self._begin_of(number - 1, cells, len(self.chain.doubles[number - 1]), width, self._goes_on)
            if begin is None:
                return None
            self._known[key] = bool(begin)
            self._begun[key] = begin
        return self._known[key]

    def _possible_begins(self, number: int, end: Cells, played: int, width: int) -> tuple[list[Cells], bool]:
        """Up to ``width`` of the cells where the double can have begun, and whether there may be more."""
        key = number, end, played
        if key not in self._begins:
            within = self._looked_at + self._tiles.tried < self._limit
            self.gave_up |= not within
            begins = self._taken_back_from(number, end, played) if within else []
            # First those that leave the most passings in few places: there small dice fit as well as large ones.
            self._begins[key] = [], sorted(begins, key=self._crowding)
        possible, unseen = self._begins[key]
        while unseen and len(possible) < width:
            begin = unseen.pop()
            if self._possible(number, begin):
                possible.append(begin)
        return possible[:width], bool(unseen) or len(possible) > width

    def _crowding(self, cells: Cells) -> int:
        way = self._way_from_start(cells)
        return sum(map(mul, way, way))

    def _possible(self, number: int, cells: Cells) -> bool:
        """Whether nothing that is quickly seen stands against ``number`` whole doubles having led to ``cells``."""
        if not number:
            return cells == self.start
        if self._reachable is not None and cells not in self._reachable[number]:
            return False
        heads, doubles = self.chain.from_head[:number], self.chain.doubles[:number]
        if self.start[HEAD] - cells[HEAD] > sum(heads) or self._is_refused(self._never, cells):
            return False
        if at_home(cells) and self.chain.ends_at_home and not self.chain.one_more:
            return False
        if cells[OFF] > self.start[OFF]:
            return True
        way = self._way_from_start(cells)
        return can_be_counted(way, doubles) and (number > EXACT or self._tiles.can_be_cut(way, number))

    def _taken_back_from(self, number: int, end: Cells, played: int) -> list[Cells]:
        """The cells from which ``played`` moves of a double can lead to ``end``: taken back lowest first.

        In this order a checker's second move is taken back before its first, and only moves that some checker still
        has to make are.
        """
        if not number:
            return [self.start]
        found: list[Cells] = []
        cells, way = list(end), self._way_from_start(end)
        most, die = end[HEAD] + self.chain.from_head[number], self.chain.doubles[number][0]
        steps = self._steps_to(end, die)

        def take_back(first: int, left: int) -> None:
            if not left:
                if cells[HEAD] <= most:
                    found.append(tuple(cells))
                return
            for index in range(first, len(steps)):
                to, begin = steps[index]
                passed = way[to:begin]
                if cells[to] > 0 and 0 not in passed:
                    cells[to] -= 1
                    cells[begin] += 1
                    way[to:begin] = [n - 1 for n in passed]
                    take_back(index, left - 1)
                    way[to:begin] = passed
                    cells[begin] -= 1
                    cells[to] += 1

        take_back(0, played)
        self._looked_at += len(found)
        return found

    def _steps_to(self, end: Cells, die: int) -> list[Move]:
        """The ends and beginnings of the moves that can have led to these cells, the lowest first."""
        off = end[OFF] > self.start[OFF] and at_home(end)
        return [(OFF, point) for point in range(1, die + 1) if off and self.start[point] >= 0] + self._steps[die]

    def _open_steps(self, die: int) -> list[Move]:
        """The ends and beginnings of the moves by a die between points that the opponent does not close."""
        start = self.start
        return [(end, end + die) for end in range(1, HEAD + 1 - die) if start[end] >= 0 and start[end + die] >= 0]

    def _way_from_start(self, cells: Cells) -> list[int]:
        """How many checkers have passed from above each point to that point or below; the opponent's cancel out."""
        return list(accumulate(map(sub, cells, self.start)))

    def _is_play(self, number: int, begin: Cells, end: Cells, played: int) -> bool:
        """Whether the moves that lead from ``begin`` to ``end`` are a play that may end so (L5, L6, F3, M8)."""
        if next(self._ways(number, begin, end, played), None) is None:
            return False
        if not held_of(self._blocks, end):
            return True
        return not self._is_refused(standard(self.chain.task(number, begin)).forbidden, end)

    def _is_refused(self, blocks: tuple[Points, ...], cells: Cells) -> bool:
        refused = held_of(blocks, cells) is not None
        self.met_a_block |= refused
        return refused

    def _ways(self, number: int, begin: Cells, end: Cells, played: int) -> Iterator[Play]:
        """The legal ways from the beginning of a double to its end, one for each position before the last move."""
        task = self.chain.task(number, begin)
        refused = () if task.in_passing else task.limits.never
        self.met_a_block |= not task.in_passing
        seen: set[tuple[int, Cells]] = set()

        def search(cells: Cells, left: int) -> Iterator[Play]:
            way = list(accumulate(map(sub, end, cells)))
            if not left:
                if not any(way):
                    yield ()
                return
            for move in task.movement.moves(cells, task.dice[0], task.may_leave):
                if min(way[move[1] : move[0]]) <= 0:
                    continue
                after = moved(cells, move)
                if (left, after) not in seen and not (refused and held_of(refused, after)):
                    seen.add((left, after))
                    for rest in search(after, left - 1):
                        yield move, *rest

        return search(begin, played)

    def _goes_on(self, number: int, begin: Cells, end: Cells, played: int) -> bool:
        return True in self._after_four(number, begin, end)

    def _stops(self, number: int, begin: Cells, end: Cells, played: int) -> bool:
        if played == len(self.chain.doubles[number]):
            return False in self._after_four(number, begin, end)
        return not played or standard(self.chain.task(number, begin)).count == played

    def _after_four(self, number: int, begin: Cells, end: Cells) -> set[bool]:
        return self.chain.after_four(number, begin, end, self._homecomings(number, begin, end))

    def _homecomings(self, number: int, begin: Cells, end: Cells) -> Iterator[bool]:
        for way in self._ways(number, begin, end, len(self.chain.doubles[number])):
            cells = begin
            for move in way[:-1]:
                cells = moved(cells, move)
            yield at_home(cells)
