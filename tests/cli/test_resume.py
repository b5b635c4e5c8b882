"""A replay that is killed again and again ends with the record of one that was not."""

import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.config import data_folder
from companion.errors import RecordError
from companion.events import PUBLIC
from companion.records import Store

EXAMPLE = data_folder("calibration") / "example"
LONGEST_S = 300


def started(out: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "companion.cli", "replay", str(EXAMPLE / "video.mp4")]
    options = ["--calibration", str(EXAMPLE / "calibration.json"), "--out", str(out / "record"), "--resume"]
    return subprocess.Popen([*command, *options, "--events", str(out / "events.jsonl")])


def stored(out: Path) -> int:
    """How many events the record holds by now."""
    with contextlib.suppress(RecordError), Store.open(out / "record", write=False) as store:
        return sum(len(store.events(recording.id)) for recording in store.recordings())
    return 0


def test_killed_at_several_moments_and_resumed_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    for events in (2, 9):
        process = started(tmp_path)
        begun = time.monotonic()
        while stored(tmp_path) < events:
            assert process.poll() is None, "ended before it could be killed"
            assert time.monotonic() < begun + LONGEST_S
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert started(tmp_path).wait(LONGEST_S) == 0
    with Store.open(tmp_path / "record", write=False) as store:
        assert len(store.recordings()) == 1
        kept = [event.to_json() for event in store.events(1) if isinstance(event, PUBLIC)]
    whole = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert whole[0].pop("schema") == 1
    assert kept == whole
    lines = (EXAMPLE / "events.jsonl").read_text(encoding="utf-8").splitlines()
    assert [event["event"] for event in kept] == [json.loads(line)["event"] for line in lines]


@pytest.mark.parametrize("arguments", [["--resume"]])
def test_resume_without_a_record_is_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from companion.cli import main

    assert main(["replay", str(EXAMPLE / "video.mp4"), *arguments]) == 2
    assert "--out" in capsys.readouterr().err
