"""Where a match stands between two events: what must be known to say whether the next one can be.

An :class:`At` is computed from the events alone. Two accounts of the same match that are equal at some moment go on
alike; that is how a correction knows where it ends.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from companion import events as ev
from companion.layout import Player
from companion.records.transcript import Cube
from companion.rules import Game, LeftOver, Match, Position, RulesError, Verdict
from companion.rules.match import Resignation, other

Part = Literal["own", "extra", "left-over"]
BOTH: frozenset[Player] = frozenset({"white", "black"})


@dataclass(frozen=True)
class At:
    """Where a match stands.

    ``last`` is who made the latest own play (None where nobody knows); ``played`` who has had an own play in this game
    and ``starter`` who had the first; ``ended`` winner, outcome and points of a game that is won and not yet closed;
    ``over`` that no game is being played.
    """

    position: Position
    cube: Cube = field(default_factory=Cube)
    score: tuple[int, int] = (0, 0)
    last: Player | None = None
    played: frozenset[Player] = frozenset()
    starter: Player | None = None
    left_over: tuple[LeftOver, ...] = ()
    ended: tuple[Player, str, int] | None = None
    over: bool = False
    crawford_done: bool = False

    def may_play(self, player: Player | None, part: str) -> bool:
        """Whether it can be this player's turn."""
        if player is None or self.last is None:
            return True
        return (player == self.last) == (part == "extra")


def judged(house: Game, at: At, player: Player, dice: ev.Dice, after: Position, part: str = "own") -> Verdict:
    """The verdict on a play; raises RulesError where the position before it cannot be."""
    if part == "left-over":
        verdicts = [house.judge_left_over(at.position, each, after, player=player) for each in at.left_over]
        return next((each for each in verdicts if each), verdicts[0] if verdicts else Verdict("illegal"))
    first = part == "own" and player not in at.played
    second = first and at.starter not in (None, player)
    return house.judge(at.position, dice, after, player=player, first_turn=first, second_player=second)


def follow(house: Game, at: At, event: ev.Event) -> At:
    """Where the match stands after an event that is taken as it is."""
    match event:
        case ev.GameStarted():
            score = (event.score.get("white", 0), event.score.get("black", 0))
            return At(Position.from_json(event.board), score=score, crawford_done=at.crawford_done)
        case ev.PlayMade():
            return _after_play(house, at, event)
        case ev.Gap() if event.board is not None:
            position = Position.from_json(event.board)
            return replace(at, position=position, last=None, played=BOTH, left_over=(), ended=None)
        case ev.CubeAction():
            return _after_cube(at, event)
        case ev.Resigned() if event.player is not None:
            return replace(at, ended=_conceded(house, at, event.player, event.outcome))
        case ev.GameWon():
            score = (event.score.get("white", 0), event.score.get("black", 0))
            done = at.crawford_done or as_match(house, at).crawford_game
            return replace(at, score=score, ended=None, over=True, crawford_done=done)
    return at


def as_match(house: Game, at: At, turn: Player | None = None, phase: str = "") -> Match:
    """The match as the rules keep it, with ``turn`` on turn."""
    on_turn = turn or (other(at.last) if at.last else "white")
    return Match(
        options=house.options,
        score=at.score,
        turn=on_turn,
        phase=phase or at.cube.offer or "to roll",  # type: ignore[arg-type]  # the offers are phases
        first_play=not at.played,
        cube=at.cube.value,
        owner=at.cube.owner,
        crawford_done=at.crawford_done,
    )


def closed(house: Game, at: At, t: float) -> list[ev.Event]:
    """The events that close a game which has ended."""
    if at.ended is None:
        return []
    winner, outcome, points = at.ended
    white, black = at.score
    total = (white + points, black) if winner == "white" else (white, black + points)
    score = {"white": total[0], "black": total[1]}
    won: list[ev.Event] = [ev.GameWon(t=t, player=winner, winner=winner, outcome=outcome, points=points, score=score)]
    if 0 < house.options.length <= max(total):
        won.append(ev.MatchWon(t=t, player=winner, winner=winner, score=score))
    return won


def _after_play(house: Game, at: At, event: ev.PlayMade) -> At:
    position = Position.from_json(event.board)
    left_over: tuple[LeftOver, ...] = ()
    if event.verdict == "legal" and event.player and event.dice and house.law.passes_on != "nothing":
        try:
            endings = judged(house, at, event.player, event.dice, position, event.part).endings
            left_over = tuple(each.left_over for each in endings if each.left_over is not None)
        except RulesError:
            left_over = ()
    after = replace(at, position=position, left_over=left_over, cube=replace(at.cube, offer=""))
    if event.player is not None and event.part != "left-over":
        after = replace(
            after,
            last=event.player,
            starter=at.starter or event.player,
            played=at.played | {event.player},
        )
    winner = house.winner(position)
    return after if winner is None else replace(after, ended=_borne_off(house, after, winner))


def _after_cube(at: At, event: ev.CubeAction) -> At:
    after = replace(at, cube=at.cube.after(event))
    if event.action != "drop" or event.player is None:
        return after
    value = at.cube.value // 2 if at.cube.offer == "beavered" else at.cube.value
    return replace(after, ended=(other(event.player), "drop", value))


def _borne_off(house: Game, at: At, winner: Player) -> tuple[Player, str, int]:
    result = house.score(at.position, winner)
    match = as_match(house, at, winner, "rolled").won(winner, result)
    assert match.last is not None
    return winner, result.outcome, match.last[1]


def _conceded(house: Game, at: At, loser: Player, outcome: str) -> tuple[Player, str, int] | None:
    """What a resignation counts; None for an outcome that this house does not have."""
    winner = other(loser)
    left = 15 - at.position.off[0 if loser == "white" else 1]
    match = replace(as_match(house, at, loser, "to roll"), offered=Resignation(loser, outcome))
    try:
        last = match.accept_resign(winner, left).last
    except RulesError:
        return None
    return None if last is None else (winner, outcome, last[1])
