"""Input that cannot be used is answered with one clear line, and with an exit code that says so."""

import json
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main


def truncated(path: Path) -> None:
    ok, data = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8))
    assert ok
    path.write_bytes(data.tobytes()[: len(data) // 3])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("This is not a picture.\n")


def folder(path: Path) -> None:
    path.mkdir()


def missing(path: Path) -> None:
    pass


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    assert said.startswith("companion: ")
    assert "Traceback" not in said
    assert "this should not happen" not in said
    return said


@pytest.mark.parametrize("spoil", [truncated, empty, text, missing])
def test_a_picture_that_cannot_be_read_is_an_error_in_its_own_line(
    spoil: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "photo.jpg"
    spoil(path)
    assert main(["read", str(path)]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["image"] for answer in answers] == [str(path)]
    assert answers[0]["error"]
    assert "\n" not in answers[0]["error"]


@pytest.mark.parametrize("spoil", [truncated, empty, text, folder, missing])
def test_a_source_that_cannot_be_replayed_is_one_line(
    spoil: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.mp4"
    spoil(path)
    assert main(["replay", str(path)]) == 1
    said = one_line(capsys)
    # A damaged picture plays as a film of one frame, in which no game begins.
    assert "game.mp4" in said or "expected the start position" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"version": 1, "colour": "brown"}', "unknown key colour"),
        ('{"version": 1, "home": "XX"}', "key home"),
        ('{"version": 1, "corners": [[1, 2]]}', "key corners"),
        ("not json", "rig.json"),
        ("[]", "rig.json"),
    ],
)
@pytest.mark.parametrize("command", ["read", "replay"])
def test_a_calibration_that_is_wrong_is_one_line_that_names_the_key(
    command: str, content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig, source = tmp_path / "rig.json", tmp_path / "photo.jpg"
    rig.write_text(content)
    cv2.imwrite(str(source), np.zeros((240, 320, 3), np.uint8))
    assert main([command, str(source), "--calibration", str(rig)]) == 1
    assert said in one_line(capsys)


SIXTEEN = {"points": [0] * 23 + [16], "bar": {"white": 0, "black": 0}, "off": {"white": 0, "black": 15}}


def test_a_start_position_of_16_checkers_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = tmp_path / "start.json"
    start.write_text(json.dumps(SIXTEEN))
    assert main(["replay", str(tmp_path), "--start", str(start), "--game", "long"]) == 1
    assert "start.json" in one_line(capsys)


@pytest.mark.parametrize("command", ["legal", "judge"])
def test_a_position_of_16_checkers_is_an_error_and_the_stream_goes_on(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = {"points": [0] * 11 + [-15] + [0] * 11 + [15], "bar": SIXTEEN["bar"], "off": {"white": 0, "black": 0}}
    good = {"id": "good", "game": "long", "board": start, "dice": [2, 1], "after": start}
    lines = [json.dumps(good | {"id": "bad", "board": SIXTEEN}), "{", json.dumps(good)]
    monkeypatch.setattr(sys, "stdin", StringIO("\n".join(lines) + "\n"))
    main([command])
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == 3
    assert "error" in answers[0]
    assert "error" in answers[1]
    assert answers[2]["id"] == "good"
    assert "error" not in answers[2]


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay", "x.mp4", "--corners", "1,2"],
        ["replay", "x.mp4", "--home", "XX"],
        ["replay", "x.mp4", "--game", "chess"],
        ["replay", "x.mp4", "--resume"],
        ["replay"],
        ["read"],
    ],
)
def test_a_wrong_option_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) in (1, 2)
    one_line(capsys)
