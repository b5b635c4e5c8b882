"""Old games: opened, a turn changed, the score follows, and the file is downloaded."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.web.people import Device
from tests.web.shelves import misread, shelf
from tests.web.visitors import Visitor, quiet_page
from tests.web.world import World


def test_an_old_game_is_opened_a_turn_is_changed_and_the_mat_is_downloaded(desktop: Device, tmp_path: Path) -> None:
    with World("short", {"length": 3}, archive=shelf(tmp_path), playing=False) as world:
        page = desktop.pair(world)
        page.get_by_role("link", name="Old games").click()
        page.get_by_role("link", name="Short nardy").click()
        expect(page.locator("#score-white")).to_have_text("2")
        page.locator("#turns button").first.click()
        page.get_by_role("button", name="Correct this turn").click()
        expect(page.locator("#alternatives button")).to_have_count(4)
        page.get_by_text("Another roll or play").click()
        page.get_by_label("First die").select_option("2")
        page.locator("#other-plays").get_by_role("button", name="2/1 2/off", exact=True).click()
        expect(page.locator("#score-white")).to_have_text("1")
        with page.expect_download() as download:
            page.get_by_role("link", name=".mat").click()
        text = Path(download.value.path()).read_text()
        assert "21: 2/1 2/0" in text


def test_a_misread_turn_is_corrected_in_two_taps_and_the_score_follows(phone: Device, tmp_path: Path) -> None:
    books = shelf(tmp_path, told=lambda match, events, turns: world.desk.corrected(events, turns))
    with World("short", {"length": 3}, archive=books, match=1, playing=False) as world:
        page = phone.pair(world)
        world.desk.show(misread(), 9.0)
        expect(page.locator("#score-white")).to_have_text("2")
        page.locator("#turns li").filter(has=page.locator(".chip.unsure")).tap()
        page.locator("#alternatives button").first.tap()
        expect(page.locator("#score-white")).to_have_text("1")
        expect(page.locator(".chip.fixed")).to_have_count(1)


def test_what_the_matches_of_a_person_add_up_to(tmp_path: Path) -> None:
    with quiet_page(archive=shelf(tmp_path)) as page, Visitor(page) as visitor:
        visitor.pair()
        names = re.findall(r'href="(/statistics\?player=[^"]+)"', visitor.get("/statistics").text)
        assert names == ["/statistics?player=Mara%20%3Cb%3E", "/statistics?player=Teo"]
        text = " ".join(re.sub(r"<[^>]+>", " ", visitor.get(names[0]).text).split())
        for said in ("Mara &lt;b&gt;", "1 won 0 lost 2 : 0 points", "won: mars 1", "Rolls 1", "too few rolls to tell"):
            assert said in text
        assert visitor.get("/statistics?player=nobody").status_code == 404
