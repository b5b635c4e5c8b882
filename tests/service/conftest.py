"""A table on which films are shown to the real service, with pins in memory, a fake voice, a place for its state."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin
from PIL.Image import Image

from companion import cli
from companion.config import LAMP_PINS
from companion.signals.display import Display
from companion.signals.pages import Page
from companion.signals.sounds import Buzzer, Tune, Voice
from tests.service.film import Camera, Eyes, Film

BUTTONS = {"white-turn": 23, "black-turn": 24, "white-cube": 25, "black-cube": 26, "adjust": 12, "confirm": 4}
SETTINGS = """
hardware = "none"
[buzzer]
pin = 18
[voice]
on = true
[buttons]
bounce_s = 0.0
[buttons.white-turn]
pin = 23
press = "turn"
side = "white"
[buttons.black-turn]
pin = 24
press = "turn"
side = "black"
[buttons.white-cube]
pin = 25
press = "cube"
side = "white"
[buttons.black-cube]
pin = 26
press = "cube"
side = "black"
[buttons.adjust]
pin = 12
press = "adjust"
[buttons.confirm]
pin = 4
press = "confirm"
"""


@dataclass
class Shown:
    """What the players saw and heard: ``lamps`` is every change of the lit lamps with its frame's time; ``pictures``
    are what the display showed of each of the ``pages``.
    """

    lamps: list[tuple[float, frozenset[str]]] = field(default_factory=list)
    pages: list[tuple[str, str, str]] = field(default_factory=list)
    pictures: list[Image] = field(default_factory=list)
    tunes: list[Tune] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    rc: int | None = None

    @property
    def lit(self) -> list[set[str]]:
        """The lamps that were lit, level by level."""
        return [set(lamps) for _, lamps in self.lamps]

    @property
    def bodies(self) -> list[str]:
        """What the pages said, without spaces that hold figures together."""
        return [body.replace("\u00a0", " ") for _, _, body in self.pages]


@dataclass
class Table:
    """Shows films to the service."""

    folder: Path
    pins: MockFactory
    patch: pytest.MonkeyPatch
    shown: Shown = field(default_factory=Shown)

    def press(self, button: str) -> Callable[[], None]:
        """Press a button and let it go."""

        def act() -> None:
            pin = self.pins.pin(BUTTONS[button])
            pin.drive_low()
            pin.drive_high()

        return act

    def lit(self) -> frozenset[str]:
        """The lamps whose pins are high now."""
        return frozenset(lamp for lamp, pin in LAMP_PINS.items() if self.pins.pin(pin).state)

    def camera(self, film: Film, **more: Any) -> Camera:
        """The film in place of a camera; what the lamps show is noted after each frame."""

        def after(number: int) -> None:
            lit = self.lit()
            if not self.shown.lamps or self.shown.lamps[-1][1] != lit:
                self.shown.lamps.append((film.seen[number % len(film.seen)].t, lit))

        return Camera(film, after, **more)

    def run(self, film: Film, *arguments: str) -> Shown:
        """``companion run --simulate`` over the film, with all its options."""
        self.patch.setattr("companion.pipeline.Eyes", lambda *_, **__: Eyes(film))
        self.patch.setattr("companion.cli.service.open_source", lambda path: self.camera(film))
        options = ["--config", str(self.folder / "companion.toml"), "--game", film.game.name, "--home", "BR"]
        recording = str(self.folder / "film")
        command = ["run", "--simulate", recording, "--speed", "50", "--no-evidence", *options, *arguments]
        self.shown.rc = cli.main(command)
        return self.shown


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    before = Device.pin_factory
    factory = MockFactory(pin_class=MockPWMPin)
    Device.pin_factory = factory
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr("companion.signals.signals.MOST_SOUNDS", 1000)
    # A film has its own pace; how busy this machine is must not count as time in which a lamp changes.
    monkeypatch.setattr("companion.cli.service.FrameClock.__call__", lambda clock: clock._newest[0])
    (tmp_path / "companion.toml").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "film").mkdir()
    made = Table(tmp_path, factory, monkeypatch)

    def show(self: Display, page: Page, really: Any = Display.show) -> None:
        dice = "" if page.dice is None else "[{} {}]".format(*page.dice)
        made.shown.pages.append((page.kind, page.title, page.body or dice))
        really(self, page)
        made.shown.pictures.append(self.device.image.convert("1"))

    monkeypatch.setattr(Display, "show", show)
    monkeypatch.setattr(Buzzer, "play", lambda self, tune: made.shown.tunes.append(tune))
    monkeypatch.setattr(Voice, "say", lambda self, words, language: made.shown.words.append(words))
    try:
        yield made
    finally:
        factory.reset()
        Device.pin_factory = before
