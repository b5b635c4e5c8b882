"""Typed settings that refuse unknown keys and say file, key, expected and got.

pydantic stands here, at the edge; what flows through the program are plain frozen dataclasses.
:class:`Settings` is the schema of ``companion.toml`` (docs/settings.md).
"""

import difflib
import os
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from companion.errors import ConfigError

Model = TypeVar("Model", bound=BaseModel)

FILE_NAME = "companion.toml"


class Strict(BaseModel):
    """A model that refuses unknown keys and is not changed after it is made."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def validated(model: type[Model], data: Any, source: str) -> Model:
    """Make a model from plain data; a ConfigError names ``source``, the first wrong key, what was expected and what was
    got. An unknown key is answered with the known one that is nearest.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"] if part not in _UNSAID) or "(all)"
        if first["type"] == "extra_forbidden":
            raise ConfigError(f"{source}: unknown key {key}: expected {_known_keys(model, first['loc'])}") from None
        said = first["msg"].removeprefix("Value error, ")
        got = "nothing" if first["type"] == "missing" else repr(first["input"])[:80]
        told = "" if first["type"] == "value_error" else f", got {got}"
        raise ConfigError(f"{source}: key {key}: {said[:1].lower()}{said[1:]}{told}") from None


_UNSAID = ("by_name", "[key]")
"""Parts of pydantic's paths that do not stand in the file."""


def _known_keys(model: type[BaseModel], path: tuple[int | str, ...]) -> str:
    """What could have stood in the place of an unknown key: the nearest name first."""
    found: Any = model
    for part in path[:-1]:
        within = getattr(found, "model_fields", None)
        found = within[part].annotation if within and part in within else next(iter(get_args(found)[1:]), None)
    names = [name for name in getattr(found, "model_fields", {}) if name not in _UNSAID]
    if not names:
        return "no such key"
    near = difflib.get_close_matches(str(path[-1]), names, n=1)
    return f"{near[0]}? (the keys are {', '.join(names)})" if near else f"one of the keys {', '.join(names)}"


Pin = Annotated[int, Field(ge=0, le=27)]
"""A pin of the header by its BCM number."""

LampName = Literal["white", "black", "green", "amber", "red", "recording"]
Hardware = Literal["auto", "gpio", "none"]
"""``gpio``: the pins must be there; ``none``: pins in memory only; ``auto``: pins where the machine has some."""

LampPin = Pin | tuple[Pin, Pin, Pin]
LAMP_PINS: Mapping[LampName, LampPin] = {"white": 5, "black": 6, "green": 17, "amber": 27, "red": 22, "recording": 13}


class LampSettings(Strict):
    """``pins``: a BCM number, or three (red, green, blue) where the lamp of a side is an RGB LED. ``active_high`` is
    False where the LEDs hang between the pins and 3.3 V.
    """

    pins: dict[LampName, LampPin] = Field(default_factory=lambda: dict(LAMP_PINS))
    active_high: bool = True

    @model_validator(mode="after")
    def _only_sides_have_colours(self) -> Self:
        wrong = [lamp for lamp, pin in self.pins.items() if isinstance(pin, tuple) and lamp not in ("white", "black")]
        if wrong:
            raise ValueError(f"lamp {wrong[0]}: expected one pin: only white and black can be RGB LEDs")
        return self


class DisplaySettings(Strict):
    """``device`` are luma's own options, empty for a display in memory; ``page_s`` is how long a page stays when
    several take turns.
    """

    device: tuple[str, ...] = ()
    page_s: float = Field(default=3.0, ge=1.0, le=60.0)


class BuzzerSettings(Strict):
    """``pin`` of a passive buzzer; none: no buzzer."""

    pin: Pin | None = None


class VoiceSettings(Strict):
    """``on``: the program speaks; ``speed`` in words a minute; ``calls`` are dice called another way than usual:
    ``{"6-5" = "shesh-besh"}``.
    """

    on: bool = False
    command: str = "espeak-ng"
    speed: int = Field(default=150, ge=80, le=400)
    calls: dict[Annotated[str, Field(pattern=r"^[1-6]-[1-6]$")], str] = Field(default_factory=dict)


Action = Literal[
    "", "turn", "cube", "end-turn", "double", "take", "drop", "beaver", "accept", "resign", "adjust", "confirm"
]
"""What a press can mean: an input by its name; ``turn``: end of turn, or accept what waits for it; ``cube``: double, or
take what was offered; empty: nothing.
"""

Held = Action | Literal["poweroff"]
"""What a long press can mean: the same, or that the machine is switched off."""


class ButtonSettings(Strict):
    """A button between ``pin`` and ground: what a press means, what holding it down means, and whose it is."""

    pin: Pin
    press: Action = ""
    hold: Held = ""
    side: Literal["white", "black"] | None = None


class ButtonsSettings(Strict):
    """All buttons by any name; ``bounce_s`` is how long the contact may chatter, ``hold_s`` what a long press is."""

    bounce_s: float = Field(default=0.02, ge=0.0, le=0.5)
    hold_s: float = Field(default=1.0, ge=0.1, le=10.0)
    by_name: dict[str, ButtonSettings] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _named(cls, data: Any) -> Any:
        """In the file the buttons stand beside the times, each a table of its own."""
        if not isinstance(data, dict) or "by_name" in data:
            return data
        return {k: v for k, v in data.items() if not isinstance(v, dict)} | {
            "by_name": {k: v for k, v in data.items() if isinstance(v, dict)}
        }


class ClockSettings(Strict):
    """A game clock: seconds of each player's bank for the match, and free seconds in each turn."""

    bank_s: float = Field(ge=1.0, le=86_400.0)
    delay_s: float = Field(default=0.0, ge=0.0, le=3600.0)


class GameSettings(Strict):
    """What is played when the command line does not say otherwise; without a ``clock`` nobody's time is counted."""

    name: str | None = None
    profile: str | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    length: int | None = Field(default=None, ge=0)
    mode: Literal["teach", "referee", "director", "silent"] = "referee"
    policy: Literal["legal", "responsible", "demand"] = "legal"
    clock: ClockSettings | None = None


class CameraSettings(Strict):
    """``device``: ``auto``, ``pi``, a number, a device file or an address (``camera.sources.open_camera``);
    ``calibration``: a file; ``exposure_s``: the longest; ``stills``: a Pi camera looks once in full resolution at dice
    that cannot be read, for about a second in which no other pictures come.
    """

    device: str = "auto"
    calibration: Path | None = None
    exposure_s: float = Field(default=1 / 30, gt=0.0, le=1.0)
    stills: bool = True


class EvidenceSettings(Strict):
    """Pictures of each turn: whether ``run`` keeps them, how many millions of bytes at most, and for how many days."""

    keep: bool = True
    quota_mb: float = Field(default=1000.0, ge=1.0, le=1_000_000.0)
    age_days: float = Field(default=90.0, gt=0.0, le=36_500.0)


class Settings(Strict):
    """All of ``companion.toml``; every key may be left out. ``web`` is checked by the page itself."""

    language: Literal["en", "ru", "bg"] | None = None
    hardware: Hardware = "auto"
    players: dict[Literal["white", "black"], Annotated[str, Field(min_length=1, max_length=30)]] = Field(
        default_factory=dict
    )
    game: GameSettings = Field(default_factory=GameSettings)
    camera: CameraSettings = Field(default_factory=CameraSettings)
    lamps: LampSettings = Field(default_factory=LampSettings)
    display: DisplaySettings = Field(default_factory=DisplaySettings)
    buzzer: BuzzerSettings = Field(default_factory=BuzzerSettings)
    voice: VoiceSettings = Field(default_factory=VoiceSettings)
    buttons: ButtonsSettings = Field(default_factory=ButtonsSettings)
    evidence: EvidenceSettings = Field(default_factory=EvidenceSettings)
    web: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _no_pin_is_used_twice(self) -> Self:
        lamps = [p for pin in self.lamps.pins.values() for p in (pin if isinstance(pin, tuple) else (pin,))]
        buttons = [button.pin for button in self.buttons.by_name.values()]
        buzzer = [] if self.buzzer.pin is None else [self.buzzer.pin]
        twice = [pin for pin, times in Counter(lamps + buttons + buzzer).items() if times > 1]
        if twice:
            raise ValueError(f"expected every pin once: pin {twice[0]} is used twice")
        return self


def load_settings(path: Path | None = None) -> Settings:
    """The settings of a file, or of the first of the usual places that has one, or those of nobody.

    Raises ConfigError in one line that says file, key, expected and got.
    """
    found = path or next((place for place in settings_places() if place.is_file()), None)
    if found is None:
        return Settings()
    try:
        data = tomllib.loads(found.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{found}: expected settings, got: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{found}: expected TOML, got: {error}") from None
    return validated(Settings, data, str(found))


def settings_places() -> tuple[Path, ...]:
    """Where ``companion.toml`` is looked for, in this order: systemd's folder, the user's own, the machine's."""
    systemd = os.environ.get("CONFIGURATION_DIRECTORY")
    xdg = os.environ.get("XDG_CONFIG_HOME")
    own = Path(xdg) if xdg else Path.home() / ".config"
    places = [Path(systemd.split(":")[0])] if systemd else []
    return tuple(folder / FILE_NAME for folder in (*places, own / "companion", Path("/etc/companion")))


def state_folder() -> Path:
    """Where records and calibrations live: ``$STATE_DIRECTORY`` (systemd), else the XDG state folder."""
    systemd = os.environ.get("STATE_DIRECTORY")
    if systemd:
        return Path(systemd.split(":")[0])
    xdg = os.environ.get("XDG_STATE_HOME")
    return (Path(xdg) if xdg else Path.home() / ".local" / "state") / "companion"


def data_folder(name: str) -> Path:
    """The folder ``calibration`` or ``models``: inside the installed package, or in the checkout beside it."""
    package = Path(__file__).parent
    installed = package / "_data" / name
    return installed if installed.is_dir() else package.parent / name
