"""The plies of a game as the analysis programs know them: moves, positions set by hand, cube, jumps.

What they cannot take as moves (a checker that cannot have moved so, a pass with a legal play, a gap) becomes a position
that is set. Only the games that these programs play have plies: short and tabla.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from companion import events as ev
from companion.layout import Player
from companion.records.formats.source import FormatError
from companion.records.transcript import GameTranscript, Step, Transcript, moves_of
from companion.rules import Game, Play, Position
from companion.rules.options import SHORT_GAMES
from companion.rules.position import BAR, OFF


@dataclass(frozen=True)
class Moved:
    """A roll and its moves; none is a dance."""

    player: Player
    dice: ev.Dice
    moves: Play
    step: Step

    @property
    def illegal(self) -> bool:
        """Whether the play stood against the rules."""
        return isinstance(self.step.event, ev.PlayMade) and self.step.event.verdict == "illegal"


@dataclass(frozen=True)
class Placed:
    """A roll after which the board is set by hand."""

    player: Player
    dice: ev.Dice
    after: Position
    step: Step


@dataclass(frozen=True)
class Jump:
    """The board is set by hand, and no roll is known: a gap, a play without its dice, a start in the middle."""

    after: Position
    step: Step | None = None


@dataclass(frozen=True)
class Unplayed:
    """A roll after which the game was given up."""

    player: Player
    dice: ev.Dice
    before: Position
    step: Step


@dataclass(frozen=True)
class CubePly:
    """What a player did with the cube."""

    player: Player
    event: ev.CubeAction
    step: Step


Ply = Moved | Placed | Jump | Unplayed | CubePly


def must_be_short(transcript: Transcript, form: str) -> Game:
    """The house rules; raises FormatError for a game that no analysis program plays."""
    house = transcript.house
    if house.name not in SHORT_GAMES:
        raise FormatError(
            f"{form}: expected a match of {' or '.join(SHORT_GAMES)}, got {house.name}: no analysis program knows that"
            " game, and one that reads the file would misread it; write json or text"
        )
    return house


def plies(house: Game, game: GameTranscript, played: int = 0) -> Iterator[Ply]:
    """The plies of a game in order; ``played``: the plays of the games before."""
    start = Position.from_json(game.start.board)
    if start != house.start:
        yield Jump(start)
    steps = list(game.steps(played))
    unplayed = _unplayed(steps) if resigned(house, game) else None
    shown = start
    for step in steps:
        match step.event:
            case ev.PlayMade():
                if step.after != shown or step.event.dice is not None:
                    yield _of_play(house, step, shown)
                shown = step.after
            case ev.Gap():
                if step.after != shown:
                    yield Jump(step.after, step)
                shown = step.after
            case ev.CubeAction(player=player) if player is not None:
                yield CubePly(player, step.event, step)
            case ev.Rolled(player=player, dice=dice) if step is unplayed and player is not None and dice is not None:
                yield Unplayed(player, dice, shown, step)


def resigned(house: Game, game: GameTranscript) -> bool:
    """Whether the game ended by a resignation: neither by the last checker nor by a drop."""
    if game.result is None:
        return False
    last: ev.Event = game.start
    final = Position.from_json(game.start.board)
    for step in game.steps():
        final = step.after
        if isinstance(step.event, ev.GameWon):
            break
        if isinstance(step.event, ev.CubeAction):
            last = step.event
    dropped = isinstance(last, ev.CubeAction) and last.action == "drop"
    return house.winner(final) is None and not dropped


def _of_play(house: Game, step: Step, shown: Position) -> Ply:
    event = step.event
    assert isinstance(event, ev.PlayMade)
    if event.player is None or event.dice is None:
        return Jump(step.after, step)
    moves = moves_of(house, event, step.before) if step.before == shown else None
    if moves is not None and _importable(house, event, step.before, moves):
        return Moved(event.player, event.dice, moves, step)
    return Placed(event.player, event.dice, step.after, step)


def _importable(house: Game, event: ev.PlayMade, before: Position, moves: Play) -> bool:
    """Whether an analysis program reads these moves as they are meant."""
    assert event.player is not None
    assert event.dice is not None
    if not moves:
        return not house.plays(before, event.dice, player=event.player).max_dice
    return len(moves) <= 4 and _possible(house, before, event.player, moves) and _plain(moves, event.dice)


def _possible(house: Game, before: Position, player: Player, moves: Play) -> bool:
    """Whether each checker was there, and its point not closed."""
    seen = house.seen(before, player)
    points, bar = list(seen.points), seen.bar[0]
    for start, end in moves:
        have = bar if start == BAR else points[start - 1]
        if have < 1 or (end != OFF and points[end - 1] < -1):
            return False
        if start == BAR:
            bar -= 1
        else:
            points[start - 1] -= 1
        if end != OFF:
            points[end - 1] = max(points[end - 1], 0) + 1
    return True


def _plain(moves: Play, dice: ev.Dice) -> bool:
    """Whether every move reads as one move of one die, so that no reader takes it for several at once."""
    longest = dice[0] if dice[0] == dice[1] else 6
    for start, end in moves:
        if end == OFF:
            if start > max(dice):
                return False
        elif start - end > longest or (dice[0] != dice[1] and start - end == sum(dice)):
            return False
    return True


def _unplayed(steps: list[Step]) -> Step | None:
    """The last roll before the end, when nothing was played with it."""
    found = None
    for step in steps:
        if isinstance(step.event, ev.Rolled):
            found = step
        elif isinstance(step.event, ev.PlayMade | ev.VoidRoll | ev.CubeAction | ev.Gap):
            found = None
        elif isinstance(step.event, ev.GameWon):
            break
    return found
