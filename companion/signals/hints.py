"""What a player may know beside the events: pips to go, and in ``teach`` mode the plays that would be legal."""

from companion.layout import Player
from companion.rules import Game, Position, RulesError, format_play
from companion.signals.scoreboard import Scoreboard

MOST_PLAYS = 3
"""So many legal plays are shown; a list of thirty teaches nobody."""


def pips(game: Game, view: Scoreboard, player: Player) -> int | None:
    """How many pips ``player`` has to go, a checker on the bar counting 25; None while no position is known."""
    position = _position(view)
    if position is None:
        return None
    own = game.seen(position, player)
    return sum(point * max(count, 0) for point, count in enumerate(own.points, 1)) + 25 * own.bar[0]


def legal_plays(game: Game, view: Scoreboard, most: int = MOST_PLAYS) -> tuple[str, ...]:
    """Some legal plays of the roll that lies or was played illegally, in the mover's numbering; those that begin
    farthest from home come first. Empty when nothing is known, ``("",)`` when there is no move.
    """
    position = _position(view)
    if position is None or view.dice is None or view.player is None:
        return ()
    first = view.player not in view.played
    try:
        found = game.plays(
            position, view.dice, player=view.player, first_turn=first, second_player=first and bool(view.played)
        )
        begin = game.seen(position, view.player)
        plays = {format_play(ways[0], begin) for ways in map(found.results.__getitem__, found.results) if ways}
    except RulesError:
        return ()
    return tuple(sorted(plays, key=_from_behind)[:most])


def _position(view: Scoreboard) -> Position | None:
    if view.board is None:
        return None
    try:
        return Position.from_json(view.board)
    except RulesError:
        return None


def _from_behind(play: str) -> list[int]:
    starts = (move.split("/")[0] for move in play.split())
    return [-(25 if start == "bar" else int(start.split("(")[0])) for start in starts]
