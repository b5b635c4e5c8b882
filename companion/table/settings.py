"""What the people at this table have agreed on, and how sure the table must be."""

from dataclasses import dataclass
from typing import Literal

Mode = Literal["teach", "referee", "director", "silent"]
Policy = Literal["legal", "responsible", "demand"]


@dataclass(frozen=True)
class ClockSettings:
    """A game clock: ``bank_s`` seconds for each player and the whole match, ``delay_s`` free ones in each turn."""

    bank_s: float
    delay_s: float = 0.0


@dataclass(frozen=True)
class TableSettings:
    """Settings of one table; times in seconds of frame time, evidence in nats. House rules are options of the game.

    ``margin`` is how far the best legal play must be ahead of the second; ``illegal`` how much better an illegal
    explanation must be than any legal one; ``fit`` how far a position may be behind the best reading and still count as
    lying there, ``start`` the same for the start position, which is worth a few misread points. ``accuse_s`` is how
    long a picture must have been still before an accusation, ``pass_s`` the same where the dice were lifted and nothing
    was moved, ``lost_s`` how long a board may stay unexplained, ``blind_s`` how long nothing may be still,
    ``bumped_px`` how far the board must have moved to be reported. ``clock``: None, and nobody's time is counted.
    """

    mode: Mode = "referee"
    policy: Policy = "legal"
    margin: float = 2.5
    illegal: float = 9.0
    fit: float = 6.5
    start: float = 25.0
    sure_die: float = 0.9
    accuse_s: float = 0.4
    pass_s: float = 1.2
    lost_s: float = 4.0
    blind_s: float = 5.0
    bumped_px: float = 4.0
    hypotheses: int = 5
    clock: ClockSettings | None = None
