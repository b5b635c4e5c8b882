"""The phases of the table, and which may follow which: one table of transitions."""

from enum import StrEnum


class Phase(StrEnum):
    """What the table is doing."""

    SETUP = "SETUP"
    """No game: the start position (or a confirmed one) is awaited."""
    OPENING = "OPENING"
    """The start position is known; who starts is not."""
    WAITING_FOR_ROLL = "WAITING_FOR_ROLL"
    """The position is known and no valid roll lies."""
    MOVING = "MOVING"
    """A roll is known and its play is not final."""
    TURN_ENDED = "TURN_ENDED"
    """The dice were lifted, and what was played is not certain yet."""
    ILLEGAL = "ILLEGAL"
    """A turn ended on an illegal play: it is corrected, or it stands."""
    CUBE_OFFERED = "CUBE_OFFERED"
    """A double (or a beaver) waits for its answer."""
    BLIND = "BLIND"
    """Nothing can be seen: a hand that stays, darkness, a board that moved."""
    LOST = "LOST"
    """The board cannot be explained; the true position is asked for."""
    GAME_OVER = "GAME_OVER"
    """Somebody has won; the next game is awaited."""
    MATCH_OVER = "MATCH_OVER"
    """The target score is reached."""


_P = Phase
TRANSITIONS: dict[Phase, frozenset[Phase]] = {
    _P.SETUP: frozenset({_P.OPENING, _P.WAITING_FOR_ROLL, _P.BLIND, _P.LOST}),
    _P.OPENING: frozenset({_P.MOVING, _P.WAITING_FOR_ROLL, _P.SETUP, _P.BLIND, _P.LOST}),
    _P.WAITING_FOR_ROLL: frozenset({_P.MOVING, _P.CUBE_OFFERED, _P.BLIND, _P.LOST, _P.GAME_OVER, _P.SETUP}),
    _P.MOVING: frozenset({_P.TURN_ENDED, _P.WAITING_FOR_ROLL, _P.ILLEGAL, _P.BLIND, _P.LOST, _P.GAME_OVER, _P.OPENING}),
    _P.TURN_ENDED: frozenset({_P.MOVING, _P.WAITING_FOR_ROLL, _P.ILLEGAL, _P.BLIND, _P.LOST, _P.GAME_OVER, _P.OPENING}),
    _P.ILLEGAL: frozenset({_P.MOVING, _P.WAITING_FOR_ROLL, _P.TURN_ENDED, _P.BLIND, _P.LOST, _P.GAME_OVER}),
    _P.CUBE_OFFERED: frozenset({_P.WAITING_FOR_ROLL, _P.MOVING, _P.GAME_OVER, _P.BLIND, _P.LOST}),
    _P.BLIND: frozenset(_P) - {_P.BLIND},
    _P.LOST: frozenset({_P.WAITING_FOR_ROLL, _P.MOVING, _P.OPENING, _P.SETUP, _P.BLIND, _P.GAME_OVER}),
    _P.GAME_OVER: frozenset({_P.SETUP, _P.OPENING, _P.WAITING_FOR_ROLL, _P.MATCH_OVER, _P.BLIND}),
    _P.MATCH_OVER: frozenset({_P.SETUP, _P.BLIND}),
}
"""From each phase, the phases that may follow (staying is always allowed)."""
