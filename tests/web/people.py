"""What a person does with the page, in a few words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.web.world import World

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
PATIENCE_MS = 15_000
expect.set_options(timeout=PATIENCE_MS)


@contextmanager
def visit(browser: Browser, world: World, device: dict[str, Any] | None = None, **more: Any) -> Iterator[Page]:
    """A browser of one person; whatever its console complains about fails the test."""
    context = browser.new_context(**(device or DESKTOP), base_url=world.url, **more)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    try:
        yield page
    finally:
        context.close()
    assert complaints == []


def pair(page: Page, world: World) -> None:
    """Ask for the code, read it from the table's display, type it in."""
    page.goto("/pair")
    page.get_by_role("button", name="Show the code at the table").click()
    expect(page.locator("#toast")).to_contain_text("display")
    for _ in range(100):
        if world.display.code:
            break
        page.wait_for_timeout(50)
    page.get_by_label("Code").fill(world.display.code)
    page.get_by_role("button", name="Pair", exact=True).click()
    page.wait_for_url("**/")
