"""From the set-up page to a refereed game: the running service takes what the page asks for, and keeps it."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.records import Recording, Store
from companion.records.store import FILE_NAME
from tests.web.people import Device, choose_game, drag

CORNERS = ((100.0, 90.0), (540.0, 92.0), (560.0, 400.0), (80.0, 396.0))
PATIENCE_S = 180


def patience() -> Iterator[None]:
    """Look again and again, for as long as it may take."""
    for _ in range(20 * PATIENCE_S):
        yield
        time.sleep(0.05)


class Service:
    """``companion run`` as a process, with a film in the place of what looks at pixels (tests.service.process)."""

    def __init__(self, state: Path, *arguments: str) -> None:
        self.state = state
        command = [sys.executable, "-m", "tests.service.process", "run", "--page", "127.0.0.1:0", *arguments]
        places = {"STATE_DIRECTORY": str(state), "COMPANION_TEST_EYES": str(state / "eyes.jsonl"), "HOME": str(state)}
        self.process = subprocess.Popen(command, env=os.environ | places, stderr=subprocess.PIPE, text=True)
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.url = self.hear(r"the page is at (http://\S+)/")

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as stream:
            self.said.extend(iter(stream.readline, ""))  # a list grows line by line

    def hear(self, pattern: str) -> str:
        """Wait until it says this; the first group of it."""
        for _ in patience():
            found = [match for line in list(self.said) if (match := re.search(pattern, line))]
            if found:
                return found[-1][1]
            assert self.process.poll() is None, self.said
        raise AssertionError(f"never said: {pattern}: {self.said}")

    def end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)


@contextmanager
def service(state: Path, *arguments: str, how: signal.Signals = signal.SIGTERM) -> Iterator[Service]:
    """The service, until it is told to end, or its power is cut (SIGKILL)."""
    running = Service(state, *arguments)
    try:
        yield running
    finally:
        running.end(how)


def paired(device: Device, running: Service) -> Page:
    page = device.page
    page.goto(running.url + "/pair")
    page.get_by_role("button", name="Show the code at the table").click()
    page.get_by_label("Code").fill(running.hear(r"the code of the page is (\d{6})"))
    page.get_by_role("button", name="Pair", exact=True).click()
    page.wait_for_url(running.url + "/")
    return page


def set_up(page: Page) -> None:
    """Another game, other people, the board where it is, and go."""
    page.get_by_role("link", name="Set-up").click()
    expect(page.locator(".corner").first).to_be_visible()
    for corner, place in enumerate(CORNERS):
        drag(page, corner, place, 640)
    choose_game(page, "gulbar")
    page.locator("#length").fill("5")
    page.locator("#name-white").fill("Mara")
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator("#name-white")).to_have_text("Mara")


def recordings(state: Path) -> list[Recording]:
    with Store.open(state / FILE_NAME, write=False) as store:
        return list(store.recordings())


def given_to_the_eyes(state: Path) -> list[list[float]]:
    lines = (state / "eyes.jsonl").read_text().splitlines()
    found: list[list[float]] = json.loads(lines[-1])["corners"]
    return found


@pytest.mark.parametrize("arguments", [(), ("--simulate", "--speed", "10")], ids=["run", "simulate"])
def test_start_on_the_set_up_page_begins_a_refereed_game(
    desktop: Device, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    with service(tmp_path, *arguments) as running:
        page = paired(desktop, running)
        set_up(page)
        expect(page.locator("#turns li button").first).to_be_visible()
        expect(page.locator("#turns .chip")).to_have_count(0)
    first, last = recordings(tmp_path)[0], recordings(tmp_path)[-1]
    assert (first.id, first.meta["players"]["white"]) != (last.id, "Mara")
    assert (last.meta["game"], last.meta["players"]["white"]) == ("gulbar", "Mara")
    assert last.meta["options"]["length"] == 5
    for given, dragged in zip(given_to_the_eyes(tmp_path), CORNERS, strict=True):
        assert given == pytest.approx(dragged, abs=2.5)


def test_a_power_cut_loses_neither_the_set_up_nor_the_game(desktop: Device, tmp_path: Path) -> None:
    with service(tmp_path, how=signal.SIGKILL) as running:
        page = paired(desktop, running)
        set_up(page)
        expect(page.locator("#turns li button").first).to_be_visible()
    begun, corners = recordings(tmp_path)[-1], given_to_the_eyes(tmp_path)
    (tmp_path / "eyes.jsonl").unlink()
    with service(tmp_path) as running:
        assert running.hear(r"going on with the game of recording (\d+)") == str(begun.id)
    assert given_to_the_eyes(tmp_path) == corners
    with service(tmp_path, "--game", "short"):
        last = next(found for _ in patience() if (found := recordings(tmp_path)[-1]).id != begun.id)
    assert last.meta["game"] == "short"  # the command line has the last word
