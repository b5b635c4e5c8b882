"""Everybody can use every page: axe-core has nothing serious to say, and the keyboard reaches everything."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.web.gallery import exhibition, visits
from tests.web.people import Device

SERIOUS = ("serious", "critical")


def test_axe_finds_nothing_serious_on_any_page(desktop: Device, tmp_path: Path) -> None:
    axe, found = Axe(), []
    with exhibition(tmp_path) as world:
        for name, page in visits(desktop, world):
            for violation in axe.run(page).response["violations"]:
                if violation["impact"] in SERIOUS:
                    where = [node["html"][:90] for node in violation["nodes"][:3]]
                    found.append(f"{name}: {violation['id']}: {violation['help']}: {where}")
    assert not found, "\n".join(found)


def test_a_corner_is_moved_and_a_turn_is_corrected_without_a_pointer(desktop: Device, tmp_path: Path) -> None:
    with exhibition(tmp_path) as world:
        desktop.pair(world)
        page = desktop.open(world, "/setup")
        corner = page.locator(".corner").first
        expect(corner).to_be_visible()
        before = corner.bounding_box()
        corner.press("Shift+ArrowRight")
        after = corner.bounding_box()
        assert before is not None
        assert after is not None
        assert after["x"] > before["x"]
        page = desktop.open(world)
        page.locator("#turns button").first.press("Enter")
        expect(page.locator("#alternatives button").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#correct")).to_be_hidden()
