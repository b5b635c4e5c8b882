"""What a match adds up to, from its turns: for people, on the page of the match."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.layout import Player
from companion.web.ports import TurnCard


@dataclass(frozen=True)
class Tally:
    """One player's turns: how many, pips thrown on average, doubles, turns without a move, illegal plays that stood,
    seconds a turn (None when no time is known), and how often each number was thrown (1 to 6)."""

    turns: int
    pips: float
    doubles: int
    passes: int
    illegal: int
    seconds: float | None
    thrown: tuple[int, ...]


def tally(turns: Sequence[TurnCard], player: Player) -> Tally:
    """The tally of one player."""
    own = [turn for turn in turns if turn.player == player]
    rolls = [turn.dice for turn in own if turn.dice is not None]
    pips = [2 * sum(dice) if dice[0] == dice[1] else sum(dice) for dice in rolls]
    thrown = Counter(die for dice in rolls for die in dice)
    lasted = [
        turn.t - before.t
        for before, turn in pairwise(turns)
        if turn.player == player and turn.game == before.game and turn.t > before.t
    ]
    return Tally(
        turns=len(own),
        pips=sum(pips) / len(pips) if pips else 0.0,
        doubles=sum(dice[0] == dice[1] for dice in rolls),
        passes=sum(turn.play == "" for turn in own),
        illegal=sum(turn.verdict == "illegal" for turn in own),
        seconds=sum(lasted) / len(lasted) if lasted else None,
        thrown=tuple(thrown[value] for value in range(1, 7)),
    )
