"""A long evening at one table: ``python -m tests.bench.evening [--hours 12]``.

Two people play game after game; the whole service follows them (record on the disk, lamps on pins in memory, display in
memory, buzzer, buttons), as fast as this machine can. Only what looks at pixels is replaced, by eyes that err as the
real ones do. Afterwards the process must not have grown, and no thread and no file may have been left open.
"""

import argparse
import gc
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from companion.attention import Attention
from companion.config import BuzzerSettings, Settings
from companion.events import GameWon, IllegalPlay, PlayMade
from companion.frame import Frame
from companion.layout import Layout
from companion.observation import Observation
from companion.rules import Game, get_game
from tests.simulator.noise import Noise, NoisyEyes
from tests.simulator.people import People

PICTURE = np.zeros((8, 8, 3), np.uint8)
MOST_GROWTH = 0.05
WARM_H = 1.0
"""What is read into memory in the first hour (tables of the rules, fonts) stays, and is no growth."""


@dataclass(frozen=True)
class Figures:
    """The process at one time of the evening (hours): resident memory in MB, threads, open files."""

    hours: float
    rss_mb: float
    threads: int
    files: int


def measured(hours: float) -> Figures:
    """The process as it is now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    rss_mb = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return Figures(hours, rss_mb, threading.active_count(), len(os.listdir("/proc/self/fd")))


class Evening:
    """Frames of an evening, and eyes that see them: one observation after the other, none kept."""

    def __init__(self, game: Game, hours: float, fps: float, pace: float, seed: int) -> None:
        self._end_s = hours * 3600
        self._fps, self._pace = fps, pace
        self._game = game
        self._chance = random.Random(seed)
        self._eyes = NoisyEyes(Noise(), Layout("BR", game.same_way), self._chance)
        self._seen: Observation | None = None

    def __iter__(self) -> Iterator[Frame]:
        for number, seen in enumerate(self._observations()):
            if seen.t >= self._end_s:
                return
            self._seen = seen
            yield Frame(PICTURE, seen.t, number)

    def observe(self, frame: Frame, attention: Attention) -> Observation:
        """What the frame that has just come shows."""
        assert self._seen is not None
        lit = frame.t < attention.not_evidence_until_s
        return replace(self._seen, full=False) if lit else self._seen

    def attend(self, attention: Attention) -> None:
        """Cannot be steered."""

    def close(self) -> None:
        """Nothing is held open."""

    def _observations(self) -> Iterator[Observation]:
        frame, before = 0, None
        while True:
            for timed in People(self._game, self._chance).scenes():
                scene = timed.scene
                stays_s = timed.seconds if scene.hand else timed.seconds * self._pace
                for i in range(max(1, round(stays_s * self._fps))):
                    moving = 1.0 if i == 0 and scene != before else 0.0
                    yield self._eyes.see(frame / self._fps, scene, moving)
                    frame += 1
                before = scene


def spend(game: Game, hours: float, fps: float, pace: float, seed: int) -> tuple[list[Figures], dict[str, int]]:
    """Spend the evening; figures every hour, and what happened."""
    from companion.cli.keeping import keep
    from companion.cli.rig import record_meta
    from companion.pipeline import Pipeline, Rig
    from companion.settle import Settle
    from companion.signals import Signals, SignalsConfig
    from companion.signals.buttons import Buttons
    from companion.table import Table

    evening = Evening(game, hours, fps, pace, seed)
    counts = {"plays": 0, "illegal": 0, "games": 0}
    figures: list[Figures] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        settings = Settings(hardware="none", buzzer=BuzzerSettings(pin=18))
        config = SignalsConfig.of(settings, mode="teach", game=game)
        signals = stack.enter_context(Signals.from_config(config))
        rig = Rig(game=game, home="BR")
        kept = keep(stack, folder / "record.sqlite", record_meta(rig, "evening"))
        pipeline = Pipeline(evening, Table(game, home="BR"), Settle(), signals, kept.record)
        stack.enter_context(Buttons({}, pipeline.inputs.put, lambda: 0.0, lambda: signals.view))
        for step in pipeline.run(evening):
            counts["plays"] += sum(isinstance(event, PlayMade) for event in step.events)
            counts["illegal"] += sum(isinstance(event, IllegalPlay) for event in step.events)
            counts["games"] += sum(isinstance(event, GameWon) for event in step.events)
            if step.t / 3600 >= len(figures) * hours / 12:
                figures.append(measured(step.t / 3600))
                print_line(figures[-1], counts)
        figures.append(measured(hours))
    return figures, counts


def print_line(now: Figures, counts: dict[str, int]) -> None:
    """How it stands."""
    print(
        f"{now.hours:5.2f} h  {now.rss_mb:7.1f} MB  {now.threads} threads  {now.files} files  "
        f"{counts['games']} games, {counts['plays']} plays, {counts['illegal']} illegal",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; 1 when the process has grown or left something open."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=12.0)
    parser.add_argument("--game", default="short")
    parser.add_argument("--fps", type=float, default=4.0, help="observations a second of the evening")
    parser.add_argument("--pace", type=float, default=8.0, help="how much longer people look than the tests' people")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args(arguments)
    before = measured(0.0)
    begun = time.monotonic()
    figures, counts = spend(get_game(wanted.game, {"length": 0}), wanted.hours, wanted.fps, wanted.pace, wanted.seed)
    after = measured(wanted.hours)
    warm = next(each for each in figures if each.hours >= min(WARM_H, wanted.hours / 12))
    growth = figures[-1].rss_mb / warm.rss_mb - 1
    threads = max(each.threads for each in figures) - min(each.threads for each in figures)
    files = max(each.files for each in figures) - min(each.files for each in figures)
    left = after.threads - before.threads, after.files - before.files
    print(
        f"{counts['games']} games and {counts['plays']} plays in {wanted.hours:g} h of the table, "
        f"{time.monotonic() - begun:.0f} s of this machine\n"
        f"memory: {warm.rss_mb:.1f} → {figures[-1].rss_mb:.1f} MB, {100 * growth:+.1f} %, at most {MOST_GROWTH:.0%}\n"
        f"while it ran threads varied by {threads}, open files by {files}; afterwards {left[0]} threads and {left[1]} "
        f"files were left"
    )
    return int(growth > MOST_GROWTH or threads > 0 or files > 0 or max(left) > 0)


if __name__ == "__main__":
    sys.exit(main())
