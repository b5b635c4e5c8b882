"""Live frames: a USB camera through OpenCV, and a recording played at its own pace in its place.

A thread of the camera's own keeps the newest frame only, so that a slow reader never falls behind the table.
"""

import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.attention import Attention
from companion.camera.steadiness import SETTLE_S, wants_lock
from companion.errors import HardwareError
from companion.frame import Frame, FrameSource, Image

FIRST_FRAME_S = 10.0
"""A camera may take so long to give its first picture."""

SILENT_S = 2.0
"""A camera that gives none for so long has been unplugged."""

SIZE = (1280, 720)
"""Asked of a USB camera; it answers with the size nearest to it."""

V4L2_MANUAL, V4L2_AUTO = 1, 3
"""V4L2_CID_EXPOSURE_AUTO: manual, and automatic by the exposure alone, as webcams know it."""

# What adapts: the switch, what it is when locked and when not, and the value that must be put back after locking.
_ADAPTING = (
    ("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, V4L2_MANUAL, V4L2_AUTO, cv2.CAP_PROP_EXPOSURE),
    ("white balance", cv2.CAP_PROP_AUTO_WB, 0, 1, cv2.CAP_PROP_WB_TEMPERATURE),
    ("focus", cv2.CAP_PROP_AUTOFOCUS, 0, 1, cv2.CAP_PROP_FOCUS),
)


def usb_cameras(devices: Path = Path("/sys/class/video4linux")) -> list[str]:
    """Device files of the USB cameras of this machine: of each the one that gives pictures.

    Those of a Pi camera and of the Pi's own video units are left out: only picamera2 can use them.
    """
    found = []
    for device in sorted(devices.glob("video*"), key=lambda path: int(path.name[5:])):
        try:
            usb = "/usb" in str((device / "device").resolve())
            first = (device / "index").read_text().strip() == "0"
        except OSError:
            continue
        if usb and first:
            found.append(f"/dev/{device.name}")
    return found


def locked(capture: Any) -> tuple[str, ...]:
    """Keep exposure, white balance and focus as they are now; those of them that the driver lets be kept."""
    kept = []
    for name, switch, manual, _, value in _ADAPTING:
        now = capture.get(value)
        if capture.set(switch, manual):
            capture.set(value, now)  # some cameras fall back to a default when they are no longer automatic
            kept.append(name)
    return tuple(kept)


def unlocked(capture: Any) -> None:
    """Let the camera adapt again."""
    for _, switch, _, automatic, _ in _ADAPTING:
        capture.set(switch, automatic)


class LiveCamera:
    """A USB camera; ``device`` is its number, its device file, or the address of a stream. Frames carry monotonic
    seconds from when it was opened. Iterating raises HardwareError when it gives no more pictures.

    Exposure, white balance and focus adapt until a game begins and are locked then, as far as the driver allows.
    """

    def __init__(self, device: str) -> None:
        self._capture = _opened(device)
        if not self._capture.isOpened():
            raise HardwareError(f"camera {device}: expected a camera that answers, found none")
        self.device = device
        self._start_s = time.monotonic()
        self._newest: tuple[float, Image, int] | None = None
        self._ready = threading.Condition()
        self._open = True
        self._locked, self._lock_wanted = False, False
        self._thread = threading.Thread(target=self._capture_frames, name="capture", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Frame]:
        last = -1
        while self._open:
            with self._ready:
                wait_s = FIRST_FRAME_S if last < 0 else SILENT_S
                if not self._ready.wait_for(partial(self._is_newer, last), wait_s):
                    raise HardwareError(f"camera {self.device}: expected a frame in {wait_s:.0f} s, got none")
                if self._newest is None or not self._open:
                    return
                t, image, last = self._newest
            yield Frame(image, t, last)

    def attend(self, attention: Attention) -> None:
        """Lock or unlock what adapts, with the next frame."""
        self._lock_wanted = wants_lock(attention.phase, self._lock_wanted)

    def close(self) -> None:
        """Stop the thread and release the camera; may be called twice."""
        self._open = False
        with self._ready:
            self._ready.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)
        self._capture.release()

    def _is_newer(self, number: int) -> bool:
        return not self._open or (self._newest is not None and self._newest[2] > number)

    def _capture_frames(self) -> None:
        number = 0
        while self._open:
            self._adapt()
            ok, image = self._capture.read()
            if not ok:
                time.sleep(0.05)
                continue
            with self._ready:
                self._newest = (time.monotonic() - self._start_s, np.asarray(image, np.uint8), number)
                self._ready.notify_all()
            number += 1

    def _adapt(self) -> None:
        """Settings are changed between two frames only, by the thread that reads them."""
        if self._lock_wanted == self._locked or time.monotonic() - self._start_s < SETTLE_S:
            return
        self._locked = self._lock_wanted
        if self._locked:
            locked(self._capture)
        else:
            unlocked(self._capture)


def _opened(device: str) -> cv2.VideoCapture:
    """A camera of this machine by V4L2, as compressed pictures (uncompressed ones are slow over USB); else a stream."""
    if not (device.isdigit() or device.startswith("/dev/")):
        return cv2.VideoCapture(device)
    api = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
    capture = cv2.VideoCapture(int(device) if device.isdigit() else device, api)
    if capture.isOpened():
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        unlocked(capture)  # it may still be locked from the evening before
    return capture


class Paced:
    """A recording in the place of a camera: its frames come when their time has come, ``speed`` times faster.

    Those before ``begin_s`` are left out: the table went on while nobody looked.
    """

    def __init__(self, source: FrameSource, speed: float = 1.0, begin_s: float = 0.0) -> None:
        self._source = source
        self._speed, self._begin_s = speed, begin_s

    def __iter__(self) -> Iterator[Frame]:
        begun_s = time.monotonic()
        for frame in self._source:
            if frame.t < self._begin_s:
                continue
            wait_s = (frame.t - self._begin_s) / self._speed - (time.monotonic() - begun_s)
            if wait_s > 0:
                time.sleep(wait_s)
            yield frame

    def attend(self, attention: Attention) -> None:
        """Hand it on."""
        self._source.attend(attention)

    def close(self) -> None:
        """Close the recording; may be called twice."""
        self._source.close()
