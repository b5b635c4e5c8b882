"""The tables of a record, how older files become new ones, and the check that a file is one.

What happened is only ever added to: triggers refuse to change or delete it. A body is the JSON of an event or an input
as one line, so that a record can be read with any SQLite tool. ``summaries``, ``tallies`` and ``sums`` are made from
the rest and can be thrown away at any time.
"""

import sqlite3

from companion.errors import RecordError

APPLICATION_ID = 0x6E617264
"""``nard``: marks the file as one of ours (SQLite's ``application_id``)."""

_KEPT = ("recordings", "events", "inputs", "versions", "corrected", "evidence", "analyses")
"""The tables that only grow."""


def _append_only(*tables: str) -> tuple[str, ...]:
    return tuple(
        f"CREATE TRIGGER no_{verb}_of_{table} BEFORE {verb} ON {table}"
        " BEGIN SELECT RAISE(ABORT, 'a record only grows'); END"
        for table in tables
        for verb in ("update", "delete")
    )


_FIRST = (
    "CREATE TABLE recordings (id INTEGER PRIMARY KEY, meta TEXT NOT NULL) STRICT",
    *(
        f"CREATE TABLE {table} (recording INTEGER NOT NULL REFERENCES recordings (id), seq INTEGER NOT NULL,"
        " body TEXT NOT NULL, PRIMARY KEY (recording, seq)) STRICT, WITHOUT ROWID"
        for table in ("events", "inputs")
    ),
    *_append_only("recordings", "events", "inputs"),
    f"PRAGMA application_id = {APPLICATION_ID}",
)

# Corrections (each version is whole, and says how many of the events that were recorded it stands for), the hashes of
# pictures, and what the history and the statistics would otherwise have to count each time.
_SECOND = (
    "CREATE TABLE versions (recording INTEGER NOT NULL REFERENCES recordings (id), number INTEGER NOT NULL,"
    " made TEXT NOT NULL, edit TEXT NOT NULL, covers INTEGER NOT NULL, length INTEGER NOT NULL,"
    " PRIMARY KEY (recording, number)) STRICT, WITHOUT ROWID",
    "CREATE TABLE corrected (recording INTEGER NOT NULL REFERENCES recordings (id), version INTEGER NOT NULL,"
    " seq INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (recording, version, seq)) STRICT, WITHOUT ROWID",
    "CREATE TABLE evidence (recording INTEGER NOT NULL REFERENCES recordings (id), turn INTEGER NOT NULL,"
    " kind TEXT NOT NULL, t REAL NOT NULL, sha256 TEXT NOT NULL,"
    " PRIMARY KEY (recording, turn, kind, t)) STRICT, WITHOUT ROWID",
    "CREATE TABLE summaries (recording INTEGER PRIMARY KEY, started TEXT NOT NULL, game TEXT NOT NULL,"
    " white TEXT NOT NULL, black TEXT NOT NULL, plays INTEGER NOT NULL, illegal INTEGER NOT NULL,"
    " white_score INTEGER NOT NULL, black_score INTEGER NOT NULL, state TEXT NOT NULL, source TEXT NOT NULL,"
    " corrections INTEGER NOT NULL) STRICT",
    "CREATE TABLE tallies (recording INTEGER NOT NULL, side TEXT NOT NULL, player TEXT NOT NULL, game TEXT NOT NULL,"
    " started TEXT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (recording, side)) STRICT, WITHOUT ROWID",
    "CREATE INDEX tallies_of_player ON tallies (player, recording)",
    "CREATE TABLE sums (player TEXT NOT NULL, game TEXT NOT NULL, month TEXT NOT NULL, key TEXT NOT NULL,"
    " count INTEGER NOT NULL, PRIMARY KEY (player, game, month, key)) STRICT, WITHOUT ROWID",
    *_append_only("versions", "corrected", "evidence"),
)

# What an analysis said of the plays of one version of a recording.
_THIRD = (
    "CREATE TABLE analyses (recording INTEGER NOT NULL REFERENCES recordings (id), version INTEGER NOT NULL,"
    " number INTEGER NOT NULL, made TEXT NOT NULL, body TEXT NOT NULL,"
    " PRIMARY KEY (recording, version, number)) STRICT, WITHOUT ROWID",
    *_append_only("analyses"),
)
_STEPS = (_FIRST, _SECOND, _THIRD)
"""Step n makes a file of version n + 1 from one of version n; 0 is a new file."""

VERSION = len(_STEPS)
"""The version of these tables (SQLite's ``user_version``)."""


def migrate(connection: sqlite3.Connection, where: str) -> None:
    """Bring a new or older file to this version, all or nothing, also when two programs try at once.

    Raises RecordError when the file is something else or newer.
    """
    if _version(connection) == VERSION and _is_record(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statements in _STEPS[check(connection, where) :]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def check(connection: sqlite3.Connection, where: str) -> int:
    """The version of a record, 0 of a file that was begun and has no tables yet: the power went just then.

    Raises RecordError when the file is something else, or newer than the program.
    """
    if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        return 0
    if not _is_record(connection):
        raise RecordError(f"{where}: expected a record of companion, got another SQLite file")
    version = _version(connection)
    if not 1 <= version <= VERSION:
        raise RecordError(f"{where}: expected schema version {VERSION} or older, got {version}: update companion")
    return version


def unlock(connection: sqlite3.Connection) -> None:
    """Let a transaction change what is kept: for the people who want to be forgotten. :func:`lock` ends it."""
    for trigger in _triggers():
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger.split()[2]}")


def lock(connection: sqlite3.Connection) -> None:
    """What is kept only grows again."""
    for trigger in _triggers():
        connection.execute(trigger)


def _triggers() -> tuple[str, ...]:
    return _append_only(*_KEPT)


def _is_record(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
