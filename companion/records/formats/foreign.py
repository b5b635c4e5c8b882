"""Files of eXtreme Gammon (``.xg``) and BGBlitz (``.bgf``), through the library ``gammonview`` (an extra).

The library makes of both the match format of HedgeHog; here it becomes events, judged like any other match.
"""

import datetime
import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.layout import Player
from companion.records.formats.document import Document
from companion.records.formats.scribe import Scribe
from companion.records.formats.source import LARGEST, MOST_PLAYS, FormatError
from companion.records.transcript import Transcript
from companion.rules import Game, Move, RulesError, get_game
from companion.rules.position import BAR, OFF

SUFFIXES = (".xg", ".bgf")
_CUBE = {21: "double", 22: "take", 23: "drop"}
_DICE_UP_TO = 20
"""Actions up to this number are the 21 rolls."""


def read_foreign(path: Path) -> Document:
    """What the file holds; raises FormatError, also when the library is not installed."""
    try:
        library = importlib.import_module("gvformat")
    except ImportError:
        raise FormatError(
            f"{path}: expected the library gammonview, got none: pip install 'companion[foreign]'"
        ) from None
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError as error:
        raise FormatError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    if len(raw) > LARGEST:
        raise FormatError(f"{path}: expected at most {LARGEST // 1024 // 1024} MiB, got a larger file")
    convert = library.convert_xg if path.suffix.lower() == ".xg" else library.convert_bgf
    try:
        data = convert(raw)
    except Exception as error:  # whatever the library raises on a file that it cannot read
        said = " ".join(str(error).split())[:200]
        raise FormatError(f"{path}: not a match as {path.suffix[1:]}: {type(error).__name__}: {said}") from None
    return from_hedgehog(data, str(path))


def from_hedgehog(data: Mapping[str, Any], name: str) -> Document:
    """The match in HedgeHog's form: colour 1 is White, who moves upwards from point 0, the bar, to 25."""
    try:
        return _document(data, name)
    except RulesError as error:
        raise FormatError(f"{name}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(
            f"{name}: expected a match, got another form of it ({type(error).__name__}: {error})"
        ) from None


def _document(data: Mapping[str, Any], name: str) -> Document:
    house = _house(data)
    scribe = Scribe(house)
    score = (0, 0)
    for game in data["games"]:
        scribe.begin(score)
        _game(scribe, game, name)
        score = scribe.score
    options = house.options.to_json()
    options["cube_limit"] = max(options["cube_limit"], scribe.largest_cube)
    meta: dict[str, Any] = {
        "source": name,
        "game": house.name,
        "options": options,
        "players": {
            "white": str(data.get("player_white") or "White"),
            "black": str(data.get("player_black") or "Black"),
        },
    }
    if isinstance(data.get("timestamp"), int) and 0 < data["timestamp"] < 1 << 34:
        moment = datetime.datetime.fromtimestamp(data["timestamp"], datetime.UTC)
        meta["started"] = moment.isoformat(timespec="seconds")
    for key, ours in (("event", "event"), ("site", "place"), ("round", "round")):
        if isinstance(data.get(key), str) and data[key]:
            meta[ours] = data[key]
    return Document.of(Transcript.of(meta, scribe.events))


def _house(data: Mapping[str, Any]) -> Game:
    length = int(data["match_length"])
    options: dict[str, Any] = {"length": length}
    if not length:
        options |= {"jacoby": bool(data.get("jacoby")), "beaver": bool(data.get("beaver"))}
    return get_game("short", options)


def _game(scribe: Scribe, game: Mapping[str, Any], name: str) -> None:
    dropped = False
    for ply in game["plies"]:
        player: Player = "white" if ply["color"] == 1 else "black"
        action = int(ply["action_id"])
        if scribe.full():
            raise FormatError(f"{name}: expected at most {MOST_PLAYS} plays in a file")
        if action in _CUBE:
            scribe.cube_action(player, _CUBE[action])
            dropped = action == 23
        elif action <= _DICE_UP_TO and ply.get("d1"):
            moves = tuple(_move(player, move) for move in ply.get("moves") or ())
            scribe.play(player, (int(ply["d1"]), int(ply["d2"])), moves)
    if game.get("points_won"):
        scribe.win("white" if game["winner"] == 0 else "black", int(game["points_won"]), dropped)


def _move(player: Player, move: Mapping[str, Any]) -> Move:
    start = int(move["from"])
    own = 25 - start if player == "white" else start
    if not 1 <= own <= BAR:
        raise ValueError(f"a move from {start}")
    return own, max(own - int(move["pips"]), OFF)
