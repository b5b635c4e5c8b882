"""What stands on a line of its own in the text form: games, results, notes, events as JSON (docs/formats.md)."""

import json
import re

from companion import events as ev
from companion.layout import Player
from companion.records.formats.json_file import event_of
from companion.records.formats.notation import TIME, format_position, parse_note, parse_position
from companion.records.formats.scribe import Scribe
from companion.rules import GAMES

_TIMED = re.compile(rf"\s{TIME}$")
_GAME = re.compile(r"Game (\d{1,6})((?:\s*\[[^\[\]]*\])*)", re.IGNORECASE)
_TAG = re.compile(r"\[\s*(\w+)\s+([^\[\]]*?)\s*\]")
_SCORE = r"(\d{1,9})\s*:\s*(\d{1,9})"
_WINS = re.compile(
    rf"(White|Black) wins(?: (?:(the match)|(\d{{1,9}}) points?))?(?:\s*\(([\w-]+)\))?(?:,\s*{_SCORE})?", re.IGNORECASE
)


def format_start(scribe: Scribe, event: ev.GameStarted) -> str:
    """``Game 2 [score 2 : 1]``; what goes without saying is left out."""
    words = [f"Game {event.number}"]
    if event.game != scribe.house.name:
        words.append(f"[game {event.game}]")
    score = (event.score.get("white", 0), event.score.get("black", 0))
    if score != scribe.score:
        words.append(f"[score {score[0]} : {score[1]}]")
    if event.board != scribe.house.start.to_json():
        words.append(f"[start {format_position(event.board)}]")
    return " ".join(words)


def format_result(event: ev.GameWon | ev.MatchWon) -> str:
    """``White wins 2 points (mars), 2 : 0`` or ``White wins the match, 3 : 1``."""
    score = f"{event.score.get('white', 0)} : {event.score.get('black', 0)}"
    if isinstance(event, ev.MatchWon):
        return f"{event.winner.capitalize()} wins the match, {score}"
    points = f"{event.points} point{'' if event.points == 1 else 's'}"
    return f"{event.winner.capitalize()} wins {points} ({event.outcome}), {score}"


def read_line(scribe: Scribe, text: str, t: float) -> ev.Event:
    """What a line without cells says; raises ValueError with what was expected."""
    if text.startswith("!"):
        try:
            data = json.loads(text[1:])
        except (ValueError, RecursionError):
            raise ValueError("an event as JSON after !") from None
        return event_of(data)
    timed = _TIMED.search(text[-20:])
    words, when = (text[: -len(timed[0])].rstrip(), float(timed["t"])) if timed else (text, t)
    if words.startswith("*"):
        note = parse_note(words[1:].strip(), when)
        if note is None:
            raise ValueError("a note such as * gap, * White resigns, mars or * White void roll 31, cocked")
        return note
    if found := _GAME.fullmatch(words):
        return _start(scribe, found, when)
    if found := _WINS.fullmatch(words):
        return _won(scribe, found, when)
    raise ValueError("a game, a numbered line of plays, a note that begins with * or a result")


def _start(scribe: Scribe, found: re.Match[str], t: float) -> ev.GameStarted:
    tags = dict(_TAG.findall(found[2]))
    if odd := next((key for key in tags if key not in ("game", "score", "start")), ""):
        raise ValueError(f"[score 2 : 1], [start POSITION] or [game NAME], not [{odd} …]")
    score, game = scribe.score, tags.get("game", scribe.house.name)
    if "score" in tags:
        numbers = re.fullmatch(_SCORE, tags["score"])
        if not numbers:
            raise ValueError("a score such as 2 : 1")
        score = int(numbers[1]), int(numbers[2])
    if game not in GAMES:
        raise ValueError(f"one of {', '.join(GAMES)}")
    board = parse_position(tags["start"]) if "start" in tags else scribe.house.start
    return ev.GameStarted(
        t=t, game=game, board=board.to_json(), number=int(found[1]), score={"white": score[0], "black": score[1]}
    )


def _won(scribe: Scribe, found: re.Match[str], t: float) -> ev.Event:
    """A result; what is not said is computed from the position and the cube."""
    winner: Player = "white" if found[1].lower() == "white" else "black"
    white, black = scribe.score
    if found[2]:
        score = (int(found[5]), int(found[6])) if found[5] else (white, black)
        return ev.MatchWon(t=t, player=winner, winner=winner, score={"white": score[0], "black": score[1]})
    outcome, points = found[4], int(found[3]) if found[3] else 0
    if outcome is None or not points:
        if scribe.house.winner(scribe.position) != winner:
            raise ValueError("points and outcome such as White wins 2 points (mars), when not all checkers are off")
        result = scribe.house.score(scribe.position, winner, scribe.cube.value)
        outcome, points = outcome or result.outcome, points or result.points
    score = (white + points, black) if winner == "white" else (white, black + points)
    if found[5]:
        score = int(found[5]), int(found[6])
    told = {"white": score[0], "black": score[1]}
    return ev.GameWon(t=t, player=winner, winner=winner, outcome=outcome, points=points, score=told)
