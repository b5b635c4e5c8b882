"""The record: one SQLite file that only grows, and that a power cut cannot damage.

The file is in WAL mode and every commit waits until it is on the disk (``synchronous = FULL``): what
``append`` has returned from is not lost, and a commit that was cut off leaves no trace.
"""

import datetime
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from companion.closing import Closing
from companion.errors import RecordError
from companion.events import DATED, Event
from companion.inputs import Input
from companion.records import files, ledger, schema
from companion.records.files import told

FILE_NAME = "record.sqlite"

Table = Literal["events", "inputs"]


@dataclass(frozen=True)
class Recording:
    """One recording of a store: a table watched, or a film replayed, from start to end.

    ``meta`` is what its writer said about it: ``source``, ``game``, ``options``, ``layout``, ``started``,
    ``program``, ``players``.
    """

    id: int
    meta: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"id": self.id, **self.meta}


@dataclass(frozen=True)
class Version:
    """A recording as it stands after a correction; number 1 is what was recorded, without any.

    ``made`` is when (ISO 8601), ``edit`` what was changed; ``covers`` tells how many of the recorded events this
    version stands for: what is recorded later follows it.
    """

    number: int
    made: str
    edit: Mapping[str, Any]
    covers: int


def record_file(path: Path) -> Path:
    """The record that a person means by a folder or a file."""
    return path / FILE_NAME if path.is_dir() else path


def to_body(item: Event | Input | Mapping[str, Any]) -> str:
    """The stored form: JSON in one line. Equal items give equal bodies, to the byte."""
    data = item.to_json() if isinstance(item, Event | Input) else item
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


class Store(Closing):
    """An open record. Use :meth:`open`; it is a context manager, and ``close`` may be called twice."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, can_write: bool = True) -> None:
        self._connection = connection
        self.path = path
        self.can_write = can_write
        self.schema = schema.check(connection, str(path))

    @classmethod
    def open(cls, path: Path, *, write: bool = True) -> Self:
        """Open the record at ``path`` (a file, or a folder that holds ``record.sqlite``), and make it when it
        is missing.

        With ``write=False`` it must be there, and nothing that is kept changes (what was counted of it may be kept
        beside it, see ``summaries``). Raises RecordError when it is missing, damaged, locked, newer than the program
        or no record at all.
        """
        path = record_file(path)
        if write:
            with told(path):
                path.parent.mkdir(parents=True, exist_ok=True)
        elif not path.is_file():
            raise RecordError(f"{path}: expected a record, got no such file")
        with told(path):
            connection = files.connect(path, write, files.BUSY_S)
        try:
            with told(path):
                if write:
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute("PRAGMA synchronous = FULL")
                    connection.execute("PRAGMA foreign_keys = ON")
                    schema.migrate(connection, str(path))
                elif schema.check(connection, str(path)) == 0:
                    connection.close()
                    connection = _empty()
                return cls(connection, path, can_write=write or files.writable(path))
        except RecordError:
            connection.close()
            raise

    def begin(self, meta: Mapping[str, Any]) -> int:
        """Add a recording and return its id."""
        with self.transaction() as connection:
            row = connection.execute("INSERT INTO recordings (meta) VALUES (?) RETURNING id", [to_body(meta)])
            return int(row.fetchone()[0])

    def add(self, meta: Mapping[str, Any], events: Sequence[Event], inputs: Sequence[Input] = ()) -> int:
        """Add a whole recording, all or nothing, and return its id."""
        with self.transaction() as connection:
            row = connection.execute(
                "INSERT INTO recordings (meta) VALUES (?) RETURNING id", [to_body(meta)]
            ).fetchone()
            self._insert("events", row[0], [to_body(event) for event in events])
            self._insert("inputs", row[0], [to_body(item) for item in inputs])
            return int(row[0])

    def append(self, recording: int, events: Sequence[Event] = (), inputs: Sequence[Input] = ()) -> None:
        """Add events and inputs to the end of a recording, all of them or none."""
        if events or inputs:
            self.append_bodies(recording, [to_body(e) for e in events], [to_body(i) for i in inputs])

    def append_bodies(self, recording: int, events: Sequence[str], inputs: Sequence[str] = ()) -> None:
        """:meth:`append` for what is already in its stored form."""
        with self.transaction() as connection:
            self._insert("events", recording, events)
            self._insert("inputs", recording, inputs)
            ledger.strike(connection, recording)

    def recordings(self) -> list[Recording]:
        """All recordings, oldest first."""
        with self.reading() as connection:
            rows = connection.execute("SELECT id, meta FROM recordings ORDER BY id").fetchall()
            return [Recording(number, json.loads(meta)) for number, meta in rows]

    def recording(self, number: int | None = None) -> Recording:
        """The recording with this number, or the latest; raises RecordError when there is none."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT id, meta FROM recordings WHERE id = coalesce(?, (SELECT max(id) FROM recordings))", [number]
            ).fetchone()
            if row is not None:
                return Recording(row[0], json.loads(row[1]) | _dated(connection, row[0]))
            last = connection.execute("SELECT max(id) FROM recordings").fetchone()[0]
        if last is None:
            raise RecordError(f"{self.path}: expected a recording, got an empty record")
        raise RecordError(f"{self.path}: expected a recording from 1 to {last}, got {number}")

    def find(self, **wanted: Any) -> Recording | None:
        """The latest recording whose meta has these values (``find(source="game.mp4")``), or None."""
        plain = json.loads(to_body(wanted))
        return next((r for r in reversed(self.recordings()) if _has(r.meta, plain)), None)

    def bodies(self, table: Table, recording: int) -> list[str]:
        """The lines of a recording as they were recorded, in order."""
        with self.reading() as connection:
            query = f"SELECT body FROM {table} WHERE recording = ? ORDER BY seq"
            return [_text(body) for (body,) in connection.execute(query, [recording])]

    def events(self, recording: int, version: int | None = None) -> list[Event]:
        """The events of a recording, in order: of its latest version, or of another one (1: as recorded).

        What was recorded after a correction follows it. Raises RecordError when there is no such version.
        """
        with told(self.path):
            return [Event.from_json(json.loads(body)) for body in self.lines(recording, version)]

    def lines(self, recording: int, version: int | None = None) -> list[str]:
        """:meth:`events` in their stored form."""
        number = version or (self._latest(recording) if self.schema > 1 else 1)
        bodies = self.bodies("events", recording)
        if number == 1:
            return bodies
        known = {v.number: v for v in self.versions(recording)}
        if number not in known:
            raise RecordError(f"{self.path}: recording {recording}: expected a version up to {max(known)}")
        return self._corrected(recording, number) + bodies[known[number].covers :]

    def inputs(self, recording: int) -> list[Input]:
        """The inputs of a recording, in order."""
        with told(self.path):
            return [Input.from_json(json.loads(body)) for body in self.bodies("inputs", recording)]

    def correct(self, recording: int, events: Sequence[Event], edit: Mapping[str, Any]) -> Version:
        """Add a corrected version of a recording; the versions before it stay."""
        made = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        with self.transaction() as connection:
            covers = connection.execute("SELECT count(*) FROM events WHERE recording = ?", [recording]).fetchone()[0]
            version = Version(self._latest(recording) + 1, made, edit, covers)
            row = (recording, version.number, made, to_body(edit), covers, len(events))
            connection.execute("INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?)", row)
            rows = [(recording, version.number, seq, to_body(event)) for seq, event in enumerate(events)]
            connection.executemany("INSERT INTO corrected VALUES (?, ?, ?, ?)", rows)
            ledger.strike(connection, recording)
        return version

    def versions(self, recording: int) -> list[Version]:
        """All versions of a recording, oldest first; the first is what was recorded."""
        meta = self.recording(recording).meta
        first = Version(1, str(meta.get("started") or ""), {}, 0)
        if self.schema < 2:
            return [first]
        with self.reading() as connection:
            query = "SELECT number, made, edit, covers FROM versions WHERE recording = ? ORDER BY number"
            rows = connection.execute(query, [recording]).fetchall()
            return [first, *(Version(n, made, json.loads(edit), covers) for n, made, edit, covers in rows)]

    def witness(self, recording: int, turn: int, kind: str, t: float, sha256: str) -> None:
        """Note which picture was kept of a turn, so that a picture can be told from one that was changed later."""
        with self.transaction() as connection:
            row = (recording, turn, kind, round(t, 3), sha256)
            connection.execute("INSERT OR IGNORE INTO evidence VALUES (?, ?, ?, ?, ?)", row)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write, all or nothing; raises RecordUnwritable when the disk is full or somebody else writes."""
        with told(self.path), files.transaction(self._connection) as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read; what goes wrong becomes a RecordError."""
        with told(self.path):
            yield self._connection

    def close(self) -> None:
        """Close the file; the second call does nothing."""
        self._connection.close()

    def _latest(self, recording: int) -> int:
        with self.reading() as connection:
            query = "SELECT coalesce(max(number), 1) FROM versions WHERE recording = ?"
            return int(connection.execute(query, [recording]).fetchone()[0])

    def _corrected(self, recording: int, version: int) -> list[str]:
        with self.reading() as connection:
            query = "SELECT body FROM corrected WHERE recording = ? AND version = ? ORDER BY seq"
            return [_text(body) for (body,) in connection.execute(query, [recording, version])]

    def _insert(self, table: Table, recording: int, bodies: Sequence[str]) -> None:
        query = f"SELECT coalesce(max(seq), -1) + 1 FROM {table} WHERE recording = ?"
        start = self._connection.execute(query, [recording]).fetchone()[0]
        rows = [(recording, start + i, body) for i, body in enumerate(bodies)]
        self._connection.executemany(f"INSERT INTO {table} (recording, seq, body) VALUES (?, ?, ?)", rows)


def _text(body: object) -> str:
    """A line of the record; damage can make something else of it."""
    if not isinstance(body, str):
        raise ValueError(f"expected a line of text, got {body!r}"[:80])
    return body


def _empty() -> sqlite3.Connection:
    """A record with nothing in it, in memory: what a file is that was begun and has no tables yet."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    schema.migrate(connection, "memory")
    return connection


def _dated(connection: sqlite3.Connection, recording: int) -> dict[str, str]:
    """When a recording began, where that became known while it ran (``events.dated``)."""
    query = "SELECT body FROM events WHERE recording = ? AND body LIKE ? ORDER BY seq DESC LIMIT 1"
    row = connection.execute(query, [recording, f'%"details":["{DATED}",%']).fetchone()
    return {} if row is None else {"started": json.loads(row[0])["details"][1]}


def _has(meta: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(key in meta and meta[key] == value for key, value in wanted.items())
