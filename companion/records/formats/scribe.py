"""Makes the events of a match from what a sheet says, and lets the rules judge each play.

The readers of files use it: they say who rolled what and moved where, it knows the position, the cube and the score.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from companion import events as ev
from companion.layout import Player
from companion.records.formats.source import MOST_PLAYS
from companion.records.transcript import Cube, difference, moved
from companion.rules import Game, LeftOver, Play, Position, Verdict, format_play
from companion.rules.match import other
from companion.rules.position import BAR, OFF
from companion.rules.scoring import SCORING

Part = Literal["own", "extra", "left-over"]


@dataclass
class Scribe:
    """What is known while a match is read; ``events`` are those made so far, ``plays`` counts the final plays."""

    house: Game
    events: list[ev.Event] = field(default_factory=list)
    position: Position = field(init=False)
    cube: Cube = field(default_factory=Cube)
    score: tuple[int, int] = (0, 0)
    games: int = 0
    plays: int = 0
    largest_cube: int = 1
    open: bool = False
    beavers: bool = False
    _starter: Player | None = None
    _played: set[Player] = field(default_factory=set)
    _left_over: tuple[LeftOver, ...] = ()

    def __post_init__(self) -> None:
        self.position = self.house.start

    def begin(self, score: tuple[int, int], board: Position | None = None, cube: int = 1) -> None:
        """A game begins; ``board`` is where the account begins, when it is not the start."""
        self.games += 1
        start = board or self.house.start
        self.note(
            ev.GameStarted(
                t=0.0,
                game=self.house.name,
                board=start.to_json(),
                number=self.games,
                score={"white": score[0], "black": score[1]},
            )
        )
        self.cube = Cube(cube)

    def note(self, event: ev.Event) -> None:
        """Add an event that is known as a whole."""
        self.events.append(event)
        self.follow(event)

    def follow(self, event: ev.Event) -> None:
        """What is known after an event."""
        match event:
            case ev.GameStarted():
                self.position, self.cube = Position.from_json(event.board), Cube()
                self.score = (event.score.get("white", 0), event.score.get("black", 0))
                self._starter, self._played, self._left_over, self.open = None, set(), (), True
            case ev.PlayMade():
                self.position = Position.from_json(event.board)
                self.plays += 1
                if event.player is not None:
                    self._starter = self._starter or event.player
                    self._played.add(event.player)
            case ev.Gap():
                if event.board is not None:
                    self.position = Position.from_json(event.board)
                self._played, self._left_over = {"white", "black"}, ()
            case ev.CubeAction():
                self.cube = self.cube.after(event)
                self.largest_cube = max(self.largest_cube, event.value)
                self.beavers = self.beavers or event.action == "beaver"
            case ev.GameWon():
                self.score = (event.score.get("white", 0), event.score.get("black", 0))
                self.open = False

    def roll(self, player: Player, dice: ev.Dice) -> None:
        """A roll; an offer that nobody answered is taken by it."""
        if self.cube.offer == "beavered":
            self.cube_action(player, "accept")
        elif self.cube.offer == "doubled":
            self.cube_action(other(player), "take", flagged=True)
        self.note(ev.Rolled(t=0.0, player=player, dice=dice))

    def play(self, player: Player, dice: ev.Dice, moves: Play, after: Position | None = None) -> Verdict:
        """A roll and its play, judged; ``after`` where no moves tell it.

        Raises UnreadableError when a checker that is to move is not there.
        """
        board = after or moved(self.house, self.position, player, moves)
        verdict, _ = self.judged(player, dice, board)
        if after is not None:
            moves = difference(self.house, self.position, after, player) or ()
        text = self.words(player, dice, moves, verdict)
        self.roll(player, dice)
        self.note(
            ev.PlayMade(
                t=0.0,
                player=player,
                dice=dice,
                play=text,
                verdict="legal" if verdict else "illegal",
                board=board.to_json(),
                reasons=() if verdict else tuple(str(reason) for reason in verdict.reasons),
            )
        )
        return verdict

    def judged(
        self, player: Player, dice: ev.Dice, after: Position, part: Part = "own"
    ) -> tuple[Verdict, tuple[LeftOver, ...]]:
        """The verdict on a play from the present position, and what passes on after it."""
        if part == "left-over":
            verdicts = [self.house.judge_left_over(self.position, each, after, player=player) for each in self._left()]
            verdict = next((each for each in verdicts if each), verdicts[0] if verdicts else Verdict("illegal"))
            return verdict, ()
        first = part == "own" and player not in self._played
        second = first and self._starter not in (None, player)
        verdict = self.house.judge(self.position, dice, after, player=player, first_turn=first, second_player=second)
        return verdict, tuple(ending.left_over for ending in verdict.endings if ending.left_over is not None)

    def keep_left_over(self, left_over: tuple[LeftOver, ...]) -> None:
        """What the opponent has to play before the next own roll."""
        self._left_over = left_over

    def _left(self) -> tuple[LeftOver, ...]:
        return self._left_over

    def words(self, player: Player, dice: ev.Dice, moves: Play, verdict: Verdict, text: str | None = None) -> str:
        """The text of a play in single moves: as it was written, or as the rules cut them."""
        seen = self.house.seen(self.position, player)
        if verdict and verdict.plays and not all(_single(start, end, dice) for start, end in moves):
            return format_play(verdict.plays[0], seen)
        return text if text is not None and len(text.split()) == len(moves) else format_play(moves, seen)

    def cube_action(self, player: Player, action: str, *, flagged: bool = False) -> None:
        """What a player does with the cube; a double of a double is a beaver."""
        cube = self.cube
        if action == "double" and cube.offer:
            action = "beaver"
        if action == "take" and cube.offer == "beavered":
            action = "accept"
        value, owner = cube.value, cube.owner
        if action == "double":
            value = cube.value * 2
        elif action == "take":
            value, owner = cube.value * 2, player
        elif action == "beaver":
            value, owner = cube.value * (4 if cube.offer == "doubled" else 2), player
        self.note(
            ev.CubeAction(t=0.0, player=player, action=action, value=value, owner=owner, flagged=flagged)  # type: ignore[arg-type]
        )

    def set_board(self, board: Position) -> None:
        """The board was set: a gap, or where nothing was played yet, the start of the account."""
        last = self.events[-1]
        if isinstance(last, ev.GameStarted):
            cube = self.cube
            self.events[-1] = replace(last, board=board.to_json())
            self.follow(self.events[-1])
            self.cube = cube
        else:
            self.note(ev.Gap(t=0.0, board=board.to_json()))

    def set_cube(self, value: int, owner: Player | None) -> None:
        """The cube was set by hand."""
        self.cube = Cube(value, owner)
        self.largest_cube = max(self.largest_cube, value)

    def win(self, winner: Player, points: int, dropped: bool = False) -> None:
        """The end of a game as a file tells it; without a last checker or a drop it is a resignation."""
        outcome = "drop"
        if self.house.winner(self.position) is not None:
            outcome = self.house.score(self.position, winner).outcome
        elif not dropped:
            outcome = self._conceded(points)
            self.note(ev.Resigned(t=0.0, player=other(winner), outcome=outcome))
        white, black = self.score
        score = (white + points, black) if winner == "white" else (white, black + points)
        told = {"white": score[0], "black": score[1]}
        self.note(ev.GameWon(t=0.0, player=winner, winner=winner, outcome=outcome, points=points, score=told))
        if 0 < self.house.options.length <= max(score):
            self.note(ev.MatchWon(t=0.0, player=winner, winner=winner, score=told))

    def finish(self) -> None:
        """The game has no result in the file: it has one when the last checker is off."""
        winner = self.house.winner(self.position) if self.open else None
        if winner is not None:
            self.win(winner, self.house.result(self.position, winner, self.cube.value)[1])

    def full(self) -> bool:
        """Whether there are more plays than are read."""
        return self.plays > MOST_PLAYS

    def _conceded(self, points: int) -> str:
        """The outcome that so many points are worth, as gnubg counts them."""
        names = SCORING[self.house.options.scoring].names()
        times = -(-points // self.cube.value)
        return names[min(max(times, 1), len(names)) - 1]


def _single(start: int, end: int, dice: ev.Dice) -> bool:
    """Whether this can be one move of one die."""
    if end == OFF:
        return start <= max(dice)
    return (BAR if start == BAR else start) - end in dice
