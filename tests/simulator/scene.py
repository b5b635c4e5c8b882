"""What lies on a simulated table at one moment, and how long it stays."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.layout import Player
from companion.rules import Game, Position

Pair = tuple[int, int]
"""(White's, Black's) checkers at one place."""


@dataclass(frozen=True)
class LyingDie:
    """A die: its value, where it lies (a place of its own on the table), and whether it leans."""

    value: int
    place: str
    x: float
    y: float
    cocked: bool = False


@dataclass(frozen=True)
class Scene:
    """Contents of White's points 1 … 24, the bar, the trays; dice; a hand; how far the board was pushed just before.

    ``covered``: something is before the camera, and nothing of the board can be seen; ``lost``: no frames come at all.
    """

    points: tuple[Pair, ...]
    bar: Pair = (0, 0)
    off: Pair = (0, 0)
    dice: tuple[LyingDie, ...] = ()
    hand: bool = False
    pushed_px: float = 0.0
    covered: bool = False
    lost: bool = False

    @staticmethod
    def of(position: Position, dice: Iterable[LyingDie] = ()) -> "Scene":
        """The scene that shows a position."""
        points = tuple((max(n, 0), max(-n, 0)) for n in position.points)
        return Scene(points, position.bar, position.off, tuple(dice))

    def moved(self, game: Game, player: Player, start: int, end: int, hit: bool = False) -> "Scene":
        """One checker carried by a hand: nothing hinders it but a missing checker. ``hit``: a blot goes to the bar."""
        me = 0 if player == "white" else 1
        points, bar, off = [list(p) for p in self.points], list(self.bar), list(self.off)
        if start == 25:
            bar[me] -= 1
        else:
            points[index(game, player, start)][me] -= 1
        if end == 0:
            off[me] += 1
        else:
            there = points[index(game, player, end)]
            if hit and game.law.movement.hits and there[1 - me] == 1:
                there[1 - me] = 0
                bar[1 - me] += 1
            there[me] += 1
        return replace(self, points=tuple((w, b) for w, b in points), bar=(bar[0], bar[1]), off=(off[0], off[1]))

    @property
    def position(self) -> Position:
        """The scene as a position; only where no point holds both colours."""
        assert not any(white and black for white, black in self.points)
        return Position(tuple(white - black for white, black in self.points), self.bar, self.off)


def index(game: Game, player: Player, point: int) -> int:
    """The index among White's points of a point in the player's own numbering."""
    if player == "white":
        return point - 1
    return (point + 11) % 24 if game.same_way else 24 - point
