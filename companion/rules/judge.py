"""Verdicts: whether a change of the board is a legal play, could become one, or which rules it breaks (rules.md §8)."""

import heapq
from dataclasses import dataclass

from companion.rules.block import Points, held_of
from companion.rules.change import Change
from companion.rules.movement import moved
from companion.rules.plays import Ends, Task, full_plays
from companion.rules.position import Cells, Play
from companion.rules.reason import Reason
from companion.rules.routes import Fault, Route, routes
from companion.rules.turn import Chain

NEAREST = 3
"""So many legal plays are named beside an illegal one."""
UNFINISHED = frozenset({Reason.NOT_FULL, Reason.PASSED})
Faults = list[Fault]
_TELLING = {reason: rank for rank, reason in enumerate(Reason)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What ``judge`` says of a play.

    ``kind`` is legal, incomplete (it could still become legal) or illegal; ``reasons`` are the broken rules, most telling
    first; ``points`` the points concerned, in the mover's numbering; ``plays`` the play itself, or the nearest legal plays.
    """

    kind: str
    reasons: tuple[Reason, ...] = ()
    points: tuple[int, ...] = ()
    plays: tuple[Play, ...] = ()

    def __bool__(self) -> bool:
        return self.kind == "legal"


@dataclass(frozen=True, slots=True)
class Standard:
    """What a legal play of a task must do: use ``count`` dice (``die``, if it is one of two), and not end in ``forbidden``."""

    count: int
    die: int | None
    forbidden: tuple[Points, ...]


def standard(task: Task) -> Standard:
    """How many dice must be played (M2, M3, M8); looks for one such play, not for all of them."""
    limits = task.limits
    strict = limits.never + limits.unless_forced
    for forbidden in (strict, limits.never) if limits.unless_forced else (strict,):
        for count in range(len(task.dice), 0, -1):
            die = _playable(task, count, forbidden)
            if die:
                return Standard(count, die if count < len(task.dice) else None, forbidden)
    return Standard(0, None, limits.never)


def _playable(task: Task, count: int, forbidden: tuple[Points, ...]) -> int | None:
    """The die with which a play of ``count`` dice can begin, the larger first, or None."""
    for order in sorted({task.dice, task.dice[::-1]}, reverse=True):
        if _can_play(task, task.cells, order[:count], forbidden, set()):
            return order[0]
    return None


def _can_play(task: Task, cells: Cells, dice: tuple[int, ...], forbidden: tuple[Points, ...], seen: set[Cells]) -> bool:
    """Whether all of ``dice``, in this order, can be played to an end that is not forbidden."""
    if not dice:
        return not held_of(forbidden, cells)
    for move in task.movement.moves(cells, dice[0], task.may_leave):
        after = moved(cells, move)
        if after in seen or (not task.in_passing and held_of(task.limits.never, after)):
            continue
        if _can_play(task, after, dice[1:], forbidden, seen):
            return True
        if len(dice) > 1:
            seen.add(after)
    return False


def judge_task(task: Task, change: Change) -> Verdict:
    """The verdict on a plain roll or on a double that is one play."""
    faults = board_faults(task.cells, change)
    if not change.miscounted and not _has(faults, Reason.BACKWARDS):
        must = standard(task)
        ways = [(_shortcomings(task, change, route, must), route) for route in routes(task, change)]
        route_faults, route = min(
            ways, key=_severity, default=([(Reason.NOT_THE_DICE, p) for p in change.moved(task.cells)], None)
        )
        faults += route_faults
        if route and not faults:
            return Verdict("legal", plays=(route.play,))
        if route and could_become_legal(task, route, must) and {r for r, _ in faults} <= UNFINISHED:
            return verdict("incomplete", faults, nearest(full_plays(task), change))
    return verdict("illegal", faults, nearest(full_plays(task), change))


def board_faults(cells: Cells, change: Change) -> Faults:
    """What is wrong whatever the dice are: the wrong number of checkers, opponents moved, checkers moved back."""
    if change.miscounted:
        return [(Reason.CHECKER_COUNT, 0)]
    faults: Faults = [(Reason.OPPONENT_MOVED, point) for point in sorted(change.disturbed)]
    faults += [(Reason.BLOCKED_POINT, point) for point in sorted(change.closed)]
    needed = change.needed(cells)
    for point in range(len(needed)):
        if needed[point] < 0 and (point == 0 or needed[point - 1] >= 0):
            back = next(p for p in range(point, len(needed)) if needed[p] >= 0)
            faults += [(Reason.BACKWARDS, point), (Reason.BACKWARDS, back)]
    return faults


def _shortcomings(task: Task, change: Change, route: Route, must: Standard) -> Faults:
    """What is wrong with a route: its own faults, where it ends, and how many dice it uses."""
    faults = sorted(route.faults)
    faults += [(Reason.BLOCK, point) for point in sorted(held_of(must.forbidden, change.own) or (), reverse=True)]
    played = len(route.moves)
    if played < must.count:
        faults.append((Reason.NOT_FULL if played else Reason.PASSED, 0))
    elif played == 1 and must.die not in (None, route.dice[0]) and not faults:
        faults.append((Reason.LARGER_DIE, route.moves[0][0]))
    return faults


def _severity(way: tuple[Faults, Route]) -> tuple[int, int]:
    reasons = {reason for reason, _ in way[0]}
    return len(reasons), sum(_TELLING[reason] for reason in reasons)


def could_become_legal(task: Task, route: Route, must: Standard) -> bool:
    """Whether the moves of a clean route can be followed by others to a legal play."""
    rest = list(task.dice)
    cells = task.cells
    for move, die in zip(route.moves, route.dice, strict=True):
        rest.remove(die)
        cells = moved(cells, move)
    count = must.count - len(route.moves)
    return not route.moves or _can_play(task, cells, tuple(rest[:count]), must.forbidden, set())


def verdict(kind: str, faults: Faults, plays: tuple[Play, ...]) -> Verdict:
    """The verdict with its reasons in order, and the points of the most telling first."""
    ordered = sorted(faults, key=lambda fault: _TELLING[fault[0]])
    reasons = tuple(dict.fromkeys(reason for reason, _ in ordered))
    points = tuple(dict.fromkeys(point for _, point in ordered if point))
    return Verdict(kind, reasons, points, plays)


def nearest(ends: Ends, change: Change) -> tuple[Play, ...]:
    """Plays that end closest to what stands on the board: fewest checkers elsewhere, then fewest pips."""

    def distance(cells: Cells) -> tuple[int, int]:
        elsewhere = sum(abs(n - max(now, 0)) for n, now in zip(change.own, cells, strict=True))
        return elsewhere, sum(map(abs, change.needed(cells)))

    closest = heapq.nsmallest(NEAREST, ends.cells, key=distance)
    return tuple(ends.plays(cells)[0] for cells in closest)


def _has(faults: Faults, reason: Reason) -> bool:
    return any(fault == reason for fault, _ in faults)


def judge_chain(chain: Chain, cells: Cells, change: Change) -> Verdict:
    """The verdict on a progression."""
    raise NotImplementedError
