"""The ten games (rules.md §5): each is a small :class:`Law`, and a :class:`Game` is a law with its options.

What the games share is in ``movement``, ``block``, ``plays`` and ``turn``; what differs is named here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from companion.layout import Player
from companion.rules.block import BlockRule, all_shut_in, fevga, no_rule, none_ahead, none_at_home
from companion.rules.change import compare
from companion.rules.errors import OptionError, UnreadableError
from companion.rules.judge import Verdict, judge_chain, judge_task
from companion.rules.movement import PLAIN, MayLeave, Movement, any_number, at_most, behind_the_runner
from companion.rules.options import GAMES, Options, make_options
from companion.rules.plays import Dice, Task, full_plays, standard
from companion.rules.position import CHECKERS, Cells, Play, Position, check_position, from_cells, to_cells, turned
from companion.rules.scoring import SCORING, Result, loser_of, score
from companion.rules.turn import Chain, Ending, LeftOver, Turn, at_home, chained, single

BLOCKS: dict[str, BlockRule] = {
    "ahead": none_ahead,
    "home": none_at_home,
    "not-all": all_shut_in,
}


@dataclass(frozen=True, kw_only=True)
class Law:
    """What makes a game: the set-up (own point → checkers), how it moves, and what a double gives."""

    name: str
    setup: Mapping[int, int]
    same_way: bool = True
    movement: Movement = PLAIN
    from_head: int = 1
    may_leave: MayLeave = any_number
    block: BlockRule | None = None
    progression: bool = False
    double_after_home: bool = False
    passes_on: str = "nothing"
    extra_roll: bool = False

    @cached_property
    def start(self) -> Position:
        """The position at the start of the game."""
        white = tuple(self.setup.get(point, 0) for point in range(1, 25))
        black = turned(Position(white), self.same_way).points
        return Position(tuple(w + b for w, b in zip(white, black, strict=True)))


_LONG = Law(name="long", setup={24: 15})
_SHORT = Law(
    name="short", setup={24: 2, 13: 5, 8: 3, 6: 5}, same_way=False, movement=Movement(hits=True), from_head=CHECKERS,
    block=no_rule,
)  # fmt: skip
_GULBAR = replace(_LONG, name="gulbar", passes_on="everything", extra_roll=True)
_FEVGA = replace(_LONG, name="fevga", from_head=CHECKERS, may_leave=behind_the_runner, block=fevga)
LAWS: dict[str, Law] = {
    law.name: law
    for law in (
        _LONG,
        replace(_LONG, name="nardgammon"),
        replace(_LONG, name="mad", progression=True, movement=Movement(home_moves=False, from_higher=False)),
        _GULBAR,
        replace(_LONG, name="mad-gulbar", progression=True, movement=Movement(home_moves=False), double_after_home=True,
                passes_on="everything"),
        replace(_GULBAR, name="khachapuri", setup={24: 4, 6: 11}, from_head=CHECKERS),
        _FEVGA,
        replace(_FEVGA, name="mad-fevga", progression=True, passes_on="what was begun"),
        _SHORT,
        replace(_SHORT, name="tabla"),
    )
}  # fmt: skip


class Results(Mapping[Position, tuple[Play, ...]]):
    """End position → its plays; the plays of a position are made when they are asked for."""

    def __init__(self, ends: Mapping[Position, Cells], plays: Callable[[Cells], tuple[Play, ...]]) -> None:
        self._ends = ends
        self._plays = plays

    def __getitem__(self, position: Position) -> tuple[Play, ...]:
        return self._plays(self._ends[position])

    def __iter__(self) -> Iterator[Position]:
        return iter(self._ends)

    def __len__(self) -> int:
        return len(self._ends)

    def __contains__(self, position: object) -> bool:
        return position in self._ends


@dataclass(frozen=True)
class LegalPlays:
    """All legal plays of a roll.

    ``results`` maps every end position (White's view) to its plays (mover's numbering); when nothing can be
    moved it is the position itself with the empty play. ``max_dice`` is the number of dice that must be
    played, in a progression the most moves of any play. ``endings`` tells how a turn may have ended there,
    and what passes to the opponent. ``extra_roll``: the player rolls again, unless the game is won (X6).
    """

    max_dice: int
    results: Mapping[Position, tuple[Play, ...]] = field(repr=False)
    endings: Mapping[Position, tuple[Ending, ...]] = field(repr=False)
    extra_roll: bool = False


@dataclass(frozen=True)
class Game:
    """A game with its house rules; make it with :func:`get_game`."""

    law: Law
    options: Options

    @property
    def name(self) -> str:
        """The name by which the game is asked for."""
        return self.law.name

    @property
    def same_way(self) -> bool:
        """Whether both players travel the same way round (B2)."""
        return self.law.same_way

    @property
    def start(self) -> Position:
        """The position at the start, as White sees it."""
        return self.law.start

    def turned(self, position: Position) -> Position:
        """The same position as Black sees it, with Black as White."""
        return turned(position, self.same_way)

    def check(self, position: Position) -> None:
        """Raise PositionError in one line unless the position can be in this game."""
        check_position(position, bar=self.law.movement.hits, game=self.name)

    def plays(
        self, position: Position, dice: Sequence[int], *, player: Player = "white", first_turn: bool = False,
        second_player: bool = False,
    ) -> LegalPlays:  # fmt: skip
        """All legal plays of ``player`` with two dice.

        ``first_turn``: the player has not played an own roll yet; ``second_player``: and did not start (L4). Raises
        RulesError for impossible dice or positions, TooManyPlays for a progression with too many end positions.
        """
        cells = self.cells(position, player)
        turn = self.turn(cells, check_dice(dice), first_turn, second_player)
        return self._absolute(turn, position, player, extra_roll=self._extra_roll(dice, turn.max_dice))

    def left_over_plays(self, position: Position, left_over: LeftOver, *, player: Player = "white") -> LegalPlays:
        """All legal plays of the moves that the opponent of ``player`` left over (X7)."""
        cells = self.cells(position, player)
        turn = chained(self.left_over_chain(cells, left_over), cells)
        return self._absolute(turn, position, player)

    def judge(
        self, before: Position, dice: Sequence[int], after: Position, *, player: Player = "white",
        first_turn: bool = False, second_player: bool = False,
    ) -> Verdict:  # fmt: skip
        """Whether the change from ``before`` to ``after`` is a legal play of ``player`` with these dice.

        ``before`` must be possible, ``after`` may be anything: the points of a player who landed where the
        opponent closes hold that player, the opponents stand on the bar.
        """
        cells = self.cells(before, player)
        two = check_dice(dice)
        change = compare(self.seen(before, player), self.seen(after, player), self.law.movement)
        if two[0] == two[1]:
            return judge_chain(self.chain(cells, two[0], first_turn, second_player), cells, change)
        return judge_task(self.task(cells, two), change)

    def judge_left_over(
        self, before: Position, left_over: LeftOver, after: Position, *, player: Player = "white"
    ) -> Verdict:
        """Whether the change is a legal way to make the moves that the opponent of ``player`` left over (X7)."""
        cells = self.cells(before, player)
        change = compare(self.seen(before, player), self.seen(after, player), self.law.movement)
        return judge_chain(self.left_over_chain(cells, left_over), cells, change)

    def winner(self, position: Position) -> Player | None:
        """Who has borne off all fifteen."""
        return "white" if position.off[0] == CHECKERS else "black" if position.off[1] == CHECKERS else None

    def score(self, position: Position, winner: Player, cube: int = 1, outcome: str = "") -> Result:
        """What ``winner`` gets for ``position``, or for the ``outcome`` that the loser concedes in it (§6)."""
        loser = loser_of(position, winner == "black", self.same_way)
        return score(SCORING[self.options.scoring], loser, cube, dict(self.options.factors), outcome)

    def result(self, position: Position, winner: Player, cube: int = 1) -> tuple[str, int]:
        """The outcome and its points, such as ``("mars", 2)``."""
        result = self.score(position, winner, cube)
        return result.outcome, result.points

    @property
    def default_opening(self) -> str:
        """``reroll`` or ``keep`` (O2)."""
        return self.options.opening

    @property
    def default_next_start(self) -> str:
        """``winner`` or ``opening-roll`` (O3)."""
        return self.options.next_start

    def seen(self, position: Position, player: Player) -> Position:
        """The position with ``player`` as White."""
        return position if player == "white" else self.turned(position)

    def cells(self, position: Position, player: Player) -> Cells:
        """The position as the rules compute it, seen by ``player``; raises PositionError when it cannot be."""
        self.check(position)
        return to_cells(self.seen(position, player))

    def turn(self, cells: Cells, dice: tuple[int, int], first_turn: bool, second_player: bool) -> Turn:
        """The legal ends of a roll, as the rules compute them."""
        if dice[0] == dice[1]:
            return chained(self.chain(cells, dice[0], first_turn, second_player), cells)
        return single(full_plays(self.task(cells, dice)))

    def task(self, cells: Cells, dice: Dice, from_head: int = 1) -> Task:
        """One play: a plain roll, or one double of a chain."""
        limit = max(from_head, self.law.from_head)
        may_leave = at_most(limit, cells) if limit < CHECKERS else self.law.may_leave
        rule = self.law.block or BLOCKS[self.options.block]
        in_passing = self.options.block_in_passing == "allowed"
        return Task(cells, dice, self.law.movement, may_leave, rule(cells), in_passing)

    def chain(self, cells: Cells, die: int, first_turn: bool, second_player: bool) -> Chain:
        """What a double gives: one play, or a progression (X1) that ends as X5 and X9 say."""
        law = self.law
        last = 6 if law.progression and not at_home(cells) else die
        from_head = 2 if first_turn and self._may_take_two(cells, die, second_player) else 1
        return self._chain(
            cells,
            tuple((d,) * 4 for d in range(die, last + 1)),
            from_head,
            law.progression,
            law.double_after_home,
            law.passes_on,
        )

    def left_over_chain(self, cells: Cells, left_over: LeftOver) -> Chain:
        """The doubles that the opponent left over (X7)."""
        return self._chain(cells, left_over.doubles(), 1, False, False, "nothing")

    def _chain(
        self, cells: Cells, doubles: tuple[Dice, ...], from_head: int, at_home: bool, one_more: bool, passes_on: str
    ) -> Chain:
        limits = tuple(max(self.law.from_head, 1 if number else from_head) for number in range(len(doubles)))

        def task(number: int, begin: Cells) -> Task:
            return self.task(begin, doubles[number], limits[number])

        return Chain(doubles, task, limits, self.law.may_leave, at_home, one_more, passes_on)

    def _may_take_two(self, cells: Cells, die: int, second_player: bool) -> bool:
        """L4: the listed doubles, and for the second player those of which one checker alone cannot play all four."""
        if self.law.from_head == CHECKERS or die in self.options.first_play_doubles:
            return True
        alone = second_player and self.options.second_player_any_double
        return alone and standard(self.task(cells, (die,) * 4)).count < 4

    def _extra_roll(self, dice: Sequence[int], played: int) -> bool:
        return self.law.extra_roll and dice[0] == dice[1] and played == 4

    def _absolute(self, turn: Turn, before: Position, player: Player, extra_roll: bool = False) -> LegalPlays:
        """The turn with absolute positions."""
        if player == "white":
            ends = {from_cells(cells, before.off[1]): cells for cells in turn.endings}
        else:
            ends = {self.turned(from_cells(cells, before.off[0])): cells for cells in turn.endings}
        endings = {position: turn.endings[cells] for position, cells in ends.items()}
        return LegalPlays(turn.max_dice, Results(ends, turn.plays), endings, extra_roll)


def check_dice(dice: Sequence[int]) -> tuple[int, int]:
    """Two dice from 1 to 6; raises RulesError otherwise."""
    if len(dice) != 2 or not all(isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= 6 for n in dice):
        raise UnreadableError(f"dice: expected two numbers from 1 to 6, got {list(dice)!r}")
    return dice[0], dice[1]


@lru_cache(maxsize=256)
def _default_game(name: str) -> Game:
    return Game(LAWS[name], make_options(name))


def get_game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """The game of that name with these options; raises OptionError in one clear line."""
    if name not in LAWS:
        raise OptionError(f"game: expected one of {', '.join(GAMES)}, got {name!r}")
    return Game(LAWS[name], make_options(name, options)) if options else _default_game(name)
