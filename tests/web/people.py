"""What a person does with the page, in a few words."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.web.world import World

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
PATIENCE_MS = 60_000
"""Long, since a busy machine is slow; nothing waits so long when it works."""
expect.set_options(timeout=PATIENCE_MS)


class Device:
    """A browser's page that tests use one after the other, each as a new visitor."""

    def __init__(self, browser: Browser, kind: dict[str, Any]) -> None:
        self._browser = browser
        self._kind = kind
        self._complaints: list[str] = []

    @cached_property
    def page(self) -> Page:
        context = self._browser.new_context(**self._kind, locale="en-GB")
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: self._complaints.append(str(error)))
        page.on("console", lambda said: self._complaints.append(said.text) if said.type == "error" else None)
        return page

    @contextmanager
    def fresh(self) -> Iterator["Device"]:
        """As a new visitor; whatever the browser's console complains about fails the test."""
        self.page.context.clear_cookies()
        self._complaints.clear()
        yield self
        complaints = [text for text in self._complaints if "ERR_" not in text]  # the table of a test ends before it
        self.page.goto("about:blank")
        assert complaints == []

    def open(self, world: World, path: str = "/") -> Page:
        """Go to a page of this world."""
        self.page.goto(world.url + path)
        return self.page

    def pair(self, world: World) -> Page:
        """Ask for the code, read it from the table's display, type it in."""
        page = self.open(world, "/pair")
        page.get_by_role("button", name="Show the code at the table").click()
        expect(page.locator("#toast")).to_contain_text("display")
        page.get_by_label("Code").fill(world.code())
        page.get_by_role("button", name="Pair", exact=True).click()
        page.wait_for_url(world.url + "/")
        return page


def drag(page: Page, corner: int, to: tuple[float, float], width: int) -> None:
    """Drag a corner to a place of the photograph, with the mouse."""
    page.locator(".corner").nth(corner).hover()
    frame = page.locator("#aim").bounding_box()
    assert frame is not None
    scale = frame["width"] / width
    page.mouse.down()
    page.mouse.move(frame["x"] + to[0] * scale, frame["y"] + to[1] * scale, steps=3)
    expect(page.locator("#magnifier")).to_be_visible()
    page.mouse.up()


def choose_game(page: Page, game: str) -> None:
    """Choose a game, and wait until its house rules are there."""
    with page.expect_response(lambda answer: f"game={game}" in answer.url):
        page.locator("#game").select_option(game)
