"""How one recording is written, step by step, also when it goes on after an interruption or the disk is full.

A replay is deterministic: run again over the same source, it makes the same events, to the byte. To resume is
therefore to run again from the start and to add only what is past the end of what is stored; what comes
before must be equal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from companion.errors import RecordError, RecordUnwritable
from companion.events import Event, PlayMade
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
        """Go on with the latest recording of the same work, or begin one when there is none that is whole."""
        found = store.find(**{key: meta[key] for key in IDENTITY if key in meta})
        whole = found is not None and "recovered" not in found.meta  # what a damaged file lost cannot be gone on with
        return cls(store, found.id) if found is not None and whole else cls.start(store, meta)

    @classmethod
    def go_on(cls, store: Store, recording: int) -> Self:
        """Add to the end of a recording that is not made again from its start: a live table after a power cut."""
        recorder = cls(store, recording)
        recorder._stored = {"events": [], "inputs": []}
        return recorder

    def append(self, events: Sequence[Event] = (), inputs: Sequence[Input] = ()) -> None:
        """Add what one step brought, all or nothing; what is stored already is compared and not added again.

        Raises RecordError when the stored recording went another way, RecordUnwritable when it cannot be written now:
        then nothing has changed, and the call can be made again.
        """
        bodies: dict[Table, list[str]] = {
            "events": [to_body(event) for event in events],
            "inputs": [to_body(item) for item in inputs],
        }
        known = {table: self._known(table, bodies[table]) for table in bodies}
        new = {table: bodies[table][known[table] :] for table in bodies}
        if new["events"] or new["inputs"]:
            self._store.append_bodies(self.recording, new["events"], new["inputs"])
        for table, count in known.items():
            self._met[table] += count

    @property
    def started(self) -> str:
        """When the record says that this recording began (ISO 8601), or nothing."""
        return str(self._store.recording(self.recording).meta.get("started") or "")

    def finish(self) -> None:
        """The source has ended: raise RecordError when more is stored than it brought."""
        for table, stored in self._stored.items():
            if self._met[table] < len(stored):
                raise self._differs(table, stored[self._met[table]], "the end")

    def _known(self, table: Table, bodies: Sequence[str]) -> int:
        """How many of these lines are stored already; the others lie past the end."""
        met = self._met[table]
        known = self._stored[table][met : met + len(bodies)]
        for expected, got in zip(known, bodies, strict=False):
            if expected != got:
                raise self._differs(table, expected, got)
        return len(known)

    def _differs(self, table: Table, expected: str, got: str) -> RecordError:
        where = f"{self._store.path}: recording {self.recording} cannot go on"
        return RecordError(f"{where}: in its {table} expected {expected}, got {got}")


class Steady:
    """A recorder that does not stop the referee: what cannot be written is kept in memory, and written when it can be.

    ``say`` is told once, in one line, when writing fails and when it works again.
    """

    def __init__(self, recorder: Recorder, say: Callable[[str], None]) -> None:
        self.recording = recorder.recording
        self._recorder = recorder
        self._say = say
        self._waiting: list[tuple[Sequence[Event], Sequence[Input]]] = []

    @property
    def started(self) -> str:
        """When the record says that this recording began (ISO 8601), or nothing."""
        return self._recorder.started

    @property
    def waiting(self) -> int:
        """How many plays are not on the disk."""
        return sum(isinstance(event, PlayMade) for events, _ in self._waiting for event in events)

    @property
    def stored(self) -> bool:
        """Whether everything is on the disk."""
        return not self._waiting

    def append(self, events: Sequence[Event] = (), inputs: Sequence[Input] = ()) -> None:
        """Add what one step brought; returns also when it could only be kept in memory (see :attr:`stored`)."""
        failed_before = bool(self._waiting)
        self._waiting.append((events, inputs))
        try:
            self._write()
        except RecordUnwritable as error:
            if not failed_before:
                self._say(f"{error}: the game goes on, and what happens is kept in memory until it can be written")
            return
        if failed_before:
            self._say("the record can be written again: nothing is missing")

    def finish(self) -> None:
        """The source has ended: write what waits; raises RecordUnwritable that says how much cannot be."""
        self.close()
        self._recorder.finish()

    def close(self) -> None:
        """The game has ended: write what waits; raises RecordUnwritable that says how much cannot be."""
        try:
            self._write()
        except RecordUnwritable as error:
            raise RecordUnwritable(f"{error}: the last {self.waiting} plays are not in the record") from error

    def _write(self) -> None:
        """Write step after step, oldest first; what has been written waits no longer."""
        while self._waiting:
            self._recorder.append(*self._waiting[0])
            del self._waiting[0]
