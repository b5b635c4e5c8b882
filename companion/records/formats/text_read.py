"""Reading the text form, also what was typed by hand (docs/formats.md)."""

import json
import re
from collections.abc import Mapping
from typing import Any

from companion import events as ev
from companion.layout import Player
from companion.records.formats.cells import CellError, Read, read_cell
from companion.records.formats.lines import read_line
from companion.records.formats.scribe import Scribe
from companion.records.formats.source import MOST_PLAYS, FormatError, Source
from companion.records.formats.text import TITLE, VERSION
from companion.records.transcript import Assessment, Transcript, house_of
from companion.rules import GAMES, Game, RulesError, get_game

_HEAD = re.compile(r";\s{0,9}(\w[\w .-]{0,80}?):(.*)")
_TITLE = re.compile(rf";\s*{TITLE} (\d{{1,6}})\s*")
_LONGEST = 20_000
_ROW = re.compile(r"\s*\d{1,6}\)(.*)")


def is_text(text: str) -> bool:
    """Whether a text looks like a transcript of this form."""
    return _TITLE.match(text[:200]) is not None or re.search(r"^;\s*game\s*:", text[:65536], re.MULTILINE) is not None


def read_text(source: Source) -> Transcript:
    """The match of a file; raises FormatError with line and column."""
    lines = source.text.split("\n")
    meta, house, first = _head(source, lines)
    reader = _Reader(source, Scribe(house))
    for number, line in enumerate(lines[first:], first + 1):
        reader.line(number, line)
    return Transcript.of(meta, reader.scribe.events, reader.analysis)


class _Reader:
    """Takes the lines after the head."""

    def __init__(self, source: Source, scribe: Scribe) -> None:
        self._source = source
        self.scribe = scribe
        self.analysis: dict[int, Assessment] = {}
        self._t = 0.0

    def line(self, number: int, line: str) -> None:
        """Take one line."""
        text = line.strip()
        if not text or text.startswith(";"):
            return
        if len(line) > _LONGEST:
            raise self._source.error(number, _LONGEST, f"a line of at most {_LONGEST} signs")
        if found := _ROW.fullmatch(line):
            self._row(number, line, found.start(1))
            return
        column = len(line) - len(line.lstrip()) + 1
        try:
            event = read_line(self.scribe, text, self._t)
        except ValueError as error:
            raise self._source.error(number, column, str(error).removeprefix("expected "), text) from None
        self._note(event)

    def _row(self, number: int, line: str, begin: int) -> None:
        left, bar, right = line[begin:].partition("|")
        self._cell("white", left, number, begin)
        if bar:
            self._cell("black", right, number, begin + len(left) + 1)

    def _cell(self, player: Player, text: str, number: int, begin: int) -> None:
        cell = text.strip()
        if not cell:
            return
        begin += len(text) - len(text.lstrip())
        if self.scribe.full():
            raise self._source.error(number, begin + 1, f"at most {MOST_PLAYS} plays in a file")
        try:
            read = read_cell(self.scribe, player, cell, self._t)
        except CellError as error:
            raise self._source.error(number, begin + error.at + 1, error.expected, error.got) from None
        except RulesError as error:
            raise FormatError(f"{self._source.name}:{number}:{begin + 1}: {error}") from None
        self._take(read)

    def _take(self, read: Read) -> None:
        for event in read.events:
            self._note(event)
        self.scribe.keep_left_over(read.left_over)
        if read.said is not None:
            self.analysis[self.scribe.plays] = read.said

    def _note(self, event: ev.Event) -> None:
        self.scribe.note(event)
        self._t = event.t


def _head(source: Source, lines: list[str]) -> tuple[dict[str, Any], Game, int]:
    """What is said of the match, its house rules, and the number of lines of the head."""
    said: dict[str, Any] = {}
    rules: dict[str, Any] = {}
    places: dict[str, int] = {}
    number = 0
    for number, line in enumerate(lines, 1):
        if title := _TITLE.fullmatch(line):
            if int(title[1]) > VERSION:
                raise source.error(number, 1, f"{TITLE} {VERSION}: update companion", line)
        elif found := _HEAD.fullmatch(line):
            key, value = found[1].strip(), found[2].strip()
            key = key.lower() if key.lower() in ("white", "black", "game") else key
            places.setdefault(key, number)
            if key.startswith("rule "):
                rules[key[5:].strip()] = _value(value)
            else:
                said[key] = _value(value)
        elif line.strip() and not line.startswith(";"):
            number -= 1
            break
    return *_meta(source, said, rules, places), number


def _meta(
    source: Source, said: dict[str, Any], rules: Mapping[str, Any], places: Mapping[str, int]
) -> tuple[dict[str, Any], Game]:
    game = said.pop("game", None)
    if game not in GAMES:
        got = None if game is None else str(game)
        raise source.error(places.get("game", 1), 1, f'a line "; game: NAME", NAME one of {", ".join(GAMES)}', got)
    meta: dict[str, Any] = {"game": game}
    names = {side: said.pop(side) for side in ("white", "black") if side in said}
    if names:
        meta["players"] = {"white": str(names.get("white", "White")), "black": str(names.get("black", "Black"))}
    line = next((places[key] for key in places if key.startswith("rule ") or key == "options"), 1)
    try:
        if said.get("options") == "usual":
            house = get_game(game)
            del said["options"]
        elif "options" in said:
            house = house_of({"game": game, "options": said["options"]})
        else:
            house = get_game(game, rules)
            meta["options"] = house.options.to_json()
    except RulesError as error:
        raise FormatError(f"{source.name}:{line}:1: {error}") from None
    odd = said.pop("meta", {})
    if not isinstance(odd, dict):
        raise source.error(places["meta"], 1, "; meta: and an object as JSON", str(odd))
    return meta | said | odd, house


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return text
