"""``legal``, ``judge`` and ``score`` as processes: whole random games through them, and their memory in a long stream.

python -m tests.bench.filters [--games 1] [--seed 1] [--lines 100000]

Games: every position is taken from ``legal`` and given to ``judge``, with positions that break one rule each. Lines: so
many through each command, drawn from the random games, with the resident memory on the way. Exit code 1 when a verdict
is not the expected one, an answer is an error, or the memory grows by more than a tenth after the first tenth.
"""

import argparse
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from companion.rules import GAMES, get_game
from tests.cli.played import played
from tests.rules.boards import play_out

Record = dict[str, Any]
SHOWN = (0.01, 0.1, 0.25, 0.5, 1)
GROWTH = 1.1


class Filter:
    """A command that answers line by line; ``with`` ends it."""

    def __init__(self, command: str) -> None:
        words = [sys.executable, "-m", "companion.cli", command]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> "Filter":
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def ask(self, record: Record) -> Record:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(record) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stream(self, lines: Iterator[str]) -> Iterator[str]:
        """The answers to lines that are written as fast as they are read."""

        def feed() -> None:
            assert self.process.stdin is not None
            for line in lines:
                self.process.stdin.write(line)
            self.process.stdin.close()

        threading.Thread(target=feed, daemon=True).start()
        assert self.process.stdout is not None
        yield from self.process.stdout

    def resident_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def bench_games(games: int, seed: int) -> bool:
    good = True
    with Filter("legal") as legal, Filter("judge") as judge:
        for name in GAMES:
            expected: Counter[str] = Counter()
            wrong = []
            for number in range(games):
                for each in played(name, seed + number, legal.ask, judge.ask):
                    expected[each.expected] += 1
                    wrong += [] if each.right else [each]
            counts = ", ".join(f"{count} {what}" for what, count in expected.most_common())
            print(f"{name}: {len(wrong)} wrong of {sum(expected.values())} verdicts: {counts}", flush=True)
            for each in wrong[:3]:
                print(f"  expected {each.expected}: {json.dumps(each.line)} -> {json.dumps(each.answer)}")
            good = good and not wrong
    return good


def lines_of(command: str) -> list[str]:
    """Lines from a random game of each kind; no doubles, so that a progression does not fill the time."""
    lines = []
    for name in GAMES:
        game = get_game(name)
        for part in play_out(game, 1):
            before, after = (game.seen(position, part.player).to_json() for position in (part.before, part.after))
            line: Record = {"game": name, "board": before, "dice": part.dice, "after": after}
            if command == "score":
                line = {"game": name, "loser_board": after, "loser": "black", "cube": 2}
            if isinstance(part.dice, tuple) and part.dice[0] != part.dice[1]:
                lines.append(json.dumps(line) + "\n")
    return lines


def bench_memory(command: str, count: int) -> bool:
    lines = lines_of(command)
    # Before the last answer: after it the process may have ended.
    at = {max(1, int(share * count) - 1): share for share in SHOWN}
    memory: dict[float, float] = {}
    errors, start = 0, time.monotonic()
    with Filter(command) as running:
        for number, answer in enumerate(running.stream(islice(cycle(lines), count)), 1):
            errors += '"error"' in answer[:40]
            if number in at:
                memory[at[number]] = running.resident_mb()
    shown = ", ".join(f"{mb:.1f} MB after {share:.0%}" for share, mb in sorted(memory.items()))
    print(f"{command}: {number} answers to {len(lines)} different lines, {errors} errors, ", end="")
    print(f"{time.monotonic() - start:.0f} s: {shown}", flush=True)
    return number == count and not errors and memory[1] <= GROWTH * memory[0.1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1, help="whole games of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=100_000, help="lines through each command")
    options = parser.parse_args()
    results = [bench_games(options.games, options.seed)] if options.games else []
    for command in ("legal", "judge", "score") if options.lines else ():
        results.append(bench_memory(command, options.lines))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
