"""The record: one SQLite file that only grows, and that a power cut cannot damage.

The file is in WAL mode and every commit waits until it is on the disk (``synchronous = FULL``): what
``append`` has returned from is not lost, and a commit that was cut off leaves no trace.
"""

import json
import os
import sqlite3
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from companion.errors import RecordError
from companion.events import Event
from companion.inputs import Input
from companion.records import schema

FILE_NAME = "record.sqlite"
_BUSY_S = 5.0

Table = Literal["events", "inputs"]


@dataclass(frozen=True)
class Recording:
    """One recording of a store: a table watched, or a film replayed, from start to end.

    ``meta`` is what its writer said about it: ``source``, ``game``, ``options``, ``layout``, ``started``,
    ``program``.
    """

    id: int
    meta: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"id": self.id, **self.meta}


def record_file(path: Path) -> Path:
    """The record that a person means by a folder or a file."""
    return path / FILE_NAME if path.is_dir() else path


def to_body(item: Event | Input | Mapping[str, Any]) -> str:
    """The stored form: JSON in one line. Equal items give equal bodies, to the byte."""
    data = item.to_json() if isinstance(item, Event | Input) else item
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


class Store:
    """An open record. Use :meth:`open`; it is a context manager, and ``close`` may be called twice."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    @classmethod
    def open(cls, path: Path, *, write: bool = True) -> Self:
        """Open the record at ``path`` (a file, or a folder that holds ``record.sqlite``), and make it when it
        is missing.

        With ``write=False`` it must be there and is not changed. Raises RecordError when it is missing,
        damaged, locked, newer than the program or no record at all.
        """
        path = record_file(path)
        if write:
            with _told(path):
                path.parent.mkdir(parents=True, exist_ok=True)
        elif not path.is_file():
            raise RecordError(f"{path}: expected a record, got no such file")
        with _told(path):
            connection = _connect(path, write)
        try:
            with _told(path):
                _prepare(connection, path, write)
        except RecordError:
            connection.close()
            raise
        return cls(connection, path)

    def begin(self, meta: Mapping[str, Any]) -> int:
        """Add a recording and return its id."""
        with self._transaction():
            row = self._connection.execute("INSERT INTO recordings (meta) VALUES (?) RETURNING id", [to_body(meta)])
            return int(row.fetchone()[0])

    def append(self, recording: int, events: Sequence[Event] = (), inputs: Sequence[Input] = ()) -> None:
        """Add events and inputs to the end of a recording, all of them or none."""
        if events or inputs:
            self.append_bodies(recording, [to_body(e) for e in events], [to_body(i) for i in inputs])

    def append_bodies(self, recording: int, events: Sequence[str], inputs: Sequence[str] = ()) -> None:
        """:meth:`append` for what is already in its stored form."""
        with self._transaction():
            self._insert("events", recording, events)
            self._insert("inputs", recording, inputs)

    def recordings(self) -> list[Recording]:
        """All recordings, oldest first."""
        with _told(self.path):
            rows = self._connection.execute("SELECT id, meta FROM recordings ORDER BY id").fetchall()
            return [Recording(number, json.loads(meta)) for number, meta in rows]

    def find(self, **wanted: Any) -> Recording | None:
        """The latest recording whose meta has these values (``find(source="game.mp4")``), or None."""
        plain = json.loads(to_body(wanted))
        return next((r for r in reversed(self.recordings()) if _has(r.meta, plain)), None)

    def bodies(self, table: Table, recording: int) -> list[str]:
        """The stored lines of a recording, in order."""
        with _told(self.path):
            query = f"SELECT body FROM {table} WHERE recording = ? ORDER BY seq"
            return [body for (body,) in self._connection.execute(query, [recording])]

    def events(self, recording: int) -> list[Event]:
        """The events of a recording, in order."""
        with _told(self.path):
            return [Event.from_json(json.loads(body)) for body in self.bodies("events", recording)]

    def inputs(self, recording: int) -> list[Input]:
        """The inputs of a recording, in order."""
        with _told(self.path):
            return [Input.from_json(json.loads(body)) for body in self.bodies("inputs", recording)]

    def close(self) -> None:
        """Close the file; the second call does nothing."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _insert(self, table: Table, recording: int, bodies: Sequence[str]) -> None:
        query = f"SELECT coalesce(max(seq), -1) + 1 FROM {table} WHERE recording = ?"
        start = self._connection.execute(query, [recording]).fetchone()[0]
        rows = [(recording, start + i, body) for i, body in enumerate(bodies)]
        self._connection.executemany(f"INSERT INTO {table} (recording, seq, body) VALUES (?, ?, ?)", rows)


def _has(meta: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(key in meta and meta[key] == value for key, value in wanted.items())


def _connect(path: Path, write: bool) -> sqlite3.Connection:
    # A reader needs write access to the folder for the WAL's index; where it has none (a record on a
    # read-only stick), the file cannot change either, and SQLite is told so.
    mode = "rwc" if write else "rw" if _writable(path) else "ro&immutable=1"
    uri = f"file:{_quoted(path)}?mode={mode}"
    # The pipeline's thread writes, the page's thread may close: SQLite itself serialises, transactions are
    # ours.
    return sqlite3.connect(uri, uri=True, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)


def _prepare(connection: sqlite3.Connection, path: Path, write: bool) -> None:
    """Check that the file is a record, and make it one when it is new."""
    if write:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        schema.create(connection)
    schema.check(connection, str(path))


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what SQLite and the disk say into one line that names the file."""
    try:
        yield
    except RecordError:
        raise
    except sqlite3.OperationalError as error:
        busy = "locked" in str(error) or "busy" in str(error)
        raise RecordError(f"{path}: {'another program is writing to this record' if busy else error}") from error
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise RecordError(f"{path}: not a record, or damaged: {error}") from error
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from error


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _quoted(path: Path) -> str:
    return urllib.parse.quote(str(path.absolute()))
