"""What gnubg says that it read, and the same told by a transcript: rolls, plays, cube actions, results, scores."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion import events as ev
from companion.layout import Player
from companion.records.formats.gnubg import ask_gnubg
from companion.records.transcript import Transcript, moved
from companion.rules import Position
from companion.rules.ids import Snapshot, format_gnuid, parse_gnuid

SCRIPT = """
for kind, path, jacoby in {files!r}:
    gnubg.command("set jacoby " + jacoby)
    gnubg.command(("import mat " if kind == "mat" else "load match ") + '"' + path + '"')
    answer(json.dumps(gnubg.match(analysis=0, boards=1)))
    gnubg.command("new session")
"""
PLAYER: dict[str, Player] = {"X": "white", "O": "black"}
MATCH_ID = format_gnuid(Snapshot(position=Position((0,) * 24))).split(":")[1]


@dataclass
class Told:
    """One game: rolls with the position after them, cube actions with the number of rolls before them, the result."""

    score: tuple[int, int]
    rolls: list[tuple[Player, tuple[int, int], Position | None]]
    cube: list[tuple[int, Player, str]]
    jumps: list[tuple[int, Position]]
    result: tuple[Player, int, bool] | None

    def jump(self, position: Position) -> None:
        """The board was set; of several times without a roll between them only the last counts."""
        if self.jumps and self.jumps[-1][0] == len(self.rolls):
            self.jumps.pop()
        self.jumps.append((len(self.rolls), position))


def settled(told: Told) -> Told:
    """The same where a board that was set after a roll stands for what the roll left.

    In the Crawford game gnubg keeps only the last of two boards that a mat file sets one after the other.
    """
    places = dict(told.jumps)
    rolls = [(who, dice, places.get(i, board)) for i, (who, dice, board) in enumerate(told.rolls, 1)]
    return Told(told.score, rolls, told.cube, [], told.result)


def same(kind: str, transcript: Transcript, dump: dict[str, Any]) -> bool:
    """Whether gnubg read what the transcript holds."""
    theirs, ours = by_gnubg(dump, transcript), by_transcript(transcript)
    for index, game in enumerate(ours):
        needed = [transcript.house.options.length - points for points in game.score]
        if kind == "mat" and transcript.house.options.crawford and needed.count(1) == 1 and index < len(theirs):
            theirs[index], ours[index] = settled(theirs[index]), settled(game)
        if kind == "mat" and index < len(theirs) and game.result and _borne_off(transcript, index):
            # A last play that could only be told as a board ends no game: gnubg takes the result for a resignation.
            theirs[index].result = theirs[index].result and (*theirs[index].result[:2], False)
    return theirs == ours


def _borne_off(transcript: Transcript, index: int) -> bool:
    plays = [event for event in transcript.games[index].events if isinstance(event, ev.PlayMade)]
    last = Position.from_json(plays[-1].board) if plays else transcript.house.start
    return transcript.house.winner(last) is not None


def read_by_gnubg(files: Sequence[Path], jacoby: Sequence[bool] = ()) -> list[dict[str, Any]]:
    """gnubg's own account of each file, read in one go; ``jacoby`` is its setting, which a mat file cannot tell it."""
    settings = [*jacoby, *[False] * (len(files) - len(jacoby))]
    named = [(path.suffix[1:], str(path), "on" if on else "off") for path, on in zip(files, settings, strict=True)]
    return [json.loads(line) for line in ask_gnubg(SCRIPT.format(files=named), timeout_s=300)]


def by_gnubg(dump: dict[str, Any], transcript: Transcript) -> list[Told]:
    """The games of a dump; moves are followed from the start position, boards that were set are taken as they are."""
    return [_game(game, transcript) for game in dump["games"]]


def _game(game: dict[str, Any], transcript: Transcript) -> Told:
    info = game["info"]
    told = Told((info["score-X"], info["score-O"]), [], [], [], None)
    position = transcript.house.start
    for record in game["game"]:
        player = PLAYER.get(record.get("player", ""))
        match record:
            case {"action": "move"}:
                moves = tuple((start, max(end, 0)) for start, end in record["move"])
                position = moved(transcript.house, position, player, moves)
                told.rolls.append((player, tuple(record["dice"]), position))
            case {"action": "set", "dice": dice}:
                told.rolls.append((player, tuple(dice), None))
            case {"action": "set", "board": board}:
                position = parse_gnuid(f"{board}:{MATCH_ID}").position
                if told.rolls and told.rolls[-1][2] is None:
                    told.rolls[-1] = (*told.rolls[-1][:2], position)
                else:
                    told.jump(position)
            case {"action": "double" | "take" | "drop" as what}:
                told.cube.append((len(told.rolls), player, what))
    if told.rolls and told.rolls[-1][2] is None:
        told.rolls[-1] = (*told.rolls[-1][:2], position)
    if info["winner"] is not None:
        told.result = (PLAYER[info["winner"]], info["points-won"], info["resigned"])
    return told


def by_transcript(transcript: Transcript) -> list[Told]:
    """The same, told by the events."""
    games = []
    for game in transcript.games:
        told = Told(game.score, [], [], [], None)
        rolled = conceded = None
        start = position = Position.from_json(game.start.board)
        if start != transcript.house.start:
            told.jump(start)
        for event in game.events:
            match event:
                case ev.Rolled():
                    rolled = event
                case ev.PlayMade(dice=None):
                    rolled = None
                    if Position.from_json(event.board) != position:
                        position = Position.from_json(event.board)
                        told.jump(position)
                case ev.PlayMade():
                    rolled, position = None, Position.from_json(event.board)
                    told.rolls.append((event.player, event.dice, position))
                case ev.CubeAction():
                    word = {"beaver": "double", "accept": "take"}.get(event.action, event.action)
                    told.cube.append((len(told.rolls), event.player, word))
                case ev.Gap(board=board) if board is not None and Position.from_json(board) != position:
                    position = Position.from_json(board)
                    told.jump(position)
                case ev.Resigned():
                    conceded = event
                case ev.GameWon():
                    told.result = (event.winner, event.points, conceded is not None)
        if rolled is not None and conceded is not None:
            told.rolls.append((rolled.player, rolled.dice, position))
        games.append(told)
    return games
