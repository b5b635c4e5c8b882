"""Text forms of plays and rolls: ``24/18 13/11*``, ``bar/22``, ``6/off``, ``8/4(2)``, ``24/18/14``, ``6-4``.

Points are in the mover's own numbering. What is written uses single moves, the rearmost first. What is read
may be shortened: ``(n)`` repeats, ``24/18/14`` goes on, and :func:`read_play` also finds the moves of
``24/14``.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.layout import Player
from companion.rules.errors import UnreadableError
from companion.rules.position import BAR, OFF, Cells, Move, Play, Position

if TYPE_CHECKING:
    from companion.rules.games import Game

_NAMES = {BAR: "bar", OFF: "off"}
_NUMBERS = {"bar": BAR, "off": OFF}
_POINT = r"(?:2[0-4]|1\d|[1-9])"
_STEP = re.compile(rf"((?:bar|25|{_POINT})(?:/(?:off|0|{_POINT})\*?)+)(?:\(([2-4])\))?")
_ROLL = re.compile(r"([1-6])[-: ]?([1-6])")


def format_play(play: Play, before: Position | None = None, *, grouped: bool = False) -> str:
    """The text of a play; nothing for no move.

    With ``before``, the position as the mover sees it, the first move onto each blot has a ``*``. ``grouped``
    writes equal moves once, as ``8/4(2)``.
    """
    blots = {point for point, n in enumerate(before.points, 1) if n == -1} if before else set()
    words = []
    for start, end in sorted(play, reverse=True):
        words.append(f"{_NAMES.get(start, start)}/{_NAMES.get(end, end)}{'*' if end in blots else ''}")
        blots.discard(end)
    if grouped:
        words = [f"{word}({count})" if count > 1 else word for word, count in Counter(words).items()]
    return " ".join(words)


def parse_play(text: str) -> Play:
    """The moves as they are written; raises UnreadableError."""
    moves: list[Move] = []
    for word in text.replace(",", " ").split():
        match = _STEP.fullmatch(word.lower())
        stops = [_NUMBERS[stop] if stop in _NUMBERS else int(stop) for stop in _stops(match)] if match else []
        steps = list(pairwise(stops))
        if not match or any(start <= end for start, end in steps):
            raise UnreadableError(
                f"play: expected moves forward such as 24/18, bar/22 or 6/off, got {word!r} in {text!r}"
            )
        moves += steps * int(match[2] or 1)
    return tuple(sorted(moves, reverse=True))


def _stops(match: re.Match[str]) -> list[str]:
    return match[1].replace("*", "").split("/")


def read_play(
    text: str, game: "Game", before: Position, dice: Sequence[int], *, player: Player = "white",
    first_turn: bool = False, second_player: bool = False,
) -> Play:  # fmt: skip
    """The legal play that a text means, with ways such as ``24/14`` cut into moves; raises UnreadableError.

    Where several plays lead to the same place, the one with the hits that the text marks is taken.
    """
    written = parse_play(text)
    seen = before if player == "white" else game.turned(before)
    legal = game.plays(before, dice, player=player, first_turn=first_turn, second_player=second_player)
    goal = _own_after(game.cells(before, player), written)
    meant = [
        play for end, plays in legal.results.items() if _own_counts(game.cells(end, player)) == goal for play in plays
    ]
    if not meant:
        raise UnreadableError(f"play: expected a legal play of {format_roll(dice)}, got {text!r} in {before}")
    return min(meant, key=lambda play: (format_play(play, seen).count("*") != text.count("*"), play != written, play))


def _own_counts(cells: Cells) -> tuple[int, ...]:
    return tuple(max(n, 0) for n in cells)


def _own_after(cells: Cells, play: Play) -> tuple[int, ...]:
    after = list(_own_counts(cells))
    for start, end in play:
        after[start] -= 1
        after[end] += 1
    return tuple(after)


def format_roll(dice: Sequence[int]) -> str:
    """``6-4``: the larger first."""
    return f"{max(dice)}-{min(dice)}"


def parse_roll(text: str) -> tuple[int, int]:
    """Read ``6-4``, ``64``, ``6 4`` or ``6:4``, in the order of the text; raises UnreadableError."""
    match = _ROLL.fullmatch(text.strip())
    if not match:
        raise UnreadableError(f"roll: expected two dice such as 6-4, got {text!r}")
    return int(match[1]), int(match[2])
