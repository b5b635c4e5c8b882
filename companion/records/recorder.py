"""How one recording is written, step by step, also when it goes on after an interruption.

A replay is deterministic: run again over the same source, it makes the same events, to the byte. To resume is
therefore to run again from the start and to add only what is past the end of what is stored; what comes
before must be equal.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from companion.errors import RecordError
from companion.events import Event
from companion.inputs import Input
from companion.records.store import Store, Table, to_body

IDENTITY = ("source", "game", "options", "layout", "start")
"""What must be equal for a recording to be the same work again; the date and the version may differ."""


class Recorder:
    """Writes one recording; each call of :meth:`append` is one transaction."""

    def __init__(self, store: Store, recording: int) -> None:
        self.recording = recording
        self._store = store
        self._stored: dict[Table, list[str]] = {
            "events": store.bodies("events", recording),
            "inputs": store.bodies("inputs", recording),
        }
        self._met: dict[Table, int] = {"events": 0, "inputs": 0}

    @classmethod
    def start(cls, store: Store, meta: Mapping[str, Any]) -> Self:
        """Begin a new recording."""
        return cls(store, store.begin(meta))

    @classmethod
    def resume(cls, store: Store, meta: Mapping[str, Any]) -> Self:
        """Go on with the latest recording of the same work, or begin one when there is none."""
        found = store.find(**{key: meta[key] for key in IDENTITY if key in meta})
        return cls(store, found.id) if found else cls.start(store, meta)

    def append(self, events: Sequence[Event] = (), inputs: Sequence[Input] = ()) -> None:
        """Add what one step brought, all or nothing; what is stored already is compared and not added again.

        Raises RecordError when the stored recording went another way, or cannot be written.
        """
        new_events = self._new("events", [to_body(event) for event in events])
        new_inputs = self._new("inputs", [to_body(item) for item in inputs])
        if new_events or new_inputs:
            self._store.append_bodies(self.recording, new_events, new_inputs)

    def finish(self) -> None:
        """The source has ended: raise RecordError when more is stored than it brought."""
        for table, stored in self._stored.items():
            if self._met[table] < len(stored):
                raise self._differs(table, stored[self._met[table]], "the end")

    def _new(self, table: Table, bodies: Sequence[str]) -> Sequence[str]:
        """Meet the next stored lines and return the lines that lie past them."""
        met = self._met[table]
        known = self._stored[table][met : met + len(bodies)]
        for expected, got in zip(known, bodies, strict=False):
            if expected != got:
                raise self._differs(table, expected, got)
        self._met[table] += len(known)
        return bodies[len(known) :]

    def _differs(self, table: Table, expected: str, got: str) -> RecordError:
        where = f"{self._store.path}: recording {self.recording} cannot go on"
        return RecordError(f"{where}: in its {table} expected {expected}, got {got}")
