"""Where the page is served and what a visitor may see without asking at the table."""

from typing import Annotated

from pydantic import Field

from companion.config import Strict, validated
from companion.errors import ConfigError
from companion.languages import Language

NAMED: dict[Language, str] = {"en": "English", "ru": "Русский", "bg": "Български"}
"""The languages of the page, each named in itself."""


class WebConfig(Strict):
    """The page's settings.

    ``host`` and ``port`` are the only address it listens on (port 0: any free one); ``names`` are host names, beside
    addresses and this machine's own name, by which browsers may call it; with a ``pin`` the score is hidden behind it.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8080
    names: tuple[str, ...] = ()
    pin: Annotated[str, Field(pattern=r"^[0-9]{4,12}$")] | None = None
    language: Language = "en"
    session_minutes: Annotated[int, Field(ge=1, le=24 * 60)] = 120


def parse_address(text: str, source: str = "--page") -> WebConfig:
    """``HOST:PORT`` or ``[IPv6]:PORT`` as settings; a ConfigError says what was expected."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit():
        raise ConfigError(f"{source}: expected HOST:PORT such as 0.0.0.0:8080, got {text!r}")
    return validated(WebConfig, {"host": host.strip("[]"), "port": int(port)}, source)
