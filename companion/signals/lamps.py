"""Lamps on the pins of a Raspberry Pi, each an LED with its resistor between the pin and ground.

========== ==== ==========================================
lamp       BCM  lit
========== ==== ==========================================
white      5    White's turn
black      6    Black's turn
green      17   the last play is legal
amber      27   please look: void roll, not certain, lost
red        22   illegal play
recording  13   whole frames are being recorded
========== ==== ==========================================

The lamp of a side may be an RGB LED, which then shows the verdict on that side too. Every lamp may be left out, and
one that does not answer is left out with one line: the game goes on without it.
"""

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Self

from companion.closing import Closing
from companion.config import LAMP_PINS, Hardware, LampPin
from companion.errors import HardwareError
from companion.signals.patterns import Lamp
from companion.signals.plan import Colour

log = logging.getLogger(__name__)

DEFAULT_PINS = LAMP_PINS
COLOURS: Mapping[Colour, tuple[int, int, int]] = {
    "dark": (0, 0, 0),
    "white": (1, 1, 1),
    "green": (0, 1, 0),
    "amber": (1, 1, 0),
    "red": (1, 0, 0),
}
"""Red, green, blue: each full on or off, for a dimmed LED flickers, and a camera sees that as stripes."""

Level = bool | tuple[int, int, int]


class Lamps(Closing):
    """The lamps; a context manager. ``close`` turns them off and may be called twice."""

    def __init__(self, pins: Mapping[Lamp, LampPin], factory: Any = None, *, active_high: bool = True) -> None:
        self._levels: dict[Lamp, Level] = {}
        self._leds: dict[Lamp, Any] = {}
        for lamp, pin in pins.items():
            with _left_out(f"lamp {lamp} on pin {_named(pin)}"):
                self._leds[lamp] = _led(pin, factory, active_high)
                self._levels[lamp] = (0, 0, 0) if isinstance(pin, tuple) else False

    @classmethod
    def on(cls, hardware: Hardware, pins: Mapping[Lamp, LampPin] = DEFAULT_PINS, *, active_high: bool = True) -> Self:
        """The lamps on real pins, or on pins in memory; raises HardwareError when ``gpio`` has none."""
        return cls(pins, pin_factory(hardware), active_high=active_high)

    @property
    def levels(self) -> dict[Lamp, Level]:
        """Which lamps are lit; of an RGB LED, which of its colours."""
        return dict(self._levels)

    def set(self, levels: Mapping[Lamp, bool], colours: Mapping[str, Colour] | None = None) -> bool:
        """Light exactly these lamps, and tell whether any of them changed; a lamp without a pin is left out."""
        changed = False
        for lamp, led in list(self._leds.items()):
            level: Level = levels.get(lamp, False)
            if isinstance(self._levels[lamp], tuple):
                level = COLOURS[(colours or {}).get(lamp, "white" if level else "dark")]
            if self._levels[lamp] != level:
                changed = True
                self._give(lamp, led, level)
        return changed

    def close(self) -> None:
        """Turn all lamps off and let go of the pins."""
        while self._leds:
            _, led = self._leds.popitem()
            with suppress(OSError):
                led.off()
            led.close()
        self._levels.clear()

    def _give(self, lamp: Lamp, led: Any, level: Level) -> None:
        with _left_out(f"lamp {lamp}"):
            led.value = level
            self._levels[lamp] = level
            return
        del self._leds[lamp], self._levels[lamp]


def _led(pin: LampPin, factory: Any, active_high: bool) -> Any:
    from gpiozero import LED, RGBLED

    if isinstance(pin, tuple):
        return RGBLED(*pin, active_high=active_high, pwm=False, pin_factory=factory)
    return LED(pin, active_high=active_high, pin_factory=factory)


def _named(pin: LampPin) -> str:
    return "-".join(map(str, pin)) if isinstance(pin, tuple) else str(pin)


@contextmanager
def _left_out(what: str) -> Iterator[None]:
    """What does not answer is said in one line, and the rest goes on."""
    from gpiozero.exc import GPIOZeroError

    try:
        yield
    except (GPIOZeroError, OSError) as error:
        log.warning("%s does not answer and is left out: %s", what, " ".join(str(error).split()))


def pin_factory(hardware: Hardware) -> Any:
    """gpiozero's pins: the machine's own (honours ``GPIOZERO_PIN_FACTORY``), or in memory.

    Raises HardwareError when ``gpio`` finds none.
    """
    from gpiozero import Device
    from gpiozero.exc import BadPinFactory

    if hardware == "none":
        return _in_memory()
    if Device.pin_factory is None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # gpiozero warns of each library that it tries in vain
                Device.pin_factory = Device._default_pin_factory()
        except (BadPinFactory, OSError) as error:
            if hardware == "gpio":
                raise HardwareError(f"lamps: no pins on this machine: {error}") from error
            return _in_memory()
    return Device.pin_factory


def _in_memory() -> Any:
    """Pins in memory that can do what the buzzer needs, too; those that a test has put in place of the machine's."""
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    placed = Device.pin_factory
    return placed if isinstance(placed, MockFactory) else MockFactory(pin_class=MockPWMPin)
