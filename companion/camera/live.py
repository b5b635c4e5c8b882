"""Live frames: a USB camera through OpenCV, and a recording played at its own pace in its place.

A thread of the camera's own keeps the newest frame only, so that a slow reader never falls behind the table.
"""

import threading
import time
from collections.abc import Iterator
from functools import partial

import cv2
import numpy as np

from companion.attention import Attention
from companion.errors import HardwareError
from companion.frame import Frame, FrameSource, Image

FIRST_FRAME_S = 10.0
"""A camera may take so long to give its first picture."""

SILENT_S = 2.0
"""A camera that gives none for so long has been unplugged."""


class LiveCamera:
    """A USB camera; ``device`` is its number, its device file, or the address of a stream. Frames carry monotonic
    seconds from when it was opened. Iterating raises HardwareError when it gives no more pictures.
    """

    def __init__(self, device: str) -> None:
        self._capture = cv2.VideoCapture(int(device) if device.isdigit() else device)
        if not self._capture.isOpened():
            raise HardwareError(f"camera {device}: expected a camera that answers, found none")
        self.device = device
        self._start_s = time.monotonic()
        self._newest: tuple[float, Image, int] | None = None
        self._ready = threading.Condition()
        self._open = True
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
        """A USB camera cannot be steered."""

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
            ok, image = self._capture.read()
            if not ok:
                time.sleep(0.05)
                continue
            with self._ready:
                self._newest = (time.monotonic() - self._start_s, np.asarray(image, np.uint8), number)
                self._ready.notify_all()
            number += 1


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
