"""Six points in a row: L5, L6, F3, and when they must not be (M8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.rules.position import CHECKERS, Cells

Points = frozenset[int]
"""Points of the mover that must not all be held at once."""

# The opponent's path in the mover's numbering: element q - 1 is the opponent's point q (B2).
_PATH = (*range(13, 25), *range(1, 13))
_STARTING_QUARTER = frozenset(range(19, 25))


@dataclass(frozen=True, slots=True)
class Limits:
    """Which end positions of one play are forbidden.

    ``never``: a play that ends with one of these held does not count. ``unless_forced``: it counts only when no other
    play does (M8, F3b).
    """

    never: tuple[Points, ...] = ()
    unless_forced: tuple[Points, ...] = ()


NO_LIMITS = Limits()
BlockRule = Callable[[Cells], Limits]
"""What is forbidden in a play that begins in the given cells; the opponent's checkers stay where they are."""


def held_of(blocks: tuple[Points, ...], cells: Cells) -> Points | None:
    """The first of the blocks whose points the mover holds."""
    if not blocks:
        return None
    held = {point for point in range(1, 25) if cells[point] > 0}
    return next((block for block in blocks if block <= held), None)


def no_rule(cells: Cells) -> Limits:
    """Anything may be held (short games)."""
    return NO_LIMITS


def none_ahead(cells: Cells) -> Limits:
    """L5 ``ahead``: six with no opposing checker farther along the opponent's path; a checker off counts as ahead."""
    opponents = _opponents(cells)
    if sum(opponents.values()) < CHECKERS:
        return NO_LIMITS
    # The foremost opponent stands between the points before it and those behind it: a block holds no opposing checker.
    return _lifted_when_standing(cells, _sixes(_PATH[: min(opponents) - 1]))


def none_at_home(cells: Cells) -> Limits:
    """L5 ``home``: six while no opposing checker is on its points 1 to 6 or off."""
    opponents = _opponents(cells)
    if sum(opponents.values()) < CHECKERS or min(opponents) <= 6:
        return NO_LIMITS
    return _lifted_when_standing(cells, _sixes(_PATH))


def all_shut_in(cells: Cells) -> Limits:
    """L5 ``not-all``: the next six points of every one of the fifteen."""
    opponents = _opponents(cells)
    if sum(opponents.values()) < CHECKERS or min(opponents) <= 6:
        return NO_LIMITS
    ahead = frozenset(point for q in opponents for point in _PATH[q - 7 : q - 1])
    return _lifted_when_standing(cells, (ahead,))


def fevga(cells: Cells) -> Limits:
    """F3: the own starting quarter never; the six points in front of fifteen on one point unless nothing opens them."""
    limits = _lifted_when_standing(cells, (_STARTING_QUARTER,))
    opponents = _opponents(cells)
    point = min(opponents, default=0)
    if opponents.get(point) != CHECKERS or point <= 6:
        return limits
    return Limits(limits.never, (*limits.unless_forced, frozenset(_PATH[point - 7 : point - 1])))


def _lifted_when_standing(cells: Cells, blocks: tuple[Points, ...]) -> Limits:
    """M8: what already stands before the play is forbidden only as long as a play ends it."""
    return Limits((), blocks) if held_of(blocks, cells) else Limits(blocks, ())


def _opponents(cells: Cells) -> dict[int, int]:
    """How many opposing checkers stand on each of the opponent's points."""
    return {q: -cells[point] for q, point in enumerate(_PATH, 1) if cells[point] < 0}


def _sixes(path: Sequence[int]) -> tuple[Points, ...]:
    return tuple(frozenset(path[i : i + 6]) for i in range(len(path) - 5))
