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
"""

import warnings
from collections.abc import Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Literal, Self

from companion.errors import HardwareError
from companion.signals.plan import Lamp

DEFAULT_PINS: Mapping[Lamp, int] = {"white": 5, "black": 6, "green": 17, "amber": 27, "red": 22, "recording": 13}

Hardware = Literal["auto", "gpio", "none"]
"""``gpio``: the pins must be there; ``none``: pins in memory only; ``auto``: pins where the machine has some."""


class Lamps:
    """The lamps; a context manager. ``close`` turns them off and may be called twice."""

    def __init__(self, pins: Mapping[Lamp, int], factory: Any = None) -> None:
        from gpiozero import LED
        from gpiozero.exc import GPIOZeroError

        self._levels: dict[Lamp, bool] = {}
        self._leds: dict[Lamp, Any] = {}
        with ExitStack() as undo:
            undo.callback(self.close)
            for lamp, pin in pins.items():
                try:
                    self._leds[lamp] = LED(pin, pin_factory=factory)
                except (GPIOZeroError, OSError) as error:
                    raise HardwareError(f"lamp {lamp} on pin {pin}: {error}") from error
                self._levels[lamp] = False
            undo.pop_all()

    @classmethod
    def on(cls, hardware: Hardware, pins: Mapping[Lamp, int] = DEFAULT_PINS) -> Self:
        """The lamps on real pins, or on pins in memory; raises HardwareError when ``gpio`` has none."""
        return cls(pins, _factory(hardware))

    @property
    def levels(self) -> dict[Lamp, bool]:
        """Which lamps are lit."""
        return dict(self._levels)

    def set(self, levels: Mapping[Lamp, bool]) -> bool:
        """Light exactly these lamps, and tell whether any of them changed; a lamp without a pin is left out."""
        changed = False
        for lamp, led in self._leds.items():
            if self._levels[lamp] != levels.get(lamp, False):
                self._levels[lamp] = led.value = levels.get(lamp, False)
                changed = True
        return changed

    def close(self) -> None:
        """Turn all lamps off and let go of the pins."""
        while self._leds:
            _, led = self._leds.popitem()
            led.off()
            led.close()
        self._levels.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _factory(hardware: Hardware) -> Any:
    """gpiozero's pins: the machine's own (honours ``GPIOZERO_PIN_FACTORY``), or in memory."""
    from gpiozero import Device
    from gpiozero.exc import BadPinFactory
    from gpiozero.pins.mock import MockFactory

    if hardware == "none":
        return MockFactory()
    if Device.pin_factory is None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # gpiozero warns of each library that it tries in vain
                Device.pin_factory = Device._default_pin_factory()
        except (BadPinFactory, OSError) as error:
            if hardware == "gpio":
                raise HardwareError(f"lamps: no pins on this machine: {error}") from error
            return MockFactory()
    return Device.pin_factory
