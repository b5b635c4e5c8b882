"""What a line of the filters ``legal``, ``judge`` and ``score`` may say, field by field; an error is one clear line."""

import json
from collections.abc import Mapping
from typing import Any, TypedDict, TypeGuard

from companion.layout import Player
from companion.rules import OPTIONS, Game, Position
from companion.rules.errors import UnreadableError
from companion.rules.position import CHECKERS
from companion.rules.turn import LeftOver

Record = dict[str, Any]
LONGEST = 300
"""So many characters of an error are shown: what a line holds can be of any length."""
_PARTS = ("own", "extra", "left-over")


def parse(line: str) -> Record:
    """The object of a line; raises UnreadableError."""
    try:
        record = json.loads(line, parse_constant=_no_number)
    except RecursionError:
        raise UnreadableError("line: not readable as JSON: nested too deeply") from None
    except ValueError as error:
        raise UnreadableError(f"line: not readable as JSON: {error}") from None
    if not isinstance(record, dict):
        raise UnreadableError(f"line: expected a JSON object, got {line.strip()}")
    return record


def one_line(error: Exception) -> str:
    """The text of an error in one line of bounded length."""
    text = " ".join(str(error).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def board(record: Mapping[str, Any], key: str) -> Position:
    """A board; what stands there is not checked."""
    if key not in record:
        raise UnreadableError(f"{key}: expected a board, got nothing")
    try:
        return Position.from_json(record[key])
    except UnreadableError as error:
        raise UnreadableError(str(error).replace("board", key, 1)) from None


def dice(record: Mapping[str, Any]) -> tuple[int, ...]:
    """The dice as they are written; the game checks them."""
    value = record.get("dice")
    if not isinstance(value, list):
        raise UnreadableError(f"dice: expected two numbers from 1 to 6, got {value!r}")
    return tuple(value)


class Turn(TypedDict):
    """Whether it is the player's first turn, and whether the player did not start (L4)."""

    first_turn: bool
    second_player: bool


def turn(record: Mapping[str, Any]) -> Turn:
    """What a line says of the turn, by default that it is neither."""
    return {"first_turn": flag(record, "first_turn"), "second_player": flag(record, "second_player")}


def flag(record: Mapping[str, Any], key: str) -> bool:
    """True or false, by default false."""
    value = record.get(key, False)
    if not isinstance(value, bool):
        raise UnreadableError(f"{key}: expected true or false, got {value!r}")
    return value


def mapping(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """An object, by default an empty one."""
    value = record.get(key)
    if value is not None and not isinstance(value, Mapping):
        raise UnreadableError(f"{key}: expected an object, got {value!r}")
    return value or {}


def player(value: Any, key: str) -> Player:
    """White or Black."""
    if value == "white":
        return "white"
    if value == "black":
        return "black"
    raise UnreadableError(f"{key}: expected white or black, got {value!r}")


def left_over(record: Mapping[str, Any], game: Game) -> LeftOver:
    """The moves that passed to the opponent (X7)."""
    if game.law.passes_on == "nothing":
        raise UnreadableError(f"leftover: in {game.name} no moves pass to the opponent")
    die, moves = (_number(record, key, "leftover", most) for key, most in (("die", 6), ("moves_left", 4)))
    then = record.get("then", [])
    if not isinstance(then, list) or then != list(range(die + 1, die + 1 + len(then))) or len(then) > 6 - die:
        raise UnreadableError(f"leftover.then: expected the doubles that follow {die}, such as [5, 6], got {then!r}")
    return LeftOver(die, moves, tuple(then))


def cube(record: Mapping[str, Any]) -> int:
    """The value of the cube, by default 1."""
    value = record.get("cube", 1)
    if not _whole(value) or value < 1 or value & (value - 1):
        raise UnreadableError(f"cube: expected a power of two, got {value!r}")
    return value


def rules_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a script of match actions begins with; its ``limit`` is the cube's."""
    known = {**dict.fromkeys(OPTIONS), "limit": "cube_limit"}
    others = ("game", "score", "crawford_done", "mid_game")
    for key in config:
        if key not in known and key not in others:
            raise UnreadableError(f"config.{key}: expected one of {', '.join((*others, *known))}")
    return {known[key] or key: value for key, value in config.items() if key in known}


def score(config: Mapping[str, Any]) -> tuple[int, int]:
    """The points of White and Black, by default none."""
    value = config.get("score", [0, 0])
    if not isinstance(value, list) or len(value) != 2 or not all(_whole(n) and n >= 0 for n in value):
        raise UnreadableError(f"config.score: expected the points of White and Black, such as [2, 0], got {value!r}")
    return value[0], value[1]


def action(value: Any) -> tuple[Player, str, list[Any]]:
    """Who does what, and with which arguments."""
    if not isinstance(value, dict) or not isinstance(value.get("do"), str):
        raise UnreadableError(f'action: expected {{"player", "do"}}, got {value!r}')
    do, arguments = value["do"], []
    if "arg" in value:
        arguments.append(player(value["arg"], "action.arg") if do == "new-game" else value["arg"])
        if do == "play" and value["arg"] not in _PARTS:
            raise UnreadableError(f"action.arg: expected {', '.join(_PARTS)}, got {value['arg']!r}")
    if "left" in value:
        arguments.append(_number(value, "left", "action", CHECKERS))
    return player(value.get("player"), "action.player"), do, arguments


def _whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(record: Mapping[str, Any], key: str, where: str, most: int) -> int:
    value = record.get(key)
    if not _whole(value) or not 1 <= value <= most:
        raise UnreadableError(f"{where}.{key}: expected a number from 1 to {most}, got {value!r}")
    return value
