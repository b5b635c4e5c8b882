"""Positions, and the view in which the rules compute (rules.md B1–B3).

A :class:`Position` is absolute: White's checkers are positive, point numbers are White's. Inside the rules a
position is ``Cells``: 26 numbers seen by the player who moves. Element 0 is what the mover has borne off, 1
to 24 are the mover's points (own checkers positive, the opponent's negative), 25 is the mover's bar. The
opponent's bar needs no element: fifteen checkers are conserved.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.errors import PositionError, UnreadableError

Cells = tuple[int, ...]
Move = tuple[int, int]
"""One checker by one die: from, to; 25 is the bar, 0 is off."""
Play = tuple[Move, ...]
"""The moves of one roll in the mover's own numbering, sorted from the rearmost."""

CHECKERS = 15
OFF = 0
HEAD = 24
BAR = 25
HOME = range(1, 7)


@dataclass(frozen=True, slots=True)
class Position:
    """Where the thirty checkers are, as White sees it.

    ``points`` has 24 signed counts, index 0 is White's 1-point, White is positive; ``bar`` and ``off`` are
    (white, black).
    """

    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        white = " ".join(f"{p}:{n}" for p, n in enumerate(self.points, 1) if n > 0)
        black = " ".join(f"{p}:{-n}" for p, n in enumerate(self.points, 1) if n < 0)
        return (
            f"White {white or '-'} bar {self.bar[0]} off {self.off[0]}; "
            f"Black {black or '-'} bar {self.bar[1]} off {self.off[1]}"
        )

    def counts(self) -> tuple[int, int]:
        """How many checkers White and Black have, with those on the bar and those borne off."""
        white = sum(max(n, 0) for n in self.points) + self.bar[0] + self.off[0]
        black = sum(max(-n, 0) for n in self.points) + self.bar[1] + self.off[1]
        return white, black

    def to_json(self) -> dict[str, Any]:
        """The form of every record and event: ``{"points", "bar": {"white", "black"}, "off": {"white", "black"}}``."""
        return {
            "points": list(self.points),
            "bar": {"white": self.bar[0], "black": self.bar[1]},
            "off": {"white": self.off[0], "black": self.off[1]},
        }

    @staticmethod
    def from_json(data: Any) -> "Position":
        """Read the JSON form; raises UnreadableError. Counts are not checked: ``Game.check`` does that."""
        if not isinstance(data, Mapping) or "points" not in data:
            raise UnreadableError(f"board: expected an object with points, bar and off, got {_short(data)}")
        points = data["points"]
        if not isinstance(points, list | tuple) or len(points) != 24 or not all(map(_whole, points)):
            raise UnreadableError(f"board.points: expected 24 whole numbers, got {_short(points)}")
        return Position(tuple(points), _pair(data, "bar"), _pair(data, "off"))


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _pair(data: Mapping[str, Any], key: str) -> tuple[int, int]:
    pair = data.get(key, {"white": 0, "black": 0})
    if not isinstance(pair, Mapping) or set(pair) != {"white", "black"}:
        raise UnreadableError(f'board.{key}: expected {{"white": n, "black": n}}, got {_short(pair)}')
    if not all(_whole(n) and n >= 0 for n in pair.values()):
        raise UnreadableError(f"board.{key}: expected whole numbers from 0, got {_short(pair)}")
    return pair["white"], pair["black"]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def turned(position: Position, same_way: bool) -> Position:
    """The position as Black sees it, with Black's checkers positive; turning twice gives the position back (B2, B3)."""
    points = position.points
    seen = points[12:] + points[:12] if same_way else points[::-1]
    return Position(tuple([-n for n in seen]), position.bar[::-1], position.off[::-1])


def to_cells(position: Position) -> Cells:
    """White's view of the position as the rules compute it."""
    return (position.off[0], *position.points, position.bar[0])


def from_cells(cells: Cells, opponent_off: int) -> Position:
    """The position of ``cells`` whose mover is White; the opponent's missing checkers are on the bar."""
    return Position(cells[1:25], (cells[BAR], sum(cells) - opponent_off), (cells[OFF], opponent_off))


def check_position(position: Position, *, bar: bool, game: str) -> None:
    """Raise PositionError unless it can be: fifteen checkers each, one winner, a bar only where there is hitting."""
    white, black = position.counts()
    problem = None
    if len(position.points) != 24:
        problem = f"expected 24 points, got {len(position.points)}"
    elif min(*position.bar, *position.off) < 0:
        problem = "expected no negative number on the bar or off"
    elif white != CHECKERS or black != CHECKERS:
        problem = f"expected {CHECKERS} checkers each, got {white} white and {black} black"
    elif not bar and position.bar != (0, 0):
        problem = "expected nobody on the bar"
    elif position.off == (CHECKERS, CHECKERS):
        problem = "expected one winner at most, got two"
    if problem:
        raise PositionError(f"{game}: not a possible position: {problem}: {position}")
