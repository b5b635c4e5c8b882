"""Copies of a record, and how people are forgotten."""

import datetime
import json
import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.errors import RecordError
from companion.records import ledger, schema
from companion.records.files import told
from companion.records.ledger import folded
from companion.records.pictures import Pictures, pictures_file
from companion.records.store import Recording, Store, to_body

COPIES = "record-*.sqlite"


def backup(path: Path, folder: Path, keep: int = 7) -> Path:
    """Copy the record at ``path``, also while it is being written, into a new file in ``folder``; keep the newest.

    The copy is checked and on the disk before older ones are deleted. Raises RecordError when it cannot be made.
    """
    with told(folder):
        folder.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%S")
    target, partial = folder / f"record-{now}.sqlite", folder / f".record-{now}.partial"
    with Store.open(path, write=False) as store, told(partial):
        partial.unlink(missing_ok=True)
        copy = sqlite3.connect(partial, isolation_level=None)
        try:
            with store.reading() as connection:
                connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
            found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
        finally:
            copy.close()
        if found != "ok":
            partial.unlink()
            raise RecordError(f"{path}: the record is damaged, and was not copied: {found}")
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(partial, target)
    for old in sorted(folder.glob(COPIES))[: -max(keep, 1)]:
        old.unlink()
    return target


def of_player(store: Store, name: str) -> list[Recording]:
    """The recordings that name a player."""
    return [recording for recording in store.recordings() if _names(recording.meta, folded(name))]


def forget_player(store: Store, name: str, *, games: bool = False) -> list[int]:
    """Take a player out of the record: the name, and every picture of the recordings that had it.

    The games stay, so that the opponents keep theirs, as those of somebody without a name; with ``games`` they go too.
    Nothing of it is left in the file. Returns the recordings.
    """
    recordings = of_player(store, name)
    numbers = [recording.id for recording in recordings]
    if not recordings:
        return []
    with store.transaction() as connection:
        connection.execute("PRAGMA secure_delete = ON")
        schema.unlock(connection)
        for recording in recordings:
            ledger.strike(connection, recording.id)
            if games:
                _delete(connection, recording.id)
            else:
                meta = to_body(_without(recording.meta, folded(name)))
                connection.execute("UPDATE recordings SET meta = ? WHERE id = ?", [meta, recording.id])
        connection.execute("DELETE FROM sums WHERE player = ?", [folded(name)])
        schema.lock(connection)
    _scrub(store)
    if pictures_file(store.path).is_file():
        with Pictures.open(store.path) as pictures:
            pictures.forget(numbers)
    return numbers


def forget_pictures(path: Path) -> int:
    """Delete all pictures beside a record, and say how many there were."""
    if not pictures_file(path).is_file():
        return 0
    with Pictures.open(path) as pictures:
        return pictures.forget()


def _delete(connection: sqlite3.Connection, recording: int) -> None:
    for table in ("events", "inputs", "corrected", "versions", "evidence", "analyses"):
        connection.execute(f"DELETE FROM {table} WHERE recording = ?", [recording])
    connection.execute("DELETE FROM recordings WHERE id = ?", [recording])


def _scrub(store: Store) -> None:
    """Write the file anew, so that nothing deleted is left between its pages or in its log."""
    with store.reading() as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _names(value: Any, name: str) -> bool:
    """Whether the name stands anywhere in the meta of a recording."""
    if isinstance(value, str):
        return folded(value) == name
    if isinstance(value, Mapping):
        return any(_names(each, name) for each in value.values())
    return isinstance(value, list) and any(_names(each, name) for each in value)


def _without(value: Any, name: str) -> Any:
    """The meta with nothing in place of the name."""
    if isinstance(value, str):
        return None if folded(value) == name else value
    if isinstance(value, Mapping):
        return {key: _without(each, name) for key, each in value.items()}
    return [_without(each, name) for each in value] if isinstance(value, list) else json.loads(json.dumps(value))
