"""Recorded games made harder, as real evenings are: half the frames, a picture that shifts, light that changes, a start
in the middle. Used by ``python -m tests.bench.games DATA --disturb KIND``.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.attention import Attention
from companion.camera.video import VideoSource
from companion.frame import Frame, Image
from companion.rules import Position

SHIFT_PX = 8
BRIGHTER, DARKER = 1.4, 0.6


@dataclass(frozen=True)
class Start:
    """Where a recording begins: the first frame, the first turn shown, and the position, as a user confirms it."""

    frame: int = 0
    turn: int = 0
    position: Position | None = None


@dataclass
class Disturbed:
    """A video whose frames are changed from the middle on (``change``), or of which only each ``every``-th is seen."""

    source: VideoSource
    change: Callable[[Image], Image] | None = None
    every: int = 1
    start: Start = field(default_factory=Start)

    def __iter__(self) -> Iterator[Frame]:
        middle = len(self.source) // 2
        for frame in self.source:
            if frame.number < self.start.frame or frame.number % self.every:
                continue
            if self.change is not None and frame.number >= middle:
                frame = replace(frame, image=self.change(frame.image))
            yield frame

    def attend(self, attention: Attention) -> None:
        """A recording cannot be steered."""

    def close(self) -> None:
        """Release the file."""
        self.source.close()


def shifted(image: Image) -> Image:
    """The picture as after a push of the camera: everything 8 px to the right and down."""
    matrix = np.array([[1, 0, SHIFT_PX], [0, 1, SHIFT_PX]], np.float32)
    moved = cv2.warpAffine(image, matrix, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def lit(factor: float) -> Callable[[Image], Image]:
    """The picture in more or less light."""

    def change(image: Image) -> Image:
        return np.asarray(np.clip(image.astype(np.float32) * factor, 0, 255), np.uint8)

    return change


def disturbed(folder: Path, kind: str) -> Disturbed:
    """The video of a game with one of the ``KINDS`` of disturbance."""
    return KINDS[kind](folder, VideoSource(folder / "video.mp4"))


def _in_the_middle(folder: Path, source: VideoSource) -> Disturbed:
    return Disturbed(source, start=middle_of(folder))


def middle_of(folder: Path) -> Start:
    """The first still moment after the middle turn of a game; the notes of its makers tell where it lies in the video.

    The notes number the moments of the game; in the video each is held for some frames, and the picture changes most
    where one gives way to the next.
    """
    log: list[dict[str, Any]] = json.loads((folder / "game_truth.json").read_text())["log"]
    done = [index for index, entry in enumerate(log) if "turn_done" in entry]
    last = done[len(done) // 2 - 1]
    moment = next(entry["frame"] for entry in log[last:] if "frame" in entry)
    frames = [_small(frame.image) for frame in VideoSource(folder / "video.mp4")]
    change = np.array([np.sort(np.abs(a - b).max(2).ravel())[-25] for a, b in pairwise(frames)])
    moments = len((folder / "truth.jsonl").read_text().splitlines())
    cuts = np.sort(np.argsort(change)[::-1][: moments - 1]) + 1
    return Start(int([0, *cuts][moment]), len(done) // 2, Position.from_json(log[last]["after"]))


def _small(image: Image) -> np.ndarray:
    return cv2.resize(image, (240, 180), interpolation=cv2.INTER_AREA).astype(np.float32)


KINDS: dict[str, Callable[[Path, VideoSource], Disturbed]] = {
    "half-rate": lambda folder, source: Disturbed(source, every=2),
    "shift": lambda folder, source: Disturbed(source, shifted),
    "brighter": lambda folder, source: Disturbed(source, lit(BRIGHTER)),
    "darker": lambda folder, source: Disturbed(source, lit(DARKER)),
    "middle": _in_the_middle,
}
