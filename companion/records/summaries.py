"""The history and the statistics of many recordings, from what each adds up to.

What a recording adds up to is kept beside it and thrown away when it grows or is corrected, in the same transaction;
whoever asks next counts it again. So it can never be out of step with the events.
"""

import datetime
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import RecordError, RecordUnwritable
from companion.events import Event
from companion.layout import Player
from companion.records import ledger
from companion.records.files import told
from companion.records.ledger import folded
from companion.records.store import Store
from companion.records.tally import PLAYERS, UNCOUNTED, Summary, Tally, add_up

AT_ONCE = 50
"""So many recordings are kept in one transaction."""
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


def history(store: Store, wanted: Wanted | None = None) -> list[Summary]:
    """The lines of all recordings that are meant, oldest first."""
    wanted = wanted or Wanted()
    fresh = [line for line, _ in refresh(store) if wanted.admits(line)]
    kept: list[Summary] = []
    if store.schema > 1:
        where, values = _where(wanted, "started")
        if wanted.player is not None:
            where.append("recording IN (SELECT recording FROM tallies WHERE player = ?)")
            values.append(folded(wanted.player))
        query = f"SELECT {ledger.COLUMNS} FROM summaries{_all(where)} ORDER BY recording"
        with store.reading() as connection:
            kept = list(map(Summary._make, connection.execute(query, values)))
    return sorted([*kept, *fresh]) if fresh else kept


def totals(store: Store, wanted: Wanted | None = None) -> Tally:
    """The sum of the tallies of a player, or of everybody when no player is named."""
    wanted = wanted or Wanted()
    total: Counter[str] = Counter()
    for line, tallies in refresh(store):
        for player in _sides(line, wanted):
            total.update(tallies[player])
    if store.schema > 1:
        days = any(bound is not None and len(bound) > len("2026-11") for bound in (wanted.since, wanted.until))
        total.update(_of_days(store, wanted) if days else _of_months(store, wanted))
    return {key: count for key, count in sorted(total.items()) if count}


def _of_months(store: Store, wanted: Wanted) -> Tally:
    where, values = _where(wanted, "month")
    if wanted.player is not None:
        where.append("player = ?")
        values.append(folded(wanted.player))
    with store.reading() as connection:
        return dict(
            connection.execute(f"SELECT key, sum(count) FROM sums{_all(where)} GROUP BY key", values).fetchall()
        )


def _of_days(store: Store, wanted: Wanted) -> Tally:
    where, values = _where(wanted, "started")
    if wanted.player is not None:
        where.append("player = ?")
        values.append(folded(wanted.player))
    total: Counter[str] = Counter()
    with store.reading() as connection:
        for (counts,) in connection.execute(f"SELECT counts FROM tallies{_all(where)}", values):
            total.update(json.loads(counts))
    return total


def _where(wanted: Wanted, date: str) -> tuple[list[str], list[str]]:
    """The tests for game and date, and their values."""
    tests = {
        "game = ?": wanted.game,
        f"{date} >= ?": wanted.since,
        f"{date} < ?": None if wanted.until is None else wanted.until + "~",  # after everything of that day
    }
    given = {test: value for test, value in tests.items() if value is not None}
    return list(given), list(given.values())


def _all(tests: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(tests)}" if tests else ""


def _sides(line: Summary, wanted: Wanted) -> Sequence[Player]:
    if not wanted.admits(line):
        return ()
    names = {"white": folded(line.white), "black": folded(line.black)}
    return [p for p in PLAYERS if wanted.player is None or names[p] == folded(wanted.player)]


def refresh(store: Store, only: Sequence[int] | None = None) -> list[Counted]:
    """Count what was not counted yet (or ``only`` these recordings) and keep it; answer with what could not be kept.

    Few at a time, so that somebody who is recording waits for moments only.
    """
    left: list[Counted] = []
    numbers = _uncounted(store) if only is None else only
    for start in range(0, len(numbers), AT_ONCE):
        counted = [_count(store, number) for number in numbers[start : start + AT_ONCE]]
        left += [] if _kept(store, counted) else counted
    return left


def _kept(store: Store, counted: Sequence[Counted]) -> bool:
    """Whether these could be kept; if not, they are counted again next time."""
    if store.schema < 2 or not store.can_write:
        return False
    try:
        with store.transaction() as connection:
            for line, tallies in counted:
                ledger.strike(connection, line.recording)  # somebody else may have counted it meanwhile
                ledger.enter(connection, line, tallies)
    except RecordUnwritable:
        return False
    return True


def _uncounted(store: Store) -> list[int]:
    query = "SELECT id FROM recordings"
    if store.schema > 1:
        query += " WHERE id NOT IN (SELECT recording FROM summaries)"
    with store.reading() as connection:
        return [number for (number,) in connection.execute(f"{query} ORDER BY id")]


def _count(store: Store, number: int) -> Counted:
    corrections = len(store.versions(number)) - 1
    lines = [line for line in store.lines(number) if not any(kind in line for kind in UNCOUNTED)]
    with told(store.path):
        events = [Event.from_json(json.loads(line)) for line in lines]
    return add_up(number, store.recording(number).meta, events, corrections)
