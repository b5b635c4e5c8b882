"""Profiles: the house rules of a club as a TOML file.

A profile names a game and the options that differ from its defaults::

    name = "Friday club"
    game = "long"

    [options]
    block = "home"
    length = 5

Those that ship with the program lie in ``profiles/``; a club adds its own file anywhere.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.rules.errors import OptionError, RulesError
from companion.rules.games import Game, get_game

FOLDER = Path(__file__).parent / "profiles"
_KEYS = ("name", "game", "source", "options")


@dataclass(frozen=True)
class Profile:
    """A game with the options of one house; ``source`` says where its rules are written down."""

    name: str
    game: str
    options: Mapping[str, Any]
    source: str = ""

    def make(self, more: Mapping[str, Any] | None = None) -> Game:
        """The game, with ``more`` options over those of the profile."""
        return get_game(self.game, {**self.options, **(more or {})})


def profile_names() -> tuple[str, ...]:
    """The profiles that ship with the program."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_profile(name_or_path: str | Path) -> Profile:
    """Read a profile by its name or file; raises OptionError with file and key in one line."""
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = FOLDER / f"{name_or_path}.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = ", ".join(profile_names())
        raise OptionError(f"profile: expected a TOML file or one of {known}, got {str(name_or_path)!r}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise OptionError(f"{path}: not readable as TOML: {error}") from None
    try:
        return _read(data, path.stem)
    except RulesError as error:
        raise OptionError(f"{path}: {error}") from None


def _read(data: dict[str, Any], stem: str) -> Profile:
    unknown = [key for key in data if key not in _KEYS]
    if unknown:
        raise OptionError(f"unknown key {unknown[0]}: expected {', '.join(_KEYS)}")
    if not isinstance(data.get("game"), str):
        raise OptionError(f"key game: expected the name of a game, got {data.get('game')!r}")
    if not isinstance(data.get("options", {}), dict):
        raise OptionError(f"key options: expected a table, got {data['options']!r}")
    profile = Profile(str(data.get("name", stem)), data["game"], data.get("options", {}), str(data.get("source", "")))
    profile.make()
    return profile
