"""Reading MAT files, those of other programs too (docs/formats.md)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.layout import Player
from companion.records.formats.scribe import Scribe
from companion.records.formats.snowie import read_snowie
from companion.records.formats.source import MOST_PLAYS, FormatError, Source
from companion.records.transcript import Transcript
from companion.rules import Game, RulesError, get_game, parse_play
from companion.rules.ids import parse_xgid

_TAG = re.compile(r'[;#]\s*\[(\w[\w ]{0,30}) "(.*)"\]\s*')
_MATCH = re.compile(r"\s*(\d{1,6}) point match\b", re.IGNORECASE)
_GAME = re.compile(r"\s*Game (\d{1,6})\s*", re.IGNORECASE)
_SCORE = re.compile(r"\s*(.*?\S)?\s*:\s*(\d{1,6})\s+(\S.*?)?\s*:\s*(\d{1,6})\s*")
_SET = re.compile(r"; Set Pos=([-A-Oa-o]{26})/")
_CELL = re.compile(
    r"[1-6][1-6]:|\b(?:re)?doubles?\b|\btakes?\b|\baccepts?\b|\bdrops?\b|\bpass(?:es)?\b|\bbeavers?\b|\braccoons?\b"
    r"|\bwins?\b|\bresigns?\b",
    re.IGNORECASE,
)
_ILLEGAL = re.compile(r"\s*illegal play\s*\((.*)\)\s*", re.IGNORECASE)
_NOTHING = re.compile(r"\s*(\?{3,}|cannot move)?\s*", re.IGNORECASE)
_WIN = re.compile(r"wins?\s+(\d{1,6})\s+points?\b.*", re.IGNORECASE)
_RATING = re.compile(r",\s*\d.*$")
_WORDS = {
    "double": "double", "redouble": "double", "take": "take", "accept": "take", "drop": "drop", "pass": "drop",
    "beaver": "double", "raccoon": "double",
}  # fmt: skip
_LONGEST = 2_000
_RIGHT_FROM = 10
"""A single cell that begins so many columns after the number of its line is the right player's."""


@dataclass(frozen=True)
class _Cell:
    player: Player
    text: str
    line: int
    column: int


def read_mat(source: Source) -> Transcript:
    """The match of a file; raises FormatError with line and column."""
    lines = source.text.split("\n")
    tags, first, length = _head(source, lines)
    house = _house(source, tags, length)
    scribe = Scribe(house)
    names = _Reader(source, scribe).games(lines, first)
    return Transcript.of(_meta(source, tags, names, house, scribe), scribe.events)


def is_mat(text: str) -> bool:
    """Whether a text looks like a match of this format."""
    return any(_MATCH.match(line) for line in text[:65536].split("\n"))


def _head(source: Source, lines: list[str]) -> tuple[dict[str, str], int, int]:
    """The tags, the number of the line after ``n point match``, and its length."""
    tags: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.startswith((";", "#")):
            if found := _TAG.fullmatch(line[:1000]):
                tags[found[1]] = found[2]
        elif found := _MATCH.match(line[:100]):
            return tags, number, int(found[1])
    raise source.error(1, 1, 'a line such as " 7 point match"', lines[0])


def _house(source: Source, tags: Mapping[str, str], length: int) -> Game:
    options: dict[str, Any] = {"length": length}
    if tags.get("Crawford", "").lower() == "off":
        options["crawford"] = False
    limit = tags.get("CubeLimit", "")
    if limit == "1":
        options["cube"] = False
    elif limit.isdecimal() and len(limit) < 6 and int(limit) > 1 and int(limit) & (int(limit) - 1) == 0:
        options["cube_limit"] = int(limit)
    if not length:
        options["jacoby"] = tags.get("Jacoby", "").lower() == "on"
        options["beaver"] = tags.get("Beaver", "").lower() == "on" and options.get("cube", True)
    variation = tags.get("Variation", "Backgammon")
    if not variation.lower().startswith("backgammon"):
        raise source.error(1, 1, "backgammon", variation)
    return get_game("short", options)


def _meta(
    source: Source, tags: Mapping[str, str], names: tuple[str, str], house: Game, scribe: Scribe
) -> dict[str, Any]:
    options = house.options.to_json()
    options["cube_limit"] = max(options["cube_limit"], scribe.largest_cube)
    options["beaver"] = options["beaver"] or (scribe.beavers and not options["length"])
    meta: dict[str, Any] = {
        "source": source.name,
        "game": house.name,
        "options": options,
        "players": {"white": names[0], "black": names[1]},
    }
    date = re.fullmatch(r"(\d{4})\.(\d{2})\.(\d{2})", tags.get("EventDate", ""))
    if date:
        clock = re.fullmatch(r"(\d{2})\.(\d{2})", tags.get("EventTime", ""))
        meta["started"] = "-".join(date.groups()) + (f"T{clock[1]}:{clock[2]}" if clock else "")
    keys = {"Event": "event", "Round": "round", "Site": "place", "Transcriber": "transcriber"}
    return meta | {key: tags[tag] for tag, key in keys.items() if tags.get(tag)}


class _Reader:
    """Takes the games line by line; ``_waiting`` is a roll without moves of which the next line tells what it was."""

    def __init__(self, source: Source, scribe: Scribe) -> None:
        self._source = source
        self._scribe = scribe
        self._names = ("", "")
        self._expect_score = False
        self._dropped = False
        self._waiting: _Cell | None = None

    def games(self, lines: list[str], first: int) -> tuple[str, str]:
        for number, line in enumerate(lines[first:], first + 1):
            if not line.strip():
                continue
            if len(line) > _LONGEST:
                raise self._source.error(number, _LONGEST, f"a line of at most {_LONGEST} signs")
            if _MATCH.match(line[:100]):
                break  # only the first match of a file is read, as gnubg does
            if _GAME.fullmatch(line[:40]):
                self._end_game()
                self._expect_score = True
            elif self._expect_score:
                self._score(number, line)
            elif not self._scribe.games:
                raise self._source.error(number, 1, 'a line such as " Game 1"', line.strip())
            else:
                self._line(number, line)
        self._end_game()
        return self._names

    def _score(self, number: int, line: str) -> None:
        found = _SCORE.fullmatch(line[:300])
        if not found:
            raise self._source.error(number, 1, 'names and scores, such as " Anna : 0   Boris : 0"', line.strip())
        names = (_RATING.sub("", found[1] or "").strip(), _RATING.sub("", found[3] or "").strip())
        self._names = (names[0] or "White", names[1] or "Black")
        self._scribe.begin((int(found[2]), int(found[4])))
        self._expect_score, self._dropped = False, False

    def _line(self, number: int, line: str) -> None:
        if found := _SET.match(line):
            self._set(number, found[1])
        elif not line.startswith((";", "#")):
            for cell in _cells(self._source, number, line):
                self._cell(cell)

    def _set(self, number: int, letters: str) -> None:
        self._settle_waiting()
        try:
            board = parse_xgid(f"{letters}:0:0:1:00:0:0:0:0:10").position
        except RulesError as error:
            raise FormatError(f"{self._source.name}:{number}:11: {error}") from None
        self._scribe.set_board(board)

    def _cell(self, cell: _Cell) -> None:
        if not self._scribe.open:
            raise self._error(cell, "a new game: this one is over")
        word = cell.text.split()[0].lower() if cell.text.strip() else ""
        stem = next((_WORDS[name] for name in _WORDS if word.rstrip(":").startswith(name)), "")
        if cell.text[:1].isdigit():
            self._settle_waiting()
            self._roll(cell)
        elif word.startswith("win"):
            self._win(cell)
        elif stem:
            self._settle_waiting()
            self._scribe.cube_action(cell.player, stem)
            self._dropped = stem == "drop"
        elif not word.startswith("resign"):
            raise self._error(cell, "a roll such as 31: or a cube action")

    def _win(self, cell: _Cell) -> None:
        found = _WIN.fullmatch(cell.text.strip())
        if not found or not 1 <= int(found[1]) <= 100_000:
            raise self._error(cell, "a result such as Wins 2 points")
        if self._waiting is not None:
            self._scribe.roll(self._waiting.player, _dice(self._waiting))
            self._waiting = None
        self._scribe.win(cell.player, int(found[1]), self._dropped)

    def _roll(self, cell: _Cell) -> None:
        if self._scribe.full():
            raise self._source.error(cell.line, cell.column, f"at most {MOST_PLAYS} plays in a file")
        dice, text = _dice(cell), cell.text[3:]
        if found := _ILLEGAL.fullmatch(text):
            self._illegal(cell, found[1])
        elif _NOTHING.fullmatch(text):
            self._blank(cell)
        else:
            try:
                self._scribe.play(cell.player, dice, parse_play(text))
            except RulesError as error:
                raise FormatError(f"{self._source.name}:{cell.line}:{cell.column + 3}: {error}") from None

    def _illegal(self, cell: _Cell, text: str) -> None:
        try:
            board = read_snowie(text)
            self._scribe.play(cell.player, _dice(cell), (), board)
        except RulesError as error:
            raise FormatError(f"{self._source.name}:{cell.line}:{cell.column + 3}: {error}") from None

    def _blank(self, cell: _Cell) -> None:
        """No moves: a dance; with one legal play it is that one; else a roll before a resignation, or a pass."""
        try:
            results = self._scribe.house.plays(self._scribe.position, _dice(cell), player=cell.player).results
        except RulesError as error:
            raise FormatError(f"{self._source.name}:{cell.line}:{cell.column}: {error}") from None
        if len(results) > 1 or "?" in cell.text:
            self._waiting = cell
        else:
            self._scribe.play(cell.player, _dice(cell), next(iter(results.values()))[0])

    def _settle_waiting(self) -> None:
        """Play went on after a roll without moves: it was a pass."""
        cell, self._waiting = self._waiting, None
        if cell is not None:
            self._scribe.play(cell.player, _dice(cell), ())

    def _end_game(self) -> None:
        if self._waiting is not None:
            self._scribe.roll(self._waiting.player, _dice(self._waiting))
            self._waiting = None
        if self._scribe.games:
            self._scribe.finish()

    def _error(self, cell: _Cell, expected: str) -> FormatError:
        return self._source.error(cell.line, cell.column, expected, cell.text.strip())


def _dice(cell: _Cell) -> tuple[int, int]:
    return int(cell.text[0]), int(cell.text[1])


def _cells(source: Source, number: int, line: str) -> Iterator[_Cell]:
    """The one or two cells of a line; what is neither number nor cell is an error."""
    head = re.match(r"\s*\d+\)", line)
    begin = head.end() if head else 0
    hidden = re.sub(r"\([^)]*\)", lambda found: "_" * len(found[0]), line[begin:])
    starts = [begin + found.start() for found in _CELL.finditer(hidden)]
    starts = [at for at in starts if line[begin:at].strip() == "" or line[at - 1 : at].isspace()]
    stray = line[begin : starts[0] if starts else len(line)]
    if stray.strip() or len(starts) > 2:
        column = starts[2] if len(starts) > 2 else begin + len(stray) - len(stray.lstrip())
        raise source.error(number, column + 1, "a roll such as 31: or a cube action", line[column:].strip())
    for index, at in enumerate(starts):
        end = starts[index + 1] if index + 1 < len(starts) else len(line)
        right = index == 1 or (len(starts) == 1 and at - begin > (_RIGHT_FROM if head else 2 * _RIGHT_FROM))
        yield _Cell("black" if right else "white", line[at:end].rstrip(), number, at + 1)
