"""When a camera may adapt to the light and when it must not: a picture that brightens by itself looks like a change."""

ADAPT = frozenset({"SETUP", "GAME_OVER", "MATCH_OVER", "LOST"})
"""Phases in which no game is read: exposure, white balance and focus follow the light."""

SETTLE_S = 2.0
"""So long a camera adapts after it was opened, whatever the phase."""


def wants_lock(phase: str, before: bool) -> bool:
    """Whether the camera is locked in this phase. While the board cannot be seen it stays as it was: what covers it
    would mislead the exposure.
    """
    return before if phase == "BLIND" else phase not in ADAPT
