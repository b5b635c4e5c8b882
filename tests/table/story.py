"""Telling a game to the table: positions and dice for some seconds each, ten observations a second."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.events import Event, Status, TurnSeen
from companion.inputs import Input, InputKind
from companion.layout import Corner, Layout, Shade
from companion.observation import Content, Reading, SeenDie
from companion.rules import Game, Position, get_game
from companion.settle import Settle
from companion.table import Table, TableSettings
from tests.table.seeing import observe, pair

FPS = 10


class Story:
    """A table without pictures: what is told is seen, and ``events`` are what the table said; ``statuses`` and
    ``turns`` (how they were seen) stand apart.
    """

    def __init__(
        self,
        game: str = "long",
        *,
        home: Corner = "BR",
        known: bool = True,
        white: Shade = "light",
        settings: TableSettings | None = None,
        start: Position | None = None,
        sure: float = 0.99,
        off_seen: bool = False,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self.game: Game = get_game(game, options)
        self.layout = Layout(home, self.game.same_way, white)
        self.table = Table(self.game, settings, home=home if known else None, white=white, start=start)
        self.settle = Settle()
        self.sure = sure
        self.off_seen = off_seen
        self.events: list[Event] = []
        self.statuses: list[Status] = []
        self.turns: list[TurnSeen] = []
        self._n = 0
        self._shown: tuple[object, ...] | None = None
        self._inputs: list[Input] = []

    @property
    def t(self) -> float:
        return self._n / FPS

    @property
    def said(self) -> list[str]:
        """The names of the events, in order."""
        return [event.name for event in self.events]

    def press(self, kind: InputKind, side: str | None = None) -> None:
        """A button is pressed now."""
        self._inputs.append(Input(self.t, kind, side))  # type: ignore[arg-type]

    def show(
        self,
        position: Position,
        dice: Sequence[SeenDie] = (),
        seconds: float = 0.8,
        mixed: dict[int, Content] | None = None,
        residual_px: float = 0.0,
        misread: Mapping[int, Reading] | None = None,
    ) -> None:
        """The position and the dice lie still; ``residual_px``: the board was moved by so much just before.

        ``misread``: how White's points of these numbers are read, whatever lies there.
        """
        scene = (position, tuple(dice), str(mixed), str(misread))
        odd = {self.layout.slots[point - 1]: each for point, each in (misread or {}).items()}
        for frame in range(round(seconds * FPS)):
            moving = 1.0 if frame == 0 and scene != self._shown else 0.0
            seen = observe(
                self.t, position, self.layout, dice,
                mixed=mixed, sure=self.sure, motion=moving, off_seen=self.off_seen,
            )  # fmt: skip
            bumped = residual_px if frame == 1 else 0.0
            board = replace(seen.board, residual_px=bumped)
            self._step(replace(seen, board=board, slots={**seen.slots, **odd}))
        self._shown = scene

    def turn(self, before: Position, dice: tuple[int, int], player: str, *moves: tuple[int, int]) -> Position:
        """A turn without a hand: rolled, played, the dice lifted; the position after it."""
        after = self.after(before, player, *moves)
        self.show(before, pair(dice))
        self.show(after, pair(dice))
        self.show(after)
        return after

    def hand(self, position: Position, dice: Sequence[SeenDie] = (), seconds: float = 0.3) -> None:
        """A hand is over the board."""
        for _ in range(round(seconds * FPS)):
            self._step(observe(self.t, position, self.layout, dice, hand=1.0, motion=1.0))
        self._shown = None

    def end(self) -> None:
        """The recording ends."""
        self.events.extend(self.table.finish(self.t))

    def after(self, before: Position, player: str, *moves: tuple[int, int]) -> Position:
        """The position after moves in the player's own numbering, legal or not; nothing is hit."""
        seen = before if player == "white" else self.game.turned(before)
        points, bar, off = list(seen.points), list(seen.bar), list(seen.off)
        for start, end in moves:
            if start == 25:
                bar[0] -= 1
            else:
                points[start - 1] -= 1
            if end == 0:
                off[0] += 1
            else:
                points[end - 1] += 1
        moved = Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))
        return moved if player == "white" else self.game.turned(moved)

    def _step(self, seen) -> None:  # type: ignore[no-untyped-def]
        inputs, self._inputs = self._inputs, []
        for event in self.table.step(seen.t, self.settle.step(seen), inputs):
            if isinstance(event, Status):
                self.statuses.append(event)
            elif isinstance(event, TurnSeen):
                self.turns.append(event)
            else:
                self.events.append(event)
        self._n += 1
