"""What the page needs of the rest of the program: small protocols, given to it by the command line.

The page is a stage and imports no other. Every method may be called from the page's own threads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.events import Board, Dice
from companion.frame import Image
from companion.inputs import InputKind, Side
from companion.layout import Player

Corners = tuple[tuple[float, float], ...]
"""TL, TR, BR, BL of the playing field in pixels of the picture."""


class Words(Protocol):
    """What lamps and display say, in the language of now (``companion.languages``)."""

    def phase(self, view: Mapping[str, Any]) -> str:
        """What the table waits for, in one line; ``view`` is ``Scoreboard.to_json``."""
        ...

    def message(self, view: Mapping[str, Any]) -> str:
        """What the table has to say; empty when nothing."""
        ...

    def rule(self, reason: str) -> str:
        """A broken rule (rules.md §8), the cause of a void roll, an outcome or a cube action in words."""
        ...


@dataclass(frozen=True)
class Choice:
    """What a turn may have been: dice, play in the mover's numbering, the position after it (White's view)."""

    dice: Dice | None
    play: str
    board: Board


@dataclass(frozen=True)
class TurnCard:
    """One turn of an old or a running game, ``number`` counting from 1 in its match; ``before`` is None after a gap."""

    number: int
    game: int
    player: Player
    dice: Dice | None
    play: str
    verdict: str
    board: Board
    before: Board | None = None
    reasons: tuple[str, ...] = ()
    t: float = 0.0
    confidence: float | None = None
    fixed: bool = False


@dataclass(frozen=True)
class GameCard:
    """One game of a match: its result, or None while it goes on."""

    number: int
    winner: Player | None = None
    outcome: str = ""
    points: int = 0


@dataclass(frozen=True)
class MatchCard:
    """One match in the list of old games; ``names`` may be shown to paired visitors only, ``mirrored``: clockwise."""

    id: int
    game: str
    started: str
    names: Mapping[str, str]
    score: Mapping[str, int]
    turns: int
    games: tuple[GameCard, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    mirrored: bool = False


@dataclass(frozen=True)
class PersonCard:
    """What all matches of a person (or of everybody: no name) add up to.

    ``won`` and ``lost`` count games by outcome, ``thrown`` the numbers 1 to 6 (``expected`` of each with fair dice),
    ``broken`` the rules by how often; ``fair`` is None where too little was thrown to tell.
    """

    name: str
    won: Mapping[str, int]
    lost: Mapping[str, int]
    points: tuple[int, int]
    turns: int
    passes: int
    pips: float | None
    doubles: int
    rolls: int
    seconds: float | None
    thrown: tuple[int, ...]
    broken: Mapping[str, int]
    stood: int
    fair: bool | None

    @property
    def expected(self) -> float:
        """How often fair dice would have shown each number."""
        return self.rolls / 3


@dataclass(frozen=True)
class Export:
    """A file to download."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True)
class Clash:
    """A correction after which a later turn cannot be as it was read: why, what may be changed about it (each a change
    that goes into the list of changes as it is), and the position before it."""

    turn: int
    player: Player | None
    why: str
    before: Board
    remedies: tuple[Mapping[str, Any], ...]


class Archive(Protocol):
    """The record store, as the page uses it."""

    def people(self) -> Sequence[str]:
        """Who has played here, whoever has most matches first."""
        ...

    def person(self, name: str) -> PersonCard:
        """What the matches of a person add up to; of everybody, when no name is given."""
        ...

    def formats(self, match: int) -> Sequence[str]:
        """The formats in which a match can be had."""
        ...

    def matches(self) -> Sequence[MatchCard]:
        """All matches, newest first."""
        ...

    def match(self, match: int) -> MatchCard | None:
        """One match, or None when there is none of this id."""
        ...

    def turns(self, match: int) -> Sequence[TurnCard]:
        """Its turns in order, as they stand after corrections."""
        ...

    def alternatives(self, match: int, turn: int) -> Sequence[Choice]:
        """Up to four likely readings of a turn, the likeliest first, without the one that stands."""
        ...

    def fix(self, match: int, changes: Sequence[Mapping[str, Any]]) -> Clash | None:
        """Change turns: ``{"turn", "roll", "play"}`` and what a clash has offered, applied one after the other, all or
        nothing; what was recorded stays underneath. Raises CompanionError."""
        ...

    def evidence(self, match: int, turn: int) -> bytes | None:
        """The roll as the camera saw it (JPEG), while it is kept."""
        ...

    def export(self, match: int, form: str) -> Export:
        """The match in one of its formats; raises CompanionError where that cannot be."""
        ...


@dataclass(frozen=True)
class Wanted:
    """What the set-up page asks for, checked as far as the page can: the rest refuses it with a CompanionError."""

    game: str
    options: Mapping[str, Any]
    mode: str
    policy: str
    white: str
    names: Mapping[str, str]
    corners: Corners | None
    size: tuple[int, int] | None
    home: str | None
    profile: str | None = None


class Rigging(Protocol):
    """Camera and pipeline, as the page uses them."""

    def look(self) -> Image | None:
        """The newest picture of the camera (height × width × 3, uint8, BGR), None when there is none yet."""
        ...

    def drawn(self) -> Image | None:
        """The same with what was read drawn over it."""
        ...

    def seen(self) -> Corners | None:
        """The corners at which the table sees the board now, None when it does not."""
        ...

    def find(self, picture: Image) -> Corners | None:
        """The board's corners in a picture, None when none is found."""
        ...

    def begin(self, wanted: Wanted) -> None:
        """Start a match; raises CompanionError or RulesError in one line when something does not fit."""
        ...


class Presses(Protocol):
    """The queue of inputs."""

    def press(self, kind: InputKind, side: Side | None) -> None:
        """A button was pressed on the page, now."""
        ...


class Doctor(Protocol):
    """The machine's check."""

    def findings(self) -> Sequence[Mapping[str, str]]:
        """``{"state": "ok|warn|fail", "what", "advice"}`` for each check."""
        ...


@dataclass(frozen=True)
class Ports:
    """Everything together; what is None is not offered on the page."""

    words: Words
    presses: Presses | None = None
    archive: Archive | None = None
    rigging: Rigging | None = None
    doctor: Doctor | None = None
