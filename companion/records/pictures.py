"""Evidence pictures: the field and the dice of each turn, in a file of their own beside the record.

They are apart from the record so that whatever happens to them, the record is whole, and so that they can be deleted
with one command. There is a quota: when it is reached, the oldest pictures go first, but never those of a *flagged*
turn (an illegal play, a void roll, a gap, a play that was not certain, a turn that was corrected); when only such are
left, new ones are not kept. Pictures that are older than the age limit are deleted, flagged or not.
"""

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from companion import events as ev
from companion.closing import Closing
from companion.errors import RecordError, RecordUnwritable
from companion.records import files
from companion.records.files import told
from companion.records.store import Store

FILE_NAME = "pictures.sqlite"
APPLICATION_ID = 0x6E617270
"""``narp``: marks the file as one of ours."""

Kind = Literal["roll", "before", "illegal", "after"]
Take = Callable[[str], bytes | None]
"""Makes a picture (JPEG) of what is seen now, or None when nothing can be seen."""

MB = 1_000_000
DAY_S = 86_400.0
UNSURE = 0.9
"""A play that is less certain than this flags its turn."""

CLOCK_STARTED_S = 1_735_689_600.0
"""2025: a machine without a clock of its own thinks that it is earlier until it has heard the time."""

_TABLES = (
    "CREATE TABLE pictures (id INTEGER PRIMARY KEY, recording INTEGER NOT NULL, turn INTEGER NOT NULL,"
    " kind TEXT NOT NULL, t REAL NOT NULL, taken REAL, flagged INTEGER NOT NULL DEFAULT 0, sha256 TEXT NOT NULL,"
    " size INTEGER NOT NULL, jpeg BLOB NOT NULL, UNIQUE (recording, turn, kind, t)) STRICT",
    "CREATE INDEX pictures_by_size ON pictures (flagged, id, size)",
    "CREATE TABLE flags (recording INTEGER NOT NULL, turn INTEGER NOT NULL, PRIMARY KEY (recording, turn)) STRICT",
    f"PRAGMA application_id = {APPLICATION_ID}",
    "PRAGMA user_version = 1",
)


@dataclass(frozen=True)
class Limits:
    """How much is kept: ``quota_mb`` in millions of bytes, ``age_days`` in days."""

    quota_mb: float = 1000.0
    age_days: float = 90.0


@dataclass(frozen=True)
class Picture:
    """One picture: of which turn, what it shows, the time in the recording, its hash; ``jpeg`` are its bytes."""

    recording: int
    turn: int
    kind: str
    t: float
    sha256: str
    jpeg: bytes


class Pictures(Closing):
    """The open file of pictures; a context manager, and ``close`` may be called twice."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, limits: Limits, now: Callable[[], float] = time.time
    ) -> None:
        self.path = path
        self.limits = limits
        self._connection = connection
        self._now = now
        self._total = self._sum()
        self._expired: float | None = None

    @classmethod
    def open(cls, path: Path, limits: Limits | None = None, now: Callable[[], float] = time.time) -> Self:
        """Open the file ``pictures.sqlite`` (in the folder ``path``, or beside the record ``path``), and make it when
        it is missing; raises RecordError. With ``limits`` pictures that are too old are deleted, now and every day;
        who only looks gives none.
        """
        path = pictures_file(path)
        with told(path):
            connection = files.connect(path, write=True)
        try:
            with told(path):
                _prepare(connection)
                opened = cls(connection, path, limits or Limits(), now)
                if limits is not None:
                    opened.expire()
                return opened
        except RecordError:
            connection.close()
            raise

    @property
    def total(self) -> int:
        """The bytes of all pictures."""
        return self._total

    def keep(self, picture: Picture) -> bool:
        """Keep a picture; False when the quota is reached and nothing that may go is left, or it is there already."""
        size, now = len(picture.jpeg), self._now()
        if self._expired is not None and now - self._expired > DAY_S:  # a table that is never switched off
            self.expire()
        with self._changing() as connection:
            if not self._make_room(size):
                return False
            row = (
                picture.recording, picture.turn, picture.kind, round(picture.t, 3),
                now if now > CLOCK_STARTED_S else None, picture.recording, picture.turn, picture.sha256, size,
                picture.jpeg,
            )  # fmt: skip
            added = connection.execute(
                "INSERT OR IGNORE INTO pictures (recording, turn, kind, t, taken, flagged, sha256, size, jpeg) VALUES"
                " (?, ?, ?, ?, ?, EXISTS (SELECT 1 FROM flags WHERE recording = ? AND turn = ?), ?, ?, ?)",
                row,
            ).rowcount
            self._total += size * added
            return bool(added)

    def flag(self, recording: int, turn: int) -> None:
        """Never thin out the pictures of this turn, those that are kept and those that come."""
        with self._changing() as connection:
            connection.execute("INSERT OR IGNORE INTO flags VALUES (?, ?)", [recording, turn])
            connection.execute("UPDATE pictures SET flagged = 1 WHERE recording = ? AND turn = ?", [recording, turn])

    def of_turn(self, recording: int, turn: int, around: int = 0) -> list[Picture]:
        """The pictures of a turn, and of ``around`` turns before and after it, in order of time."""
        return list(self._read("recording = ? AND turn BETWEEN ? AND ?", recording, turn - around, turn + around))

    def of_recording(self, recording: int, kind: Kind = "after") -> list[Picture]:
        """All pictures of one kind of a recording, in order of time."""
        return list(self._read("recording = ? AND kind = ?", recording, kind))

    def expire(self) -> int:
        """Delete what is older than the age limit, and say how much; nothing while the clock is not set."""
        now = self._now()
        self._expired = now
        if now <= CLOCK_STARTED_S:
            return 0
        with self._changing() as connection:
            # What was taken before the clock was set is at most as old as now.
            connection.execute("UPDATE pictures SET taken = ? WHERE taken IS NULL OR taken > ?", [now, now])
            oldest = now - DAY_S * self.limits.age_days
            gone = connection.execute("DELETE FROM pictures WHERE taken < ?", [oldest]).rowcount
        self._total = self._sum()
        return gone

    def forget(self, recordings: Iterable[int] | None = None) -> int:
        """Delete the pictures of these recordings, or all, so that nothing of them is left in the file."""
        with self._changing() as connection:
            if recordings is None:
                gone = connection.execute("DELETE FROM pictures").rowcount
                connection.execute("DELETE FROM flags")
            else:
                numbers = [(number,) for number in recordings]
                gone = connection.executemany("DELETE FROM pictures WHERE recording = ?", numbers).rowcount
                connection.executemany("DELETE FROM flags WHERE recording = ?", numbers)
        with told(self.path):
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._total = self._sum()
        return max(gone, 0)

    def close(self) -> None:
        """Close the file; the second call does nothing."""
        self._connection.close()

    def _read(self, where: str, *values: int | str) -> Iterator[Picture]:
        query = f"SELECT recording, turn, kind, t, sha256, jpeg FROM pictures WHERE {where} ORDER BY t, id"
        with told(self.path):
            for row in self._connection.execute(query, values):
                yield Picture(*row)

    def _make_room(self, size: int) -> bool:
        """Thin out, oldest first, until a picture of this size fits."""
        quota = int(self.limits.quota_mb * MB)
        while self._total + size > quota:
            gone = self._connection.execute(
                "DELETE FROM pictures WHERE id = (SELECT min(id) FROM pictures WHERE flagged = 0) RETURNING size"
            ).fetchall()
            if not gone:
                return False
            self._total -= gone[0][0]
        return True

    def _sum(self) -> int:
        with told(self.path):
            return int(self._connection.execute("SELECT coalesce(sum(size), 0) FROM pictures").fetchone()[0])

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        before = self._total
        try:
            with told(self.path), files.transaction(self._connection) as connection:
                yield connection
        except BaseException:
            self._total = before
            raise


class Album:
    """Decides which pictures of a game are kept, and keeps them; the game goes on when that fails.

    ``turn`` is the number of the play that comes next.
    """

    def __init__(
        self, pictures: Pictures, store: Store, recording: int, say: Callable[[str], None], *, turn: int = 1
    ) -> None:
        self.recording = recording
        self._pictures = pictures
        self._store = store
        self._say = say
        self._turn = turn
        self._told = False

    @property
    def limits(self) -> Limits:
        """How much is kept, and for how long."""
        return self._pictures.limits

    def see(self, events: Sequence[ev.Event], t: float, take: Take) -> None:
        """These events came of what is seen now: keep the pictures that tell how."""
        for event in events:
            try:
                self._one(event, t, take, played=any(isinstance(e, ev.PlayMade) for e in events))
            except RecordError as error:
                self._complain(str(error))
            if isinstance(event, ev.PlayMade):
                self._turn += 1

    def _one(self, event: ev.Event, t: float, take: Take, *, played: bool) -> None:
        if _doubtful(event):
            self._pictures.flag(self.recording, self._turn)
        for kind in _kinds(event, played=played):
            jpeg = take(kind)
            if jpeg is None:
                continue
            sha256 = hashlib.sha256(jpeg).hexdigest()
            if self._pictures.keep(Picture(self.recording, self._turn, kind, t, sha256, jpeg)):
                self._store.witness(self.recording, self._turn, kind, t, sha256)
            elif self._pictures.total + len(jpeg) > self._pictures.limits.quota_mb * MB:
                self._complain(f"{self._pictures.path}: the quota is reached by pictures of doubtful turns")

    def _complain(self, why: str) -> None:
        if not self._told:
            self._told = True
            self._say(f"{why}: the game goes on without new pictures")


def pictures_file(path: Path) -> Path:
    """The file of pictures in a folder, or beside a record."""
    return (path if path.is_dir() else path.parent) / FILE_NAME


def _kinds(event: ev.Event, *, played: bool) -> tuple[Kind, ...]:
    """Which pictures an event is worth; where the play is over already, the board before it is no longer there."""
    match event:
        case ev.Rolled() | ev.VoidRoll():
            return ("roll",) if played else ("roll", "before")
        case ev.IllegalPlay():
            return ("illegal",)
        case ev.PlayMade() | ev.Gap():
            return ("after",)
    return ()


def _doubtful(event: ev.Event) -> bool:
    match event:
        case ev.IllegalPlay() | ev.VoidRoll() | ev.Gap() | ev.TakenBack():
            return True
        case ev.PlayMade():
            return event.verdict == "illegal" or (event.confidence is not None and event.confidence < UNSURE)
        case ev.CubeAction():
            return event.flagged
    return False


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA secure_delete = ON")  # a picture that was deleted is gone
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")  # the last pictures may go with the power, the record does not
    found = connection.execute("PRAGMA application_id").fetchone()[0]
    if found == APPLICATION_ID:
        return
    with files.transaction(connection):
        if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            raise RecordError("expected a file of pictures, got another SQLite file")
        for statement in _TABLES:
            connection.execute(statement)


def open_or_renew(path: Path, say: Callable[[str], None], limits: Limits | None = None) -> Pictures | None:
    """The pictures for writing; a damaged file is deleted, and None is the answer where there can be none."""
    try:
        try:
            return Pictures.open(path, limits)
        except RecordUnwritable:
            raise
        except RecordError as error:
            if "another SQLite file" in str(error):
                raise
            for each in files.with_its_log(pictures_file(path)):
                each.unlink(missing_ok=True)
            say(f"{error}: the pictures are lost, the record is whole")
            return Pictures.open(path, limits)
    except RecordError as error:
        say(f"{error}: no pictures are kept")
        return None
