"""The catalogues are complete, agree with the code, and are compiled; which language is spoken follows who asks."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from companion import languages
from companion.errors import ConfigError
from companion.languages import FOLDER, LANGUAGES, _, plural

KEYWORDS = {"_": None, "N_": None, "plural": (1, 2)}
TRANSLATED = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    languages.use("en")
    yield
    languages.use("en")


def in_the_code() -> set[str | tuple[str, ...]]:
    found = extract_from_dir(
        FOLDER.parent, [("**.py", "python"), ("**/templates/**.html", "jinja2")], keywords=KEYWORDS
    )  # type: ignore[arg-type]
    return {text for _file, _line, text, _comments, _context in found}


def catalogue(language: str) -> Catalog:
    with (FOLDER / language / "LC_MESSAGES" / "companion.po").open("rb") as file:
        return read_po(file, locale=language)


def key(message: Message) -> str | tuple[str, ...]:
    return message.id if isinstance(message.id, str) else tuple(message.id)


def translations(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_code_is_translated_and_nothing_else_is(language: str) -> None:
    kept = {key(m): m for m in catalogue(language) if m.id}
    assert kept.keys() == in_the_code(), "run: make languages"
    assert not [m.id for m in kept.values() if m.fuzzy or not all(translations(m))]


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_and_plural_forms_agree(language: str) -> None:
    known = catalogue(language)
    for message in known:
        if not message.id:
            continue
        wanted = placeholders(message.id if isinstance(message.id, str) else message.id[-1])
        assert all(placeholders(text) == wanted for text in translations(message)), message.id
        if not isinstance(message.id, str):
            assert len(message.string) == known.num_plurals


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    with (FOLDER / language / "LC_MESSAGES" / "companion.mo").open("rb") as file:
        compiled = {key(m): translations(m) for m in read_mo(file) if m.id}
    assert compiled == {key(m): translations(m) for m in catalogue(language) if m.id}, "run: make languages"


def test_the_language_is_that_of_the_program_until_a_block_wants_another() -> None:
    languages.use("ru")
    assert _("White") == "Белые"
    with languages.speaking("bg"):
        assert _("White") == "Белите"
        heard: list[str] = []
        thread = threading.Thread(target=lambda: heard.append(_("White")))
        thread.start()
        thread.join()
        assert heard == ["Белые"]
    assert _("White") == "Белые"
    assert _("no such text") == "no such text"


@pytest.mark.parametrize(
    ("n", "said"), [(1, "1 очко"), (2, "2 очка"), (5, "5 очков"), (21, "21 очко"), (11, "11 очков")]
)
def test_numbers_are_declined(n: int, said: str) -> None:
    languages.use("ru")
    assert plural("{0} point", "{0} points", n).format(n) == said


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "bg"}, "bg"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "bg_BG"}, "bg"),
        ({"LANG": "ru_RU.UTF-8", "LANGUAGE": "de:bg:ru"}, "bg"),
        ({"LANG": "C.UTF-8", "LC_ALL": ""}, "en"),
    ],
)
def test_the_environment_says_which_language(environment: dict[str, str], language: str) -> None:
    assert languages.from_environment(environment) == language


def test_an_unknown_language_is_refused_in_one_line() -> None:
    with pytest.raises(ConfigError, match=r"language: expected en, ru, bg, got 'tlh'"):
        languages.use("tlh")


def test_the_catalogues_are_installed_with_the_code() -> None:
    for language in TRANSLATED:
        assert (Path(languages.__file__).parent / language / "LC_MESSAGES" / "companion.mo").is_file()
