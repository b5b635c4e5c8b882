"""What a turn may have been when it was misread: the legal plays of all rolls that come nearest to what was read."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from companion.events import Board, Dice
from companion.layout import Player
from companion.rules import Game, Position, RulesError, format_play
from companion.web.ports import Choice, TurnCard

MOST = 4
_ROLLS = tuple(combinations_with_replacement(range(1, 7), 2))
_OTHER_DIE = 1.5
"""A misread die weighs as much as one and a half checkers on a wrong point."""


def likely(
    game: Game, turn: TurnCard, first_turn: bool = False, second_player: bool = False, most: int = MOST
) -> list[Choice]:
    """Up to ``most`` readings of a turn, the likeliest first, without the one that stands; none without a position
    before it."""
    if turn.before is None:
        return []
    read = Position.from_json(turn.board)
    found = {}
    for dice in _ROLLS:
        for choice in legal(game, turn.before, turn.player, dice, first_turn, second_player):
            if _same(choice, turn):
                continue
            cost = _distance(Position.from_json(choice.board), read) + _OTHER_DIE * _other_dice(dice, turn.dice)
            found[(sorted_dice(choice.dice), choice.play)] = (cost, choice)
    ranked = sorted(found.values(), key=lambda item: (item[0], item[1].dice, item[1].play))
    return [choice for _, choice in ranked[:most]]


def legal(
    game: Game, before: Board, player: Player, dice: Dice, first_turn: bool = False, second_player: bool = False
) -> Iterator[Choice]:
    """All legal plays of one roll, one for each position that they lead to."""
    position = Position.from_json(before)
    seen = position if player == "white" else game.turned(position)
    try:
        plays = game.plays(position, dice, player=player, first_turn=first_turn, second_player=second_player)
    except RulesError:  # a progression with too many ends, or a position that cannot be: nothing to offer
        return
    for after, ways in plays.results.items():
        yield Choice(dice, format_play(ways[0], seen), after.to_json())


def sorted_dice(dice: Dice | None) -> Dice | None:
    """A roll without its order."""
    return None if dice is None else (max(dice), min(dice))


def _same(choice: Choice, turn: TurnCard) -> bool:
    return sorted_dice(choice.dice) == sorted_dice(turn.dice) and choice.board == turn.board


def _distance(one: Position, other: Position) -> float:
    """How many checkers lie elsewhere."""
    differences = [abs(a - b) for a, b in zip(one.points, other.points, strict=True)]
    differences += [abs(a - b) for a, b in zip(one.bar + one.off, other.bar + other.off, strict=True)]
    return sum(differences) / 2


def _other_dice(dice: Dice, read: Dice | None) -> int:
    if read is None:
        return 0
    left = list(read)
    for die in dice:
        if die in left:
            left.remove(die)
    return len(left)
