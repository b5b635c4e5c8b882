"""SQLite files: how they are opened, and how what goes wrong is said in one line that names the file."""

import os
import sqlite3
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import RecordError, RecordUnwritable

BUSY_S = 5.0
"""So long a program waits for another one that is writing."""

_NOT_NOW = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
)
_SHOWN = 200
_BESIDE = ("", "-wal", "-shm", "-journal")


def connect(path: Path, write: bool, busy_s: float = BUSY_S) -> sqlite3.Connection:
    """Open a file, and make it when it is missing and ``write`` is wanted; transactions are the caller's."""
    # A reader needs write access to the folder for the WAL's index; where it has none (a record on a read-only
    # stick), the file cannot change either, and SQLite is told so.
    mode = "rwc" if write else "rw" if writable(path) else "ro&immutable=1"
    uri = f"file:{urllib.parse.quote(str(path.absolute()))}?mode={mode}"
    # The pipeline's thread writes, the page's thread may close: SQLite itself serialises.
    return sqlite3.connect(uri, uri=True, timeout=busy_s, isolation_level=None, check_same_thread=False)


def writable(path: Path) -> bool:
    """Whether a file, and its folder, can be written to."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def with_its_log(path: Path) -> list[Path]:
    """A file of SQLite and those that may lie beside it."""
    return [Path(f"{path}{ending}") for ending in _BESIDE]


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """All or nothing; the outermost call counts."""
    if connection.in_transaction:
        yield connection
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk has rolled it back already
            connection.execute("ROLLBACK")
        raise


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what SQLite and the disk say into one line that names the file.

    RecordUnwritable when the file is whole and cannot be written now, else RecordError.
    """
    try:
        yield
    except RecordError:
        raise
    except sqlite3.Error as error:
        raise _in_words(path, error) from error
    except (ValueError, TypeError) as error:  # also where SQLite quotes what is no text
        raise RecordError(f"{path}: not a record, or damaged: {in_a_line(error)}") from error
    except OSError as error:
        raise RecordUnwritable(f"{path}: {(error.strerror or str(error)).lower()}") from error


def _in_words(path: Path, error: sqlite3.Error) -> RecordError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind, the others say more
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return RecordUnwritable(f"{path}: another program is writing to this record")
    if code == sqlite3.SQLITE_FULL:
        return RecordUnwritable(f"{path}: the disk is full")
    if code in _NOT_NOW:
        return RecordUnwritable(f"{path}: {in_a_line(error)}")
    return RecordError(f"{path}: not a record, or damaged: {in_a_line(error)}")


def in_a_line(error: Exception) -> str:
    """What an error says, in one line that can be printed: SQLite quotes what stands in a damaged file."""
    words = " ".join(str(error).split())
    plain = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in words)
    return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…"
