"""Buttons between a pin and ground: presses become time-stamped inputs.

gpiozero keeps the pin high by the resistor inside the Pi, waits until the contact has settled, and tells a long press.
Which button means what is a setting; a meaning may depend on what is going on (:func:`meant`).
"""

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from companion.closing import Closing
from companion.config import ButtonSettings
from companion.inputs import Input, InputKind, Side
from companion.signals.scoreboard import Scoreboard

log = logging.getLogger(__name__)


OFF_S = 2.0
"""A button that switches the machine off must be held for so long at least: nobody does that by accident."""


def meant(action: str, side: Side | None, view: Scoreboard) -> InputKind | None:
    """What a press means now: ``turn`` ends the turn, or accepts what waits for an answer; ``cube`` offers a double, or
    takes the one that was offered. Any other action is the name of an input; nothing means nothing.
    """
    if action == "cube":
        return InputKind.TAKE if view.phase == "CUBE_OFFERED" and view.asked in (side, None) else InputKind.DOUBLE
    if action == "turn":
        waits = view.message.key in ("resigned", "cube-beaver")
        return InputKind.ACCEPT if waits else InputKind.END_TURN
    return InputKind(action) if action else None


class Press:
    """One button: a press is told when it begins, or, where holding means something else, when it ends in time.

    The contact chatters for ``bounce_s`` after each change; a press that comes so soon after the last change, or ends
    so soon, is none.
    """

    def __init__(
        self,
        wanted: ButtonSettings,
        send: Callable[[str, Side | None], None],
        bounce_s: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wanted, self._send, self._bounce_s, self._now = wanted, send, bounce_s, now
        self._changed_s = float("-inf")
        self._long = False

    def down(self) -> None:
        """The button goes down."""
        quiet = self._quiet()
        self._long = False
        if quiet and not self._wanted.hold:
            self._send(self._wanted.press, self._wanted.side)

    def held(self) -> None:
        """The button has been down for long."""
        self._long = True
        if self._wanted.hold:
            self._send(self._wanted.hold, self._wanted.side)

    def up(self) -> None:
        """The button comes up."""
        if self._quiet() and self._wanted.hold and not self._long:
            self._send(self._wanted.press, self._wanted.side)

    def _quiet(self) -> bool:
        """Whether the last change is long enough ago; this one is the last from now on."""
        before, self._changed_s = self._changed_s, self._now()
        return self._changed_s - before >= self._bounce_s


class Buttons(Closing):
    """All buttons; a context manager. Presses are handed to ``put`` from gpiozero's threads.

    ``clock`` gives the time of a press in seconds of the frames; ``view`` what is shown now; ``off`` is called when the
    machine is to be switched off. A button that does not answer is left out with one line.
    """

    def __init__(
        self,
        settings: Mapping[str, ButtonSettings],
        put: Callable[[Input], None],
        clock: Callable[[], float],
        view: Callable[[], Scoreboard],
        *,
        factory: Any = None,
        bounce_s: float = 0.02,
        hold_s: float = 1.0,
        off: Callable[[], None] = lambda: None,
    ) -> None:
        from gpiozero import Button
        from gpiozero.exc import GPIOZeroError

        self._put, self._clock, self._view, self._off = put, clock, view, off
        self._buttons: list[Any] = []
        for name, wanted in settings.items():
            held_s = max(hold_s, OFF_S) if wanted.hold == "poweroff" else hold_s
            try:
                button = Button(wanted.pin, pull_up=True, bounce_time=None, hold_time=held_s, pin_factory=factory)
            except (GPIOZeroError, OSError) as error:
                log.warning("button %s on pin %d does not answer and is left out: %s", name, wanted.pin, error)
                continue
            press = Press(wanted, self._send, bounce_s)
            button.when_pressed, button.when_held, button.when_released = press.down, press.held, press.up
            self._buttons.append(button)

    def close(self) -> None:
        """Let go of the pins; may be called twice."""
        while self._buttons:
            self._buttons.pop().close()

    def _send(self, action: str, side: Side | None) -> None:
        if action == "poweroff":
            self._off()
            return
        kind = meant(action, side, self._view())
        if kind is not None:
            self._put(Input(self._clock(), kind, side))
