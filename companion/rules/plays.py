"""All plays of one roll: M2, M3, M8, D5.

A play here is what M2 speaks of: the moves of a plain roll or of one double. Turns that have several of them
(progressions, left-over moves) are put together in :mod:`companion.rules.turn`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.rules.block import Limits, Points, held_of
from companion.rules.movement import MayLeave, Movement, moved
from companion.rules.position import Cells, Move, Play

Dice = tuple[int, ...]
"""The dice of one play: two different ones, or up to four equal ones."""


class Layer:
    """The positions after some of the dice, with all the ways they were reached."""

    __slots__ = ("ways",)

    def __init__(self) -> None:
        self.ways: dict[Cells, list[tuple[Layer, Cells, Move]]] = {}

    def plays(self, cells: Cells) -> set[Play]:
        """All distinct plays that end in ``cells``."""
        if not self.ways[cells]:
            return {()}
        return {
            tuple(sorted((*play, move), reverse=True))
            for layer, before, move in self.ways[cells]
            for play in layer.plays(before)
        }


@dataclass(frozen=True, slots=True)
class Task:
    """One play to be made: where it begins, its dice, and the rules that hold for it.

    ``in_passing``: a forbidden block may exist between two moves (L6).
    """

    cells: Cells
    dice: Dice
    movement: Movement
    may_leave: MayLeave
    limits: Limits
    in_passing: bool


@dataclass(frozen=True, slots=True)
class Ends:
    """Where the legal plays of a task end, and how many dice each of them uses."""

    max_dice: int
    cells: tuple[Cells, ...]
    layer: Layer = field(repr=False)

    def plays(self, cells: Cells) -> tuple[Play, ...]:
        """The distinct plays that end in ``cells``, sorted."""
        return tuple(sorted(self.layer.plays(cells)))


def full_plays(task: Task) -> Ends:
    """All plays that use as many dice as can be used (M2, M3) and end in an allowed position (M8)."""
    levels = _levels(task)
    limits = task.limits
    ends = _fullest(levels, limits.never + limits.unless_forced)
    if ends is None and limits.unless_forced:
        ends = _fullest(levels, limits.never)
    return ends or Ends(0, (task.cells,), levels[0][0])


def _levels(task: Task) -> list[list[Layer]]:
    """The layers after 0, 1, 2 … dice; where two count the same, the preferred one first."""
    start = Layer()
    start.ways[task.cells] = []
    large, small = max(task.dice), min(task.dice)
    if large == small:
        levels = [start]
        for die in task.dice:
            levels.append(_after(task, (levels[-1], die)))
        return [[layer] for layer in levels]
    by_large, by_small = _after(task, (start, large)), _after(task, (start, small))
    return [[start], [by_large, by_small], [_after(task, (by_large, small), (by_small, large))]]


def _after(task: Task, *sources: tuple[Layer, int]) -> Layer:
    """The layer that is reached from the given layers by the given dice."""
    reached = Layer()
    ways = reached.ways
    moves, may_leave = task.movement.moves, task.may_leave
    refused = () if task.in_passing else task.limits.never
    for layer, die in sources:
        for cells in layer.ways:
            for move in moves(cells, die, may_leave):
                after = moved(cells, move)
                way = (layer, cells, move)
                if after in ways:
                    ways[after].append(way)
                elif not refused or not held_of(refused, after):
                    ways[after] = [way]
    return reached


def _fullest(levels: list[list[Layer]], forbidden: tuple[Points, ...]) -> Ends | None:
    for count in range(len(levels) - 1, 0, -1):
        for layer in levels[count]:
            allowed = tuple(cells for cells in layer.ways if not held_of(forbidden, cells))
            if allowed:
                return Ends(count, allowed, layer)
    return None


@dataclass(frozen=True, slots=True)
class Standard:
    """What a legal play must do: use ``count`` dice (``die``, if one of two), and not end in ``forbidden``."""

    count: int
    die: int | None
    forbidden: tuple[Points, ...]


def standard(task: Task) -> Standard:
    """How many dice must be played (M2, M3, M8); looks for one such play, not for all of them."""
    limits = task.limits
    strict = limits.never + limits.unless_forced
    for forbidden in (strict, limits.never) if limits.unless_forced else (strict,):
        for count in range(len(task.dice), 0, -1):
            for order in sorted({task.dice, task.dice[::-1]}, reverse=True):
                if find_play(task, task.cells, order[:count], forbidden) is not None:
                    return Standard(count, order[0] if count < len(task.dice) else None, forbidden)
    return Standard(0, None, limits.never)


def find_play(
    task: Task, cells: Cells, dice: Dice, forbidden: tuple[Points, ...], prefer: Callable[[Move], int] | None = None
) -> Play | None:
    """A play of all these dice in this order to an end that is not forbidden, or None.

    Moves with a small ``prefer`` are tried first.
    """
    refused = () if task.in_passing else task.limits.never
    dead: set[Cells] = set()

    def search(cells: Cells, dice: Dice) -> Play | None:
        if not dice:
            return None if held_of(forbidden, cells) else ()
        moves = task.movement.moves(cells, dice[0], task.may_leave)
        for move in sorted(moves, key=prefer) if prefer else moves:
            after = moved(cells, move)
            if after in dead or held_of(refused, after):
                continue
            rest = search(after, dice[1:])
            if rest is not None:
                return (move, *rest)
            dead.add(after)
        return None

    return search(cells, dice)
