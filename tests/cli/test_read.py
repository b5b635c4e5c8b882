"""``companion read`` on a real picture: what it prints, what it draws, and that one bad picture does not stop
the rest."""

import json
from pathlib import Path
from typing import Any

import cv2
import pytest
from PIL import Image

from companion.cli import main

PICTURES = Path(__file__).parents[1] / "data" / "pictures"
BOARD = PICTURES / "board.jpg"
LABEL = json.loads((PICTURES / "board.json").read_text())
CORNERS = " ".join(f"{x},{y}" for x, y in LABEL["corners"])


def lines(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[dict[str, Any]]:
    assert main(["read", *arguments]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_line_has_everything_that_other_programs_read(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = lines(capsys, str(BOARD), "--corners", CORNERS)
    assert list(line) == ["image", "board", "dice", "top", "bottom", "bar", "off", "cube", "hand", "confidence"]
    assert line["image"] == str(BOARD)
    assert line["board"]["found"] == "given"
    assert line["board"]["corners"][0] == pytest.approx(LABEL["corners"][0], abs=0.06)
    assert len(line["top"]) == len(line["bottom"]) == 12
    for die in line["dice"]:
        assert set(die) == {"value", "confidence", "box", "state", "place"}
    assert line["hand"] is False


def test_most_points_of_a_clear_picture_are_right(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = lines(capsys, str(BOARD), "--corners", CORNERS)
    read = line["top"] + line["bottom"]
    truth = LABEL["points"]["top_row"] + LABEL["points"]["bottom_row"]
    assert sum(a == b for a, b in zip(read, truth, strict=True)) >= 21


def test_without_corners_the_board_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = lines(capsys, str(BOARD))
    assert line["board"]["found"] == "auto"
    assert len(line["board"]["corners"]) == 4


def test_dice_alone_need_no_board(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = lines(capsys, str(BOARD), "--dice-only")
    assert line["board"] == {"corners": None, "found": "none"}
    assert line["top"] is None
    assert all(die["place"] is None for die in line["dice"])


def test_a_bad_picture_is_one_line_and_the_rest_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(BOARD.read_bytes()[:5000])
    first, second = lines(capsys, str(bad), str(BOARD), "--corners", CORNERS, code=1)
    assert set(first) == {"image", "error"}
    assert "truncated" in first["error"]
    assert second["board"]["found"] == "given"


def test_a_calibration_gives_the_corners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig = tmp_path / "rig.json"
    rig.write_text(json.dumps({"corners": LABEL["corners"], "image_size": [LABEL["width"], LABEL["height"]]}))
    (line,) = lines(capsys, str(BOARD), "--calibration", str(rig))
    assert line["board"]["found"] == "given"


def test_one_drawing_is_a_file_and_several_go_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines(capsys, str(BOARD), "--corners", CORNERS, "--draw", str(tmp_path / "one.png"))
    assert cv2.imread(str(tmp_path / "one.png")).shape[1] >= 1280
    other = tmp_path / "other.jpg"
    other.write_bytes(BOARD.read_bytes())
    lines(capsys, str(BOARD), str(other), "--corners", CORNERS, "--draw", str(tmp_path / "all"))
    assert sorted(p.name for p in (tmp_path / "all").iterdir()) == ["board.png", "other.png"]


@pytest.mark.parametrize("corners", ["1,2 3,4", "0,0 0,9 9,9 9,0", "a,b c,d e,f g,h"])
def test_corners_that_are_no_board_are_one_line(corners: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(BOARD), "--corners", corners]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "--corners" in said.err


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (5000, 3), (3, 5000)], ids=str)
def test_pictures_of_odd_sizes_are_read_without_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], size: tuple[int, int]
) -> None:
    picture = tmp_path / "odd.png"
    Image.new("RGB", size, (90, 120, 90)).save(picture)
    (line,) = lines(capsys, str(picture))
    assert line["board"] == {"corners": None, "found": "none"}
    assert line["top"] is None


@pytest.mark.parametrize("mode", ["L", "LA", "RGBA", "P", "CMYK", "I;16"])
def test_every_kind_of_picture_is_read_as_the_plain_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    """Grey, with transparency, with a palette, for print, sixteen bits deep: the board is where it is."""
    picture = tmp_path / ("odd.jpg" if mode == "CMYK" else "odd.png")
    if mode == "I;16":
        cv2.imwrite(str(picture), cv2.imread(str(BOARD)).astype("uint16") * 257)
    else:
        Image.open(BOARD).convert(mode).save(picture)
    (line,) = lines(capsys, str(picture), "--corners", CORNERS)
    truth = LABEL["points"]["top_row"] + LABEL["points"]["bottom_row"]
    assert sum(a == b for a, b in zip(line["top"] + line["bottom"], truth, strict=True)) >= 20


def test_a_picture_turned_by_its_exif_is_read_upright(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, turned = tmp_path / "turned.jpg", Image.Exif()
    turned[0x0112] = 6
    Image.open(BOARD).rotate(90, expand=True).save(picture, exif=turned, quality=95)
    (line,) = lines(capsys, str(picture), "--corners", CORNERS)
    truth = LABEL["points"]["top_row"] + LABEL["points"]["bottom_row"]
    assert sum(a == b for a, b in zip(line["top"] + line["bottom"], truth, strict=True)) >= 20
