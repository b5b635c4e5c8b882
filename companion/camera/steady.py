"""A camera that may vanish: it is opened again and again, at growing intervals, and goes on where the time is."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from companion.attention import Attention
from companion.errors import CompanionError
from companion.frame import Frame, FrameSource

FIRST_S, LONGEST_S = 0.5, 8.0


def waits() -> Iterator[float]:
    """How long to wait before each try: twice as long each time, up to a limit."""
    wait_s = FIRST_S
    while True:
        yield wait_s
        wait_s = min(2 * wait_s, LONGEST_S)


class SteadyCamera:
    """Frames of whatever ``opened`` opens. When it fails ``told(True, t)`` is called, and when it is back
    ``told(False, t)``; ``idle(t)`` now and then between. All are called by the thread that takes the frames.

    The first opening must succeed (HardwareError). Times are seconds from the first opening plus ``begin_s``, and never
    go back, whatever the clocks of camera and machine do.
    """

    def __init__(
        self,
        opened: Callable[[], FrameSource],
        told: Callable[[bool, float], None],
        *,
        begin_s: float = 0.0,
        idle: Callable[[float], None] = lambda t: None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._opened, self._told, self._idle = opened, told, idle
        self._clock, self._sleep = clock, sleep
        self._start_s = clock() - begin_s
        self._source: FrameSource | None = opened()
        self._open = True
        self._t, self._offset_s, self._number = begin_s, begin_s, 0

    def __iter__(self) -> Iterator[Frame]:
        while self._open:
            yield from self._frames()
            if self._open:
                self._told(True, self._now())
                self._again()

    def attend(self, attention: Attention) -> None:
        """Hand it on to the camera that there is."""
        if self._source is not None:
            self._source.attend(attention)

    def close(self) -> None:
        """Let go of the camera; may be called twice."""
        self._open = False
        if self._source is not None:
            self._source.close()

    def _frames(self) -> Iterator[Frame]:
        """Frames until the camera fails; their own times count from when it was opened."""
        source = self._source
        assert source is not None
        with suppress(CompanionError):
            for frame in source:
                self._t = max(self._t, self._offset_s + frame.t)
                yield replace(frame, t=self._t, number=self._number)
                self._number += 1
                if not self._open:
                    return
        source.close()
        self._source = None

    def _again(self) -> None:
        """Try to open the camera until it answers."""
        for wait_s in waits():
            until_s = self._clock() + wait_s
            while self._open and self._clock() < until_s:
                self._sleep(min(0.25, wait_s))
                self._idle(self._now())
            if not self._open:
                return
            with suppress(CompanionError):
                self._source = self._opened()
                self._offset_s = self._now()
                self._told(False, self._offset_s)
                return

    def _now(self) -> float:
        """Never earlier than the last frame."""
        return max(self._t, self._clock() - self._start_s)
