"""A large record: ``python -m tests.bench.records [--matches 10000]``.

The matches are some simulated ones over and over, with other names and dates. Times are wall times; beside them stands
a reference loop, a million additions in Python, which tells how fast the machine was meanwhile (some 40 ms on an idle
one).
"""

import argparse
import contextlib
import io
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from companion.cli import main as companion
from companion.records import Store
from companion.records.health import damage
from companion.records.store import to_body
from companion.records.summaries import Wanted, history, refresh, totals
from companion.records.upkeep import backup
from tests.records.games import play_game

LIMIT_S = 0.3
GAMES = 40
PLAYERS = 60


def timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def reference_loop() -> float:
    def loop() -> None:
        total = 0
        for number in range(1_000_000):
            total += number

    return timed(loop)


def fill(path: Path, matches: int) -> None:
    """Make a record with so many matches; Анна plays in each."""
    dice = random.Random(9)
    names = ("long", "short", "tabla", "fevga")
    games = [(names[n % 4], [to_body(e) for e in play_game(n, names[n % 4])]) for n in range(GAMES)]
    with Store.open(path) as store, store.transaction():
        for number in range(matches):
            game, bodies = games[number % GAMES]
            day = f"20{20 + number % 7}-{number % 12 + 1:02}-{number % 28 + 1:02}T19:00:00+00:00"
            players = {"white": "Анна", "black": f"Player {dice.randrange(PLAYERS)}"}
            store.append_bodies(store.begin({"game": game, "started": day, "players": players}), bodies)


def row(name: str, call: Callable[[], object], limit_s: float | None = LIMIT_S) -> bool:
    """Print the best of five times beside the reference loop; whether it is under the limit."""
    pairs = [(timed(call), reference_loop()) for _ in range(5 if limit_s else 1)]
    best, loop = min(pairs)
    verdict = "" if limit_s is None else "  ok" if best < limit_s else f"  OVER {1000 * limit_s:.0f} ms"
    print(f"{name:<52} {1000 * best:9.1f} ms   reference loop {1000 * loop:6.1f} ms{verdict}", flush=True)
    return limit_s is None or best < limit_s


def quietly(*arguments: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        assert companion(list(arguments)) == 0


def main() -> int:
    """Measure; 1 when history or statistics are over the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.sqlite"
        row(f"write {matches} matches", lambda: fill(path, matches), None)
        print(f"{'':<52} {os.path.getsize(path) / 1e6:9.1f} MB")
        with Store.open(path) as store:
            row("count them once", lambda: refresh(store), None)
            within = [
                row("history, all lines", lambda: history(store)),
                row("history of one player, one month", lambda: history(store, Wanted("player 7", None, "2026-11"))),
                row("statistics of the player of every match", lambda: totals(store, Wanted("анна"))),
                row(
                    "statistics of one player, from a day on",
                    lambda: totals(store, Wanted("player 7", None, "2024-02-03")),
                ),
                row("statistics of everybody", lambda: totals(store)),
            ]
        within += [
            row("companion history", lambda: quietly("history", "--record", folder)),
            row("companion stats --player", lambda: quietly("stats", "--player", "Анна", "--record", folder)),
        ]
        with Store.open(path) as store:
            row(
                "one more play, with its sums struck out",
                lambda: store.append_bodies(matches, ['{"event":"gap","t":1}']),
            )
        row("check at start", lambda: damage(path), None)
        row("backup", lambda: backup(path, Path(folder) / "backups"), None)
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
