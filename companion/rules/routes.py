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
from companion.rules.position import BAR, HEAD, OFF, Cells, Move, Play
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
    found: list[Route] = []
    orders = {task.dice, task.dice[::-1]}
    for order in sorted(orders):
        layer = {(task.cells, Route())}
        for die in order:
            layer = {following for cells, route in layer for following in _extended(task, change, cells, route, die)}
            found += [route for cells, route in layer if not any(change.needed(cells))]
    if not any(change.needed(task.cells)):
        found.append(Route())
    return [route for route in found if route.hits == change.hits or change.disturbed]


def _extended(task: Task, change: Change, cells: Cells, route: Route, die: int) -> Iterator[tuple[Cells, Route]]:
    needed = change.needed(cells)
    for start in range(BAR, 0, -1):
        end = max(start - die, OFF)
        if cells[start] > 0 and all(count > 0 for count in needed[end:start]):
            yield _made(task, change, cells, route, die, (start, end))
    # Borne off with a die that is too small: the checker has farther to go than the die says.
    for start in range(die + 1, HEAD + 1):
        if cells[start] > 0 and all(count > 0 for count in needed[:start]):
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
