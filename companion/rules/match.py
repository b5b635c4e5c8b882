"""A match as one immutable state with explicit actions: cube, resignation, score, next starter (rules.md §6, §7, O3).

Every action returns the state after it, or raises MatchError that says why it is not allowed now::

    state = Match.begin(game, starter="white").roll("white").play("white").double("black").take("white")
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from companion.layout import Player
from companion.rules.errors import MatchError, OptionError
from companion.rules.options import Options
from companion.rules.scoring import SCORING, Result

Phase = Literal["to roll", "rolled", "doubled", "beavered", "over"]
Turn = Literal["own", "extra", "left-over"]


def other(player: Player) -> Player:
    """The opponent."""
    return "black" if player == "white" else "white"


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer to concede ``outcome``."""

    player: Player
    outcome: str


@dataclass(frozen=True, kw_only=True)
class Match:
    """Where a match stands.

    ``turn`` is who plays (None when the game is over), ``part`` what is to be played next; ``first_play`` until
    the starter has played; ``crawford_done`` once the Crawford game was played; ``last`` the winner and the
    points of the last game.
    """

    options: Options
    score: tuple[int, int] = (0, 0)
    turn: Player | None = None
    phase: Phase = "over"
    part: Turn = "own"
    first_play: bool = True
    cube: int = 1
    owner: Player | None = None
    offered: Resignation | None = None
    crawford_done: bool = False
    last: tuple[Player, int] | None = None

    @staticmethod
    def begin(
        options: Options, starter: Player, score: tuple[int, int] = (0, 0), crawford_done: bool = False
    ) -> "Match":
        """The match at the start of a game that ``starter`` begins."""
        return Match(options=options, score=score, crawford_done=crawford_done).new_game(starter)

    @property
    def game_over(self) -> bool:
        """Whether no game is being played."""
        return self.phase == "over"

    @property
    def match_over(self) -> bool:
        """Whether somebody has reached the target (R3)."""
        return 0 < self.options.length <= max(self.score)

    @property
    def crawford_game(self) -> bool:
        """Whether nobody may double because one player needs one point more, for the first time (C6)."""
        needed = [self.options.length - points for points in self.score]
        return self.options.crawford and not self.crawford_done and not self.game_over and needed.count(1) == 1

    def next_starter(self) -> Player | None:
        """Who begins the next game (O3): the winner, or None when an opening roll decides."""
        return self.last[0] if self.last and self.options.next_start == "winner" else None

    def double(self, player: Player) -> "Match":
        """Offer a double before rolling (C1)."""
        self._must_play(player, "cube")
        why = self._no_double(player)
        if why:
            raise MatchError("cube", why)
        return replace(self, phase="doubled")

    def _no_double(self, player: Player) -> str:
        """Why the player on turn may not double, or nothing."""
        reasons = (
            (self.phase != "to roll", f"expected a double before the roll, got one when the state is {self.phase!r}"),
            (not self.options.cube, "this game is played without the cube"),
            (self.owner == other(player), f"the cube belongs to {self.owner}"),
            (self.crawford_game, "nobody doubles in the Crawford game"),
            (self.part != "own", f"no double before the {self.part} part of a turn"),
            (self.first_play and self.options.opening == "keep", "the starter plays the opening roll"),
            (self.cube * 2 > self.options.cube_limit, f"the limit is {self.options.cube_limit}"),
        )  # fmt: skip
        return next((why for wrong, why in reasons if wrong), "")

    def take(self, player: Player) -> "Match":
        """Take the double: the cube turns and is the taker's (C2)."""
        self._must_answer(player, "doubled")
        return replace(self, phase="to roll", cube=self.cube * 2, owner=player)

    def drop(self, player: Player) -> "Match":
        """Drop: the opponent wins the value before the offer, after a beaver the one first offered (C3, C4)."""
        if self.phase == "beavered":
            self._must_accept(player)
            return self._won(other(player), self.cube // 2)
        self._must_answer(player, "doubled")
        return self._won(other(player), self.cube)

    def beaver(self, player: Player) -> "Match":
        """Take and double again at once, and keep the cube (C4)."""
        self._must_answer(player, "doubled")
        if self.options.length:
            raise MatchError("cube", "a beaver is for money play, this is a match")
        if not self.options.beaver:
            raise MatchError("cube", "beavers are not played here")
        if self.cube * 4 > self.options.cube_limit:
            raise MatchError("cube", f"a beaver to {self.cube * 4} is beyond the limit {self.options.cube_limit}")
        return replace(self, phase="beavered", cube=self.cube * 4, owner=player)

    def accept(self, player: Player) -> "Match":
        """Accept the beaver and play on."""
        self._must_accept(player)
        return replace(self, phase="to roll")

    def withdraw(self, player: Player) -> "Match":
        """Never allowed: an offer cannot be withdrawn (C1)."""
        raise MatchError("cube", "an offer cannot be withdrawn")

    def roll(self, player: Player) -> "Match":
        """Throw the dice."""
        what = "cube" if self.phase in ("doubled", "beavered") else "roll"
        self._must_play(player, what)
        if self.phase != "to roll":
            raise MatchError(what, f"expected no roll when the state is {self.phase!r}")
        return replace(self, phase="rolled")

    def play(self, player: Player, then: Turn = "own") -> "Match":
        """End a play: the opponent is on turn, or the player again for an ``extra`` roll (X6).

        ``left-over``: the opponent first plays what was left over (X7), and after that an own roll.
        """
        self._must_play(player, "play")
        if self.phase != "rolled" and self.part != "left-over":
            raise MatchError("play", "expected a roll first")
        following = player if then == "extra" or self.part == "left-over" else other(player)
        return replace(self, phase="to roll", turn=following, part=then, first_play=False)

    def win(self, player: Player, outcome: str, left: int | None = None) -> "Match":
        """Bear off the last checker; ``left``: the loser's checkers in play, where the system counts them."""
        self._must_play(player, "win")
        if self.phase not in ("to roll", "rolled"):
            raise MatchError("cube", "expected an answer to the double first")
        return self._won(player, self._points(outcome, left))

    def won(self, player: Player, result: Result) -> "Match":
        """The game with a result that is known (:meth:`Game.score` with cube 1)."""
        return self.win(player, result.outcome, result.base)

    def resign(self, player: Player, outcome: str) -> "Match":
        """Offer to concede an outcome (C7)."""
        self._must_go_on("resign")
        if self.offered:
            raise MatchError("resignation", f"{self.offered.player} has already offered to resign")
        if self.phase in ("doubled", "beavered"):
            raise MatchError("cube", "expected an answer to the double first")
        self._factor(outcome)
        return replace(self, offered=Resignation(player, outcome))

    def refuse(self, player: Player) -> "Match":
        """Refuse a resignation and play on."""
        self._resigned_to(player)
        return replace(self, offered=None)

    def accept_resign(self, player: Player, left: int | None = None) -> "Match":
        """Accept a resignation: the conceded outcome counts (R2)."""
        return self._won(player, self._points(self._resigned_to(player).outcome, left))

    def new_game(self, starter: Player) -> "Match":
        """Begin the next game: the cube is 1, in the middle."""
        if not self.game_over:
            raise MatchError("game", "the game is not over")
        if self.match_over:
            raise MatchError("match", f"the match is over: {self.score[0]} to {self.score[1]}")
        return Match(
            options=self.options, score=self.score, crawford_done=self.crawford_done, turn=starter, phase="to roll",
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """The fields of ``expect`` in the cube corpus, without ``error``."""
        return {
            "cube": self.cube,
            "owner": self.owner,
            "score": {"white": self.score[0], "black": self.score[1]},
            "game_over": self.game_over,
            "match_over": self.match_over,
            "last_game": list(self.last) if self.last else None,
            "crawford_game": self.crawford_game,
            "turn": self.turn,
        }

    def _won(self, winner: Player, points: int) -> "Match":
        white, black = self.score
        score = (white + points, black) if winner == "white" else (white, black + points)
        done = self.crawford_done or self.crawford_game
        over = replace(self, phase="over", turn=None, part="own", offered=None)
        return replace(over, score=score, crawford_done=done, last=(winner, points))

    def _points(self, outcome: str, left: int | None) -> int:
        """Base × factor × cube; without a turned cube only the single counts under the Jacoby rule (C6)."""
        factor = self._factor(outcome)
        if self.options.jacoby and not self.options.length and self.owner is None:
            factor = self._factor(SCORING[self.options.scoring].names()[0])
        base = 1
        if SCORING[self.options.scoring].base_is_left:
            if left is None:
                raise MatchError("outcome", f"{self.options.scoring} counts checkers: expected how many are left")
            base = left
        return base * factor * self.cube

    def _factor(self, outcome: str) -> int:
        system = SCORING[self.options.scoring]
        factors = {each.name: each.factor for each in system.outcomes} | dict(self.options.factors)
        if outcome not in system.names():
            raise MatchError("outcome", f"expected one of {', '.join(system.names())} ({system.name}), got {outcome!r}")
        return factors[outcome]

    def _must_go_on(self, what: str) -> None:
        if self.game_over:
            raise MatchError(what, "the match is over" if self.match_over else "the game is over")

    def _must_play(self, player: Player, what: str) -> None:
        """The player is on turn, and no resignation is waiting for an answer."""
        self._must_go_on(what)
        if self.offered:
            raise MatchError("resignation", f"expected an answer to the resignation of {self.offered.player} first")
        if player != self.turn:
            raise MatchError(what, f"{self.turn} is on turn, not {player}")

    def _must_answer(self, player: Player, phase: Phase) -> None:
        self._must_go_on("cube")
        if self.phase != phase:
            raise MatchError("cube", "nobody has offered a double")
        if player == self.turn:
            raise MatchError("cube", f"{player} has offered it: the opponent answers")

    def _must_accept(self, player: Player) -> None:
        self._must_go_on("cube")
        if self.phase != "beavered":
            raise MatchError("cube", "nobody has answered with a beaver")
        if player != self.turn:
            raise MatchError("cube", f"{player} has answered with it: the opponent accepts or drops")

    def _resigned_to(self, player: Player) -> Resignation:
        self._must_go_on("no resignation")
        if self.offered is None:
            raise MatchError("no resignation", "nobody has offered to resign")
        if self.offered.player == player:
            raise MatchError("no resignation", f"{player} has offered it: the opponent answers")
        return self.offered


ACTIONS: dict[str, Callable[..., Match]] = {
    "double": Match.double,
    "take": Match.take,
    "drop": Match.drop,
    "beaver": Match.beaver,
    "accept": Match.accept,
    "withdraw": Match.withdraw,
    "roll": Match.roll,
    "play": Match.play,
    "win": Match.win,
    "resign": Match.resign,
    "refuse": Match.refuse,
    "accept-resign": Match.accept_resign,
}


def act(state: Match, player: Player, do: str, *arguments: Any) -> Match:
    """The action by its name; ``new-game`` takes the starter, by default the one whom the rule names, or ``player``."""
    if do == "new-game":
        return state.new_game(arguments[0] if arguments else state.next_starter() or player)
    if do not in ACTIONS:
        raise OptionError(f"action: expected one of {', '.join((*ACTIONS, 'new-game'))}, got {do!r}")
    try:
        return ACTIONS[do](state, player, *arguments)
    except TypeError:
        raise OptionError(f"action {do}: expected other arguments, got {list(arguments)!r}") from None
