"""A slow display holds up nothing, and a broken one ends nothing."""

import logging
import threading
import time

import pytest

from companion.signals.worker import Worker


class Slow:
    """A display that draws only when it is let."""

    def __init__(self) -> None:
        self.started, self.let = threading.Event(), threading.Event()
        self.drawn: list[float] = []
        self.closed = 0

    def show(self, t: float) -> None:
        self.started.set()
        assert self.let.wait(5)
        self.drawn.append(t)

    def close(self) -> None:
        self.closed += 1


class Broken(Slow):
    def show(self, t: float) -> None:
        raise OSError("I2C does not answer")


def test_only_the_newest_of_what_waits_is_drawn() -> None:
    display = Slow()
    with Worker("display", display.show, display.close) as worker:
        worker.put(1.0)
        assert display.started.wait(5)
        for t in (2.0, 3.0, 4.0):
            worker.put(t)
        display.let.set()
    assert display.drawn == [1, 4]
    assert display.closed == 1


def test_a_display_that_fails_is_given_up_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    display = Broken()
    with caplog.at_level(logging.WARNING), Worker("display", display.show, display.close) as worker:
        worker.put(1.0)
    worker.put(2.0)
    worker.close()
    assert [r.getMessage() for r in caplog.records] == ["the display is given up: I2C does not answer"]


def test_a_display_that_hangs_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.signals.worker.LONGEST_CLOSE_S", 0.05)
    display = Slow()
    worker = Worker("display", display.show, display.close)
    worker.put(1.0)
    assert display.started.wait(5)
    begun = time.monotonic()
    worker.close()
    assert time.monotonic() - begun < 2
    display.let.set()
