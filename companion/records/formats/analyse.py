"""``companion analyse``: gnubg says of a match of short or tabla what each play lost, and how lucky each roll was.

Equities are gnubg's, in points of the cube's value; in a match, winning chances are turned into them.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.layout import Player
from companion.records.formats.gnubg import GnubgError, ask_gnubg
from companion.records.formats.plies import Moved, Placed, must_be_short, plies
from companion.records.formats.sgf import write_sgf
from companion.records.transcript import Assessment, Transcript
from companion.rules import Game, Position, format_play

_SIDES: dict[str, Player] = {"X": "white", "O": "black"}
_TIMEOUT_S = 3600.0


def analyse(transcript: Transcript, *, depth: int = 0, timeout_s: float = _TIMEOUT_S) -> dict[int, Assessment]:
    """What gnubg says of each play, by the number of the play; ``depth`` is how many plies it looks ahead.

    Plays that gnubg cannot take as moves (illegal ones, those after which the board had to be set) have none. Raises
    GnubgError when gnubg is not installed, FormatError for other games.
    """
    house = must_be_short(transcript, "analyse")
    text = write_sgf(transcript)
    with tempfile.TemporaryDirectory(prefix="companion-analyse-") as folder:
        file = Path(folder) / "match.sgf"
        file.write_text(text, encoding="utf-8")
        answers = ask_gnubg(_SCRIPT.replace("FILE", str(file)).replace("DEPTH", str(depth)), timeout_s=timeout_s)
    if len(answers) != len(transcript.games):
        raise GnubgError(f"gnubg: expected {len(transcript.games)} games, got {len(answers)}")
    found: dict[int, Assessment] = {}
    played = 0
    for game, answer in zip(transcript.games, answers, strict=True):
        rolls = [ply for ply in plies(house, game, played) if isinstance(ply, Moved | Placed)]
        found |= _of_game(house, rolls, json.loads(answer))
        played += sum(event.name == "play" for event in game.events)
    return found


def _of_game(house: Game, rolls: list[Moved | Placed], records: list[Mapping[str, Any]]) -> dict[int, Assessment]:
    """Meet gnubg's records with the plays that were written: both have the rolls in the same order."""
    cube_errors: dict[Player, float] = {}
    last: dict[Player, int] = {}
    found: dict[int, Assessment] = {}
    waiting: Mapping[str, Any] | None = None
    remaining = iter(rolls)
    for record in records:
        player = _SIDES.get(record.get("player") or "")
        if player is None:
            continue
        if record["action"] == "double":
            waiting = record
        lost = _cube_error(record, waiting)
        if lost is not None:
            cube_errors[player] = cube_errors.get(player, 0.0) + lost
        if record["action"] in ("move", "roll"):
            ply = next(remaining, None)
            if ply is None:
                break
            number = last[player] = ply.step.play
            said = _of_play(house, player, ply.step.before, record, cube_errors.pop(player, None))
            if said != Assessment():
                found[number] = said
    for player, lost in cube_errors.items():  # nothing was played after it: it belongs to the play before
        if player in last:
            found[last[player]] = _with_cube_error(found.get(last[player], Assessment()), lost)
    return found


def _of_play(
    house: Game, player: Player, before: Position, record: Mapping[str, Any], cube_error: float | None
) -> Assessment:
    moves, chosen = record.get("moves") or [], record.get("imove")
    error, best = None, ""
    if moves and isinstance(chosen, int) and 0 <= chosen < len(moves):
        top = max(moves, key=lambda move: float(move["score"]))
        error = round(float(top["score"]) - float(moves[chosen]["score"]), 3)
        if error > 0:
            play = tuple((int(start), max(int(end), 0)) for start, end in top["move"])
            best = format_play(play, house.seen(before, player))
    luck = record.get("luck")
    return Assessment(error, _rounded(cube_error), _rounded(luck), best)


def _with_cube_error(said: Assessment, lost: float) -> Assessment:
    return Assessment(said.error, round((said.cube_error or 0.0) + lost, 3), said.luck, said.best)


def _cube_error(record: Mapping[str, Any], doubled: Mapping[str, Any] | None) -> float | None:
    """What a cube decision lost: none for a forced one, or where gnubg did not look."""
    answer = record["action"] in ("take", "drop")
    source = doubled if answer else record
    if source is None or source.get("nd") is None or source.get("dt") is None:
        return None
    no_double, taken = float(source["nd"]), float(source["dt"])
    double = min(taken, 1.0)
    if record["action"] == "take":
        return max(0.0, taken - 1.0)
    if record["action"] == "drop":
        return max(0.0, 1.0 - taken)
    return max(no_double, double) - (double if record["action"] == "double" else no_double)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 3)


def totals(
    transcript: Transcript, found: Mapping[int, Assessment]
) -> Iterator[tuple[Player, int, float, float, float]]:
    """For each player: plays looked at, equity lost by plays, by the cube, and luck."""
    sides = {step.play: step.event.player for _, step in transcript.steps() if step.event.name == "play"}
    for player in _SIDES.values():
        mine = [said for play, said in found.items() if sides.get(play) == player]
        lost = sum(said.error or 0.0 for said in mine)
        lost_cube, luck = sum(said.cube_error or 0.0 for said in mine), sum(said.luck or 0.0 for said in mine)
        yield player, sum(said.error is not None for said in mine), lost, lost_cube, luck


_SCRIPT = """
gnubg.command("set analysis chequerplay evaluation plies DEPTH")
gnubg.command("set analysis cubedecision evaluation plies DEPTH")
gnubg.command('load match "FILE"')
gnubg.command("analyse match")
match = gnubg.match(analysis=1, boards=0, statistics=0, verbose=0)
length = match["match-info"].get("match-length", 0)

def equity(value, cube, owner, player, info):
    if value is None or not length:
        return value
    score = (info["score-X"], info["score-O"])
    crawford = 1 if info.get("crawford") else 0
    return gnubg.mwc2eq(value, gnubg.cubeinfo(cube, owner, player, length, score, crawford))

for game in match["games"]:
    told, cube, owner, offered, info = [], 1, -1, 0, game["info"]
    for record in game["game"]:
        said = record.get("analysis") or {}
        side = 1 if record.get("player") == "O" else 0
        action = record["action"]
        if action == "set" and "dice" in record:
            action = "roll"
        line = {"action": action, "player": record.get("player"), "luck": said.get("luck-value")}
        for key, name in (("nd", "nd-cubeful-eq"), ("dt", "dt-cubeful-eq")):
            line[key] = equity(said.get(name), cube, owner, side, info)
        if action == "move":
            line["moves"] = [{"move": m["move"], "score": m["score"]} for m in said.get("moves", ())]
            line["imove"] = said.get("imove")
        told.append(line)
        if action == "double":
            cube, owner, offered = (cube * 2, side, offered + 1) if offered else (cube, owner, 1)
        elif action == "take":
            cube, owner, offered = cube * 2, side, 0
        elif action == "set" and "cube" in record:
            cube = record["cube"]
    answer(json.dumps(told))
"""
