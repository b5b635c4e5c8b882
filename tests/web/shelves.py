"""A record with a small finished game, for the pages of old games."""

from pathlib import Path
from typing import Any

from companion import events as ev
from companion.cli.shelf import Shelf
from companion.records import Store
from companion.records.store import FILE_NAME
from companion.rules import Position, format_play, get_game

META: dict[str, Any] = {
    "game": "short",
    "options": {"length": 3},
    "players": {"white": "Mara <b>", "black": "Teo"},
    "started": "2026-11-28T19:30:00+00:00",
    "layout": {"home": "BR", "white": "light"},
}


def board(**places: Any) -> Position:
    """``board(white={1: 2}, black={20: 1}, off=(13, 14))`` in White's numbers."""
    points = [0] * 24
    for point, count in places["white"].items():
        points[point - 1] = count
    for point, count in places["black"].items():
        points[point - 1] = -count
    return Position(tuple(points), (0, 0), places["off"])


BEGIN = board(white={6: 1, 2: 1}, black={24: 1, 19: 1, 23: 13}, off=(13, 0))
"""White is about to bear off the last two; Black has borne off none."""


def play(
    before: Position, player: str, dice: ev.Dice, text: str, t: float, **more: Any
) -> tuple[ev.PlayMade, Position]:
    """The event of a legal play, chosen by its text."""
    game = get_game("short", {"length": 3})
    seen = before if player == "white" else game.turned(before)
    for after, ways in game.plays(before, dice, player=player).results.items():  # type: ignore[arg-type]
        if any(format_play(way, seen) == text for way in ways):
            values: dict[str, Any] = {"verdict": "legal", "confidence": 0.99} | more
            made = ev.PlayMade(t=t, player=player, dice=dice, play=text, board=after.to_json(), **values)  # type: ignore[arg-type]
            return made, after
    raise AssertionError(f"{text}: not a legal play of {dice}")


def misread() -> list[ev.Event]:
    """Black threw 1-1 and bore off; it was read as moves inside the home: White's win counts as mars."""
    start = ev.GameStarted(t=0.0, game="short", board=BEGIN.to_json(), score={"white": 0, "black": 0}, player="black")
    first, then = play(BEGIN, "black", (1, 1), "2/1 2/1 2/1 2/1", 4.0, confidence=0.6)
    last, _ = play(then, "white", (6, 2), "6/off 2/off", 9.0)
    won = {"white": 2, "black": 0}
    game = ev.GameWon(t=9.0, player="white", winner="white", outcome="mars", points=2, score=won)
    rolled = [ev.Rolled(t=2.0, player="black", dice=(1, 1)), first, ev.Rolled(t=7.0, player="white", dice=(6, 2))]
    return [start, *rolled, last, game]


def shelf(folder: Path, events: list[ev.Event] | None = None, **more: Any) -> Shelf:
    """A record with this one match."""
    path = folder / FILE_NAME
    with Store.open(path) as store:
        store.append(store.begin(META), events or misread())
    return Shelf(path, **more)
