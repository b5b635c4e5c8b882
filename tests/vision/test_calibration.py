import json

import pytest

from companion.errors import ConfigError
from companion.vision.calibration import (
    Calibration,
    board_preset,
    corners_for,
    lens,
    load_calibration,
    parse_corners,
    save_calibration,
)

CORNERS = ((10.0, 10.0), (110.0, 10.0), (110.0, 90.0), (10.0, 90.0))


def test_it_is_written_and_read_again(tmp_path):
    known = Calibration(corners=CORNERS, image_size=(160, 120), home="BR", game="short", lens="pi-camera-3")
    save_calibration(known, tmp_path / "rig.json")
    assert load_calibration(tmp_path / "rig.json") == known


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"cornrs": []}', "unknown key cornrs"),
        ('{"home": "XX"}', "key home"),
        ('{"corners": [[1, 2]]}', "key corners"),
        ('{"corners": [[0, 0], [0, 9], [9, 9], [9, 0]]}', "clockwise"),
        ('{"lens": "magnifying-glass"}', "expected one of"),
        ("{", "expected JSON"),
        ("[]", "dictionary"),
    ],
)
def test_a_wrong_one_is_one_line_that_names_file_and_key(tmp_path, text, says):
    path = tmp_path / "rig.json"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_calibration(path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(ConfigError, match="found none"):
        load_calibration(tmp_path / "none.json")


def test_corners_scale_with_the_picture():
    known = Calibration(corners=CORNERS, image_size=(160, 120))
    twice = corners_for(known, (320, 240))
    assert twice is not None
    assert twice[0] == pytest.approx((20.5, 20.5))
    assert corners_for(known, (160, 120))[2] == pytest.approx((110, 90))
    with pytest.raises(ConfigError, match="160×120"):
        corners_for(known, (320, 320))


def test_corners_on_the_command_line():
    assert parse_corners("1,2 30,4 50,60 7,80") == ((1, 2), (30, 4), (50, 60), (7, 80))
    for wrong in ("1,2 3,4", "a,b c,d e,f g,h", ""):
        with pytest.raises(ConfigError, match="--corners"):
            parse_corners(wrong)


def test_the_presets_can_be_read():
    assert lens("pi-camera-3-wide").focal < lens("pi-camera-3").focal
    assert board_preset("club").field_mm[0] > board_preset("travel").field_mm[0]


def test_the_readme_shows_a_calibration_that_can_be_read(tmp_path):
    from companion.config import data_folder

    text = (data_folder("calibration") / "README.md").read_text()
    example = text.split("```json")[1].split("```")[0]
    path = tmp_path / "rig.json"
    path.write_text(example)
    assert load_calibration(path).game == json.loads(example)["game"]
