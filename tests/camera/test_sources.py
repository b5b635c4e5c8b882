"""Recordings: what is written is read back, and what is broken says so in one line."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera import open_source
from companion.camera.folder import FolderSource, Recorder, recorded_inputs
from companion.camera.pictures import read_picture
from companion.errors import PictureError, RecordingError
from companion.frame import Frame
from companion.inputs import Input, InputKind


def picture(shade: int) -> np.ndarray:
    return np.full((48, 64, 3), shade, np.uint8)


def record(folder: Path, times: list[float]) -> None:
    with Recorder(folder) as recorder:
        for number, t in enumerate(times):
            recorder.frame(Frame(picture(20 * number), t, number))
        recorder.input(Input(1.5, InputKind.END_TURN, "white"))


def test_a_recording_is_read_back_with_its_times_and_inputs(tmp_path: Path) -> None:
    record(tmp_path / "game", [0.0, 0.11, 1.7])
    frames = list(open_source(tmp_path / "game"))
    assert [(f.number, f.t) for f in frames] == [(0, 0.0), (1, 0.11), (2, 1.7)]
    assert [int(f.image.mean()) for f in frames] == [0, 20, 40]
    assert recorded_inputs(tmp_path / "game") == [Input(1.5, InputKind.END_TURN, "white")]


def test_what_the_camera_showed_larger_is_recorded_with_its_frame(tmp_path: Path) -> None:
    details = ((10.0, 20.5, 16.0, 12.0), picture(90)), ((0.0, 0.0, 8.0, 8.0), picture(180))
    with Recorder(tmp_path) as recorder:
        recorder.frame(Frame(picture(20), 0.0, 0))
        recorder.frame(Frame(picture(40), 0.2, 1, details))
    plain, closer = FolderSource(tmp_path)
    assert plain.details == ()
    assert [(box, int(part.mean())) for box, part in closer.details] == [(details[0][0], 90), (details[1][0], 180)]
    assert int(closer.image.mean()) == 40
    assert [json.loads(line).keys() for line in (tmp_path / "frames.jsonl").read_text().splitlines()] == [
        {"file", "t"},
        {"file", "t", "details"},
    ]


def test_a_recording_is_never_overwritten(tmp_path: Path) -> None:
    record(tmp_path, [0.0])
    with pytest.raises(RecordingError, match="found a recording in it"):
        Recorder(tmp_path)


def test_pictures_alone_are_taken_in_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.png", "a.png", "c.png"):
        cv2.imwrite(str(tmp_path / name), picture(ord(name[0])))
    frames = list(FolderSource(tmp_path, fps=4))
    assert [f.t for f in frames] == [0.0, 0.25, 0.5]
    assert [int(f.image[0, 0, 0]) for f in frames] == [ord("a"), ord("b"), ord("c")]


def test_a_video_has_the_times_of_its_container(tmp_path: Path) -> None:
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (64, 48))
    for shade in (0, 80, 160):
        writer.write(picture(shade))
    writer.release()
    source = open_source(path)
    assert [round(f.t, 3) for f in source] == [0.0, 0.2, 0.4]
    source.close()
    source.close()


def test_a_line_that_a_power_cut_left_half_written_is_no_error(tmp_path: Path) -> None:
    record(tmp_path, [0.0, 0.1])
    with (tmp_path / "frames.jsonl").open("a") as file:
        file.write('{"file": "f00')
    assert len(FolderSource(tmp_path)) == 2


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["nonsense", "{}"], "line 1: expected JSON"),
        ([json.dumps({"file": "a.jpg"})], r'line 1: expected {"file", "t"}'),
        ([json.dumps({"file": "../a.jpg", "t": 0})], "a name in this folder"),
        ([json.dumps({"file": "a.jpg", "t": 0, "details": 3})], "line 1: details: expected"),
        ([json.dumps({"file": "a.jpg", "t": 0, "details": [{"file": "b.jpg", "box": [1, 2]}]})], "details: expected"),
        ([json.dumps({"file": "a.jpg", "t": 0, "details": [{"file": "/b", "box": [1, 2, 3, 4]}]})], "in this folder"),
        ([json.dumps({"file": "a.jpg", "t": 1}), json.dumps({"file": "b.jpg", "t": 0})], "expected at least 1"),
    ],
)
def test_a_broken_listing_says_line_and_expectation(tmp_path: Path, lines: list[str], says: str) -> None:
    (tmp_path / "frames.jsonl").write_text("\n".join(lines) + "\n")
    with pytest.raises(RecordingError, match=says.replace("{", r"\{").replace("}", r"\}")):
        FolderSource(tmp_path)


def test_an_empty_folder_and_a_missing_one_say_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="found none"):
        open_source(tmp_path)
    with pytest.raises(RecordingError, match="found nothing there"):
        open_source(tmp_path / "missing")


def test_broken_pictures_say_what_they_are(tmp_path: Path) -> None:
    ok, jpeg = cv2.imencode(".jpg", np.random.default_rng(0).integers(0, 255, (200, 200, 3), np.uint8))
    assert ok
    cases = {
        "truncated.jpg": (jpeg.tobytes()[: len(jpeg) // 2], "truncated JPEG"),
        "empty.jpg": (b"", "empty file"),
        "text.jpg": (b"not a picture at all", "something else"),
    }
    for name, (data, says) in cases.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(PictureError, match=says):
            read_picture(tmp_path / name)


def test_a_video_that_is_none_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "v.mp4").write_bytes(b"no video" * 100)
    with pytest.raises(PictureError, match="expected a video"):
        list(open_source(tmp_path / "v.mp4"))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"t": 1}, "expected"),
        ({"t": "x", "input": "double"}, "expected seconds"),
        ({"t": 1, "input": "shout"}, "expected one of"),
        ({"t": 1, "input": "double", "side": "red"}, "white, black or null"),
    ],
)
def test_a_wrong_input_says_key_and_expectation(tmp_path: Path, data: dict[str, object], says: str) -> None:
    (tmp_path / "inputs.jsonl").write_text(json.dumps(data) + "\n")
    with pytest.raises(RecordingError, match=says):
        recorded_inputs(tmp_path)
