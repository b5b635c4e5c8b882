"""The one noun that flows back: where to look next. It steers vision and camera and is never evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels of the frame."""


@dataclass(frozen=True)
class Attention:
    """What the table and the signals tell the camera and the eyes before the next frame.

    ``expected`` maps a slot to the (light, dark) content that the table believes in, or is None when it believes
    nothing; ``regions`` are wanted in full resolution; frames before ``not_evidence_until_s`` are not evidence (a
    lamp changes).
    """

    phase: str = "SETUP"
    expected: Mapping[str, tuple[int, int]] | None = None
    regions: tuple[Box, ...] = field(default=())
    not_evidence_until_s: float = float("-inf")

    def to_json(self) -> dict[str, Any]:
        """The JSON form; ``not_evidence_until_s`` is null when every frame is evidence."""
        until = self.not_evidence_until_s
        return {
            "phase": self.phase,
            "expected": None if self.expected is None else {k: list(v) for k, v in self.expected.items()},
            "regions": [list(box) for box in self.regions],
            "not_evidence_until_s": None if until == float("-inf") else until,
        }
