"""Frames from a video file, with the times of its container."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.attention import Attention
from companion.errors import PictureError
from companion.frame import Frame


class VideoSource:
    """A video file as OpenCV reads it (FFmpeg); times are the container's, in seconds, and never go back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.stat().st_size == 0:
            raise PictureError(f"{path}: expected a video, got an empty file (0 bytes)")
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise PictureError(f"{path}: expected a video that OpenCV can read, got something else")

    def __len__(self) -> int:
        return max(0, int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)))

    def __iter__(self) -> Iterator[Frame]:
        number, last = 0, 0.0
        while True:
            ok, image = self._capture.read()
            if not ok:
                break
            last = max(last, self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0)
            yield Frame(np.asarray(image, np.uint8), last, number)
            number += 1
        if number == 0:
            raise PictureError(f"{self.path}: expected a video with pictures, found none that can be read")

    def attend(self, attention: Attention) -> None:
        """A recording cannot be steered."""

    def close(self) -> None:
        """Release the file; may be called twice."""
        self._capture.release()
