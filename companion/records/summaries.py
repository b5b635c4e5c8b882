"""The history and the statistics of many recordings, from what each adds up to.

What a recording adds up to is kept beside it and thrown away when it grows or is corrected, in the same transaction;
whoever asks next counts it again. So it can never be out of step with the events.
"""

import datetime
import json
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields

from companion.errors import RecordError, RecordUnwritable
from companion.layout import Player
from companion.records.store import Store
from companion.records.tally import PLAYERS, Summary, Tally, add_up

_COLUMNS = ", ".join(f.name for f in fields(Summary))
_MARKS = ", ".join("?" for _ in fields(Summary))
Counted = tuple[Summary, dict[Player, Tally]]


@dataclass(frozen=True)
class Wanted:
    """Which recordings are meant: those of a player (a name, in small or capital letters), of a game, from a day to a
    day (``2026``, ``2026-11``, ``2026-11-29``; both included). None and empty mean all.
    """

    player: str | None = None
    game: str | None = None
    since: str | None = None
    until: str | None = None

    def admits(self, line: Summary) -> bool:
        """Whether a recording is meant."""
        names = (folded(line.white), folded(line.black))
        return (
            (self.player is None or folded(self.player) in names)
            and self.game in (None, line.game)
            and (self.since is None or line.started >= self.since)
            and (self.until is None or line.started[: len(self.until)] <= self.until)
        )


def day(text: str, option: str) -> str:
    """A year, a month or a day as it can be compared; raises RecordError for anything else."""
    for form in ("%Y", "%Y-%m", "%Y-%m-%d"):
        try:
            return datetime.datetime.strptime(text, form).strftime(form)
        except ValueError:
            continue
    raise RecordError(f"{option}: expected a date such as 2026-11-29, 2026-11 or 2026, got {text!r}")


def folded(name: str) -> str:
    """A name as names are compared: in any letters, however it was typed."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def history(store: Store, wanted: Wanted | None = None) -> list[Summary]:
    """The lines of all recordings that are meant, oldest first."""
    fresh = refresh(store)
    lines = [summary for summary, _ in fresh]
    if store.schema > 1:
        with store.reading() as connection:
            lines += [Summary(*row) for row in connection.execute(f"SELECT {_COLUMNS} FROM summaries")]
    chosen = lines if wanted is None else [line for line in lines if wanted.admits(line)]
    return sorted(chosen, key=lambda line: line.recording)


def totals(store: Store, wanted: Wanted | None = None) -> Tally:
    """The sum of the tallies of a player, or of everybody when no player is named."""
    wanted = wanted or Wanted()
    total: Counter[str] = Counter()
    for line, tallies in refresh(store):
        for player in _sides(line, wanted):
            total.update(tallies[player])
    for counts in _stored(store, wanted):
        for key, count in json.loads(counts).items():
            total[key] += count
    return total


def _sides(line: Summary, wanted: Wanted) -> Sequence[Player]:
    if not wanted.admits(line):
        return ()
    names = {"white": folded(line.white), "black": folded(line.black)}
    return [p for p in PLAYERS if wanted.player is None or names[p] == folded(wanted.player)]


def _stored(store: Store, wanted: Wanted) -> Iterable[str]:
    if store.schema < 2:
        return []
    tests = {
        "player = ?": None if wanted.player is None else folded(wanted.player),
        "game = ?": wanted.game,
        "started >= ?": wanted.since,
        "started < ?": None if wanted.until is None else wanted.until + "~",  # after everything of that day
    }
    given = {test: value for test, value in tests.items() if value is not None}
    where = f" WHERE {' AND '.join(given)}" if given else ""
    with store.reading() as connection:
        rows = connection.execute(f"SELECT counts FROM tallies{where}", list(given.values())).fetchall()
    return [counts for (counts,) in rows]


def refresh(store: Store) -> list[Counted]:
    """Count what was not counted yet and keep it; answer with what could not be kept."""
    counted = [_count(store, number) for number in _uncounted(store)]
    if not counted or store.schema < 2 or not store.can_write:
        return counted
    try:
        with store.transaction() as connection:
            for each in counted:
                _keep(connection, each)
    except RecordUnwritable:  # somebody is writing, or the disk is full: it is counted again next time
        return counted
    return []


def _uncounted(store: Store) -> list[int]:
    query = "SELECT id FROM recordings"
    if store.schema > 1:
        query += " WHERE id NOT IN (SELECT recording FROM summaries)"
    with store.reading() as connection:
        return [number for (number,) in connection.execute(f"{query} ORDER BY id")]


def _count(store: Store, number: int) -> Counted:
    corrections = len(store.versions(number)) - 1
    return add_up(number, store.recording(number).meta, store.events(number), corrections)


def _keep(connection: sqlite3.Connection, counted: Counted) -> None:
    line, tallies = counted
    connection.execute(f"INSERT OR REPLACE INTO summaries ({_COLUMNS}) VALUES ({_MARKS})", astuple(line))
    for side, name in (("white", line.white), ("black", line.black)):
        counts = json.dumps(tallies[side], separators=(",", ":"))  # type: ignore[index]  # the two sides are the players
        row = (line.recording, side, folded(name), line.game, line.started, counts)
        connection.execute("INSERT OR REPLACE INTO tallies VALUES (?, ?, ?, ?, ?, ?)", row)
