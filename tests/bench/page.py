"""How fast an event reaches the screen while many watch, and what watching costs the referee.

    python -m tests.bench.page --pages 50

One page is a real browser's; the others are streams that a process of their own reads, since on a table the phones do
the drawing. A sample is the time from the moment the pipeline's thread has an event to the frame after the one in
which the browser has drawn it. The cost is the time that the same frames of the bundled game take with and without
these pages.
"""

import argparse
import shutil
import socket
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

from playwright.sync_api import sync_playwright

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
EVERY_S = 0.5


def rig() -> Rig:
    known = load_calibration(data_folder("calibration") / "example" / "calibration.json")
    return Rig(game=get_game(known.game or "short"), calibration=known, home=known.home, white=known.white)


def watched(desk: Desk, pages: int) -> subprocess.Popen[bytes]:
    """So many streams, read by another process until it is killed; returns when all are open."""
    arguments = [sys.executable, "-m", "tests.bench.page", "--read", str(desk.page.port), "--pages", str(pages)]
    reader = subprocess.Popen(arguments, stdout=subprocess.PIPE)
    assert reader.stdout is not None
    reader.stdout.readline()
    return reader


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


def latency_ms(pages: int, count: int) -> list[float]:
    """Samples of a real page among ``pages``."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    desk = Desk(WebConfig(port=0))
    desk.attach(build(rig()), {})
    story = [event for event in game_so_far(count) if not isinstance(event, ev.Status)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.add_init_script(SAMPLES)
        page.goto(f"http://127.0.0.1:{desk.page.port}/")
        reader = watched(desk, pages - 1)
        desk.show(story[:1], 0.0)
        page.locator("body[data-version]").wait_for(state="attached", timeout=120_000)
        page.wait_for_timeout(2000)
        page.evaluate("window.samples.length = 0")
        for number, event in enumerate(story):
            desk.show([replace(event, t=float(number))], float(number))
            page.wait_for_timeout(1000 * EVERY_S)
        samples: list[float] = page.evaluate("window.samples")
        reader.kill()
        browser.close()
    desk.close()
    return samples


def frame_s(pages: int, frames: list[Any]) -> float:
    """The seconds that one frame takes the referee while so many pages are open."""
    pipeline: Pipeline = build(rig())
    desk = None if not pages else Desk(WebConfig(port=0))
    reader = None
    if desk is not None:
        desk.attach(pipeline, {})
        reader = watched(desk, pages)
    begun = time.perf_counter()
    for frame in frames:
        pipeline.step(frame)
    taken = time.perf_counter() - begun
    if reader is not None and desk is not None:
        reader.kill()
        desk.close()
    return taken / len(frames)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--read", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read:
        read(given.read, given.pages)
        return
    samples = sorted(latency_ms(given.pages, given.events // 2))
    p95 = samples[int(0.95 * (len(samples) - 1))]
    print(
        f"event to pixel, {given.pages} pages: median {statistics.median(samples):.0f} ms, p95 {p95:.0f} ms "
        f"({len(samples)} events)",
        flush=True,
    )
    film = data_folder("calibration") / "example" / "video.mp4"
    frames = [frame for frame, _ in zip(open_source(film), range(given.frames), strict=False)]
    alone, together = [], []
    for _ in range(given.rounds):
        alone.append(frame_s(0, frames))
        together.append(frame_s(given.pages, frames))
    slower = statistics.median(together) / statistics.median(alone) - 1
    print(
        f"refereeing: {1000 * statistics.median(alone):.1f} ms a frame alone, "
        f"{1000 * statistics.median(together):.1f} ms with {given.pages} pages: {100 * slower:+.1f} %"
    )


if __name__ == "__main__":
    main()
