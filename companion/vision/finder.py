"""Find the playing field in one picture without help."""

from dataclasses import dataclass

from companion.frame import Image
from companion.vision.geometry import Floats


@dataclass(frozen=True)
class FoundBoard:
    """The field's corners TL, TR, BR, BL in pixels (4 × 2), the first row farther up, and the probability
    that they fit."""

    corners: Floats
    confidence: float


class BoardFinder:
    """Finds the playing field with a trained network."""

    def find(self, image: Image) -> FoundBoard | None:
        """The field in a picture (height × width × 3, uint8, BGR), or None when unsure."""
        return None
