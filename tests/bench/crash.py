"""Power cuts and full disks: ``python -m tests.bench.crash [--moments 1000] [--series killed full …] [--seed N]``.

A process of its own records, and announces every step once it is recorded. It is killed (SIGKILL) at a random moment,
goes on, is killed again, until it has come to the end; then a new record begins. After every kill all that was
announced must be there, nothing twice, no step by halves, and the record must open. The same with a log that was torn
behind the last commit, with a file whose pages were being copied out of the log when the last of them was torn, with a
torn last page of a file that has no log any more (what was on that page is lost, and nothing else), and with a disk
that is full. Most of the time goes into waiting for the disk.
"""

import argparse
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import RecordUnwritable
from companion.events import Event, Gap, PlayMade, Rolled
from companion.inputs import Input, InputKind
from companion.records import Recorder, Store
from companion.records.health import damage, open_checked
from companion.records.pages import Pages, committed, read_pages
from companion.records.recorder import Steady

META = {"source": "game.mp4", "game": "long", "started": "now"}
STEPS = 120
BOARD = {
    "points": [0] * 11 + [-15] + [0] * 11 + [15],
    "bar": {"white": 0, "black": 0},
    "off": {"white": 0, "black": 0},
}


def step(number: int) -> tuple[list[Event], list[Input]]:
    """A roll and its play, and sometimes a press; the same for the same number."""
    player = "white" if number % 2 == 0 else "black"
    dice = (number % 6 + 1, number % 5 + 1)
    play = PlayMade(t=number + 0.5, player=player, dice=dice, play="24/18 18/17", verdict="legal", board=BOARD)
    pressed = [Input(float(number), InputKind.END_TURN, "black")] if number % 5 == 0 else []
    return [Rolled(t=float(number), player=player, dice=dice), play], pressed


EVENTS = [event for number in range(STEPS) for event in step(number)[0]]
INPUTS = [item for number in range(STEPS) for item in step(number)[1]]


@dataclass
class Outcome:
    """What became of a series of runs."""

    name: str
    moments: int = 0
    announced: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        result = "nothing wrong" if not self.wrong else f"{len(self.wrong)} WRONG, such as: {self.wrong[0]}"
        return f"{self.name:<44} {self.moments:5} moments, {self.announced:6} steps announced: {result}"


def record(folder: Path, out: int, most_bytes: int | None = None) -> None:
    """Record everything, or go on; write ``size of the log``, ``step`` to ``out`` for each step that is recorded."""
    if most_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY))

    def say(line: str) -> None:
        os.write(out, f"said {line}\n".encode())

    with open_checked(folder / "record.sqlite", say) as store:
        steady = Steady(Recorder.resume(store, META), say)
        log = Path(f"{store.path}-wal")
        for number in range(STEPS):
            steady.append(*step(number))
            if steady.stored:
                os.write(out, f"{log.stat().st_size if log.exists() else 0} {number}\n".encode())
        try:
            steady.finish()
        except RecordUnwritable as error:
            say(str(error))
    os.write(out, b"end\n")


def forked(folder: Path, most_bytes: int | None = None) -> tuple[int, int]:
    """Start recording in a process of its own; its id, and where to read what it announces."""
    readable, writable = os.pipe()
    process = os.fork()
    if process == 0:
        code = 1
        try:
            os.close(readable)
            record(folder, writable, most_bytes)
            code = 0
        finally:
            os._exit(code)
    os.close(writable)
    return process, readable


def run(folder: Path, kill_after: tuple[int, float] | None, most_bytes: int | None = None) -> tuple[list[str], int]:
    """Record until killed (after so many lines, and so many seconds more); the lines, and the status of the process."""
    process, readable = forked(folder, most_bytes)
    with os.fdopen(readable, encoding="utf-8") as announced:
        lines = []
        if kill_after is not None:
            count, more_s = kill_after
            for _ in range(count):
                line = announced.readline()
                if not line:
                    break
                lines.append(line)
            time.sleep(more_s)
            os.kill(process, signal.SIGKILL)
        lines += announced.readlines()
    return [line.strip() for line in lines], os.waitpid(process, 0)[1]


def steps_of(lines: list[str]) -> int:
    """How many steps were announced from the start on."""
    numbers = [int(line.split()[1]) for line in lines if line[0].isdigit()]
    return max(numbers, default=-1) + 1


def check(folder: Path, announced: int, outcome: Outcome, *, whole: bool = True) -> int:
    """Compare the record with what was announced; how many steps are stored. ``whole``: steps are not cut in two."""
    try:
        with Store.open(folder, write=False) as store:
            recordings = store.recordings()
            events, inputs = (store.events(1), store.inputs(1)) if recordings else ([], [])
    except Exception as error:
        if announced or (folder / "record.sqlite").exists():
            outcome.wrong.append(f"{folder.name}: {error}")
        return 0
    stored = len(events) // 2
    if not whole:  # what was recovered: in order, with gaps where something is lost
        events = [event for event in events if not isinstance(event, Gap)]
        places = [EVENTS.index(event) if event in EVENTS else -1 for event in events]
        if places != sorted(set(places)) or -1 in places or any(item not in INPUTS for item in inputs):
            outcome.wrong.append(f"{folder.name}: something was invented")
        return stored
    problems = {
        "more than one recording": len(recordings) > 1,
        "other events": events != EVENTS[: len(events)] or inputs != INPUTS[: len(inputs)],
        f"{announced} steps announced, {stored} stored": stored < announced,
        "half a step": whole and (len(events) % 2 != 0 or inputs != [i for n in range(stored) for i in step(n)[1]]),
    }
    outcome.wrong += [f"{folder.name}: {text}" for text, wrong in problems.items() if wrong]
    return stored


def killed(where: Path, moments: int, seed: int) -> Outcome:
    """Kill at random moments, and go on."""
    outcome, dice, folder = Outcome("killed while recording"), random.Random(seed), where / "k0"
    known = 0
    while outcome.moments < moments:
        at = (dice.randrange(0, 30) if dice.random() < 0.8 else 0, dice.random() * 0.01)
        lines, _ = run(folder, at)
        outcome.moments += 1
        outcome.announced += steps_of(lines)
        known = max(known, steps_of(lines))
        stored = check(folder, known, outcome)
        if outcome.moments % 100 == 0:
            print(outcome, file=sys.stderr, flush=True)
        if outcome.moments % 25 == 0 and (problem := damage(folder / "record.sqlite", thorough=True)):
            outcome.wrong.append(f"{folder.name}: {problem}")
        # A resumed run announces again what is stored; it is the next kill that decides how far it comes.
        if stored >= STEPS or dice.random() < 0.1:
            lines, status = run(folder, None)
            known = steps_of(lines)
            if status or check(folder, STEPS, outcome) != STEPS:
                outcome.wrong.append(f"{folder.name}: the end was not reached")
            shutil.rmtree(folder)
            folder, known = where / f"k{outcome.moments}", 0
    return outcome


def torn_log(where: Path, moments: int, seed: int) -> Outcome:
    """The power goes: what was written to the log behind the last commit that was waited for is lost or garbage."""
    outcome, dice = Outcome("the log torn behind the last commit"), random.Random(seed)
    for number in range(moments):
        folder = where / f"t{number}"
        lines, _ = run(folder, (dice.randrange(1, STEPS), dice.random() * 0.005))
        announced = steps_of(lines)
        log = folder / "record.sqlite-wal"
        safe = max((int(line.split()[0]) for line in lines if line[0].isdigit()), default=0)
        if log.exists():
            data = log.read_bytes()
            tail = dice.randbytes(dice.randrange(0, 9000)) if dice.random() < 0.5 else b""
            log.write_bytes(data[:safe] + data[safe : dice.randint(safe, len(data))] + tail)
        (folder / "record.sqlite-shm").unlink(missing_ok=True)  # it lived in memory
        outcome.moments += 1
        outcome.announced += announced
        check(folder, announced, outcome)
        shutil.rmtree(folder)
    return outcome


def torn_copy(where: Path, moments: int, seed: int) -> Outcome:
    """The power goes while pages are copied from the log into the file: the last of them is torn."""
    outcome, dice = Outcome("a page torn on its way from the log"), random.Random(seed)
    for number in range(moments):
        folder = where / f"c{number}"
        lines, _ = run(folder, (dice.randrange(1, STEPS), dice.random() * 0.005))
        path = folder / "record.sqlite"
        size = max(int.from_bytes(path.read_bytes()[16:18], "big"), 512)
        log = Path(f"{path}-wal")
        waiting = sorted(committed(log.read_bytes(), size).items()) if log.exists() else []  # else it came to the end
        copied = waiting[: dice.randint(1, len(waiting))] if waiting else []
        with path.open("r+b") as file:
            for page, data in copied:
                torn = dice.randrange(1, size) if page == copied[-1][0] else size
                file.seek((page - 1) * size)
                file.write(data[:torn])
        (folder / "record.sqlite-shm").unlink(missing_ok=True)  # it lived in memory
        announced = steps_of(lines)
        outcome.moments += 1
        outcome.announced += announced
        said: list[str] = []
        with open_checked(path, said.append):
            pass
        check(folder, announced, outcome)
        if said or (problem := damage(path, thorough=True)):
            outcome.wrong.append(f"{folder.name}: {said} {problem}")
        shutil.rmtree(folder)
    return outcome


def torn_page(where: Path, moments: int, seed: int) -> Outcome:
    """The last page of the closed file is torn: all that is not on it is recovered, and nothing is invented."""
    outcome, dice = Outcome("the last page torn, and recovered"), random.Random(seed)
    folder = where / "whole"
    run(folder, None)
    pages = read_pages(folder / "record.sqlite")
    last = max(pages.pages)
    on_it = sum(1 for _ in Pages(pages.size, {last: pages.pages[last]}).rows())
    for number in range(moments):
        broken = where / f"p{number}"
        shutil.copytree(folder, broken)
        path = broken / "record.sqlite"
        data = path.read_bytes()
        cut = len(data) - dice.randrange(1, 4096)
        path.write_bytes(data[:cut] + (dice.randbytes(len(data) - cut) if dice.random() < 0.5 else b""))
        said: list[str] = []
        with open_checked(path, said.append):
            pass
        outcome.moments += 1
        stored = check(broken, 0, outcome, whole=False)
        outcome.announced += stored
        if 2 * stored + 1 < len(EVENTS) - on_it:
            outcome.wrong.append(f"{broken.name}: {stored} steps of {STEPS} stored, {on_it} rows on the page")
        if len(said) > 1 or (problem := damage(path, thorough=True)):
            outcome.wrong.append(f"{broken.name}: {said} {problem}")
        shutil.rmtree(broken)
    return outcome


def full(where: Path, moments: int, seed: int) -> Outcome:
    """The disk is full from some moment on: the run ends, says so once, has what it announced; then there is room."""
    outcome, dice = Outcome("the disk full, and room again"), random.Random(seed)
    for number in range(moments):
        folder = where / f"f{number}"
        run(folder, (dice.randrange(1, 20), 0.0))
        lines, status = run(folder, None, most_bytes=dice.randrange(60_000, 700_000))
        announced = steps_of(lines)
        outcome.moments += 1
        outcome.announced += announced
        said = [line for line in lines if line.startswith("said")]
        stored = check(folder, announced, outcome)
        if status != 0 or lines[-1:] != ["end"] or len(said) > 2 or (stored < STEPS and not said):
            outcome.wrong.append(f"{folder.name}: status {status}, {len(said)} lines said: {lines[-1:]}")
        run(folder, None)
        if check(folder, STEPS, outcome) != STEPS:
            outcome.wrong.append(f"{folder.name}: not complete when there was room again")
        shutil.rmtree(folder)
    return outcome


SERIES: dict[str, Callable[[Path, int, int], Outcome]] = {
    "killed": killed,
    "torn-log": torn_log,
    "torn-copy": torn_copy,
    "torn-page": torn_page,
    "full": full,
}


def main() -> int:
    """Run all series, or those that are named; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=1000, help="of each series")
    parser.add_argument("--series", nargs="+", choices=SERIES, default=list(SERIES))
    parser.add_argument("--seed", type=int, default=1, help="another one: other moments")
    options = parser.parse_args()
    wrong = 0
    for name in options.series:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            outcome = SERIES[name](Path(folder), max(1, options.moments), options.seed)
        print(f"{outcome}  ({time.monotonic() - started:.0f} s)", flush=True)
        wrong += len(outcome.wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
