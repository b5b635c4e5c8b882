"""What happened at the table: the nouns that ``table`` makes, ``signals`` shows, ``records`` keeps and ``replay``
prints.

Each event is a frozen dataclass with a JSON form (design.md §5): ``t`` in seconds of frame time, ``event``,
``player`` and ``dice`` (null when unknown), and what is its own. ``SCHEMA`` is the version of these forms; the first
line of a stream carries it. :class:`GameStarted`, :class:`Status`, :class:`TurnSeen` and :class:`ClockRuns` are kept
with them but are not part of the public stream: from what a record begins, what the lamps and the display follow
between two events, how a turn was seen, and whose time runs.
"""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

from companion.layout import Player

SCHEMA = 1
"""The version of the JSON forms; it grows when a reader of the old form would misread the new one."""

Dice = tuple[int, int]
Board = dict[str, Any]
"""``{"points": [24 signed ints], "bar": {"white", "black"}, "off": {"white", "black"}}``; index 0: White's 1-point."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """What all events have: the time in seconds, whose event it is and with which dice (None when unknown)."""

    name: ClassVar[str] = ""
    t: float
    player: Player | None = None
    dice: Dice | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON form; tuples become lists, the time has milliseconds."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("t", "player", "dice")}
        dice = None if self.dice is None else list(self.dice)
        head = {"t": round(self.t, 3), "event": self.name, "player": self.player, "dice": dice}
        return head | {key: _plain(value) for key, value in own.items()}

    @staticmethod
    def from_json(data: dict[str, Any]) -> "Event":
        """Read any event back; raises ValueError that names what is wrong."""
        kind = _KINDS.get(data.get("event", ""))
        if kind is None:
            raise ValueError(f"event: expected one of {', '.join(_KINDS)}, got {data.get('event')!r}")
        known = {f.name for f in fields(kind)}
        values = {k: _frozen(k, v) for k, v in data.items() if k not in ("event", "schema")}
        if not values.keys() <= known or "t" not in values:
            raise ValueError(f"event {kind.name}: expected the keys {', '.join(sorted(known))}, got {', '.join(data)}")
        return kind(**values)


@dataclass(frozen=True, kw_only=True)
class Rolled(Event):
    """A valid roll lies on the board; ``player`` is None until it is known who starts."""

    name: ClassVar[str] = "rolled"
    part: Literal["own", "extra"] = "own"


@dataclass(frozen=True, kw_only=True)
class VoidRoll(Event):
    """A roll that must be thrown again (D1)."""

    name: ClassVar[str] = "void-roll"
    why: Literal["cocked", "split", "rim", "outside", "on-checker"]


@dataclass(frozen=True, kw_only=True)
class PlayMade(Event):
    """A turn is final: exactly one for each finished roll (and for each part of a turn of several parts)."""

    name: ClassVar[str] = "play"
    play: str
    verdict: Literal["legal", "illegal"]
    board: Board
    part: Literal["own", "extra", "left-over"] = "own"
    reasons: tuple[str, ...] = ()
    confidence: float | None = None


@dataclass(frozen=True, kw_only=True)
class IllegalPlay(Event):
    """A turn ended on an illegal position: the rules broken, most telling first, and the mover's points concerned."""

    name: ClassVar[str] = "illegal-play"
    reasons: tuple[str, ...]
    points: tuple[int, ...] = ()
    play: str | None = None


@dataclass(frozen=True, kw_only=True)
class TakenBack(Event):
    """The position before an illegal play that had been noticed is on the board again."""

    name: ClassVar[str] = "taken-back"


@dataclass(frozen=True, kw_only=True)
class CubeAction(Event):
    """The cube: what ``player`` did, the value that then counts, and its owner (None: in the middle)."""

    name: ClassVar[str] = "cube"
    action: Literal["double", "take", "drop", "beaver", "accept"]
    value: int
    owner: Player | None = None
    flagged: bool = False


@dataclass(frozen=True, kw_only=True)
class Resigned(Event):
    """``player`` concedes the outcome."""

    name: ClassVar[str] = "resign"
    outcome: str


@dataclass(frozen=True, kw_only=True)
class GameWon(Event):
    """A game is over; ``score`` is the match score after it."""

    name: ClassVar[str] = "game"
    winner: Player
    outcome: str
    points: int
    score: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class MatchWon(Event):
    """A match is over."""

    name: ClassVar[str] = "match"
    winner: Player
    score: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Gap(Event):
    """Something happened that was not seen: the account goes on from ``board`` once it is confirmed (None before)."""

    name: ClassVar[str] = "gap"
    board: Board | None = None


@dataclass(frozen=True, kw_only=True)
class BoardMoved(Event):
    """The board or the camera was moved; the table looks for it again."""

    name: ClassVar[str] = "board-moved"
    residual_px: float


@dataclass(frozen=True, kw_only=True)
class FlagFell(Event):
    """The time of ``player`` is used up (a game clock is in use); the game goes on unless the players end it."""

    name: ClassVar[str] = "flag"


@dataclass(frozen=True, kw_only=True)
class Unfinished(Event):
    """The input ended while a roll was on the table."""

    name: ClassVar[str] = "unfinished"


@dataclass(frozen=True, kw_only=True)
class Status(Event):
    """What the table thinks between two events, for lamps, display and page; not in the public stream.

    ``phase`` is a phase of the table; ``provisional`` the verdict on a play that is still being made; ``message`` a key
    of the texts that a player sees, with its ``details``.
    """

    name: ClassVar[str] = "status"
    phase: str
    provisional: Literal["none", "legal", "incomplete", "illegal"] = "none"
    message: str = ""
    details: tuple[str, ...] = ()


DATED = "dated"
"""The first detail of a :class:`Status` without a message that tells, as the second, when the recording really began
(ISO 8601): a machine without a clock of its own learns the date while it runs.
"""


@dataclass(frozen=True, kw_only=True)
class GameStarted(Event):
    """The account of a game begins at ``board``: the start position, or any confirmed one; ``player`` starts."""

    name: ClassVar[str] = "start"
    game: str
    board: Board
    number: int = 1
    score: dict[str, int]


Reading = tuple[Player, int, int, str, float]
"""What a turn may have been: player, dice, play, and how many nats less likely than what was taken."""


@dataclass(frozen=True, kw_only=True)
class TurnSeen(Event):
    """How the turn was seen of which the next event tells the play; kept with it, and not in the public stream.

    ``sure`` is the probability of each die; ``rolled_s``, ``moved_s`` and ``lifted_s`` are the times (frames) of the
    first still pictures in which the dice lay, a checker stood elsewhere, and the dice lay no more, None where there
    was none; ``others`` what else it may have been, the likeliest first; ``by`` what made it final: dice that were
    lifted or thrown, a button, or the cube.
    """

    name: ClassVar[str] = "seen"
    sure: tuple[float, float]
    rolled_s: float | None = None
    moved_s: float | None = None
    lifted_s: float | None = None
    others: tuple[Reading, ...] = ()
    by: Literal["dice", "button", "cube"] = "dice"


@dataclass(frozen=True, kw_only=True)
class ClockRuns(Event):
    """From now on the time of ``player`` runs (None: nobody's), with so many seconds of each bank left and of the
    delay of this turn; kept with the others, and not in the public stream.
    """

    name: ClassVar[str] = "clock"
    left: dict[str, float]
    delay_s: float = 0.0


PUBLIC: tuple[type[Event], ...] = (
    Rolled,
    VoidRoll,
    PlayMade,
    IllegalPlay,
    TakenBack,
    CubeAction,
    Resigned,
    GameWon,
    MatchWon,
    Gap,
    BoardMoved,
    FlagFell,
    Unfinished,
)
NOTES = (Status, TurnSeen, ClockRuns)
"""What is kept beside the account and is no part of it."""
_ALL: tuple[type[Event], ...] = (*PUBLIC, GameStarted, *NOTES)
_KINDS = {kind.name: kind for kind in _ALL}


_TUPLES = ("dice", "reasons", "points", "details", "sure")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, tuple | list) else value


def _frozen(key: str, value: Any) -> Any:
    if key == "others" and isinstance(value, list):
        return tuple(tuple(each) for each in value)
    return tuple(value) if isinstance(value, list) and key in _TUPLES else value
