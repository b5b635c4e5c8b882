"""How fast the rules are: all end positions beside OpenSpiel's, and verdicts, on the oracle's records.

python tests/bench/rules.py [--data ../shared/data] [--limit N]

OpenSpiel (``pip install open-spiel``) is used when it can be imported. Everything runs in this one process. The
reference loop, a million additions in Python, tells how fast the machine was meanwhile.
"""

import argparse
import gzip
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.rules import GAMES, Position, get_game

Record = dict[str, Any]


def records(path: Path, limit: int | None = None) -> Iterator[Record]:
    with gzip.open(path, "rt") as lines:
        for number, line in enumerate(lines):
            if limit and number >= limit:
                return
            yield json.loads(line)


def timed(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def reference_loop() -> float:
    def loop() -> None:
        total = 0
        for number in range(1_000_000):
            total += number

    return min(timed(loop) for _ in range(5))


def line(name: str, times: list[float]) -> None:
    times = sorted(times)
    median, p99 = times[len(times) // 2], times[min(len(times) - 1, int(0.99 * len(times)))]
    named = (("median", median), ("p99", p99), ("max", times[-1]))
    shown = "".join(f"  {what} {1e3 * value:8.3f} ms" for what, value in named)
    print(f"{name:<40} n {len(times):5}{shown}")


def bench_plays(data: Path, limit: int | None) -> None:
    for name in ("short", "long"):
        game = get_game(name, {"second_player_any_double": False} if name == "long" else None)
        times = []
        for record in records(data / "oracle" / f"{name}-dev.jsonl.gz", limit):
            board, dice, first = Position.from_json(record["board"]), record["dice"], record.get("first_turn", False)
            times.append(timed(lambda g=game, b=board, d=dice, f=first: g.plays(b, d, first_turn=f)))
        line(f"all end positions, {name}", times)


def bench_openspiel(data: Path, limit: int | None) -> None:
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed: pip install open-spiel")
        return
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    times = []
    for record in records(data / "oracle" / "short-dev-openspiel-histories.jsonl.gz", limit):
        state = game.new_initial_state()
        for action in record["actions"]:
            state.apply_action(action)
        times.append(timed(lambda s=state: openspiel_ends(s)))
    line("all end positions, OpenSpiel backgammon", times)


def openspiel_ends(state: Any) -> set[tuple[int, ...]]:
    """The distinct end positions; OpenSpiel plays a double as two actions."""
    player, ends, half = state.current_player(), set(), {}
    for action in state.legal_actions():
        child = state.child(action)
        if child.is_terminal() or child.is_chance_node() or child.current_player() != player:
            ends.add(openspiel_board(child, player))
        else:
            half.setdefault(openspiel_board(child, player), child)
    for child in half.values():
        ends.update(openspiel_board(child.child(action), player) for action in child.legal_actions())
    return ends


def openspiel_board(state: Any, player: int) -> tuple[int, ...]:
    points = range(23, -1, -1) if player == 0 else range(24)
    mine = [state.board(player, point) for point in points]
    theirs = [state.board(1 - player, point) for point in points]
    return (*mine, state.board(player, 100), *theirs, state.board(1 - player, 100))


def judged(data: Path, limit: int | None) -> Iterator[tuple[str, Record, Any, Any]]:
    """Game, record, position before and position after: legal ends, sampled ends, unfinished plays, and anything."""
    rng = random.Random(3)
    seen: dict[str, Any] = {}
    for path in sorted((data / "oracle").glob("*-dev.jsonl.gz")) + sorted((data / "oracle" / "variants").glob("*.gz")):
        for record in records(path, limit):
            name, before = record.get("game", ""), record.get("board") or record.get("before")
            if name not in GAMES or before is None:
                continue
            if "after" in record:
                afters = [record["after"]]
            elif "candidates" in record:
                afters = [candidate["board"] for candidate in record["candidates"]]
            else:
                ends = record["legal"]
                afters = [before, seen.get(name, before), *rng.sample(ends, min(2, len(ends)))]
            seen[name] = before
            for after in afters:
                yield name, record, Position.from_json(before), Position.from_json(after)


def bench_judge(data: Path, limit: int | None) -> None:
    times: dict[str, list[float]] = {name: [] for name in GAMES}
    ones: list[float] = []
    for name, record, before, after in judged(data, limit):
        for played in {"short": ("short", "tabla"), "long": ("long", "nardgammon")}.get(name, (name,)):
            game = get_game(played, record.get("options") if played == name else None)
            turn = {key: record.get(key, False) for key in ("first_turn", "second_player")}
            spent = timed(lambda g=game, b=before, d=record["dice"], a=after, t=turn: g.judge(b, d, a, **t))
            times[played].append(spent)
            if played == "mad" and record["dice"] == [1, 1]:
                ones.append(spent)
    for name, each in times.items():
        line(f"judge, {name}", each)
    line("judge, mad, 1-1 only", ones)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--limit", type=int, help="only so many records of each file")
    options = parser.parse_args()
    print(f"reference loop: {1e3 * reference_loop():.1f} ms for a million additions")
    bench_plays(options.data, options.limit)
    bench_openspiel(options.data, options.limit)
    bench_judge(options.data, options.limit)
    print(f"reference loop: {1e3 * reference_loop():.1f} ms for a million additions")


if __name__ == "__main__":
    main()
