"""The live page follows the table, and the table follows the buttons of the page."""

import re

from playwright.sync_api import Page, expect

from companion.rules import Position
from companion.table import TableSettings
from tests.web.people import Device
from tests.web.world import World


def after(world: World, before: Position, dice: tuple[int, int]) -> Position:
    """Some legal position after these dice, White's play."""
    ends = world.game.plays(before, dice, player="white").results
    return min(ends, key=lambda position: position.points)


def test_a_phone_follows_a_turn_and_guests_see_no_names(phone: Device) -> None:
    with World("short") as world:
        page = phone.open(world)
        world.put(world.game.start)
        world.put(world.game.start, (6, 1))
        expect(page.locator("#dice svg")).to_have_count(2)
        moved = after(world, world.game.start, (6, 1))
        world.put(moved, (6, 1))
        world.put(moved)
        expect(page.locator("#turns li button")).to_have_count(1)
        expect(page.locator("#turns .play")).to_have_text(re.compile(r"^\d+/\d+"))
        expect(page.locator("#board svg")).to_have_attribute("aria-label", re.compile("White: "))
        expect(page.locator("#name-white")).to_have_text("White")
        expect(page.locator(".press")).to_have_count(0)


def accepted(page: Page, world: World) -> None:
    """White plays what the dice do not say, and Black accepts it on the page."""
    expect(page.locator("#name-white")).to_have_text("Mara")
    world.put(world.game.start)
    world.put(world.game.start, (6, 1))
    points = list(world.game.start.points)
    points[23], points[19] = 1, 1  # 24/20
    wrong = Position(tuple(points))
    world.put(wrong, (6, 1))
    world.put(wrong, seconds=1.5)
    expect(page.locator("#verdict")).to_contain_text("not what the dice say")
    page.get_by_label("Black", exact=True).get_by_role("button", name="Accept").click()


def test_where_nothing_may_be_accepted_the_page_says_that_it_must_be_put_right(desktop: Device) -> None:
    with World("short") as world:
        page = desktop.pair(world)
        accepted(page, world)
        expect(page.locator("#verdict")).to_contain_text("It must be put right first")
        expect(page.locator("#turns .chip")).to_have_count(0)


def test_an_illegal_play_appears_with_its_rule_is_accepted_and_stands(desktop: Device) -> None:
    with World("short", settings=TableSettings(policy="responsible")) as world:
        page = desktop.pair(world)
        accepted(page, world)
        expect(page.locator("#turns .chip")).to_have_text("illegal, it stood")
        expect(page.locator("#verdict")).to_contain_text("It stands")


def test_a_double_is_offered_and_taken_from_the_page(phone: Device) -> None:
    with World("short", {"length": 0, "opening": "reroll"}) as world:
        page = phone.pair(world)
        world.put(world.game.start)
        world.put(world.game.start, (6, 1))
        moved = after(world, world.game.start, (6, 1))
        world.put(moved, (6, 1))
        world.put(moved, seconds=1.2)
        expect(page.locator("#turns li button")).to_have_count(1)
        page.get_by_label("Black", exact=True).get_by_role("button", name="Double").click()
        expect(page.locator("#phase")).to_have_text("Take or drop?")
        page.get_by_label("White", exact=True).get_by_role("button", name="Take").click()
        expect(page.locator("#cube")).to_have_text("2")
        expect(page.locator("#verdict")).to_contain_text("takes: 2")


def test_the_language_is_switched(desktop: Device) -> None:
    with World("short") as world:
        page = desktop.open(world)
        world.put(world.game.start)
        page.get_by_label("Language").select_option("bg")
        expect(page.locator("html")).to_have_attribute("lang", "bg")
        expect(page.locator("#name-white")).to_have_text("Белите")


def test_the_overlay_follows(desktop: Device) -> None:
    with World("short") as world:
        page = desktop.open(world, "/overlay")
        world.put(world.game.start)
        world.put(world.game.start, (5, 2))
        expect(page.locator("#dice svg")).to_have_count(2)
        expect(page.locator("#board .checker")).to_have_count(30)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
