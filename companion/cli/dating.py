"""The date of a live recording. A Raspberry Pi has no clock of its own: it may begin in 1970, or where it was switched
off, and learns the date when a network tells it. Times within a recording are monotonic; its date is corrected then.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from companion.errors import RecordError

KNOWN = datetime(2025, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time was never set."""

JUMP_S = 60.0
"""Clocks are also nudged; only more than this is a date that became known."""

AGAIN_S = 10.0
"""So long after a failure it is tried again."""


class Dating:
    """Tells ``correct`` when a recording really began, as soon as that becomes known.

    Dates are ISO 8601; ``started`` is when the record says that it began. A recording that is gone on with, ``left_s``
    seconds after its beginning, was dated by an earlier start of this machine: it is only corrected when no date was
    known then.
    """

    def __init__(
        self,
        started: str,
        correct: Callable[[str], None],
        left_s: float | None = None,
        *,
        wall: Callable[[], float] = lambda: time.time(),
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._started, self._correct, self._left_s = datetime.fromisoformat(started), correct, left_s
        self._wall, self._steady = wall, steady
        self._opened_s = steady()
        self._ahead_s = wall() - self._opened_s
        self._again_s = float("-inf")

    def look(self) -> None:
        """Compare the machine's clock with the time that has passed; call it often."""
        now_s, ahead_s = self._steady(), self._wall() - self._steady()
        if now_s < self._again_s:
            return
        if self._left_s is None:
            jump_s = ahead_s - self._ahead_s
            if abs(jump_s) < JUMP_S:
                return
            began = self._started + timedelta(seconds=jump_s)
        else:
            now = datetime.fromtimestamp(self._wall(), UTC)
            if self._started >= KNOWN or now < KNOWN:
                return
            began = now - timedelta(seconds=now_s - self._opened_s + self._left_s)
        try:
            self._correct(began.isoformat(timespec="seconds"))
        except RecordError:  # a full disk, which has been said already
            self._again_s = now_s + AGAIN_S
            return
        self._started, self._ahead_s = began, ahead_s
