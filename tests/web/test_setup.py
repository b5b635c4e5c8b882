"""The first set-up: the corners are dragged on a real photograph, and the match begins with what the page asked for."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.cli.options import KeepOptions, RigOptions
from companion.cli.page import SetUp
from companion.cli.rig import rig_from
from companion.config import Settings
from companion.vision.calibration import load_calibration
from companion.web.pictures import from_upload
from tests.web.people import Device, choose_game, drag
from tests.web.world import World

PICTURES = Path(__file__).parent.parent / "data" / "pictures"


def test_corners_are_dragged_on_a_photograph_and_the_match_begins(
    desktop: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    label = json.loads((PICTURES / "board.json").read_text())
    picture = from_upload((PICTURES / "board.jpg").read_bytes())
    set_up = SetUp(RigOptions(), KeepOptions(), Settings(), tmp_path)
    with World("long", picture=picture, playing=False, begin=set_up.begin) as world:
        page = desktop.pair(world)
        world.see()
        page.get_by_role("link", name="Set-up").click()
        expect(page.locator(".corner").first).to_be_visible()
        for corner, place in enumerate(label["corners"]):
            drag(page, corner, place, label["width"])
        expect(page.locator("#hints")).to_contain_text("The whole board is in the picture")
        choose_game(page, "khachapuri")
        page.locator("#length").fill("5")
        page.locator("#name-white").fill("Mara")
        page.locator("#home").select_option(label["home"])
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_url(world.url + "/")
    begun = set_up.take()
    assert begun is not None
    wishes, keeping = begun
    rig = rig_from(wishes)
    assert (rig.game.name, rig.game.options.length, rig.home) == ("khachapuri", 5, label["home"])
    assert keeping.names == ("Mara", "Teo")
    saved = load_calibration(tmp_path / "calibration.json")
    assert saved.image_size == (label["width"], label["height"])
    assert saved.corners is not None
    for dragged, true in zip(saved.corners, label["corners"], strict=True):
        assert dragged == pytest.approx(true, abs=2.5)
