"""The languages of everything that a player sees or hears: English, Russian, Bulgarian.

Texts stand in the code in English. ``_("text")`` gives one in the language of now, ``plural`` one with a number;
``N_`` marks a text in a table, so that it is found by ``make languages`` and translated where it is shown. A catalogue
is ``<language>/companion.po`` beside this file, and its compiled ``.mo``, which is all that is needed at run time.

One language holds for the whole program (:func:`use`); :func:`speaking` holds for a block, for a page whose reader
wants another one.
"""

import gettext
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from companion.errors import ConfigError

Language = Literal["en", "ru", "bg"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DOMAIN = "companion"
FOLDER = Path(__file__).parent

_ASKED = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The variables of the environment that name a language, in the order in which gettext looks at them."""

_now: list[Language] = ["en"]
_here: ContextVar[Language | None] = ContextVar("language", default=None)


def use(wanted: str) -> None:
    """Speak this language from now on, in every thread; raises ConfigError when it is not known."""
    _now[0] = known(wanted)


def current() -> Language:
    """The language that is spoken here and now."""
    return _here.get() or _now[0]


@contextmanager
def speaking(wanted: str) -> Iterator[None]:
    """Speak this language within a block, and only in this thread or task."""
    token = _here.set(known(wanted))
    try:
        yield
    finally:
        _here.reset(token)


def known(wanted: str) -> Language:
    """The language of that name (``ru``, ``ru_RU.UTF-8``); raises ConfigError when there is no such catalogue."""
    code = _code(wanted)
    for language in LANGUAGES:
        if language == code:
            return language
    raise ConfigError(f"language: expected {', '.join(LANGUAGES)}, got {wanted!r}")


def from_environment(environment: Mapping[str, str] | None = None) -> Language:
    """The first language that the environment asks for and that is known; English when there is none."""
    environment = os.environ if environment is None else environment
    asked = [code for name in _ASKED for code in environment.get(name, "").split(":") if code]
    return next((language for code in asked for language in LANGUAGES if language == _code(code)), "en")


def _(text: str) -> str:
    """The text in the language of now."""
    return _catalogue(current()).gettext(text)


def plural(one: str, many: str, n: int) -> str:
    """The text that goes with the number ``n`` in the language of now; the number is put in by the caller."""
    return _catalogue(current()).ngettext(one, many, n)


def N_(text: str) -> str:  # noqa: N802  the name that every extractor of texts knows
    """Mark a text for translation and leave it as it is."""
    return text


@cache
def _catalogue(language: Language) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    with (FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


def _code(name: str) -> str:
    return name.split(".")[0].split("@")[0].split("_")[0].split("-")[0].lower()
