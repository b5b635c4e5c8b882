"""A film of a table without pixels: frames that are black, and eyes that know what each of them shows.

The service is the real one, started by its command line; only what looks at pixels is replaced.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.attention import Attention
from companion.errors import HardwareError
from companion.frame import Frame
from companion.layout import Layout
from companion.observation import Content, Observation, SeenDie
from companion.rules import Game, Position, get_game
from tests.table.seeing import observe

FPS = 10
PICTURE = np.zeros((8, 8, 3), np.uint8)


@dataclass
class Film:
    """What happens at the table, ten frames a second; ``do`` are acts that come with a frame (a button, a cable)."""

    game: Game = field(default_factory=lambda: get_game("long"))
    seen: list[Observation] = field(default_factory=list)
    do: dict[int, list[Callable[[], None]]] = field(default_factory=dict)
    _shown: object = None

    @property
    def layout(self) -> Layout:
        return Layout("BR", self.game.same_way)

    @property
    def t(self) -> float:
        return len(self.seen) / FPS

    def show(
        self, position: Position, dice: Sequence[SeenDie] = (), seconds: float = 0.8, *,
        mixed: dict[int, Content] | None = None, residual_px: float = 0.0,
    ) -> None:  # fmt: skip
        """The position and the dice lie still."""
        scene = (position, tuple(dice), str(mixed))
        for number in range(round(seconds * FPS)):
            moving = 1.0 if number == 0 and scene != self._shown else 0.0
            seen = observe(self.t, position, self.layout, dice, mixed=mixed, motion=moving)
            if residual_px and number == 1:
                seen = replace(seen, board=replace(seen.board, residual_px=residual_px))
            self.seen.append(seen)
        self._shown = scene

    def hand(self, position: Position, seconds: float = 0.3) -> None:
        """A hand is over the board."""
        for _ in range(round(seconds * FPS)):
            self.seen.append(observe(self.t, position, self.layout, hand=1.0, motion=1.0))
        self._shown = None

    def act(self, what: Callable[[], None]) -> None:
        """Do something with the next frame."""
        self.do.setdefault(len(self.seen), []).append(what)

    def turn(
        self, before: Position, dice: tuple[int, int], player: str, *moves: tuple[int, int], lying: Sequence[SeenDie]
    ) -> Position:
        """A whole turn: dice lie, checkers are moved, dice are lifted."""
        self.show(before, lying)
        after = moved(self.game, before, player, *moves)
        self.show(after, lying)
        self.hand(after)
        self.show(after)
        return after


class Camera:
    """The frames of a film, from frame ``begin`` on; ``after`` is called when a frame has gone through the pipeline."""

    def __init__(
        self,
        film: Film,
        after: Callable[[int], None] = lambda number: None,
        *,
        begin: int = 0,
        fails_at: int | None = None,
    ) -> None:
        self._film, self._after, self._begin, self._fails_at = film, after, begin, fails_at
        self._number = begin

    def __len__(self) -> int:
        return len(self._film.seen)

    def __iter__(self) -> Iterator[Frame]:
        for number in range(self._begin, len(self._film.seen)):
            if number == self._fails_at:
                raise HardwareError("the cable is out")
            for act in self._film.do.get(number, ()):
                act()
            self._number = number
            yield Frame(PICTURE, self._film.seen[number].t, number)

    def attend(self, attention: Attention) -> None:
        """Called after each step."""
        self._after(self._number)

    def close(self) -> None:
        """Nothing is held open."""


class Eyes:
    """See what the film says; a frame in which a lamp changes is no evidence, as for the real eyes."""

    def __init__(self, film: Film) -> None:
        self._film = film

    def observe(self, frame: Frame, attention: Attention) -> Observation:
        """What this frame shows."""
        seen = replace(self._film.seen[frame.number % len(self._film.seen)], t=frame.t)
        return replace(seen, full=False) if frame.t < attention.not_evidence_until_s else seen


def moved(game: Game, before: Position, player: str, *moves: tuple[int, int]) -> Position:
    """The position after moves in the player's own numbering, legal or not; nothing is hit."""
    seen = before if player == "white" else game.turned(before)
    points, bar, off = list(seen.points), list(seen.bar), list(seen.off)
    for start, end in moves:
        points[start - 1] -= 1
        if end == 0:
            off[0] += 1
        else:
            points[end - 1] += 1
    after = Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))
    return after if player == "white" else game.turned(after)
