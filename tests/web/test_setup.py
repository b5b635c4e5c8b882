"""The first set-up: the corners are dragged on a real photograph, and the match begins with what the page asked for."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from companion.cli.options import KeepOptions, RigOptions
from companion.cli.page import SetUp
from companion.cli.rig import rig_from
from companion.config import GameSettings, Settings
from companion.errors import CompanionError, ConfigError
from companion.rules import RulesError
from companion.vision.calibration import Calibration, Distortion, load_calibration, save_calibration
from companion.web.pictures import from_upload
from companion.web.ports import Wanted
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


def wanted(**more: Any) -> Wanted:
    values: dict[str, Any] = {
        "game": "tabla", "options": {"length": 7, "beaver": False}, "mode": "silent", "policy": "demand",
        "white": "dark",
        "names": {"white": "Mara", "black": ""}, "corners": None, "size": None, "home": "TL",
    }  # fmt: skip
    return Wanted(**values | more)


CORNERS = ((10.0, 10.0), (600.0, 12.0), (610.0, 400.0), (5.0, 410.0))
SETTINGS = Settings(game=GameSettings(name="long", options={"block": "home"}, length=5))
"""What the table plays when nobody has set it up: nothing of it fits another game."""


def test_the_next_start_is_as_the_page_said(tmp_path: Path) -> None:
    SetUp(RigOptions(), KeepOptions(), SETTINGS, tmp_path).begin(wanted())
    wishes, keeping = SetUp(RigOptions(), KeepOptions(), SETTINGS, tmp_path).first()
    rig = rig_from(wishes, SETTINGS)
    assert (rig.game.name, rig.game.options.length, rig.table.mode, rig.white, rig.home) == (
        "tabla",
        7,
        "silent",
        "dark",
        "TL",
    )
    assert keeping.names == ("Mara", "")
    wishes, keeping = SetUp(RigOptions(mode="teach"), KeepOptions(black_name="Teo"), SETTINGS, tmp_path).first()
    assert (wishes.game, wishes.mode, keeping.names) == ("tabla", "teach", ("Mara", "Teo"))
    wishes, keeping = SetUp(RigOptions(game="short"), KeepOptions(), SETTINGS, tmp_path).first()
    assert (wishes, keeping) == (RigOptions(game="short"), KeepOptions())


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"game": "chess"}'])
def test_a_set_up_that_cannot_be_read_stops_no_table(
    tmp_path: Path, kept: str, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up = SetUp(RigOptions(), KeepOptions(), SETTINGS, tmp_path)
    set_up.begin(wanted())
    text = (tmp_path / "set-up.json").read_text()
    (tmp_path / "set-up.json").write_text(kept or text.replace("tabla", "chess"))
    assert set_up.first() == (RigOptions(), KeepOptions())
    assert "set-up.json is not used" in capsys.readouterr().err


def test_what_cannot_be_played_changes_nothing(tmp_path: Path) -> None:
    set_up = SetUp(RigOptions(), KeepOptions(), SETTINGS, tmp_path)
    with pytest.raises(RulesError):
        set_up.begin(wanted(options={"block": "home"}, corners=CORNERS, size=(640, 480)))
    with pytest.raises(ConfigError, match="corners"):
        set_up.begin(wanted(corners=CORNERS[::-1], size=(640, 480)))
    assert not set_up.waiting
    assert list(tmp_path.iterdir()) == []


def test_dragged_corners_leave_the_lens_as_it_was_measured(tmp_path: Path) -> None:
    measured = Calibration(board="tournament", distortion=Distortion(focal=0.8, k1=-0.1), corners=CORNERS, game="long")
    before = tmp_path / "before.json"
    save_calibration(measured, before)
    set_up = SetUp(RigOptions(calibration=before), KeepOptions(), Settings(), tmp_path)
    moved = tuple((x + 3.0, y) for x, y in CORNERS)
    set_up.begin(wanted(corners=moved, size=(640, 480)))
    begun = set_up.take()
    assert begun is not None
    known = rig_from(begun[0]).calibration
    assert known is not None
    assert (known.corners, known.distortion, known.board) == (moved, measured.distortion, measured.board)


def test_corners_of_a_photograph_of_another_shape_are_refused() -> None:
    begun: list[Wanted] = []
    with World("long", picture=np.full((480, 640, 3), 90, np.uint8), playing=False, begin=begun.append) as world:
        world.see()
        with pytest.raises(CompanionError, match="640×480"):
            world.desk.begin(wanted(corners=CORNERS, size=(1920, 1080)))
        world.desk.begin(wanted(corners=CORNERS, size=(1280, 960)))
    assert len(begun) == 1
