"""USB cameras: which there are, what is asked of them, and what they keep during a game."""

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.attention import Attention
from companion.camera import live, sources
from companion.camera.live import LiveCamera, usb_cameras
from companion.camera.steadiness import wants_lock
from companion.errors import HardwareError

AE, WB, AF = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS


class Webcam:
    """What cv2.VideoCapture is to the camera; ``fixed`` settings are those that its driver does not let be changed."""

    def __init__(self, fixed: tuple[int, ...] = (), there: bool = True) -> None:
        self.fixed, self.there = fixed, there
        self.values = {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, cv2.CAP_PROP_FOCUS: 30.0}
        self.asked: list[tuple[int, float]] = []
        self.opened: list[object] = []
        self.released = False

    def __call__(self, device: object, api: int = 0) -> "Webcam":
        self.opened.append((device, api))
        return self

    def isOpened(self) -> bool:  # noqa: N802  OpenCV's name
        return self.there

    def get(self, key: int) -> float:
        return self.values.get(key, 0.0)

    def set(self, key: int, value: float) -> bool:
        if key in self.fixed:
            return False
        self.asked.append((key, value))
        self.values[key] = value
        if key == AE and value == live.V4L2_MANUAL:
            self.values[cv2.CAP_PROP_EXPOSURE] = 3.0  # some cameras fall back to a default
        return True

    def read(self) -> tuple[bool, object]:
        time.sleep(0.005)
        return True, np.zeros((4, 4, 3), np.uint8)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def webcam(monkeypatch: pytest.MonkeyPatch) -> Webcam:
    fake = Webcam()
    monkeypatch.setattr(cv2, "VideoCapture", fake)
    monkeypatch.setattr(live, "SETTLE_S", 0.0)
    return fake


def until(met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60.0
    while not met():
        assert time.monotonic() < deadline, "this never came true"
        time.sleep(0.005)


def test_a_camera_adapts_until_a_game_begins_and_keeps_what_it_had_then(webcam: Webcam) -> None:
    camera = LiveCamera("/dev/video2")
    try:
        assert (webcam.values[AE], webcam.values[WB], webcam.values[AF]) == (live.V4L2_AUTO, 1, 1)
        camera.attend(Attention(phase="MOVING"))
        until(lambda: webcam.asked[-1][0] == cv2.CAP_PROP_FOCUS)
        assert (webcam.values[AE], webcam.values[WB], webcam.values[AF]) == (live.V4L2_MANUAL, 0, 0)
        assert webcam.values[cv2.CAP_PROP_EXPOSURE] == 156.0
        assert webcam.values[cv2.CAP_PROP_WB_TEMPERATURE] == 4600.0
        camera.attend(Attention(phase="GAME_OVER"))
        until(lambda: webcam.values[AF] == 1)
        assert webcam.values[AE] == live.V4L2_AUTO
    finally:
        camera.close()
    assert webcam.released


def test_a_driver_that_does_not_let_a_setting_be_kept_is_left_alone() -> None:
    assert live.locked(Webcam()) == ("exposure", "white balance", "focus")
    stubborn = Webcam(fixed=(AE, AF))
    assert live.locked(stubborn) == ("white balance",)
    assert stubborn.values[cv2.CAP_PROP_EXPOSURE] == 156.0


def test_a_camera_of_this_machine_is_opened_by_v4l2_and_a_stream_by_its_address(webcam: Webcam) -> None:
    LiveCamera("0").close()
    LiveCamera("rtsp://camera/live").close()
    assert webcam.opened == [(0, cv2.CAP_V4L2), ("rtsp://camera/live", 0)]


@pytest.mark.parametrize(
    ("phase", "before", "locked"),
    [("SETUP", True, False), ("WAITING_FOR_ROLL", False, True), ("BLIND", True, True), ("BLIND", False, False)],
)
def test_a_camera_is_locked_while_a_game_is_read(phase: str, before: bool, locked: bool) -> None:
    assert wants_lock(phase, before) is locked


def test_only_usb_cameras_are_found_and_only_where_they_give_pictures(tmp_path: Path) -> None:
    for number, (bus, index) in enumerate([("platform/unicam", 0), ("usb1/1-1", 0), ("usb1/1-1", 1), ("usb2/2-1", 0)]):
        device = tmp_path / "devices" / bus
        device.mkdir(parents=True, exist_ok=True)
        entry = tmp_path / "class" / f"video{number}"
        entry.mkdir(parents=True)
        (entry / "device").symlink_to(device)
        (entry / "index").write_text(f"{index}\n")
    assert usb_cameras(tmp_path / "class") == ["/dev/video1", "/dev/video3"]
    assert usb_cameras(tmp_path / "nothing") == []


def test_a_machine_without_any_camera_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "usb_cameras", list)
    with pytest.raises(HardwareError, match=r"^camera: expected a Pi camera or a USB camera, found none"):
        sources.open_camera("auto")
