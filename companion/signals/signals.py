"""Lamps, display, buzzer and voice together: what the pipeline shows its events to."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from companion.closing import Closing
from companion.config import (
    BuzzerSettings,
    DisplaySettings,
    Hardware,
    LampSettings,
    Settings,
    VoiceSettings,
)
from companion.errors import HardwareError
from companion.events import Event
from companion.rules import Game
from companion.signals.display import Display
from companion.signals.lamps import Lamps, Level, pin_factory
from companion.signals.pages import Page, Showing, pages, ticking
from companion.signals.patterns import Lamp, Mode
from companion.signals.plan import Plan
from companion.signals.scoreboard import Scoreboard, follow
from companion.signals.sounds import Buzzer, Sound, Sounds, Voice, sound
from companion.signals.worker import Worker

log = logging.getLogger(__name__)

MARGIN_S = 0.1
"""A lamp needs some time to change, and a camera to forget: frames are no evidence for an exposure and this."""

MOST_SOUNDS = 3
"""So many sounds wait at most; older ones are about what nobody thinks of any more."""


@dataclass(frozen=True)
class SignalsConfig:
    """Which devices there are and how they are used; ``exposure_s`` is the camera's longest exposure.

    ``game`` gives the display pips and legal plays; ``names`` are the players' own by side.
    """

    hardware: Hardware = "auto"
    lamps: LampSettings = field(default_factory=LampSettings)
    display: DisplaySettings = field(default_factory=DisplaySettings)
    buzzer: BuzzerSettings = field(default_factory=BuzzerSettings)
    voice: VoiceSettings = field(default_factory=VoiceSettings)
    names: Mapping[str, str] = field(default_factory=dict)
    exposure_s: float = 1 / 30
    mode: Mode = "referee"
    game: Game | None = None

    @classmethod
    def of(cls, settings: Settings, *, mode: Mode, game: Game | None = None) -> Self:
        """What the settings say about signals."""
        return cls(
            hardware=settings.hardware,
            lamps=settings.lamps,
            display=settings.display,
            buzzer=settings.buzzer,
            voice=settings.voice,
            names=dict(settings.players.items()),
            exposure_s=settings.camera.exposure_s,
            mode=mode,
            game=game,
        )


class Puts(Protocol):
    """Where pages go: a worker, or a display in memory that is drawn on at once."""

    def put(self, item: Page) -> None:
        """Show this page next."""
        ...

    def close(self) -> None:
        """Turn it off."""
        ...


class Signals(Closing):
    """Shows events on all devices; a context manager. ``close`` turns all off and may be called twice.

    ``clock`` gives the time of now in seconds of the frames, where frames are live: a lamp changes when the frame has
    been thought about, which is later than the frame was taken. ``factory`` are gpiozero's pins, for the buttons.
    """

    def __init__(
        self,
        config: SignalsConfig,
        lamps: Lamps,
        display: Puts,
        sounds: Worker[Sound] | None = None,
        *,
        silence: Callable[[], None] | None = None,
        clock: Callable[[], float] | None = None,
        factory: Any = None,
    ) -> None:
        self.factory = factory
        self._config = config
        self._lamps, self._display, self._sounds = lamps, display, sounds
        self._silence, self._clock = silence, clock
        self._plan = Plan(mode=config.mode)
        self._showing = Showing(page_s=config.display.page_s)
        self._page: Page | None = None
        self._paged: Scoreboard | None = None
        self._until_s = float("-inf")

    @classmethod
    def from_config(
        cls, config: SignalsConfig | None = None, recording: bool = False, clock: Callable[[], float] | None = None
    ) -> Self:
        """Open the devices; one that does not answer is left out with one line.

        ``recording``: whole frames are being stored, and a lamp says so. Raises HardwareError when pins are insisted on
        and the machine has none.
        """
        config = config or SignalsConfig()
        factory = pin_factory(config.hardware)
        with ExitStack() as undo:
            display = _display(config)
            undo.callback(display.close)
            lamps = undo.enter_context(Lamps(config.lamps.pins, factory, active_high=config.lamps.active_high))
            sounds = _sounds(config, factory)
            worker = Worker("sound", sounds.play, sounds.close, MOST_SOUNDS) if sounds.any else None
            signals = cls(config, lamps, display, worker, silence=sounds.stop, clock=clock, factory=factory)
            undo.pop_all()
        if recording:
            signals.film(True, 0.0)
        return signals

    @property
    def plan(self) -> Plan:
        """What is shown, and the cue of every lamp."""
        return self._plan

    @property
    def view(self) -> Scoreboard:
        """What there is to show."""
        return self._plan.view

    @property
    def page(self) -> Page | None:
        """What the display says."""
        return self._page

    @property
    def lit(self) -> Mapping[Lamp, Level]:
        """The level of every lamp that there is."""
        return self._lamps.levels

    def show(self, events: Sequence[Event], t: float) -> float:
        """Show what these events changed, at the frame time ``t`` (seconds); call it once for each frame.

        Returns ``Attention.not_evidence_until_s``: frames before that time show a lamp that is changing.
        """
        self._hear(events)
        self._plan = self._plan.after(events)
        return self._update(t)

    def notice(self, key: str, on: bool, t: float) -> float:
        """Say that something is wrong with the machine itself (a key of the texts), or not any more."""
        if (key in self.view.notices) != on:
            self._plan = self._plan.noticing(key, on, t)
        return self._update(t)

    def film(self, on: bool, t: float) -> float:
        """Whole frames are being stored, or not any more."""
        self._plan = self._plan.filming(on, t)
        return self._update(t)

    def close(self) -> None:
        """Turn everything off and let go of the devices."""
        self._lamps.close()
        if self._silence is not None:
            self._silence()
        if self._sounds is not None:
            self._sounds.close()
        self._display.close()

    def _update(self, t: float) -> float:
        if self._lamps.set(self._plan.levels(t), self._plan.colours(t)):
            now = t if self._clock is None else max(t, self._clock())
            self._until_s = now + self._config.exposure_s + MARGIN_S
        self._turn_page(t)
        return self._until_s

    def _turn_page(self, t: float) -> None:
        config = self._config
        if self._paged is not self.view:  # what is legal takes some time to find
            self._paged = self.view
            self._showing = self._showing.after(pages(self.view, config.mode, config.game, config.names), t)
        page = self._showing.at(t)
        page = None if page is None else ticking(page, self.view, t)
        if page is not None and page != self._page:
            self._page = page
            self._display.put(page)

    def _hear(self, events: Sequence[Event]) -> None:
        if self._sounds is None:
            return
        view, config = self.view, self._config
        for event in events:
            view = follow(view, event)
            heard = sound(event, view, config.mode, config.names, config.voice.calls)
            if heard != Sound():
                self._sounds.put(heard)


def _display(config: SignalsConfig) -> Puts:
    """A real display is slow and has a thread of its own; one that does not answer is left out."""
    if config.hardware == "none" or not config.display.device:
        return _AtOnce(Display.on())
    try:
        display = Display.on(config.display.device)
    except HardwareError as error:
        log.warning("%s: the game goes on without it", error)
        return _AtOnce(Display.on())
    return Worker("display", display.show, display.close)


class _AtOnce:
    """A display in memory costs nothing, and is drawn on at once."""

    def __init__(self, display: Display) -> None:
        self._display = display

    def put(self, item: Page) -> None:
        """Draw this page."""
        self._display.show(item)

    def close(self) -> None:
        """Turn it off."""
        self._display.close()


def _sounds(config: SignalsConfig, factory: Any) -> Sounds:
    from gpiozero.exc import GPIOZeroError

    buzzer = None
    pin = config.buzzer.pin
    if pin is not None:
        try:
            buzzer = Buzzer(pin, factory)
        except (GPIOZeroError, OSError) as error:
            log.warning("buzzer on pin %d does not answer and is left out: %s", pin, error)
    return Sounds(buzzer, Voice(config.voice.command, config.voice.speed) if config.voice.on else None)
