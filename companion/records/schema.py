"""The tables of a record, and the check that a file is one.

Only rows are ever added: triggers refuse to change or delete what is stored. A body is the JSON of an event
or an input as one line, so that a record can be read with any SQLite tool.
"""

import sqlite3

from companion.errors import RecordError

APPLICATION_ID = 0x6E617264
"""``nard``: marks the file as one of ours (SQLite's ``application_id``)."""

VERSION = 1
"""The version of these tables (SQLite's ``user_version``)."""

_TABLES = (
    "CREATE TABLE recordings (id INTEGER PRIMARY KEY, meta TEXT NOT NULL) STRICT",
    *(
        f"CREATE TABLE {table} (recording INTEGER NOT NULL REFERENCES recordings (id), seq INTEGER NOT NULL,"
        " body TEXT NOT NULL, PRIMARY KEY (recording, seq)) STRICT, WITHOUT ROWID"
        for table in ("events", "inputs")
    ),
)
_APPEND_ONLY = tuple(
    f"CREATE TRIGGER no_{verb}_of_{table} BEFORE {verb} ON {table}"
    " BEGIN SELECT RAISE(ABORT, 'a record only grows'); END"
    for table in ("recordings", "events", "inputs")
    for verb in ("update", "delete")
)
_MARKS = (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {VERSION}")


def create(connection: sqlite3.Connection) -> None:
    """Make the tables if the file has none yet, all or nothing, also when two programs try at once."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            for statement in (*_TABLES, *_APPEND_ONLY, *_MARKS):
                connection.execute(statement)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def check(connection: sqlite3.Connection, where: str) -> None:
    """Raise RecordError when the file is something else, or was written by a newer version of the program."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise RecordError(f"{where}: expected a record of companion, got another SQLite file")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise RecordError(f"{where}: expected schema version {VERSION} or older, got {version}: update companion")
