"""What the players see and hear: lamps and the small display, driven by events and the frames' time.

``scoreboard`` folds events into what there is to show, ``plan`` says which lamp is lit when, ``lamps`` and
``display`` are the devices, ``texts`` all that is written. :class:`Signals` holds them together.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from pydantic import Field

from companion.config import Strict
from companion.events import Event
from companion.signals.display import Display
from companion.signals.lamps import DEFAULT_PINS, Hardware, Lamps
from companion.signals.plan import Lamp, Mode, Plan
from companion.signals.worker import Worker

__all__ = ["Signals", "SignalsConfig"]

MARGIN_S = 0.1
"""A lamp needs some time to change, and a camera to forget: frames are no evidence for an exposure and this."""


class SignalsConfig(Strict):
    """Which lamps and which display there are.

    ``hardware``: ``auto`` uses the machine's pins if it has any, ``gpio`` insists, ``none`` keeps all in
    memory; ``pins`` are BCM numbers by lamp; ``display`` are luma's own options, empty for a display in
    memory; ``exposure_s`` is the camera's longest exposure.
    """

    hardware: Hardware = "auto"
    pins: dict[Lamp, int] = Field(default_factory=lambda: dict(DEFAULT_PINS))
    display: tuple[str, ...] = ()
    exposure_s: float = 1 / 30
    mode: Mode = "referee"


class Signals:
    """Shows events on lamps and display; a context manager. ``close`` turns all off and may be called twice."""

    def __init__(self, lamps: Lamps, display: Display | Worker, plan: Plan, exposure_s: float = 1 / 30) -> None:
        self._lamps = lamps
        self._display = display
        self._plan = plan
        self._dead_s = exposure_s + MARGIN_S
        self._until_s = float("-inf")

    @classmethod
    def from_config(cls, config: SignalsConfig | None = None, recording: bool = False) -> Self:
        """Open the devices; raises HardwareError when one of them does not answer."""
        config = config or SignalsConfig()
        with ExitStack() as undo:
            display = _display(config)
            undo.callback(display.close)
            lamps = undo.enter_context(Lamps.on(config.hardware, config.pins))
            undo.pop_all()
        return cls(lamps, display, Plan(mode=config.mode, recording=recording), config.exposure_s)

    @property
    def plan(self) -> Plan:
        """What is shown, and the cue of every lamp."""
        return self._plan

    def show(self, events: Sequence[Event], t: float) -> float:
        """Show what these events changed, at the frame time ``t`` (seconds); call it once for each frame.

        Returns ``Attention.not_evidence_until_s``: frames before that time show a lamp that is changing.
        """
        self._plan = self._plan.after(events)
        if self._lamps.set(self._plan.levels(t)):
            self._until_s = t + self._dead_s
        self._display.show(self._plan.view)
        return self._until_s

    def close(self) -> None:
        """Turn everything off and let go of the devices."""
        self._lamps.close()
        self._display.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _display(config: SignalsConfig) -> Display | Worker:
    """A display in memory is drawn on at once; a real one is slow and has a thread of its own."""
    if config.hardware == "none" or not config.display:
        return Display.on()
    return Worker(Display.on(config.display))
