"""How the table referees simulated matches: ``python -m tests.bench.table`` prints figures by game and noise level.

``--check`` plays the seeded matches of the baseline again and fails when a figure is worse than it was; ``--write``
makes the figures of now the baseline. ``--disturb`` puts one disturbance of each kind into otherwise calm matches.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from companion.rules import GAMES
from tests.bench.upsets import disturbed
from tests.simulator.count import Count
from tests.simulator.match import simulate
from tests.simulator.noise import Noise, figures

BASELINE = Path(__file__).with_name("table-baseline.json")
LEVELS = {0: "none", 1: "measured", 2: "twice"}
MOST_TURNS = 25

ALLOWED = {
    "falsely": 0.0,
    "jams": 0.0,
    "exact": -0.008,
    "noticed": -0.02,
    "late": 0.01,
    "doubled": 0.004,
    "split": 0.004,
}
"""How much worse a figure may be than the baseline, as a share of turns or illegal plays; above zero: more is worse.

No more false accusations and jams are allowed at all."""


def share(count: Count, name: str) -> float:
    """A figure as a share of what it is about."""
    about = {"noticed": count.to_notice, "late": count.timed}.get(name, count.seen)
    return float(getattr(count, name)) / max(1, about)


def worse(now: Count, before: Count) -> Iterator[str]:
    """What is worse than it was, in words."""
    for name, allowed in ALLOWED.items():
        was, is_now = share(before, name), share(now, name)
        bad = is_now < was + allowed - 1e-9 if allowed < 0 else is_now > was + allowed + 1e-9
        if bad:
            yield f"{name}: expected at {'least' if allowed < 0 else 'most'} {was + allowed:.4f}, got {is_now:.4f}"


def plain(count: Count) -> dict[str, int]:
    """The figures without the notes."""
    return {f.name: getattr(count, f.name) for f in fields(Count) if f.name != "notes"}


def measured(games: Sequence[str], levels: Sequence[int], matches: int, seed: int, group: int | None) -> Any:
    """Counts by noise level and game."""
    table: dict[int, dict[str, Count]] = {level: {} for level in levels}
    for level in levels:
        for name in games:
            count = table[level][name] = Count()
            for number in range(matches):
                count += simulate(name, seed + number, Noise(level, group), most_turns=MOST_TURNS)
    return table


COLUMNS = (
    ("turns", lambda c: str(c.seen)),
    ("exact", lambda c: _percent(c.exact, c.seen)),
    ("dice", lambda c: _percent(c.dice, c.seen)),
    ("play", lambda c: _percent(c.plays, c.seen)),
    ("owner", lambda c: _percent(c.owners, c.seen)),
    ("verdict", lambda c: _percent(c.verdicts, c.seen)),
    ("falsely accused", lambda c: f"{c.falsely} of {c.legal}"),
    ("illegal noticed (reason right)", lambda c: f"{c.noticed} of {c.to_notice} ({c.reason})"),
    ("whole games", lambda c: f"{c.whole} of {c.games}"),
    ("missed / doubled / split", lambda c: f"{c.missed} / {c.doubled} / {c.split}"),
    ("later than 0.5 s", lambda c: _percent(c.late, c.timed)),
    ("asked or gap, per turn", lambda c: _percent(c.asked + c.gaps, c.seen)),
    ("jams", lambda c: str(c.jams)),
)


def rows(by_game: dict[str, Count]) -> Iterator[str]:
    """A Markdown table, the sum last."""
    yield "| game | " + " | ".join(name for name, _ in COLUMNS) + " |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    total = Count()
    for name, count in by_game.items():
        yield f"| {name} | " + " | ".join(say(count) for _, say in COLUMNS) + " |"
        total += count
    yield "| all | " + " | ".join(say(total) for _, say in COLUMNS) + " |"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "—"


def check(baseline: dict[str, Any]) -> int:
    """Play the matches of the baseline again; the exit status. Figures are compared for all games of a noise level."""
    complaints = []
    for level, by_game in baseline["counts"].items():
        now, before = Count(), Count()
        for count in measured(list(by_game), [int(level)], baseline["matches"], baseline["seed"], None)[
            int(level)
        ].values():
            now += count
        for figures_before in by_game.values():
            before += Count(**figures_before)
        complaints += [f"noise {LEVELS[int(level)]}: {what}" for what in worse(now, before)]
    for line in complaints:
        print(f"the table became worse: {line} (python -m tests.bench.table --notes says where)", file=sys.stderr)
    return 1 if complaints else 0


def main() -> None:
    """Measure and print; or compare with the baseline."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=4, help="games of each kind and level")
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game (may be repeated)")
    parser.add_argument("--level", type=int, choices=LEVELS, action="append", help="only this noise level")
    parser.add_argument(
        "--group", type=int, choices=range(len(figures()["boards"])), help="only boards so hard (0 easy)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--notes", action="store_true", help="print the first wrong turn of every game")
    parser.add_argument(
        "--disturb", action="store_true", help="one disturbance of each kind in a match, and what came of it"
    )
    parser.add_argument("--check", action="store_true", help="compare with the baseline")
    parser.add_argument("--write", action="store_true", help="make these figures the baseline")
    options = parser.parse_args()
    if options.check:
        sys.exit(check(json.loads(BASELINE.read_text(encoding="utf-8"))))
    if options.disturb:
        levels = options.level or [0]
        sys.exit(disturbed(options.game or GAMES, levels, options.group, options.matches, options.seed))
    begun = time.process_time()
    table = measured(options.game or GAMES, options.level or list(LEVELS), options.matches, options.seed, options.group)
    for level, by_game in table.items():
        print(f"Noise: {LEVELS[level]}\n", *rows(by_game), "", sep="\n")
    spent, turns = time.process_time() - begun, sum(c.turns for by_game in table.values() for c in by_game.values())
    print(f"{turns} turns in {spent:.1f} s of one core: {turns / spent:.0f} turns/s")
    if options.notes:
        print(*(note for by_game in table.values() for c in by_game.values() for note in c.notes), sep="\n")
    if options.write:
        counts = {str(level): {name: plain(c) for name, c in by_game.items()} for level, by_game in table.items()}
        data = {"matches": options.matches, "seed": options.seed, "counts": counts}
        BASELINE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
