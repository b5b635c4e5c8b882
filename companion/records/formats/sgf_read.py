"""Reading SGF files of backgammon, with the analysis that gnubg keeps in them (docs/formats.md)."""

import re
from collections.abc import Iterator
from typing import Any

from companion.layout import Player
from companion.records.formats.scribe import Scribe
from companion.records.formats.sgf_tree import Node, read_trees
from companion.records.formats.source import MOST_PLAYS, FormatError, Source
from companion.records.transcript import Assessment, Transcript
from companion.rules import Game, Move, Play, Position, RulesError, format_play, get_game
from companion.rules.position import BAR, CHECKERS, OFF

_PLAYERS: dict[str, Player] = {"W": "white", "B": "black"}
_MOVE = re.compile(r"([1-6])([1-6])((?:[a-y][a-xz]){0,4})")
_RESULT = re.compile(r"([WB])\+(\d{1,6})(R?)\w*", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
_NUMBER = re.compile(r"-?\d{1,6}(?:\.\d{1,9})?")
_VARIATIONS = ("Nackgammon", "Hypergammon")


def read_sgf(source: Source) -> Transcript:
    """The match of a file; raises FormatError with line and column."""
    reader: _Reader | None = None
    for nodes in read_trees(source):
        if not nodes:
            continue
        if reader is None:
            reader = _Reader(source, nodes[0])
        reader.game(nodes)
    if reader is None:
        raise source.error(1, 1, "a game", "none")
    return reader.transcript()


def is_sgf(text: str) -> bool:
    """Whether a text looks like a match of this format."""
    return re.match(r"\s*\(\s*;", text[:1000]) is not None


class _Reader:
    """Takes the games node by node; ``_rolled`` is a roll that was set and not yet played."""

    def __init__(self, source: Source, root: Node) -> None:
        self._source = source
        self._root = root
        self._house = self._house_of(root)
        self._scribe = Scribe(self._house)
        self._analysis: dict[int, Assessment] = {}
        self._cube_error: float | None = None
        self._rolled: tuple[Player, tuple[int, int]] | None = None
        self._player: Player = "white"

    def transcript(self) -> Transcript:
        """What was read."""
        return Transcript.of(self._meta(), self._scribe.events, self._analysis)

    def game(self, nodes: list[Node]) -> None:
        """One game."""
        root = nodes[0]
        info = self._info(root)
        cube = root.first("CV")
        self._scribe.begin((info.get("ws", 0), info.get("bs", 0)), cube=_power(cube))
        dropped = False
        for node in nodes[1:]:
            dropped = self._node(node)
        self._end(root, dropped)

    def _house_of(self, root: Node) -> Game:
        game = root.first("GM")
        if game != "6":
            raise self._error(root, "backgammon, GM[6]", f"GM[{game}]" if game else "no GM")
        rules = root.first("RU").split(":")
        if odd := next((rule for rule in rules if rule.startswith(_VARIATIONS)), ""):
            raise self._error(root, "backgammon", odd)
        length = self._info(root).get("length", 0)
        options: dict[str, Any] = {"length": length, "cube": "NoCube" not in rules}
        if length:
            options["crawford"] = "Crawford" in rules
        else:
            options["jacoby"] = "Jacoby" in rules
        return get_game("short", options)

    def _info(self, root: Node) -> dict[str, int]:
        pairs = (value.partition(":") for value in root.values("MI"))
        return {key: int(number) for key, _, number in pairs if number.isdecimal() and len(number) < 7}

    def _meta(self) -> dict[str, Any]:
        options, root = self._house.options.to_json(), self._root
        options["cube_limit"] = max(options["cube_limit"], self._scribe.largest_cube)
        options["beaver"] = self._scribe.beavers and not options["length"]
        meta: dict[str, Any] = {
            "source": self._source.name,
            "game": self._house.name,
            "options": options,
            "players": {"white": root.first("PW") or "White", "black": root.first("PB") or "Black"},
        }
        if _DATE.fullmatch(root.first("DT")):
            meta["started"] = root.first("DT")
        keys = {"EV": "event", "RO": "round", "PC": "place", "AN": "transcriber", "GC": "comment"}
        return meta | {key: root.first(name) for name, key in keys.items() if root.first(name)}

    def _node(self, node: Node) -> bool:
        """Take a node; True when it ends the game by a drop."""
        if node.values("PL"):
            self._player = "black" if node.first("PL").startswith(("B", "b")) else "white"
        if any(node.values(name) for name in ("AE", "AW", "AB")):
            self._set(node)
        elif node.values("DI"):
            self._drop_roll()
            self._rolled = (self._player, self._dice(node, node.first("DI")))
        elif node.values("CV") or node.values("CP"):
            self._fix_cube(node)
        for key, values, offset in node.properties:
            if key in _PLAYERS:
                return self._move(node, _PLAYERS[key], values[0], offset)
        return False

    def _move(self, node: Node, player: Player, value: str, offset: int) -> bool:
        self._drop_roll()
        cube_error = None if self._house.options.length else _cube_error(node, value)
        if value in ("double", "take", "drop"):
            self._scribe.cube_action(player, value)
            self._cube_error = _sum(self._cube_error, cube_error)
            return value == "drop"
        found = _MOVE.fullmatch(value)
        if not found:
            raise self._source.at(offset, "dice and moves such as 31hefe, double, take or drop", value)
        if self._scribe.full():
            raise self._source.at(offset, f"at most {MOST_PLAYS} plays in a file")
        before = self._scribe.position
        try:
            self._scribe.play(player, (int(found[1]), int(found[2])), _moves(player, found[3]))
        except RulesError as error:
            raise FormatError(f"{self._where(offset)}: {error}") from None
        self._assess(node, player, before, _sum(self._cube_error, cube_error))
        return False

    def _assess(self, node: Node, player: Player, before: Position, cube_error: float | None) -> None:
        """Keep what gnubg says of the play just made."""
        self._cube_error = None
        error, best = _error_of(node, self._house, player, before)
        luck = node.first("LU")
        said = Assessment(error, cube_error, round(float(luck), 3) if _NUMBER.fullmatch(luck) else None, best)
        if said != Assessment():
            self._analysis[self._scribe.plays] = said

    def _set(self, node: Node) -> None:
        board = self._board(node)
        rolled, self._rolled = self._rolled, None
        if rolled is None:
            self._scribe.set_board(board)
            return
        try:
            self._scribe.play(rolled[0], rolled[1], (), board)
        except RulesError as error:
            raise FormatError(f"{self._where(node.offset)}: {error}") from None

    def _board(self, node: Node) -> Position:
        cells = self._scribe.position
        points, bar = list(cells.points), list(cells.bar)
        for letter in self._letters(node, "AE"):
            if letter == "y":
                bar = [0, 0]
            else:
                points[ord(letter) - ord("a")] = 0
        for side, name in enumerate(("AW", "AB")):
            for letter in self._letters(node, name):
                if letter == "y":
                    bar[side] += 1
                else:
                    points[ord(letter) - ord("a")] += -1 if side else 1
        board = Position(tuple(points), (bar[0], bar[1]))
        white, black = board.counts()
        if max(white, black) > CHECKERS:
            raise self._error(node, f"at most {CHECKERS} checkers each", f"{white} and {black}")
        return Position(board.points, board.bar, (CHECKERS - white, CHECKERS - black))

    def _letters(self, node: Node, name: str) -> Iterator[str]:
        for value in node.values(name):
            first, _, last = value.partition(":")
            if not re.fullmatch(r"[a-y]", first) or not re.fullmatch(r"[a-y]?", last):
                raise self._error(node, f"points from a to y in {name}", value)
            yield from (chr(code) for code in range(ord(first), ord(last or first) + 1))

    def _fix_cube(self, node: Node) -> None:
        owners: dict[str, Player | None] = {"w": "white", "b": "black", "c": None}
        owner = owners.get(node.first("CP")[:1].lower(), self._scribe.cube.owner)
        self._scribe.set_cube(_power(node.first("CV")) if node.values("CV") else self._scribe.cube.value, owner)

    def _drop_roll(self) -> None:
        """A roll that was set and not played is kept as a roll."""
        if self._rolled is not None:
            self._scribe.roll(*self._rolled)
            self._rolled = None

    def _end(self, root: Node, dropped: bool) -> None:
        self._drop_roll()
        found = _RESULT.fullmatch(root.first("RE"))
        if found and int(found[2]):
            self._scribe.win(_PLAYERS[found[1].upper()], int(found[2]), dropped)
        else:
            self._scribe.finish()

    def _dice(self, node: Node, text: str) -> tuple[int, int]:
        if not re.fullmatch(r"[1-6][1-6]", text):
            raise self._error(node, "two dice such as DI[31]", text)
        return int(text[0]), int(text[1])

    def _where(self, offset: int) -> str:
        line, column = self._source.place(offset)
        return f"{self._source.name}:{line}:{column}"

    def _error(self, node: Node, expected: str, got: str) -> FormatError:
        return self._source.at(node.offset, expected, got)


def _moves(player: Player, letters: str) -> Play:
    """Pairs of letters as moves in the mover's numbers."""
    return tuple(_pair(player, letters[i], letters[i + 1]) for i in range(0, len(letters), 2))


def _pair(player: Player, start: str, end: str) -> Move:
    return _point(player, start), OFF if end == "z" else _point(player, end)


def _point(player: Player, letter: str) -> int:
    if letter == "y":
        return BAR
    white = ord(letter) - ord("a") + 1
    return white if player == "white" else 25 - white


def _power(text: str) -> int:
    value = int(text) if text.isdecimal() and len(text) < 6 else 1
    return value if value and value & (value - 1) == 0 else 1


def _sum(first: float | None, second: float | None) -> float | None:
    return second if first is None else first if second is None else first + second


def _error_of(node: Node, house: Game, player: Player, before: Position) -> tuple[float | None, str]:
    """What the play lost against the best of the analysis, and that best play where another was made."""
    chosen, *candidates = node.values("A") or ("",)
    if not chosen.isdecimal() or len(chosen) > 4 or int(chosen) >= len(candidates):
        return None, ""
    equities = [_equity(candidate) for candidate in candidates]
    mine = equities[int(chosen)]
    best = max((e for e in equities if e is not None), default=None)
    if mine is None or best is None:
        return None, ""
    letters = candidates[equities.index(best)].split(" ")[0]
    if mine >= best or not re.fullmatch(r"(?:[a-y][a-z]){1,4}", letters):
        return 0.0, ""
    return round(best - mine, 3), format_play(_moves(player, letters), house.seen(before, player))


def _equity(candidate: str) -> float | None:
    """The equity of a candidate: ``aggk E ver 3 win gammon backgammon lost-gammon lost-backgammon equity …``."""
    fields = candidate.split()
    if len(fields) < 10 or fields[1:3] != ["E", "ver"] or not _NUMBER.fullmatch(fields[9]):
        return None
    return float(fields[9])


def _cube_error(node: Node, value: str) -> float | None:
    """What the cube decision lost, by gnubg's two estimates: not doubled (cubeful), and doubled and taken."""
    fields = node.first("DA").split()
    numbers = [float(f) for f in fields[7:] if _NUMBER.fullmatch(f)]
    if len(fields) < 21 or fields[:2] != ["E", "ver"] or len(numbers) != 14:
        return None
    no_double, take, drop = numbers[6], numbers[13], 1.0
    double = min(take, drop)
    best = max(no_double, double)
    chosen = {"double": double, "take": -take, "drop": -drop}.get(value, no_double)
    best = max(-take, -drop) if value in ("take", "drop") else best
    return round(best - chosen, 3)
