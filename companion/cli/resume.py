"""After a power cut: what a record that was not closed says about the game that was being played.

A record that ends with the status ``closed`` was left on purpose; the next start begins a new one. Any other end is an
accident, and the table goes on where it was. Its whole memory lies beside the record (:class:`MemoryFile`); where that
is missing or older than the record, position, turn, score and cube follow from the events.
"""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.errors import RecordError
from companion.events import CubeAction, Event, GameStarted, GameWon, Gap, MatchWon, PlayMade, Rolled, Status
from companion.layout import Layout, Player
from companion.records import Store
from companion.rules import Position
from companion.table import Table
from companion.table.cube import Cube
from companion.table.phases import Phase
from companion.table.state import TableState, other

CLOSED = "closed"
SAME_TABLE = ("source", "game", "options", "layout", "players")
"""What must be equal for a record to be of this table and this match."""


@dataclass(frozen=True)
class Left:
    """How the game was left: in which recording, when (seconds), and what had happened."""

    recording: int
    t: float
    events: tuple[Event, ...]


def closing(t: float) -> Status:
    """The end of a record that was closed on purpose."""
    return Status(t=t, phase=Phase.SETUP, message=CLOSED)


def left_open(store: Store, meta: Mapping[str, Any]) -> Left | None:
    """The latest recording of this table, if its match is not over and nobody closed it."""
    found = store.find(**{key: meta[key] for key in SAME_TABLE if key in meta})
    if found is None or found.id != store.recordings()[-1].id:
        return None
    events = store.events(found.id)
    if not any(isinstance(event, PlayMade) for event in events):
        return None
    last = events[-1]
    if (isinstance(last, Status) and last.message == CLOSED) or any(isinstance(e, MatchWon) for e in events):
        return None
    return Left(found.id, last.t, tuple(events))


class MemoryFile:
    """The table's memory after a number of stored events, in a file that is replaced as a whole."""

    def __init__(self, path: Path, recording: int, events: int) -> None:
        self.path = path
        self._recording, self._events = recording, events

    def keep(self, table: Table, events: int) -> None:
        """So many events were stored with the last step; a file that cannot be written is as good as none."""
        self._events += events
        data = {"recording": self._recording, "events": self._events, "memory": table.remembered()}
        new = self.path.with_suffix(".new")
        with suppress(OSError):
            new.write_text(json.dumps(data), encoding="utf-8")
            os.replace(new, self.path)

    def recall(self, table: Table) -> bool:
        """Give the table its memory back; False when there is none that belongs to the end of the record."""
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            if (data["recording"], data["events"]) != (self._recording, self._events):
                return False
            table.recall(data["memory"])
        except (OSError, ValueError, KeyError, TypeError, RecordError):
            return False
        return True


def go_on(table: Table, left: Left, layout: Layout | None, memory: MemoryFile) -> None:
    """Put the table where it was left; dice that lie are a roll of who was on turn."""
    if memory.recall(table) or layout is None:
        return
    table.state = remembered(left.events, TableState(Phase.SETUP, layout, table.state.position))


def remembered(events: Sequence[Event], state: TableState) -> TableState:
    """The table's memory after these events."""
    for event in events:
        if isinstance(event, GameStarted):
            state = TableState(
                Phase.OPENING if event.player is None else Phase.WAITING_FOR_ROLL,
                state.layout,
                Position.from_json(event.board),
                turn=event.player,
                number=event.number,
                score=dict(event.score),
                cube=Cube(crawford_done=state.cube.crawford_done),
            )
        elif isinstance(event, PlayMade):
            state = _after_play(state, event)
        elif isinstance(event, Gap) and event.board is not None:
            both: frozenset[Player] = frozenset({"white", "black"})
            state = replace(state, position=Position.from_json(event.board), turn=None, played=both, trusted=False)
        elif isinstance(event, CubeAction) and event.action in ("take", "beaver"):
            state = replace(state, cube=replace(state.cube, value=event.value, owner=event.owner))
        elif isinstance(event, GameWon):
            state = replace(state, phase=Phase.GAME_OVER, score=dict(event.score), turn=None, cube=Cube())
    return state


def same_roll(event: Event, left: Left) -> bool:
    """Whether this is the roll that lay on the table when the game was left, seen again."""
    rolls = [e for e in left.events if isinstance(e, Rolled | PlayMade | Gap)]
    if not isinstance(event, Rolled) or not rolls or not isinstance(rolls[-1], Rolled):
        return False
    known = rolls[-1]
    return sorted(known.dice or ()) == sorted(event.dice or ()) and known.player in (event.player, None)


def _after_play(state: TableState, event: PlayMade) -> TableState:
    played = state.played | ({event.player} if event.player else frozenset())
    turn = state.turn if event.player is None else other(event.player)
    position = Position.from_json(event.board)
    return replace(state, phase=Phase.WAITING_FOR_ROLL, position=position, turn=turn, played=played)
