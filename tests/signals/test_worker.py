"""A slow display holds up nothing, and a broken one ends nothing."""

import logging
import threading

import pytest

from companion.signals.scoreboard import Scoreboard
from companion.signals.worker import Worker


class Slow:
    """A display that draws only when it is let."""

    def __init__(self) -> None:
        self.started, self.let = threading.Event(), threading.Event()
        self.drawn: list[float] = []
        self.closed = 0

    def show(self, view: Scoreboard) -> None:
        self.started.set()
        assert self.let.wait(5)
        self.drawn.append(view.t)

    def close(self) -> None:
        self.closed += 1


class Broken(Slow):
    def show(self, view: Scoreboard) -> None:
        raise OSError("I2C does not answer")


def test_only_the_newest_of_what_waits_is_drawn() -> None:
    display = Slow()
    with Worker(display) as worker:
        worker.show(Scoreboard(t=1))
        assert display.started.wait(5)
        for t in (2, 3, 4):
            worker.show(Scoreboard(t=t))
        display.let.set()
    assert display.drawn == [1, 4]
    assert display.closed == 1


def test_a_display_that_fails_is_given_up_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), Worker(Broken()) as worker:
        worker.show(Scoreboard())
    worker.show(Scoreboard())
    worker.close()
    assert [r.getMessage() for r in caplog.records] == ["the display is given up: I2C does not answer"]
