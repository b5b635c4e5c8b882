"""How fast an event reaches the screen while many watch, what that costs, and what watching costs the referee.

    python -m tests.bench.page                                      # a browser's page and 49 streams; one minute
    python -m tests.bench.page --tabs 50 --turns 6 --every 2 --rounds 0   # 50 browser pages

With streams, a process of its own reads them, since on a table the phones do the drawing. With tabs, all of them are
drawn on this machine, each with a profile of its own, as on 50 phones; they are then 50 phones' work for one processor.

A sample is the time from the moment the pipeline's thread has an event to the frame after the one in which a browser
has drawn it. Beside it stands the same loop with events that change nothing on the screen, and what a browser needs for
two frames when nothing happens at all: the difference is ours. Seconds of processor time do not depend on what else a
machine does; the others do.
"""

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from companion import events as ev
from companion.camera import open_source
from companion.cli.desk import Desk
from companion.config import data_folder
from companion.pipeline import Pipeline, Rig, build
from companion.rules import get_game
from companion.vision.calibration import load_calibration
from companion.web import WebConfig
from tests.web.gallery import game_so_far

SAMPLES = """
window.samples = [];
document.addEventListener("moment", (event) => requestAnimationFrame(() =>
  window.samples.push(Date.now() - 1000 * event.detail.made)));
"""
TWO_FRAMES = """() => new Promise((done) => {
  const begun = performance.now();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
})"""
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def rig() -> Rig:
    known = load_calibration(data_folder("calibration") / "example" / "calibration.json")
    return Rig(game=get_game(known.game or "short"), calibration=known, home=known.home, white=known.white)


@contextmanager
def watched(desk: Desk, pages: int) -> Iterator[None]:
    """So many streams, read by another process; all are open when this begins."""
    if not pages:
        yield
        return
    arguments = [sys.executable, "-m", "tests.bench.page", "--read", str(desk.page.port), "--pages", str(pages)]
    reader = subprocess.Popen(arguments, stdout=subprocess.PIPE)
    assert reader.stdout is not None
    reader.stdout.readline()
    yield
    reader.kill()
    reader.wait()


def read(port: int, pages: int) -> None:
    """Open streams and read what comes."""
    import selectors

    waiting = selectors.DefaultSelector()
    request = f"GET /events HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode()
    for _ in range(pages):
        stream = socket.create_connection(("127.0.0.1", port), timeout=60)
        stream.sendall(request)
        assert b"200" in stream.recv(4096)
        stream.setblocking(False)
        waiting.register(stream, selectors.EVENT_READ)
    print("open", flush=True)
    while True:
        for key, _ in waiting.select():
            if not key.fileobj.recv(65536):  # type: ignore[union-attr]
                return


def cpu_of_browsers() -> float:
    """Processor seconds of all processes below this one that are browsers."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, rest = (folder / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        parts = rest.split()
        parents[int(folder.name)] = int(parts[1])
        if "chrom" in name or "headless" in name:
            used[int(folder.name)] = (int(parts[11]) + int(parts[12])) * TICK_S
    return sum(seconds for pid, seconds in used.items() if _below(pid, parents))


def _below(pid: int, parents: dict[int, int]) -> bool:
    while pid > 1 and pid != os.getpid():
        pid = parents.get(pid, 0)
    return pid == os.getpid()


def cpu_of_page() -> float:
    """Processor seconds of the thread that serves the page."""
    number = next(thread.native_id for thread in threading.enumerate() if thread.name == "page")
    return int(Path(f"/proc/self/task/{number}/schedstat").read_text().split()[0]) / 1e9


@dataclass(frozen=True)
class Told:
    """One series of events: the samples of every page in ms, processor ms an event of server and browsers."""

    samples: Sequence[float]
    server_ms: float
    browsers_ms: float

    def __str__(self) -> str:
        ordered = sorted(self.samples)
        p95 = ordered[int(0.95 * (len(ordered) - 1))]
        cost = f"processor an event: server {self.server_ms:.1f} ms, browsers {self.browsers_ms:.0f} ms"
        return f"median {statistics.median(ordered):.0f} ms, p95 {p95:.0f} ms ({len(ordered)} samples; {cost})"


def told(desk: Desk, pages: Sequence[Page], story: Sequence[ev.Event], every_s: float) -> Told:
    """Tell the pages these events, one after the other; of the browsers' work what they do without any is taken off."""
    for page in pages:
        page.evaluate("window.samples.length = 0")
    before = cpu_of_browsers()
    time.sleep(every_s * len(story))
    server, browsers = cpu_of_page(), 2 * cpu_of_browsers() - before
    for number, event in enumerate(story):
        desk.show([replace(event, t=float(number))], float(number))
        time.sleep(every_s)
    server, browsers = cpu_of_page() - server, cpu_of_browsers() - browsers
    pages[0].wait_for_timeout(1000)
    found: list[float] = []
    for page in pages:
        found += page.evaluate("window.samples")
    return Told(found, 1000 * server / len(story), 1000 * browsers / len(story))


def opened(browser: Browser, desk: Desk, tabs: int) -> list[Page]:
    """So many pages of visitors who do not know each other, each with something on it."""
    pages = []
    for _ in range(tabs):
        page = browser.new_context().new_page()
        page.add_init_script(SAMPLES)
        page.goto(f"http://127.0.0.1:{desk.page.port}/")
        page.locator("body[data-version]").wait_for(state="attached", timeout=120_000)
        pages.append(page)
    pages[0].wait_for_timeout(3000)
    return pages


def latency(streams: int, tabs: int, count: int, every_s: float) -> None:
    """Print what ``tabs`` real pages say while so many more streams are open."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    desk = Desk(WebConfig(port=0))
    desk.attach(build(rig()), {})
    story = [event for event in game_so_far(count) if not isinstance(event, ev.Status)]
    quiet_ones = [ev.Status(t=0.0, phase="MOVING", player="white", provisional=p) for p in ("none", "incomplete")]
    nothing = quiet_ones * (count // 4 + 1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        desk.show(story[:1], 0.0)
        pages = opened(browser, desk, tabs)
        with watched(desk, streams):
            desk.show(nothing[:1], 0.0)
            time.sleep(1)
            idle = told(desk, pages, nothing, every_s)
            empty = [page.evaluate(TWO_FRAMES) for page in pages]
            drawn = told(desk, pages, story[1:], every_s)
        browser.close()
    desk.close()
    kind = f"{tabs} browser pages" + (f" and {streams} streams" if streams else "")
    print(f"event to pixel, {kind}: {drawn}")
    print(f"  the same with nothing to draw: {idle}; two empty frames: {statistics.median(empty):.0f} ms", flush=True)


def frames_s(pages: int, frames: list[Any]) -> tuple[float, float, float, int]:
    """Seconds, processor seconds, those of the page's thread, and events, for the referee to see these frames while so
    many pages are open.
    """
    pipeline: Pipeline = build(rig())
    desk = Desk(WebConfig(port=0)) if pages else None
    if desk is not None:
        desk.attach(pipeline, {})
    with watched(desk, pages) if desk is not None else watched(None, 0):  # type: ignore[arg-type]
        begun, used = time.perf_counter(), time.process_time()
        before = cpu_of_page() if desk is not None else 0.0
        events = sum(len(pipeline.step(frame).events) for frame in frames)
        page = cpu_of_page() - before if desk is not None else 0.0
        taken = time.perf_counter() - begun, time.process_time() - used, page, events
    if desk is not None:
        desk.close()
    return taken


def slowed(pages: int, count: int, rounds: int) -> None:
    """Print what watching costs the referee."""
    film = data_folder("calibration") / "example" / "video.mp4"
    frames = [frame for frame, _ in zip(open_source(film), range(count), strict=False)]
    frames_s(0, frames[:20])
    alone, together = [], []
    for _ in range(rounds):
        alone.append(frames_s(0, frames))
        together.append(frames_s(pages, frames))
    for what, number in (("refereeing", 0), ("processor time of it", 1)):
        one, many = (1000 * statistics.median(taken[number] for taken in each) / count for each in (alone, together))
        print(f"{what}: {one:.1f} ms a frame alone, {many:.1f} ms with {pages} pages: {100 * (many / one - 1):+.1f} %")
    page, wall = (statistics.median(taken[number] for taken in together) for number in (2, 0))
    print(
        f"  of it the page's thread {1000 * page / count:.2f} ms a frame, {100 * page / wall:.2f} % of one core "
        f"({count} frames with {alone[0][3]} events, {rounds} rounds)",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=50, help="pages open in all")
    parser.add_argument("--tabs", type=int, default=1, help="so many of them in browsers, the others as streams")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--every", type=float, default=0.4, help="seconds between events")
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--read", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read:
        read(given.read, given.pages)
        return
    if given.turns:
        latency(max(0, given.pages - given.tabs), given.tabs, given.turns, given.every)
    if given.rounds:
        slowed(given.pages, given.frames, given.rounds)


if __name__ == "__main__":
    main()
