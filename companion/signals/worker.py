"""A slow display, drawn on from a thread of its own, so that it holds up no frame."""

import logging
import threading
from types import TracebackType
from typing import Protocol, Self

from companion.signals.scoreboard import Scoreboard

log = logging.getLogger(__name__)


class Shows(Protocol):
    """What can be drawn on: ``display.Display``, or whatever stands in for it."""

    def show(self, view: Scoreboard) -> None:
        """Draw what is shown."""
        ...

    def close(self) -> None:
        """Turn it off."""
        ...


class Worker:
    """Hands the newest view to a display in the background; older ones that were not drawn yet are dropped.

    A display that fails (a loose cable) is given up with a warning: the game goes on without it. A context manager;
    ``close`` draws what is still waiting, closes the display, and may be called twice.
    """

    def __init__(self, display: Shows) -> None:
        self._display = display
        self._waiting: Scoreboard | None = None
        self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="display", daemon=True)
        self._thread.start()

    def show(self, view: Scoreboard) -> None:
        """Take note of what to draw next, and return at once."""
        with self._changed:
            self._waiting = view
            self._changed.notify()

    def close(self) -> None:
        """Wait until the thread has ended."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _work(self) -> None:
        try:
            while (view := self._next()) is not None:
                self._display.show(view)
            self._display.close()
        except Exception as error:  # whatever a driver raises must not end the game
            log.warning("the display is given up: %s", error)

    def _next(self) -> Scoreboard | None:
        """Wait for the next view; None when there is none left and the display is to be closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting is not None or self._closing)
            view, self._waiting = self._waiting, None
            return view
