"""What is slow (a display, a buzzer, a voice) has a thread of its own, so that it holds up no frame."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from companion.closing import Closing

log = logging.getLogger(__name__)

Item = TypeVar("Item")

LONGEST_CLOSE_S = 1.0
"""A device that hangs must not hold up the end of the program."""


class Worker(Closing, Generic[Item]):
    """Hands items to a slow device in the background; only the ``keep`` newest of those that wait are kept.

    A device that fails (a loose cable) is given up with a warning: the game goes on without it. A context manager;
    ``close`` works off what is still waiting, closes the device, and may be called twice.
    """

    def __init__(self, name: str, do: Callable[[Item], None], close: Callable[[], None], keep: int = 1) -> None:
        self._name, self._do, self._close = name, do, close
        self._waiting: deque[Item] = deque(maxlen=keep)
        self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def put(self, item: Item) -> None:
        """Take note of what to do next, and return at once."""
        with self._changed:
            self._waiting.append(item)
            self._changed.notify()

    def close(self) -> None:
        """Wait until the thread has ended, but not for long."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(LONGEST_CLOSE_S)

    def _work(self) -> None:
        try:
            while self._next_is_there():
                self._do(self._waiting.popleft())
            self._close()
        except Exception as error:  # whatever a driver raises must not end the game
            log.warning("the %s is given up: %s", self._name, error)

    def _next_is_there(self) -> bool:
        """Wait for the next item; False when there is none left and the device is to be closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            return bool(self._waiting)
