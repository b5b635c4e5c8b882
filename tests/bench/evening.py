"""A long evening at one table: ``python -m tests.bench.evening [--hours 12]``.

Two people play game after game before ``companion run --simulate``: the whole service follows them (record and pictures
of every turn on the disk, memory for a power cut, page, lamps on pins in memory, display in memory, buzzer, buttons),
as fast as this machine can. Only what looks at pixels is replaced, by eyes that err as the real ones do. Meanwhile the
process must not grow, and no thread and no file may be left open.
"""

import argparse
import gc
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from companion.attention import Attention
from companion.frame import Frame
from companion.layout import Layout
from companion.observation import Observation
from companion.rules import Game, get_game
from tests.simulator.noise import Noise, NoisyEyes
from tests.simulator.people import People

PICTURE = np.random.default_rng(1).integers(60, 200, (800, 1000, 3), np.uint8)
"""What the camera shows: as much as a real picture to keep, and nothing to see."""

SETTINGS = """
hardware = "none"
[buzzer]
pin = 18
[buttons.white-turn]
pin = 23
press = "turn"
side = "white"
"""
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
    """Frames of an evening, and eyes that see them: one observation after the other, none kept. ``each`` is told of
    every twelfth of it that has passed.
    """

    def __init__(
        self, game: Game, hours: float, fps: float, pace: float, seed: int, each: Callable[[float], None]
    ) -> None:
        self._hours, self._each = hours, each
        self._fps, self._pace = fps, pace
        self._game = game
        self._chance = random.Random(seed)
        self._eyes = NoisyEyes(Noise(), Layout("BR", game.same_way), self._chance)
        self._seen: Observation | None = None

    def __iter__(self) -> Iterator[Frame]:
        passed = 0
        for number, seen in enumerate(self._observations()):
            if seen.t >= passed * self._hours * 300:
                self._each(seen.t / 3600)
                passed += 1
            if seen.t >= self._hours * 3600:
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


def spend(game: Game, hours: float, fps: float, pace: float, seed: int) -> tuple[list[Figures], Counter[str]]:
    """Spend the evening; figures of every twelfth of it, and how often what happened."""
    import companion.cli.service as service
    import companion.pipeline as pipeline
    from companion import cli

    figures: list[Figures] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        happened = Happened(folder / "events.jsonl")

        def each(now: float) -> None:
            figures.append(measured(now))
            print_line(figures[-1], happened.counted())

        evening = Evening(game, hours, fps, pace, seed, each)
        pipeline.Eyes = lambda *_, **__: evening  # type: ignore[assignment, misc]
        service.open_source = lambda path: evening  # type: ignore[assignment]
        os.environ["STATE_DIRECTORY"] = str(folder / "state")
        (folder / "companion.toml").write_text(SETTINGS, encoding="utf-8")
        (folder / "film").mkdir()
        command = [
            "run",
            "--simulate",
            str(folder / "film"),
            "--speed",
            "1000",
            "--config",
            str(folder / "companion.toml"),
        ]
        command += ["--game", game.name, "--length", "0", "--home", "BR", "--mode", "teach", "--page", "127.0.0.1:0"]
        with open(os.devnull, "w") as nothing, redirect_stderr(nothing):
            code = cli.main([*command, "--evidence", "--events", str(happened.path)])
        assert code == 0, f"the service ended with {code}"
        return figures, happened.counted()


class Happened:
    """Counts the events that the service writes to a file, as far as it has written them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._counts: Counter[str] = Counter()
        self._read = 0

    def counted(self) -> Counter[str]:
        """How often each of them happened until now."""
        if self.path.exists():
            with self.path.open("rb") as file:
                file.seek(self._read)
                whole = file.read()
            whole = whole[: whole.rfind(b"\n") + 1]
            self._read += len(whole)
            self._counts.update(json.loads(line)["event"] for line in whole.splitlines())
        return self._counts


def print_line(now: Figures, counts: Counter[str]) -> None:
    """How it stands."""
    print(
        f"{now.hours:5.2f} h  {now.rss_mb:7.1f} MB  {now.threads} threads  {now.files} files  "
        f"{counts['game']} games, {counts['play']} plays, {counts['illegal-play']} illegal",
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
        f"{counts['game']} games and {counts['play']} plays in {wanted.hours:g} h of the table, "
        f"{time.monotonic() - begun:.0f} s of this machine\n"
        f"memory: {warm.rss_mb:.1f} → {figures[-1].rss_mb:.1f} MB, {100 * growth:+.1f} %, at most {MOST_GROWTH:.0%}\n"
        f"while it ran threads varied by {threads}, open files by {files}; afterwards {left[0]} threads and {left[1]} "
        f"files were left"
    )
    return int(growth > MOST_GROWTH or threads > 0 or files > 0 or max(left) > 0)


if __name__ == "__main__":
    sys.exit(main())
