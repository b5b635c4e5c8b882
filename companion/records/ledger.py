"""The counts beside the record: a line of the history for each recording, a tally for each side, and their sums.

``sums`` adds the tallies of a player up by game and month, so that the statistics of somebody with thousands of matches
are a few rows. All of it is made from the events, and struck out in the transaction that changes them.
"""

import json
import sqlite3
import unicodedata
from collections.abc import Mapping

from companion.layout import Player
from companion.records.tally import Summary, Tally

COLUMNS = ", ".join(Summary._fields)
_MARKS = ", ".join("?" for _ in Summary._fields)


def folded(name: str) -> str:
    """A name as names are compared: in any letters, however it was typed."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def enter(connection: sqlite3.Connection, line: Summary, tallies: Mapping[Player, Tally]) -> None:
    """Keep what a recording adds up to; nothing of it may be there."""
    connection.execute(f"INSERT INTO summaries ({COLUMNS}) VALUES ({_MARKS})", line)
    names: dict[Player, str] = {"white": line.white, "black": line.black}
    for side, name in names.items():
        counts = tallies[side]
        row = (line.recording, side, folded(name), line.game, line.started)
        text = json.dumps(counts, separators=(",", ":"))
        connection.execute("INSERT INTO tallies VALUES (?, ?, ?, ?, ?, ?)", (*row, text))
        _add(connection, folded(name), line.game, line.started, counts, 1)


def strike(connection: sqlite3.Connection, recording: int) -> None:
    """What was counted of this recording no longer holds."""
    connection.execute("DELETE FROM summaries WHERE recording = ?", [recording])
    query = "DELETE FROM tallies WHERE recording = ? RETURNING player, game, started, counts"
    for player, game, started, counts in connection.execute(query, [recording]).fetchall():
        _add(connection, player, game, started, json.loads(counts), -1)


def _add(
    connection: sqlite3.Connection, player: str, game: str, started: str, counts: Mapping[str, int], sign: int
) -> None:
    rows = [(player, game, started[:7], key, sign * count) for key, count in counts.items()]
    connection.executemany(
        "INSERT INTO sums VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count", rows
    )
