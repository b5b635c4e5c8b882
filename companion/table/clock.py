"""A game clock (delay and bank) on the end-of-turn buttons: whose time runs, and what is left of it.

Whoever is on turn has a delay that costs nothing; then the own bank runs, which must last for the whole match. The turn
passes by the button, or when the dice are lifted, as without a clock. When a bank is used up the flag falls: that is
told, and what follows from it is for the players and their director. All times are those of frames and inputs.
"""

from dataclasses import replace

from companion.layout import Player
from companion.table.phases import Phase
from companion.table.settings import ClockSettings, Policy
from companion.table.state import Clock, TableState, other

_STANDS = {Phase.SETUP, Phase.OPENING, Phase.LOST, Phase.GAME_OVER, Phase.MATCH_OVER}


def wound(settings: ClockSettings | None) -> Clock | None:
    """The clock at the beginning of a match; None without one."""
    return None if settings is None else Clock((settings.bank_s, settings.bank_s), delay_s=settings.delay_s)


def whose(state: TableState, policy: Policy) -> Player | None:
    """Whose time runs; None while nobody's does: between games, during a pause, while the position is asked for.

    An offered double is the other's to answer. An illegal play must be put right in the own time under the policy
    ``legal``; where the opponent may choose, neither pays for it.
    """
    phase = state.before_blind if state.phase is Phase.BLIND else state.phase
    if state.turn is None or state.paused or phase is None or phase in _STANDS:
        return None
    if phase is Phase.ILLEGAL:
        return state.turn if policy == "legal" else None
    if phase is Phase.CUBE_OFFERED:
        return state.turn if state.cube.offer == "beavered" else other(state.turn)
    if state.roll is not None and state.roll.ended:
        return other(state.turn)
    return state.turn


def switched(clock: Clock, player: Player | None, t: float, delay_s: float) -> Clock:
    """The clock on which the time of ``player`` runs from ``t`` on; a delay that was interrupted goes on."""
    if player == clock.running:
        return clock
    stopped = stopped_at(clock, t)
    if player is None or player == stopped.last:
        return replace(stopped, running=player)
    return replace(stopped, running=player, last=player, delay_s=delay_s)


def stopped_at(clock: Clock, t: float) -> Clock:
    """What is left at the time ``t``, when it stops there."""
    player = clock.running
    if player is None:
        return replace(clock, since_s=t)
    passed = max(0.0, t - clock.since_s)
    white, black = clock.left
    paid = max(0.0, passed - clock.delay_s)
    left = (max(0.0, white - paid), black) if player == "white" else (white, max(0.0, black - paid))
    delay_s = round(max(0.0, clock.delay_s - passed), 3)
    return replace(clock, left=(round(left[0], 3), round(left[1], 3)), delay_s=delay_s, running=None, since_s=t)


def waited(clock: Clock, seconds: float) -> Clock:
    """The clock after so many seconds in which nothing could be seen, and which cost nobody anything."""
    return replace(clock, since_s=clock.since_s + seconds)


def flag_falls(clock: Clock, t: float) -> Player | None:
    """Whose bank is used up at the time ``t`` without having been told yet."""
    player = clock.running
    if player is None or player in clock.fallen:
        return None
    left = stopped_at(clock, t).left
    return player if left[0 if player == "white" else 1] <= 0 else None
