"""Builders for the tests of the rules: boards from diagrams, whole random games."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from companion.layout import Player
from companion.rules import Game, LeftOver, Play, Position, format_play, get_game
from companion.rules.diagram import parse_diagram
from companion.rules.match import other
from companion.rules.plays import full_plays
from companion.rules.position import Cells, from_cells
from companion.rules.turn import Chain, at_home


def board(diagram: str) -> Position:
    """The position of a diagram; whoever is neither on the board nor named as off is off."""
    position = parse_diagram(diagram)
    white, black = position.counts()
    return Position(position.points, position.bar, (position.off[0] + 15 - white, position.off[1] + 15 - black))


def ends(game: Game, position: Position, dice: tuple[int, int], **turn: bool) -> set[Position]:
    return set(game.plays(position, dice, **turn).results)


def plays(game: Game, position: Position, dice: tuple[int, int], **turn: bool) -> set[str]:
    """All legal plays as texts, hits marked."""
    legal = game.plays(position, dice, **turn)
    return {format_play(play, position) for each in legal.results.values() for play in each}


def after(position: Position, *moves: tuple[int, int]) -> Position:
    """The position after White's moves, whatever the rules say; opponents on a point go to the bar."""
    points, bar, off = list(position.points), list(position.bar), list(position.off)
    for start, end in moves:
        if start == 25:
            bar[0] -= 1
        else:
            points[start - 1] -= 1
        if end == 0:
            off[0] += 1
        elif points[end - 1] < 0:
            bar[1] -= points[end - 1]
            points[end - 1] = 1
        else:
            points[end - 1] += 1
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


def reasons(
    game: Game, before: Position, dice: tuple[int, int], *moves: tuple[int, int], **turn: bool
) -> tuple[str, ...]:
    """What the judge says against White's moves; empty when they are legal."""
    return tuple(map(str, game.judge(before, dice, after(before, *moves), **turn).reasons))


@dataclass(frozen=True)
class Part:
    """One play of a game: an own roll, an extra roll, or left-over moves."""

    player: Player
    part: str
    dice: tuple[int, int] | LeftOver
    before: Position
    play: Play
    after: Position
    first_turn: bool
    second_player: bool


def random_chain(chain: Chain, cells: Cells, rng: Random) -> tuple[Play, Cells, LeftOver | None, int]:
    """A random legal play of a chain of doubles: moves, end, what passes on, and how many moves were played."""
    moves: list[tuple[int, int]] = []
    played = 0
    for number, dice in enumerate(chain.doubles):
        begin, found = cells, full_plays(chain.task(number, cells))
        cells = rng.choice(sorted(found.cells))
        moves += rng.choice(found.plays(cells))
        played += found.max_dice
        if found.max_dice < len(dice):
            return tuple(sorted(moves, reverse=True)), cells, chain.left_over(number, found.max_dice, cells), played
        homecomings = (at_home(before) for _, before, _ in found.layer.ways[cells])
        if not rng.choice(sorted(chain.after_four(number, begin, cells, homecomings))):
            break
    return tuple(sorted(moves, reverse=True)), cells, None, played


def play_out(game: Game, seed: int, limit: int = 400) -> Iterator[Part]:
    """A whole game with random dice and random legal plays."""
    rng = Random(seed)
    position, player, part = game.start, "white", "own"
    rolled: set[Player] = set()
    left: LeftOver | None = None
    for _ in range(limit):
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        first, second = (
            player not in rolled and left is None,
            player not in rolled and player == "black" and left is None,
        )
        cells = game.cells(position, player)
        if left is not None:
            chain, thrown = game.left_over_chain(cells, left), left
        elif dice[0] == dice[1]:
            chain, thrown = game.chain(cells, dice[0], first, second), dice
        else:
            chain, thrown = None, dice
        if chain:
            play, end, passed, played = random_chain(chain, cells, rng)
        else:
            found = full_plays(game.task(cells, dice))
            end = rng.choice(sorted(found.cells))
            play, passed, played = rng.choice(found.plays(end)), None, found.max_dice
        seen = from_cells(end, position.off[1] if player == "white" else position.off[0])
        following = seen if player == "white" else game.turned(seen)
        yield Part(player, "left-over" if left else part, thrown, position, play, following, first, second)
        if game.winner(following):
            return
        extra = left is None and game.law.extra_roll and dice[0] == dice[1] and played == 4
        if left is None:
            rolled.add(player)
            player = player if extra else other(player)
        position, left, part = following, passed if not left else None, "extra" if extra else "own"


GAMES_PLAYED = 5
"""So many random games of each kind the properties are tested on, at any of their plays."""


@cache
def _played(name: str, number: int) -> tuple[Part, ...]:
    return tuple(play_out(get_game(name), number))


def random_game(name: str, number: int) -> tuple[Part, ...]:
    """A whole random game: one of the few that all tests share, for playing them takes most of their time."""
    return _played(name, number)


def part_of(name: str, seed: int) -> Part:
    """Some play of some random game."""
    return Random(seed).choice(random_game(name, seed % GAMES_PLAYED))
