"""One checker by one die: M1, M5, M6, L2, L3, F2, X4, X9, H2, H3.

:class:`Movement` is what differs between the games; :func:`Movement.moves` lists the moves and
:func:`Movement.faults` says what is wrong with any other. Both see ``Cells``.
"""

from collections.abc import Callable
from dataclasses import dataclass

from companion.rules.position import BAR, CHECKERS, HEAD, OFF, Cells, Move
from companion.rules.reason import Reason

MayLeave = Callable[[Cells], bool]
"""Whether one more checker may leave the head, in the middle of a play."""


def any_number(cells: Cells) -> bool:
    """The head is a point like any other (short games, X10)."""
    return True


def at_most(count: int, before: Cells) -> MayLeave:
    """``count`` checkers of those that stood on the head ``before`` the play (L3, L4)."""
    least = before[HEAD] - count
    return lambda cells: cells[HEAD] > least


def behind_the_runner(cells: Cells) -> bool:
    """F2: one checker, and the others once it has passed the opponent's head (own point 11 or lower)."""
    return cells[HEAD] == CHECKERS or any(n > 0 for n in cells[:12])


def moved(cells: Cells, move: Move) -> Cells:
    """The cells after the move; opponents on the point go to the bar."""
    start, end = move
    after = list(cells)
    after[start] -= 1
    after[end] = after[end] + 1 if after[end] > 0 or end == OFF else 1
    return tuple(after)


@dataclass(frozen=True, slots=True)
class Movement:
    """How checkers move in a game.

    ``hits``: a blot is hit (H2), else one opposing checker closes a point (L2). ``home_moves``: checkers may
    move inside the home once all are there. ``from_higher``: a die may bear off from the highest point when
    its own and all higher points are empty (M6).
    """

    hits: bool = False
    home_moves: bool = True
    from_higher: bool = True

    @property
    def floor(self) -> int:
        """The least count of a point on which a checker may land: opponents are negative."""
        return -1 if self.hits else 0

    def moves(self, cells: Cells, die: int, may_leave: MayLeave) -> list[Move]:
        """All legal moves by one die, the rearmost checker first; ``may_leave`` guards the head."""
        floor = -1 if self.hits else 0
        if cells[BAR]:
            end = BAR - die
            return [(BAR, end)] if cells[end] >= floor else []
        held = [point for point in range(HEAD, 0, -1) if cells[point] > 0]
        if not held:
            return []
        if held[0] == HEAD and not may_leave(cells):
            del held[0]
        if (held and held[0] > 6) or cells[HEAD] > 0:
            return [(p, p - die) for p in held if p > die and cells[p - die] >= floor]
        return self._moves_at_home(cells, die, held)

    def _moves_at_home(self, cells: Cells, die: int, held: list[int]) -> list[Move]:
        moves = [(p, p - die) for p in held if p > die and cells[p - die] >= self.floor] if self.home_moves else []
        if cells[die] > 0:
            moves.append((die, OFF))
        elif self.from_higher and held[0] < die:
            moves.append((held[0], OFF))
        return moves

    def faults(self, cells: Cells, move: Move, die: int, may_leave: MayLeave) -> list[Reason]:
        """What is wrong with a move that goes forward from an own checker; empty when nothing is.

        A closed point is reported as BLOCKED_WAY: whether the checker stays there is for the caller to know.
        """
        start, end = move
        highest = max(point for point in range(1, BAR + 1) if cells[point] > 0)
        faults = []
        if cells[BAR] and start != BAR:
            faults.append(Reason.BAR_FIRST)
        if start == HEAD and not may_leave(cells):
            faults.append(Reason.HEAD)
        if end == OFF:
            faults += self._bear_off_faults(start, die, highest)
        else:
            if cells[end] < self.floor:
                faults.append(Reason.BLOCKED_WAY)
            if highest <= 6 and not self.home_moves:
                faults.append(Reason.HOME_MOVE)
        return faults

    def _bear_off_faults(self, start: int, die: int, highest: int) -> list[Reason]:
        faults = []
        if highest > 6:
            faults.append(Reason.BEAR_OFF_EARLY)
        if start != die and not (self.from_higher and start < die and (start == highest or highest > 6)):
            faults.append(Reason.BEAR_OFF_WRONG_POINT)
        return faults


PLAIN = Movement()
"""The long games without special rules at home (L2, M5–M7)."""
