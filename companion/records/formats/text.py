"""A recording for other programs (JSON, the complete truth) and for people (text). See ``docs/formats.md``."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion import events as ev
from companion.inputs import Input
from companion.records.store import Recording

FORMAT = "companion-record"
VERSION = 1

_COLUMN = 34
_PLAYERS = ("white", "black")


def to_json(recording: Recording, events: Sequence[ev.Event], inputs: Sequence[Input]) -> dict[str, Any]:
    """Everything that is stored about a recording."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "schema": ev.SCHEMA,
        "recording": recording.to_json(),
        "inputs": [item.to_json() for item in inputs],
        "events": [event.to_json() for event in events],
    }


def to_text(recording: Recording, events: Sequence[ev.Event]) -> Iterator[str]:
    """The lines of a transcript: White's plays on the left, Black's on the right, each in the mover's own numbers."""
    yield f"; {FORMAT} {VERSION} text"
    for key, value in recording.to_json().items():
        yield f"; {key}: {_plain(value)}"
    yield from _Writer().lines(events)


class _Writer:
    """Collects a line of two plays, and gives it out when it is full or something else happens."""

    def __init__(self) -> None:
        self._number = 0
        self._cells: dict[str, str] = {}

    def lines(self, events: Sequence[ev.Event]) -> Iterator[str]:
        for event in events:
            if isinstance(event, ev.PlayMade):
                yield from self._play(event)
            elif isinstance(event, ev.CubeAction) and event.player is not None:
                yield from self._cell(event.player, _cube(event))
            elif isinstance(event, ev.GameStarted):
                yield from self._flush()
                self._number = 0
                yield from _head(event)
            elif (note := _note(event)) is not None:
                yield from self._flush()
                yield note
        yield from self._flush()

    def _play(self, event: ev.PlayMade) -> Iterator[str]:
        dice = "??" if event.dice is None else f"{event.dice[0]}{event.dice[1]}"
        text = f"{dice}: {event.play}".rstrip()
        if event.part != "own":
            text += f" [{event.part}]"
        if event.verdict == "illegal":
            text += f" (illegal: {', '.join(event.reasons) or 'reason unknown'})"
        yield from self._cell(event.player or "white", text)

    def _cell(self, player: str, text: str) -> Iterator[str]:
        if player in self._cells or (player == "white" and self._cells):
            yield from self._flush()
        self._cells[player] = text
        if player == "black":
            yield from self._flush()

    def _flush(self) -> Iterator[str]:
        if self._cells:
            self._number += 1
            left, right = (self._cells.get(player, "") for player in _PLAYERS)
            yield f"{self._number:3}) {left.ljust(_COLUMN)} {right}".rstrip()
            self._cells = {}


def _head(event: ev.GameStarted) -> Iterator[str]:
    yield ""
    yield f"Game {event.number} ({event.game})"
    yield f"  start, in White's numbers: {_position(event.board)}"
    left, right = (f"{player.capitalize()} {event.score.get(player, 0)}" for player in _PLAYERS)
    yield f"     {left.ljust(_COLUMN)} {right}"


def _position(board: ev.Board) -> str:
    """``White 24×15; Black 12×15``, highest point first."""
    sides = []
    for player, sign in (("white", 1), ("black", -1)):
        counts = [(i + 1, n * sign) for i, n in enumerate(board["points"]) if n * sign > 0]
        places = [f"{point}×{n}" for point, n in reversed(counts)]
        places += [f"{place}×{board[place][player]}" for place in ("bar", "off") if board[place][player]]
        sides.append(f"{player.capitalize()} {' '.join(places) or '–'}")
    return "; ".join(sides)


def _cube(event: ev.CubeAction) -> str:
    word = {"double": "Doubles", "take": "Takes", "drop": "Drops", "beaver": "Beavers", "accept": "Accepts"}
    return f"{word[event.action]} => {event.value}"


def _note(event: ev.Event) -> str | None:
    """What stands on a line of its own; None for what a transcript leaves out."""
    time = f"     ; {event.t:.1f} s:"
    match event:
        case ev.VoidRoll():
            return f"{time} void roll{_dice(event)}, {event.why}"
        case ev.IllegalPlay():
            return f"{time} {_name(event)} illegal play {event.play or ''} ({', '.join(event.reasons)})"
        case ev.TakenBack():
            return f"{time} taken back"
        case ev.Gap():
            return f"{time} gap" + ("" if event.board is None else f", from here: {_position(event.board)}")
        case ev.BoardMoved():
            return f"{time} the board was moved"
        case ev.Unfinished():
            return f"{time} not finished{_dice(event)}"
        case ev.Resigned():
            return f"{time} {_name(event)} resigns, {event.outcome}"
        case ev.GameWon():
            points = f"{event.points} point{'' if event.points == 1 else 's'}"
            score = f"{event.score.get('white', 0)} : {event.score.get('black', 0)}"
            return f"     {event.winner.capitalize()} wins: {event.outcome}, {points}; White {score} Black"
        case ev.MatchWon():
            return f"     {event.winner.capitalize()} wins the match"
    return None


def _name(event: ev.Event) -> str:
    return (event.player or "somebody").capitalize()


def _dice(event: ev.Event) -> str:
    return "" if event.dice is None else f" {event.dice[0]}-{event.dice[1]}"


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {_plain(v)}" for k, v in value.items()) or "–"
    return "–" if value is None else str(value)
