"""Two people who play as people do: they hesitate, take back, roll cocked dice, play illegally."""

import random
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Literal, NamedTuple

from companion.layout import Player
from companion.rules import Game, LeftOver, Play, Position, RulesError
from companion.rules.plays import full_plays
from companion.rules.position import from_cells
from companion.rules.turn import Chain, at_home
from tests.simulator.scene import LyingDie, Scene

STILL_S, HAND_S = 0.8, 0.3
UNSEEN_S = 5.0
AWAY_S = 30.0


class Timed(NamedTuple):
    """A scene and for how many seconds it stays; ``ends``: with it the turn of this number is over and can be told."""

    scene: Scene
    seconds: float
    ends: int | None = None


@dataclass(frozen=True)
class Habit:
    """How often people do what makes a referee's life hard, for each turn."""

    hesitate: float = 0.1
    take_back: float = 0.05
    illegal_before_lifting: float = 0.03
    illegal_corrected: float = 0.02
    illegal_stood: float = 0.01
    cocked: float = 0.04
    split: float = 0.05
    nudge: float = 0.03
    fast: float = 0.05
    long_hand: float = 0.02
    bump: float = 0.01
    two_unseen: float = 0.002
    tie: float = 0.2
    relaid: float = 0.0
    """The dice are taken up before the play, and laid back."""
    away: float = 0.0
    """The camera is away for a while."""
    mislaid: float = 0.0
    """What was hit is put on the tray, what was borne off on the bar, until the next roll."""


CALM = Habit(**{each.name: 0.0 for each in fields(Habit)})


class Upset(NamedTuple):
    """One thing that happens, in the turn of this number; before and after it people play as they should."""

    habit: Habit
    turn: int


@dataclass(frozen=True)
class TrueTurn:
    """What really happened in a turn."""

    player: Player
    dice: tuple[int, int]
    after: Position
    verdict: Literal["legal", "illegal"] = "legal"
    noticed: str | None = None
    """The first reason that must be named, when the turn ended on an illegal play."""
    unseen: bool = False
    """Whether nobody could see it: something was between the camera and the board."""


@dataclass
class People:
    """Plays games of one kind; ``scenes`` yields what lies on the table and for how long; ``turns`` is the truth."""

    game: Game
    random: random.Random
    habit: Habit = field(default_factory=Habit)
    upset: Upset | None = None
    turns: list[TrueTurn] = field(default_factory=list)
    _played: set[Player] = field(default_factory=set)
    _throws: int = 0
    _again: bool = False
    _left_over: LeftOver | None = None

    def scenes(self, most_turns: int = 400) -> Iterator[Timed]:
        """One game from the start position to its end, or to ``most_turns``."""
        position = self.game.start
        self._mood()
        yield Timed(Scene.of(position), 1.0)
        player: Player = self.random.choice(("white", "black"))
        kept = yield from self._open(position)
        for _ in range(most_turns):
            self._mood()
            if self._chance(self.habit.nudge):
                yield from self._hand_over(Scene.of(position))
            if self._chance(self.habit.bump):
                yield from self._push(position)
            if self.habit.away and self._chance(self.habit.away):
                yield Timed(replace(Scene.of(position), lost=True), AWAY_S)
                yield Timed(Scene.of(position), STILL_S)
            if self._left_over is None and not self._again and self._played and self._chance(self.habit.two_unseen):
                position = yield from self._unseen(position, player)
                if self.game.winner(position) is not None:
                    break
                continue
            if self._left_over is not None:
                position, scenes = self._make_left_over(position, player, self._left_over)
                yield from scenes
                if self.game.winner(position) is not None:
                    break
            dice = kept or self._roll()
            if not kept:
                yield from self._void_throw(position, dice)
            position, scenes = self._turn(position, player, dice, split=bool(kept))
            kept = None
            yield from scenes
            if self.game.winner(position) is not None:
                break
            if not self._again:
                player = other(player)
        yield Timed(Scene.of(position), 1.5)

    def _mood(self) -> None:
        if self.upset is not None:
            self.habit = self.upset.habit if len(self.turns) == self.upset.turn else CALM

    def _open(self, position: Position) -> Generator[Timed, None, tuple[int, int] | None]:
        """Each throws one die (O1), equal ones again; answers the roll when the starter plays it (O2)."""
        while self._chance(self.habit.tie):
            tie = self.random.randint(1, 6)
            yield from self._throw_and_lift(position, (tie, tie))
        dice = self._roll()
        while dice[0] == dice[1]:
            dice = self._roll()
        if self.game.options.opening == "keep":
            return dice
        if self._chance(0.7):  # else the camera was started after the opening
            yield from self._throw_and_lift(position, dice)
        return None

    def _throw_and_lift(self, position: Position, dice: tuple[int, int]) -> Iterator[Timed]:
        yield Timed(Scene.of(position, self._thrown(dice, split=True)), STILL_S)
        yield from self._hand_over(Scene.of(position))
        yield Timed(Scene.of(position), self.random.choice((STILL_S, 2.0)))

    def _push(self, position: Position) -> Iterator[Timed]:
        """The board or the camera is bumped between two turns."""
        yield from self._hand_over(Scene.of(position))
        yield Timed(replace(Scene.of(position), pushed_px=self.random.uniform(5, 40)), 0.2)
        yield Timed(Scene.of(position), STILL_S)

    def _unseen(self, position: Position, player: Player) -> Generator[Timed, None, Position]:
        """Somebody leans over the board for two whole turns."""
        covered = replace(Scene.of(position), covered=True)
        for mover in (player, other(player)):
            if self.game.winner(position) is not None:
                break
            dice = self._roll()
            while dice[0] == dice[1]:
                dice = self._roll()
            self._played.add(mover)
            position = self._choose(position, mover, dice)[1]
            self.turns.append(TrueTurn(mover, dice, position, unseen=True))
        yield Timed(covered, UNSEEN_S)
        yield Timed(Scene.of(position), STILL_S)
        return position

    def _make_left_over(self, position: Position, player: Player, left: LeftOver) -> tuple[Position, list[Timed]]:
        """What the opponent could not move is moved before the own dice are thrown (X7)."""
        self._left_over = None
        play, after, _ = self._steps(
            position, player, self.game.left_over_chain(self.game.cells(position, player), left)
        )
        if after == position:
            return position, []
        self.turns.append(TrueTurn(player, (left.die, left.die), after))
        return after, self._carry(Scene.of(position), play, player)

    def _turn(
        self, position: Position, player: Player, dice: tuple[int, int], *, split: bool
    ) -> tuple[Position, list[Timed]]:
        play, after = self._choose(position, player, dice)
        # dice in both halves are played on by agreement; where nothing can be played nobody could tell
        lying = self._thrown(dice, split=split or (bool(play) and self._chance(self.habit.split)))
        scenes = [Timed(Scene.of(position, lying), STILL_S)]
        self._played.add(player)
        draw = self.random.random()
        h = self.habit
        if draw < h.illegal_before_lifting:
            bad = self._illegal(position, player, dice)
            if bad is not None:
                scenes += [
                    *self._carry(Scene.of(position, lying), bad[0], player),
                    Timed(Scene.of(position, lying), STILL_S),
                ]
        elif draw < h.illegal_before_lifting + h.illegal_corrected + h.illegal_stood:
            bad = self._illegal(position, player, dice)
            if bad is not None:
                stood = draw >= h.illegal_before_lifting + h.illegal_corrected
                return self._illegal_turn(position, player, dice, lying, scenes, bad, (play, after), stood)
        elif draw > 1 - h.take_back and play:
            half = Scene.of(position, lying).moved(self.game, player, *play[0], hit=True)
            scenes += [Timed(half, STILL_S), Timed(Scene.of(position, lying), STILL_S)]
        if h.relaid and self._chance(h.relaid):
            scenes += [*self._hand_over(Scene.of(position)), Timed(Scene.of(position, lying), STILL_S)]
        played = [*self._carry(Scene.of(position, lying), play, player), *self._lift(after, len(self.turns))]
        if h.mislaid and self._chance(h.mislaid):
            played = [each._replace(scene=_mislaid(each.scene, position)) for each in played]
        self.turns.append(TrueTurn(player, dice, after))
        return after, scenes + played

    def _illegal_turn(self, position, player, dice, lying, scenes, bad, good, stood):  # type: ignore[no-untyped-def]
        """The dice are lifted on an illegal play; it is corrected with the dice put back, or the opponent rolls on."""
        moves, reason = bad
        scenes += self._carry(Scene.of(position, lying), moves, player)
        wrong = scenes[-1].scene
        scenes += [Timed(Scene(wrong.points, wrong.bar, wrong.off), 1.0 if moves else 2.0)]
        if stood and not any(w and b for w, b in wrong.points):
            self.turns.append(TrueTurn(player, dice, wrong.position, "illegal", reason))
            self._again, self._left_over = False, None
            return wrong.position, scenes
        play, after = good
        scenes += [*self._hand_over(Scene.of(position, lying)), Timed(Scene.of(position, lying), STILL_S)]
        scenes += self._carry(Scene.of(position, lying), play, player)
        scenes += self._lift(after, len(self.turns))
        self.turns.append(TrueTurn(player, dice, after, noticed=reason))
        return after, scenes

    def _choose(self, position: Position, player: Player, dice: tuple[int, int]) -> tuple[Play, Position]:
        """A legal play at random; what follows from it is remembered in ``_again`` and ``_left_over``."""
        first = player not in self._played
        second = first and bool(self._played)
        self._again, self._left_over = False, None
        if dice[0] == dice[1]:
            chain = self.game.chain(self.game.cells(position, player), dice[0], first, second)
            play, after, self._left_over = self._steps(position, player, chain)
            self._again = self.game.law.extra_roll and len(play) == 4
            return play, after
        found = self.game.plays(position, dice, player=player, first_turn=first, second_player=second)
        after = self.random.choice(sorted(found.results, key=lambda p: (p.points, p.bar, p.off)))
        return found.results[after][0], after

    def _steps(self, position: Position, player: Player, chain: Chain) -> tuple[Play, Position, LeftOver | None]:
        """Double after double at random, until one cannot be completed or the chain ends; what is left over then."""
        cells, moves, left = self.game.cells(position, player), [], None
        for number, double in enumerate(chain.doubles):
            ends = full_plays(chain.task(number, cells))
            end = self.random.choice(sorted(ends.cells))
            moves += list(ends.plays(end)[0])
            begin, cells = cells, end
            if ends.max_dice < len(double):
                left = chain.left_over(number, ends.max_dice, end)
                break
            homecomings = (at_home(before) for _, before, _ in ends.layer.ways[end])
            if True not in chain.after_four(number, begin, end, homecomings):
                break
        off = position.off[1 if player == "white" else 0]
        after = from_cells(cells, off)
        return tuple(moves), after if player == "white" else self.game.turned(after), left

    def _illegal(self, position: Position, player: Player, dice: tuple[int, int]) -> tuple[Play, str] | None:
        """Moves that are not legal, and why; only such as a person might really make."""
        kinds = [self._stray, self._short, self._backwards, self._pass]
        for _ in range(12):
            play = self.random.choice(kinds)(position, player, dice)
            if play is None:
                continue
            scene = Scene.of(position)
            for start, end in play:
                scene = scene.moved(self.game, player, start, end, hit=self.game.law.movement.hits)
            verdict = self._judge(position, player, dice, scene)
            if verdict is not None and verdict.kind != "legal":
                return play, str(verdict.reasons[0])
        return None

    def _stray(self, position: Position, player: Player, dice: tuple[int, int]) -> Play | None:
        """A checker moved by a wrong number, onto a closed point, from the head …"""
        start = self._own_point(position, player)
        pips = self.random.choice([*dice, dice[0] + dice[1] + 1, self.random.randint(1, 6)])
        return ((start, start - pips),) if start > pips else None

    def _short(self, position: Position, player: Player, dice: tuple[int, int]) -> Play | None:
        """Only the first move of a legal play."""
        again, left_over = self._again, self._left_over
        play = self._choose(position, player, dice)[0]
        self._again, self._left_over = again, left_over
        return play[:1] if len(play) > 1 else None

    def _backwards(self, position: Position, player: Player, dice: tuple[int, int]) -> Play | None:
        start = self._own_point(position, player)
        return ((start, start + dice[0]),) if start + dice[0] <= 24 else None

    def _pass(self, position: Position, player: Player, dice: tuple[int, int]) -> Play | None:
        return ()

    def _own_point(self, position: Position, player: Player) -> int:
        seen = self.game.seen(position, player)
        return self.random.choice([p for p in range(1, 25) if seen.points[p - 1] > 0] or [24])

    def _judge(self, position: Position, player: Player, dice: tuple[int, int], scene: Scene):  # type: ignore[no-untyped-def]
        points, bar = [], list(scene.bar)
        for white, black in scene.points:
            if white and black:
                bar[1 if player == "white" else 0] += black if player == "white" else white
            points.append(white if white and (player == "white" or not black) else -black)
        first = player not in self._played
        try:
            return self.game.judge(
                position, dice, Position(tuple(points), (bar[0], bar[1]), scene.off), player=player,
                first_turn=first, second_player=first and bool(self._played),
            )  # fmt: skip
        except RulesError:
            return None

    def _carry(self, scene: Scene, play: Play, player: Player) -> list[Timed]:
        scenes: list[Timed] = []
        for start, end in play:
            scenes += self._hand_over(scene)
            scene = scene.moved(self.game, player, start, end, hit=True)
            if self._chance(self.habit.hesitate):
                scenes.append(Timed(scene, STILL_S))
        if self._chance(self.habit.long_hand):
            scenes.append(Timed(_with_hand(scene), 6.0))
        return [*scenes, Timed(scene, STILL_S)]

    def _lift(self, after: Position, number: int) -> list[Timed]:
        if self._chance(self.habit.fast):
            return []  # the opponent's dice lie before a picture without dice
        return [*self._hand_over(Scene.of(after)), Timed(Scene.of(after), STILL_S, number)]

    def _hand_over(self, scene: Scene) -> list[Timed]:
        return [Timed(_with_hand(scene), HAND_S)]

    def _void_throw(self, position: Position, dice: tuple[int, int]) -> Iterator[Timed]:
        if not self._chance(self.habit.cocked):
            return
        first, second = self._thrown(self._roll(), split=False)
        leaning = LyingDie(first.value, first.place, first.x, first.y, cocked=True)
        yield Timed(Scene.of(position, (leaning, second)), STILL_S)
        yield from self._hand_over(Scene.of(position))
        yield Timed(Scene.of(position), STILL_S)

    def _roll(self) -> tuple[int, int]:
        return self.random.randint(1, 6), self.random.randint(1, 6)

    def _thrown(self, dice: tuple[int, int], *, split: bool) -> tuple[LyingDie, LyingDie]:
        self._throws += 1
        x = 200 + (self._throws * 137) % 500
        places = ("left", "right") if split else ("right", "right")
        return LyingDie(dice[0], places[0], x, 380.0), LyingDie(dice[1], places[1], x + 55.0, 400.0)

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability


def _with_hand(scene: Scene) -> Scene:
    return replace(scene, hand=True)


def _mislaid(scene: Scene, before: Position) -> Scene:
    """Whatever has left the points since ``before`` lies where it does not belong: on the tray, or on the bar."""
    bar, off = list(scene.bar), list(scene.off)
    for side in (0, 1):
        hit, borne_off = max(0, bar[side] - before.bar[side]), max(0, off[side] - before.off[side])
        bar[side] += borne_off - hit
        off[side] += hit - borne_off
    return replace(scene, bar=(bar[0], bar[1]), off=(off[0], off[1]))


def other(player: Player) -> Player:
    """The opponent."""
    return "black" if player == "white" else "white"
