"""``companion calibrate``: what it says about good and bad pictures, what it writes, and when it ends with 1."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.vision.calibration import load_calibration

SCENES = Path(__file__).parents[1] / "data" / "scenes"
LABEL = json.loads((SCENES / "labels.jsonl").read_text().splitlines()[0])
PICTURE = cv2.imread(str(SCENES / LABEL["file"]))
CORNERS = " ".join(f"{x},{y}" for x, y in LABEL["corners"])


def report(capsys, path, *arguments, code=0):
    assert main(["calibrate", str(path), "--json", *arguments]) == code
    return json.loads(capsys.readouterr().out)


def saved(tmp_path, picture):
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), picture)
    return path


def levels(said):
    return {finding["what"]: finding["level"] for finding in said["findings"]}


def test_a_good_picture_is_go_and_what_is_written_can_be_read(tmp_path, capsys):
    out = tmp_path / "rig" / "rig.json"
    said = report(capsys, SCENES / LABEL["file"], "--out", str(out))
    assert said["go"]
    assert said["written"] == str(out)
    assert {"board", "checkers", "dice", "focus", "light", "glare", "hand"} <= set(levels(said))
    known = load_calibration(out)
    assert known.image_size == (PICTURE.shape[1], PICTURE.shape[0])
    error = np.linalg.norm(np.array(known.corners) - np.array(LABEL["corners"]), axis=1).mean()
    assert error < 0.01 * PICTURE.shape[1]
    assert main(["read", str(SCENES / LABEL["file"]), "--calibration", str(out)]) == 0
    assert json.loads(capsys.readouterr().out)["board"]["found"] == "given"


def test_in_words_it_is_one_line_for_each_finding(tmp_path, capsys):
    assert main(["calibrate", str(SCENES / LABEL["file"]), "--out", str(tmp_path / "rig.json")]) == 0
    *findings, verdict, written = capsys.readouterr().out.splitlines()
    assert all(line[0] in "+~" for line in findings)
    assert verdict.startswith("GO")
    assert written.endswith("rig.json")


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda picture: cv2.GaussianBlur(picture, (0, 0), 4), "focus"),
        (lambda picture: (picture * 0.07).astype(np.uint8), "light"),
        (lambda picture: cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), "dice"),
    ],
    ids=["blurred", "dark", "small"],
)
def test_what_is_wrong_is_named_with_what_to_do(tmp_path, capsys, spoil, what):
    picture = spoil(PICTURE)
    scale = picture.shape[1] / PICTURE.shape[1]
    corners = " ".join(f"{x * scale},{y * scale}" for x, y in LABEL["corners"])
    said = report(capsys, saved(tmp_path, picture), "--corners", corners, code=1)
    assert levels(said)[what] == "bad"
    assert next(f for f in said["findings"] if f["what"] == what)["advice"]


def test_corners_of_a_person_win_and_are_written_as_given(tmp_path, capsys):
    moved = [[x + 3, y + 2] for x, y in LABEL["corners"]]
    out = tmp_path / "rig.json"
    text = " ".join(f"{x},{y}" for x, y in moved)
    report(capsys, SCENES / LABEL["file"], "--corners", text, "--home", "bl", "--out", str(out))
    known = load_calibration(out)
    assert np.array(known.corners) == pytest.approx(np.array(moved))
    assert known.home == "BL"


def test_without_a_board_nothing_is_written(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    noise = np.random.default_rng(1).normal(120, 6, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    said = report(capsys, saved(tmp_path, noise), code=1)
    assert levels(said) == {"board": "bad"}
    assert said["written"] is None
    assert not (tmp_path / "state").exists()


def test_of_a_folder_the_best_picture_is_taken(tmp_path, capsys):
    folder = tmp_path / "pictures"
    folder.mkdir()
    cv2.imwrite(str(folder / "a.png"), cv2.GaussianBlur(PICTURE, (0, 0), 4))
    cv2.imwrite(str(folder / "b.png"), PICTURE)
    said = report(capsys, folder, "--corners", CORNERS, "--out", str(tmp_path / "rig.json"))
    assert levels(said)["focus"] == "good"


@pytest.mark.parametrize(
    "arguments",
    [["--lens", "magnifier"], ["--board", "chess"], ["--home", "XX"], ["--game", "chess"], ["--corners", "1,2"]],
    ids=lambda arguments: arguments[0],
)
def test_a_wrong_wish_is_one_line(capsys, arguments):
    assert main(["calibrate", str(SCENES / LABEL["file"]), *arguments]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
