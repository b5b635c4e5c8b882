"""The rules on all of the oracle's records: do they agree, and how fast are they?

python -m tests.bench.rules [--data ../shared/data] [--limit N] [--parts agreement plays verdicts]

All end positions are timed beside OpenSpiel's (``pip install open-spiel``), record by record in this one process.
Times are processor times; the reference loop, a million additions in Python, is timed in between and tells how fast the
machine was meanwhile. Exit code 1 when a record disagrees or a target is missed.
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

from companion.rules import GAMES, Position, get_game
from tests.rules.oracle import differences

Record = dict[str, Any]
P99_TO_OPENSPIEL, MEDIAN_TO_OPENSPIEL = 1, 5
VERDICT_MS, ONES_MS = 20, 100
"""The targets: of all end positions in short nardy, and of verdicts (p99; the slowest 1-1 in mad nardy)."""


class Clock:
    """Times calls, and the reference loop after every hundredth of them."""

    def __init__(self) -> None:
        self.loops = [self._loop()]
        self.calls = 0

    def __call__(self, call: Callable[[], Any]) -> float:
        self.calls += 1
        if self.calls % 100 == 0:
            self.loops.append(self._loop())
        return self._time(call)

    def describe(self) -> str:
        loops = sorted(self.loops)
        return f"reference loop: median {1e3 * self.loop:.1f} ms, {1e3 * loops[0]:.1f} to {1e3 * loops[-1]:.1f} ms"

    @property
    def loop(self) -> float:
        """The median time of a million additions."""
        return sorted(self.loops)[len(self.loops) // 2]

    def _time(self, call: Callable[[], Any]) -> float:
        start = time.process_time()
        call()
        return time.process_time() - start

    def _loop(self) -> float:
        def loop() -> None:
            total = 0
            for number in range(200_000):
                total += number

        return 5 * self._time(loop)


def records(path: Path, limit: int | None = None) -> Iterator[Record]:
    with gzip.open(path, "rt") as lines:
        for number, line in enumerate(lines):
            if limit and number >= limit:
                return
            yield json.loads(line)


def files(data: Path) -> list[Path]:
    """All files of records: the engines' and those of the variants."""
    return sorted((data / "oracle").glob("*-dev.jsonl.gz")) + sorted((data / "oracle" / "variants").glob("*.gz"))


def quantiles(times: list[float]) -> tuple[float, float, float]:
    """Median, p99 and the largest."""
    times = sorted(times)
    return times[len(times) // 2], times[min(len(times) - 1, int(0.99 * len(times)))], times[-1]


def show(name: str, times: list[float], clock: Clock) -> tuple[float, float, float]:
    named = zip(("median", "p99", "max"), quantiles(times), strict=True)
    shown = "".join(f"  {what} {1e3 * value:7.3f} ms ({value / clock.loop:6.4f})" for what, value in named)
    print(f"{name:<34} n {len(times):5}{shown}", flush=True)
    return quantiles(times)


def verdict(what: str, value: float, limit: float) -> bool:
    print(f"  {what}: {value:.3g}, at most {limit:g}: {'yes' if value <= limit else 'NO'}")
    return value <= limit


def bench_agreement(data: Path, limit: int | None) -> bool:
    """Whether every record agrees; boards, dice that must be played, plays, verdicts, scores, scripts."""
    wrong, count = [], 0
    for path in files(data):
        count += sum(1 for _ in records(path))
        wrong += differences(path)
        print(f"{path.name}: {len(wrong)} disagree so far", flush=True)
    print(f"{count} records, {len(wrong)} disagree")
    for each in wrong[:20]:
        print(f"  {each}")
    return not wrong


def bench_plays(data: Path, limit: int | None) -> bool:
    clock = Clock()
    for name in ("long", "short"):
        ours, theirs = [], []
        game = get_game(name, {"second_player_any_double": False} if name == "long" else None)
        found = records(data / "oracle" / f"{name}-dev.jsonl.gz", limit)
        states = openspiel_states(data, limit) if name == "short" else iter(())
        for record in found:
            board, dice, first = Position.from_json(record["board"]), record["dice"], record.get("first_turn", False)
            ours.append(clock(lambda g=game, b=board, d=dice, f=first: g.plays(b, d, first_turn=f)))
            state = next(states, None)
            if state is not None:
                theirs.append(clock(lambda s=state: openspiel_ends(s)))
        median, p99, _ = show(f"all end positions, {name}", ours, clock)
    print(clock.describe())
    if not theirs:
        print("OpenSpiel is not installed: pip install open-spiel")
        return False
    their_median, their_p99, _ = show("all end positions, OpenSpiel", theirs, clock)
    return all(
        [
            verdict("short: p99 to OpenSpiel's", p99 / their_p99, P99_TO_OPENSPIEL),
            verdict("short: median to OpenSpiel's", median / their_median, MEDIAN_TO_OPENSPIEL),
        ]
    )


def openspiel_states(data: Path, limit: int | None) -> Iterator[Any]:
    """OpenSpiel's states of the short records; none when it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    for record in records(data / "oracle" / "short-dev-openspiel-histories.jsonl.gz", limit):
        state = game.new_initial_state()
        for action in record["actions"]:
            state.apply_action(action)
        yield state


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
    for path in files(data):
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


def bench_verdicts(data: Path, limit: int | None) -> bool:
    clock = Clock()
    times: dict[str, list[float]] = {name: [] for name in GAMES}
    ones: list[float] = []
    for name, record, before, after in judged(data, limit):
        for played in {"short": ("short", "tabla"), "long": ("long", "nardgammon")}.get(name, (name,)):
            game = get_game(played, record.get("options") if played == name else None)
            turn = {key: record.get(key, False) for key in ("first_turn", "second_player")}
            spent = clock(lambda g=game, b=before, d=record["dice"], a=after, t=turn: g.judge(b, d, a, **t))
            times[played].append(spent)
            if played == "mad" and record["dice"] == [1, 1]:
                ones.append(spent)
    slowest = [(1e3 * show(f"judge, {name}", each, clock)[1], name) for name, each in times.items()]
    _, _, longest = show("judge, mad, 1-1 only", ones, clock)
    print(clock.describe())
    worst, name = max(slowest)
    met = verdict(f"judge: p99 of the slowest game ({name}) in ms", worst, VERDICT_MS)
    return verdict("judge: the slowest 1-1 in mad nardy in ms", 1e3 * longest, ONES_MS) and met


PARTS = {"agreement": bench_agreement, "plays": bench_plays, "verdicts": bench_verdicts}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--limit", type=int, help="time only so many records of each file")
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    met = [PARTS[part](options.data, options.limit) for part in options.parts]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
