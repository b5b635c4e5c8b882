"""The noun that comes in: one picture of the table at one time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from companion.attention import Attention, Box

Image = npt.NDArray[np.uint8]
"""A picture: height × width × 3, uint8, BGR (as OpenCV reads it)."""

Detail = tuple[Box, Image]
"""A region of a frame, in its pixels, and the picture of it in the camera's full resolution."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table.

    ``image`` is height × width × 3, uint8, BGR. ``t`` is in seconds from the start of the recording and never goes
    back; ``number`` counts from 0 in the source, so that a dropped frame leaves a hole. ``details`` are the regions
    that Attention wanted, from a camera that can show them larger.
    """

    image: Image
    t: float
    number: int
    details: tuple[Detail, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Everything but the pixels."""
        height, width = self.image.shape[:2]
        return {"t": self.t, "number": self.number, "width": width, "height": height}


class FrameSource(Protocol):
    """Where frames come from: a camera, a video file, a recorded folder."""

    def __iter__(self) -> Iterator[Frame]:
        """Yield frames in order of time until the source ends."""
        ...

    def attend(self, attention: Attention) -> None:
        """Take note of where to look next; a source that cannot steer ignores it."""
        ...

    def close(self) -> None:
        """Let go of the device or file; may be called twice."""
        ...
