"""What stands in for a camera with stills: frames that are smaller than what it can show, and details on request."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from companion.attention import Attention, Box
from companion.camera.pi import cut
from companion.frame import Detail, Frame, FrameSource, Image


def smaller(image: Image, times: float) -> Image:
    """The picture so many times smaller."""
    size = round(image.shape[1] / times), round(image.shape[0] / times)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


class TwoSizes:
    """The frames of a source so many ``times`` smaller; with ``stills`` what :class:`Attention` wants of the next
    frame comes as it was. ``shown`` counts the details.
    """

    def __init__(self, source: FrameSource, times: float, *, stills: bool = True) -> None:
        self._source, self._times, self._stills = source, times, stills
        self._wanted: tuple[Box, ...] = ()
        self.shown = 0

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._source:
            small = smaller(frame.image, self._times)
            details = tuple(self._detail(frame.image, small.shape[1], box) for box in self._wanted)
            self.shown += len(details)
            yield replace(frame, image=small, details=details)

    def attend(self, attention: Attention) -> None:
        """Remember what is wanted."""
        self._wanted = attention.regions if self._stills else ()

    def close(self) -> None:
        """Close the source."""
        self._source.close()

    @staticmethod
    def _detail(image: Image, width_px: int, box: Box) -> Detail:
        return cut(image, width_px, box)
