"""Buttons and page: time-stamped inputs, and the one thread-safe queue through which they reach the table."""

import math
import threading
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from companion.errors import RecordingError

Side = Literal["white", "black"]


class InputKind(StrEnum):
    """What a button or the page can say."""

    END_TURN = "end-turn"
    """The player of this side has finished the play; after an illegal play of the other side: accepted, where
    it need not be put right (policy)."""
    DOUBLE = "double"
    """Offers a double."""
    TAKE = "take"
    """Takes the offered cube."""
    DROP = "drop"
    """Gives the game up for the value before the offer."""
    BEAVER = "beaver"
    """Takes and doubles again at once."""
    ACCEPT = "accept"
    """Accepts a beaver, a resignation, or an illegal play that need not be put right (policy)."""
    RESIGN = "resign"
    """Gives the game up."""
    ADJUST = "adjust"
    """Checkers are being put straight: nothing that happens until it is pressed again is a play."""
    CONFIRM = "confirm"
    """The position on the board is the true one."""


@dataclass(frozen=True)
class Input:
    """One press: when (seconds, the clock of the frames), what, and by which side (None for shared buttons)."""

    t: float
    input: InputKind
    side: Side | None = None

    def to_json(self) -> dict[str, Any]:
        """The form of ``inputs.jsonl``."""
        return {"t": self.t, "input": self.input.value, "side": self.side}

    @classmethod
    def from_json(cls, data: Any) -> "Input":
        """Read the form of ``inputs.jsonl``; raises RecordingError that says what is wrong."""
        if not isinstance(data, dict) or "t" not in data or "input" not in data:
            raise RecordingError(f'an input: expected {{"t", "input", "side"}}, got {data!r}')
        t, kind, side = data["t"], data["input"], data.get("side")
        if isinstance(t, bool) or not isinstance(t, int | float) or not math.isfinite(t):
            raise RecordingError(f"an input: key t: expected seconds, got {t!r}")
        if kind not in list(InputKind):
            raise RecordingError(f"an input: key input: expected one of {', '.join(InputKind)}, got {kind!r}")
        if side not in ("white", "black", None):
            raise RecordingError(f"an input: key side: expected white, black or null, got {side!r}")
        return cls(float(t), InputKind(kind), side)


class InputQueue:
    """The one way in: any thread puts, the pipeline drains at the start of each step."""

    def __init__(self) -> None:
        self._items: deque[Input] = deque()
        self._lock = threading.Lock()

    def put(self, item: Input) -> None:
        """Add an input; may be called from any thread."""
        with self._lock:
            self._items.append(item)

    def drain(self, until_s: float) -> list[Input]:
        """Take out, ordered by time, the inputs that are not later than ``until_s``."""
        with self._lock:
            due = sorted((i for i in self._items if i.t <= until_s), key=lambda i: i.t)
            self._items = deque(i for i in self._items if i.t > until_s)
        return due
