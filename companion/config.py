"""Typed settings that refuse unknown keys and say file, key, expected and got.

pydantic stands here, at the edge; what flows through the program are plain frozen dataclasses.
"""

import os
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from companion.errors import ConfigError

Model = TypeVar("Model", bound=BaseModel)


class Strict(BaseModel):
    """A model that refuses unknown keys and is not changed after it is made."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def validated(model: type[Model], data: Any, source: str) -> Model:
    """Make a model from plain data; a ConfigError names ``source``, the first wrong key, what was expected and what was
    got.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"]) or "(all)"
        if first["type"] == "extra_forbidden":
            expected = f"one of the keys {', '.join(model.model_fields)}" if len(first["loc"]) == 1 else "no such key"
            raise ConfigError(f"{source}: unknown key {key}: expected {expected}") from None
        got = "nothing" if first["type"] == "missing" else repr(first["input"])[:80]
        raise ConfigError(f"{source}: key {key}: {first['msg'].lower()}, got {got}") from None


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
