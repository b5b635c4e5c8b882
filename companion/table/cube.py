"""Cube and resignation: presses of buttons become actions of the match (rules.md §6–7).

The match itself is the rules' (:class:`companion.rules.match.Match`). Here it is made from what the table knows, acted
upon, and what came of it becomes events; what the rules refuse stays a MatchError in one line.
"""

from dataclasses import dataclass, replace
from typing import Literal

from companion.events import CubeAction, Event, Resigned
from companion.inputs import InputKind
from companion.layout import Player
from companion.rules import Game, Position
from companion.rules.match import Match, Resignation
from companion.rules.scoring import SCORING

Offer = Literal["", "doubled", "beavered"]
Action = Literal["double", "take", "drop", "beaver", "accept"]
CUBE_INPUTS = {InputKind.DOUBLE, InputKind.TAKE, InputKind.DROP, InputKind.BEAVER, InputKind.RESIGN, InputKind.ACCEPT}


@dataclass(frozen=True)
class Cube:
    """The cube's value and owner (None: in the middle), what is offered, who offers to resign."""

    value: int = 1
    owner: Player | None = None
    offer: Offer = ""
    resigning: Player | None = None
    crawford_done: bool = False


@dataclass(frozen=True)
class Situation:
    """What the match must know besides the cube."""

    game: Game
    position: Position
    turn: Player | None
    rolled: bool
    part: Literal["own", "extra", "left-over"]
    first_play: bool
    score: tuple[int, int]


def as_match(now: Situation, cube: Cube) -> Match:
    """The match as it stands."""
    offered = Resignation(cube.resigning, _least(now.game)) if cube.resigning else None
    return Match(
        options=now.game.options,
        score=now.score,
        turn=now.turn,
        phase=cube.offer or ("rolled" if now.rolled else "to roll"),
        part=now.part,
        first_play=now.first_play,
        cube=cube.value,
        owner=cube.owner,
        offered=offered,
        crawford_done=cube.crawford_done,
    )


def pressed(now: Situation, cube: Cube, kind: InputKind, side: Player, t: float) -> tuple[Cube, Event, Match]:
    """The cube after a press, its event, and the match after it (over, when the game was given up).

    Raises MatchError when the rules do not allow it now.
    """
    match = as_match(now, cube)
    if kind is InputKind.RESIGN:
        after = match.resign(side, _least(now.game))
        return replace(cube, resigning=side), Resigned(t=t, player=side, outcome=_least(now.game)), after
    if kind is InputKind.ACCEPT and cube.resigning is not None:
        after = match.accept_resign(side, _left(now.position, cube.resigning))
        event: Event = Resigned(t=t, player=cube.resigning, outcome=_least(now.game))
        return replace(cube, resigning=None), event, after
    return _cube_action(match, cube, kind, side, t)


def _cube_action(match: Match, cube: Cube, kind: InputKind, side: Player, t: float) -> tuple[Cube, Event, Match]:
    acts = {
        InputKind.DOUBLE: match.double,
        InputKind.TAKE: match.take,
        InputKind.DROP: match.drop,
        InputKind.BEAVER: match.beaver,
        InputKind.ACCEPT: match.accept,
    }
    action: Action = kind.value  # type: ignore[assignment]  # the names of inputs and actions are the same
    after = acts[kind](side)
    offer: Offer = after.phase if after.phase in ("doubled", "beavered") else ""
    value = 2 * cube.value if action == "double" else after.cube
    event = CubeAction(t=t, player=side, action=action, value=value, owner=after.owner)
    return replace(cube, value=after.cube, owner=after.owner, offer=offer), event, after


def _least(game: Game) -> str:
    """The least outcome, which a plain resignation concedes."""
    return SCORING[game.options.scoring].names()[0]


def _left(position: Position, loser: Player) -> int:
    """The loser's checkers that are still in play."""
    return 15 - position.off[0 if loser == "white" else 1]
