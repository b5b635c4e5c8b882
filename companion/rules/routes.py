"""The ways from one position to another with the dice of one play, legal or not, and what is wrong with each.

The search is led by the goal: a move is tried only when a checker still has to pass all the points between. So it stays
small whatever the dice and the positions are.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.rules.block import held_of
from companion.rules.change import Change
from companion.rules.movement import moved
from companion.rules.plays import Task
from companion.rules.position import BAR, OFF, Cells, Move, Play
from companion.rules.reason import Reason

Fault = tuple[Reason, int]
"""A broken rule and the point concerned, in the mover's numbering."""


@dataclass(frozen=True, slots=True)
class Route:
    """One way to make the change: its moves and dice in the order in which they are made, and what is wrong with it."""

    moves: Play = ()
    dice: tuple[int, ...] = ()
    faults: frozenset[Fault] = frozenset()
    hits: frozenset[int] = frozenset()

    @property
    def play(self) -> Play:
        """The moves, sorted from the rearmost."""
        return tuple(sorted(self.moves, reverse=True))


def routes(task: Task, change: Change) -> list[Route]:
    """All ways that make exactly the mover's part of the change, with at most the dice of the task."""
    if not any(change.needed(task.cells)):
        return [Route()] if not change.hits or change.disturbed else []
    if not _within_reach(task, change):
        return []
    found: list[Route] = []
    for order in sorted({task.dice, task.dice[::-1]}):
        layer = [(task.cells, Route())]
        for die in order:
            longer = [each for cells, route in layer for each in _extended(task, change, cells, route, die)]
            # Of the orders that differ only in how the moves before the last were made, one is enough.
            distinct = {(cells, route.play, route.moves[-1], route.faults): (cells, route) for cells, route in longer}
            layer = list(distinct.values())
            found += [route for cells, route in layer if not any(change.needed(cells))]
    return [route for route in found if route.hits == change.hits or change.disturbed]


def _within_reach(task: Task, change: Change) -> bool:
    """Whether so many dice can have moved so many checkers so far; anything may be on the board."""
    elsewhere = sum(abs(after - max(now, 0)) for after, now in zip(change.own, task.cells, strict=True))
    off = change.own[OFF] - task.cells[OFF]
    # A checker borne off with too small a die goes up to six pips.
    pips = sum(sorted(task.dice)[: max(len(task.dice) - off, 0)]) + 6 * off if off > 0 else sum(task.dice)
    return elsewhere <= 2 * len(task.dice) and sum(change.needed(task.cells)) <= max(pips, sum(task.dice))


def _extended(task: Task, change: Change, cells: Cells, route: Route, die: int) -> Iterator[tuple[Cells, Route]]:
    needed = change.needed(cells)
    for start in range(BAR, 0, -1):
        if cells[start] > 0:
            end = start - die if start > die else OFF
            if min(needed[end:start]) > 0:
                yield _made(task, change, cells, route, die, (start, end))
    # Borne off from home with a die that is too small: the checker has farther to go than the die says.
    for start in range(die + 1, 7):
        if cells[start] > 0 and min(needed[:start]) > 0:
            yield _made(task, change, cells, route, die, (start, OFF))


def _made(task: Task, change: Change, cells: Cells, route: Route, die: int, move: Move) -> tuple[Cells, Route]:
    after = moved(cells, move)
    faults = {_located(fault, move, change) for fault in task.movement.faults(cells, move, die, task.may_leave)}
    if not task.in_passing and (block := held_of(task.limits.never, after)):
        faults.add((Reason.BLOCK, max(block)))
    hit = cells[move[1]] < 0 and task.movement.hits and cells[move[1]] == -1
    return after, Route(
        (*route.moves, move),
        (*route.dice, die),
        route.faults | faults,
        route.hits | {move[1]} if hit else route.hits,
    )


def _located(fault: Reason, move: Move, change: Change) -> Fault:
    start, end = move
    if fault is Reason.BLOCKED_WAY:
        return (Reason.BLOCKED_POINT if end in change.closed else fault), end
    return fault, BAR if fault is Reason.BAR_FIRST else start
