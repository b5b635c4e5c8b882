"""Verdicts: whether a change of the board is a legal play, could become one, or which rules it breaks (rules.md §8)."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.block import NO_LIMITS, held_of
from companion.rules.change import Change
from companion.rules.errors import TooManyPlays
from companion.rules.movement import any_number, moved
from companion.rules.plays import Standard, Task, find_play, full_plays, standard
from companion.rules.position import CHECKERS, HEAD, OFF, Cells, Move, Play
from companion.rules.reason import Reason
from companion.rules.retrace import LIMIT, Retrace, Stop, end_cells, reachable
from companion.rules.routes import Fault, Route, routes
from companion.rules.turn import Chain, Ending, Turn, at_home, chained

NEAREST = 3
"""So many legal plays are named beside one that is not."""
LOOK = 4000
"""How far is looked for the rule that a progression has broken: so many positions are looked at."""
FEW = 1000
"""So many positions are listed where checkers are borne off, before the way back is searched."""
_UNFINISHED = {Reason.NOT_FULL, Reason.PASSED}
_TELLING = {reason: rank for rank, reason in enumerate(Reason)}
Faults = list[Fault]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What ``judge`` says of a play.

    ``kind`` is legal, incomplete (it could still become legal) or illegal; ``reasons`` are the broken rules,
    most telling first; ``points`` the points concerned, in the mover's numbering; ``plays`` the play itself,
    or the nearest legal plays; ``endings``, of a legal play, how many moves it had and what passes to the
    opponent (two where the board cannot tell).
    """

    kind: str
    reasons: tuple[Reason, ...] = ()
    points: tuple[int, ...] = ()
    plays: tuple[Play, ...] = ()
    endings: tuple[Ending, ...] = ()

    def __bool__(self) -> bool:
        return self.kind == "legal"


def judge_task(task: Task, change: Change) -> Verdict:
    """The verdict on a plain roll or on a double that is one play."""
    faults = _board_faults(task.cells, change)
    if change.miscounted or Reason.BACKWARDS in dict(faults):
        return _verdict("illegal", faults, nearest(task, change))
    must = standard(task)
    ways = [(_shortcomings(change, route, must), route) for route in routes(task, change)]
    if not ways:
        faults += [(Reason.NOT_THE_DICE, point) for point in change.moved(task.cells)]
        return _verdict("illegal", faults, nearest(task, change))
    shortcomings, route = min(ways, key=_severity)
    faults += shortcomings
    if not faults:
        return Verdict("legal", plays=(route.play,), endings=(Ending(len(route.moves)),))
    unfinished = {reason for reason, _ in faults} <= _UNFINISHED and _could_become_legal(task, route, must)
    return _verdict("incomplete" if unfinished else "illegal", faults, nearest(task, change))


def judge_chain(chain: Chain, cells: Cells, change: Change) -> Verdict:
    """The verdict on a double: one play, or a progression or left-over moves in several."""
    if len(chain.doubles) == 1:
        verdict = judge_task(chain.task(0, cells), change)
        return replace(verdict, endings=tuple(_with_left_over(chain, cells, change, verdict)))
    faults = _board_faults(cells, change)
    kind = "illegal"
    if not faults:
        turn = _few_ends(chain, cells, change)
        end = end_cells(cells, change)
        if turn and end in turn.endings:
            return Verdict("legal", plays=(turn.plays(end)[0],), endings=turn.endings[end])
        begins = reachable(chain, cells, end) if turn else None
        search = Retrace(chain, cells, change, LOOK if turn else LIMIT, begins)
        found = list(search.endings())
        if not found and search.gave_up and not turn and (begins := reachable(chain, cells, end)):
            search = Retrace(chain, cells, change, reachable=begins)
            found = list(search.endings())
        if found:
            return Verdict("legal", plays=(search.play(found[0][1]),), endings=tuple(ending for ending, _ in found))
        kind, faults = _why_not(chain, cells, change, search)
    return _verdict(kind, faults, (led_play(chain, cells, change),))


def _few_ends(chain: Chain, cells: Cells, change: Change) -> Turn | None:
    """All ends of a chain that bears off, if they are few: the search for a way back has many dead ends there."""
    try:
        return chained(chain, cells, FEW) if change.own[OFF] > cells[OFF] else None
    except TooManyPlays:
        return None


def _why_not(chain: Chain, cells: Cells, change: Change, search: Retrace) -> tuple[str, Faults]:
    """What is wrong with the end of a chain that no legal one has, as the search for one has found."""
    if not any(change.needed(cells)):
        return "incomplete", [(Reason.PASSED, 0)]
    stop = next(search.stops(), None)
    if stop:
        return "incomplete" if _can_go_on(chain, stop, search.end) else "illegal", [(Reason.NOT_FULL, 0)]
    return "illegal", _broken(chain, cells, change, search.met_a_block)


def _with_left_over(chain: Chain, cells: Cells, change: Change, verdict: Verdict) -> Iterator[Ending]:
    for ending in verdict.endings:
        missing = ending.played < len(chain.doubles[0])
        yield Ending(ending.played, chain.left_over(0, ending.played, end_cells(cells, change)) if missing else None)


def _board_faults(cells: Cells, change: Change) -> Faults:
    """What is wrong whatever the dice are: the wrong number of checkers, opponents moved, checkers moved back."""
    if change.miscounted:
        return [(Reason.CHECKER_COUNT, 0)]
    faults: Faults = [(Reason.OPPONENT_MOVED, point) for point in sorted(change.disturbed)]
    faults += [(Reason.BLOCKED_POINT, point) for point in sorted(change.closed)]
    needed = change.needed(cells)
    for point, passing in enumerate(needed):
        if passing < 0 and (point == 0 or needed[point - 1] >= 0):
            back = next(p for p in range(point, len(needed)) if needed[p] >= 0)
            faults += [(Reason.BACKWARDS, back), (Reason.BACKWARDS, point)]
    return faults


def _shortcomings(change: Change, route: Route, must: Standard) -> Faults:
    """What is wrong with a route: its own faults, where it ends, and how many dice it uses."""
    faults = sorted(route.faults)
    faults += [(Reason.BLOCK, point) for point in sorted(held_of(must.forbidden, change.own) or (), reverse=True)]
    played = len(route.moves)
    if played < must.count:
        faults.append((Reason.NOT_FULL if played else Reason.PASSED, 0))
    elif played == 1 and must.die not in (None, route.dice[0]) and not faults:
        faults.append((Reason.LARGER_DIE, route.moves[0][0]))
    return faults


def _severity(way: tuple[Faults, Route]) -> tuple[int, int, int]:
    """How bad a way is: one that is only unfinished is better than one with a fault."""
    reasons = {reason for reason, _ in way[0]}
    return len(reasons - _UNFINISHED), len(reasons), sum(_TELLING[reason] for reason in reasons)


def _could_become_legal(task: Task, route: Route, must: Standard) -> bool:
    """Whether the moves of a clean route can be followed by others to a legal play."""
    rest, cells = list(task.dice), task.cells
    for move, die in zip(route.moves, route.dice, strict=True):
        rest.remove(die)
        cells = moved(cells, move)
    missing = must.count - len(route.moves)
    return not route.moves or find_play(task, cells, tuple(rest[:missing]), must.forbidden) is not None


def _can_go_on(chain: Chain, stop: Stop, end: Cells) -> bool:
    """Whether a progression that stopped there can still become legal."""
    if not stop.played:
        return True
    task = chain.task(stop.number, stop.begin)
    must = standard(task)
    missing = must.count - stop.played
    return missing > 0 and find_play(task, end, task.dice[:missing], must.forbidden) is not None


def _broken(chain: Chain, cells: Cells, change: Change, met_a_block: bool) -> Faults:
    """The rule without which a progression could have come there."""
    if change.own[OFF] > cells[OFF] and not at_home(end_cells(cells, change)):
        return [(Reason.BEAR_OFF_EARLY, OFF)]
    for reason, relaxed in _relaxations(chain, cells, change):
        if reason is Reason.BLOCK and not met_a_block:
            continue
        free = tuple(max(n, 0) for n in cells) if reason is Reason.BLOCKED_WAY else cells
        search = Retrace(relaxed, free, change, LOOK)
        if next(search.stops(), None) or next(search.endings(), None):
            return [(reason, 0)]
    return [(Reason.NOT_THE_DICE, point) for point in change.moved(cells)]


def _relaxations(chain: Chain, cells: Cells, change: Change) -> Iterator[tuple[Reason, Chain]]:
    """The chain without one of its rules, for each rule that the change may have broken."""

    def without(**changes: Any) -> Chain:
        def task(number: int, begin: Cells) -> Task:
            return replace(chain.task(number, begin), **changes)

        return replace(chain, task=task)

    movement = chain.task(0, cells).movement
    yield Reason.BLOCK, without(limits=NO_LIMITS)
    if change.own[HEAD] < cells[HEAD]:
        anybody = (CHECKERS,) * len(chain.doubles)
        yield Reason.HEAD, replace(without(may_leave=any_number), from_head=anybody, may_leave=any_number)
    if change.own[OFF] > cells[OFF]:
        yield Reason.BEAR_OFF_WRONG_POINT, without(movement=replace(movement, from_higher=True))
    if not movement.home_moves:
        yield Reason.HOME_MOVE, without(movement=replace(movement, home_moves=True))
    yield Reason.BLOCKED_WAY, chain


def _verdict(kind: str, faults: Faults, plays: tuple[Play, ...]) -> Verdict:
    """The verdict with its reasons in order, and the points of the most telling first."""
    ordered = sorted(faults, key=lambda fault: _TELLING[fault[0]])
    reasons = tuple(dict.fromkeys(reason for reason, _ in ordered))
    points = tuple(dict.fromkeys(point for _, point in ordered if point))
    return Verdict(kind, reasons, points, plays)


def nearest(task: Task, change: Change) -> tuple[Play, ...]:
    """Legal plays that end closest to what stands on the board: fewest checkers elsewhere, then fewest pips.

    Of a double one that is led there move by move: listing them all would take long.
    """
    if len(task.dice) > 2:
        return (tuple(sorted(_led(task, change), reverse=True)),)

    def distance(cells: Cells) -> tuple[int, int]:
        elsewhere = sum(abs(n - max(now, 0)) for n, now in zip(change.own, cells, strict=True))
        return elsewhere, sum(map(abs, change.needed(cells)))

    ends = full_plays(task)
    closest = heapq.nsmallest(NEAREST, ends.cells, key=distance)
    return tuple(ends.plays(cells)[0] for cells in closest)


def _led(task: Task, change: Change) -> Play:
    """The moves of a legal play that prefers those which are still to be made."""
    needed = change.needed(task.cells)
    must = standard(task)
    order = task.dice[: must.count]

    def prefer(move: Move) -> int:
        return -min(needed[move[1] : move[0]])

    return find_play(task, task.cells, order, must.forbidden, prefer) or ()


def led_play(chain: Chain, cells: Cells, change: Change) -> Play:
    """A legal play of a chain that goes towards what stands on the board as far as it can."""
    play: list[Move] = []
    for number, dice in enumerate(chain.doubles):
        begin = before_last = cells
        moves = _led(chain.task(number, begin), change)
        for move in moves:
            before_last, cells = cells, moved(cells, move)
        play += moves
        if len(moves) < len(dice) or True not in chain.after_four(number, begin, cells, [at_home(before_last)]):
            break
    return tuple(sorted(play, reverse=True))
