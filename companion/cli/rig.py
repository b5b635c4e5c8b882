"""From what the command line says to a rig: calibration first, options over it, everything checked in one place."""

import datetime
import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from companion import __version__, config, languages
from companion.config import Settings, load_settings, validated
from companion.errors import ConfigError
from companion.layout import Corner, Shade
from companion.pipeline import Rig
from companion.rules import Game, Position, RulesError, get_game
from companion.rules.profiles import load_profile
from companion.table import TableSettings
from companion.table.settings import ClockSettings, Mode, Policy
from companion.vision.calibration import Calibration, load_calibration, parse_corners

if TYPE_CHECKING:
    from companion.cli.options import RigOptions


def rig_from(wishes: "RigOptions", settings: Settings | None = None) -> Rig:
    """Check all wishes and make the rig; a ConfigError or RulesError names the first that is wrong.

    What the command line leaves open is as the calibration says, and then as the settings say, as far as those are
    about the same game; an empty profile is none.
    """
    settings = settings or Settings()
    path = wishes.calibration or settings.camera.calibration
    known = load_calibration(path) if path else None
    house = settings.game
    name = wishes.game or (known.game if known else None) or house.name
    if name and house.name and name != house.name:
        house = house.model_copy(update={"options": {}, "profile": None, "length": None})  # they are another game's
    game = game_from(
        name,
        [*(f"{option}={value}" for option, value in house.options.items()), *(wishes.options or [])],
        (house.profile if wishes.profile is None else wishes.profile) or None,
        house.length if wishes.length is None else wishes.length,
    )
    return Rig(
        game=game,
        table=TableSettings(
            mode=chosen("--mode", wishes.mode or settings.game.mode, get_args(Mode)),
            policy=chosen("--policy", wishes.policy or settings.game.policy, get_args(Policy)),
            clock=clock_from(wishes.clock, settings),
        ),
        corners=parse_corners(wishes.corners) if wishes.corners else None,
        calibration=known,
        home=_home(wishes, known),
        white=_white(wishes, known),
        start=read_position(wishes.start, game) if wishes.start else None,
    )


def settings_for(wishes: "RigOptions") -> Settings:
    """The settings, and from now on the language that they, the command line or the machine want."""
    settings = load_settings(wishes.config)
    languages.use(wishes.language or settings.language or languages.current())
    return settings


def game_from(name: str | None, options: list[str] | None, profile: str | None, length: int | None) -> Game:
    """The game with its house rules."""
    named: dict[str, Any] = dict(_named(text) for text in options or [])
    if length is not None:
        named["length"] = length
    if profile is None:
        return get_game(name or "long", named)
    house = load_profile(profile)
    return get_game(name or house.game, {**house.options, **named})


def clock_from(wish: str | None, settings: Settings) -> ClockSettings | None:
    """The game clock: as the command line says (``600+12``, ``600``, ``off``), else as the settings say."""
    if wish == "off":
        return None
    known: Any = settings.game.clock
    if wish is not None:
        parts = re.fullmatch(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", wish)
        if parts is None:
            raise ConfigError(f"--clock: expected seconds of bank and delay such as 600+12, or off, got {wish!r}")
        known = validated(config.ClockSettings, {"bank_s": parts[1], "delay_s": parts[2] or 0.0}, "--clock")
    return None if known is None else ClockSettings(known.bank_s, known.delay_s)


def read_position(path: Path, game: Game) -> Position:
    """A position from a JSON file, checked to be possible in this game."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: expected a position as JSON, got {error}") from None
    try:
        position = Position.from_json(data.get("board", data) if isinstance(data, dict) else data)
        game.check(position)
    except RulesError as error:
        raise ConfigError(f"{path}: {error}") from None
    return position


def chosen(option: str, value: str, allowed: tuple[Any, ...]) -> Any:
    """The value, when it is one of those allowed; a ConfigError with all of them otherwise."""
    if value not in allowed:
        raise ConfigError(f"{option}: expected {', '.join(allowed)}, got {value!r}")
    return value


def record_meta(rig: Rig, source: str, names: tuple[str, str] = ("", "")) -> dict[str, Any]:
    """What the record says about a recording; ``names`` are those of White and Black, empty when not known."""
    white, black = names
    return {
        "source": source,
        "game": rig.game.name,
        "options": rig.game.options.to_json(),
        "layout": {"home": rig.home, "white": rig.white},
        "start": None if rig.start is None else rig.start.to_json(),
        "started": datetime.datetime.fromtimestamp(time.time(), datetime.UTC).isoformat(timespec="seconds"),
        "program": __version__,
        "players": {"white": white or None, "black": black or None},
    }


def _home(wishes: "RigOptions", known: Calibration | None) -> Corner | None:
    if wishes.home is None:
        return known.home if known else None
    home: Corner = chosen("--home", wishes.home.upper(), get_args(Corner))
    return home


def _white(wishes: "RigOptions", known: Calibration | None) -> Shade:
    if wishes.white is None:
        return known.white if known else "light"
    white: Literal["light", "dark"] = chosen("--white", wishes.white, get_args(Shade))
    return white


def _named(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"--option: expected name=value, got {text!r}")
    return name.strip(), value.strip()
