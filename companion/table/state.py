"""The memory of the table between two pictures: plain frozen values."""

from dataclasses import dataclass, field
from typing import Literal

from companion.events import Dice
from companion.layout import Layout, Player
from companion.observation import SeenDie
from companion.rules import LeftOver, Position, Verdict
from companion.table.cube import Cube
from companion.table.habits import Habits
from companion.table.phases import Phase

VoidWhy = Literal["cocked", "split", "rim", "outside", "on-checker"]
Provisional = Literal["none", "legal", "incomplete", "illegal"]


@dataclass(frozen=True)
class Roll:
    """A roll on the table: the dice as they lie (with their probabilities), whose it is, why it would be void.

    ``announced`` when its event was made; ``in_hand`` when an illegal play was taken back after the dice had been
    lifted: then the roll counts although no dice lie; ``ended`` when the player pressed the end-of-turn button.
    ``half_seen``: one die was not found; its value can only be told from a legal play, and nobody is accused unless the
    play is illegal whatever that die shows.
    ``opening``: nobody had played when it was thrown, so that lifting it unplayed is no pass; ``for_start``: it was
    thrown to see who starts (O1), and only becomes a roll when somebody plays it. ``played``: the legal play that was
    seen last while the dice lay, as dice and position. ``rolled_s``, ``moved_s`` and ``lifted_s``: see ``TurnSeen``.
    """

    lying: tuple[SeenDie, SeenDie]
    player: Player | None
    void: VoidWhy | None = None
    announced: bool = False
    in_hand: bool = False
    ended: bool = False
    part: Literal["own", "extra"] = "own"
    half_seen: bool = False
    opening: bool = False
    for_start: bool = False
    played: tuple[Dice, Position] | None = None
    rolled_s: float | None = None
    moved_s: float | None = None
    lifted_s: float | None = None

    @property
    def dice(self) -> Dice:
        """The most probable values, in the order in which the dice lie from left to right."""
        return self.lying[0].value, self.lying[1].value


@dataclass(frozen=True)
class Illegal:
    """A noticed illegal play: the position that it left, the verdict, whose it is, and the dice of it."""

    position: Position
    verdict: Verdict
    player: Player
    dice: Dice


@dataclass(frozen=True)
class Clock:
    """White's and Black's banks (seconds), as they were at ``since_s``; since then the time of ``running`` runs.

    ``delay_s`` is what was left of the delay then, in the turn of ``last``; ``fallen`` are those whose bank is used up.
    """

    left: tuple[float, float]
    delay_s: float = 0.0
    running: Player | None = None
    last: Player | None = None
    since_s: float = 0.0
    fallen: frozenset[Player] = frozenset()


@dataclass(frozen=True)
class TableState:
    """Everything that the table knows.

    ``spent`` are dice that still lie although a button has ended their turn, ``clutter`` what looks like a die when
    none lies (a hinge, the cube, an ornament), ``bystanders`` what looked so beside the dice of this roll. ``passed``
    is a roll that was lifted while nothing was moved: who moves next tells whether it was thrown again or counted as a
    turn without a move.
    ``left_over``: moves that the player on turn has to make before rolling (several where the board cannot tell how
    the other's turn ended). ``extra``: the next roll is one more of the same player (X6). ``trusted``: the position is
    known for certain; one that was only read from a picture after a gap is not, until a legal play has confirmed it.
    ``mislaid``: a checker lies on a tray that belongs on the bar, or the other way, and the players were told.
    """

    phase: Phase
    layout: Layout | None
    position: Position
    turn: Player | None = None
    played: frozenset[Player] = frozenset()
    roll: Roll | None = None
    spent: tuple[SeenDie, ...] = ()
    clutter: tuple[SeenDie, ...] = ()
    bystanders: tuple[SeenDie, ...] = ()
    passed: Roll | None = None
    left_over: tuple[LeftOver, ...] = ()
    extra: bool = False
    illegal: Illegal | None = None
    trusted: bool = True
    unexplained_since: float | None = None
    habits: Habits = field(default_factory=Habits)
    bumped_at: float | None = None
    before_blind: Phase | None = None
    paused: bool = False
    provisional: Provisional = "none"
    cube: Cube = field(default_factory=Cube)
    number: int = 1
    score: dict[str, int] = field(default_factory=lambda: {"white": 0, "black": 0})
    clock: Clock | None = None
    mislaid: bool = False


def other(player: Player) -> Player:
    """The opponent."""
    return "black" if player == "white" else "white"
