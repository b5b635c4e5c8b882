"""Which lamp is lit when: a pure function of the events and the time.

Lamps light the board, and the camera must not take that for evidence. So a lamp changes rarely, stays steady
while a picture is wanted, and blinks for at most a second, when nothing is being decided.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from companion import events as ev
from companion.signals.scoreboard import Scoreboard, follow

Lamp = Literal["white", "black", "green", "amber", "red", "recording"]
LAMPS: tuple[Lamp, ...] = ("white", "black", "green", "amber", "red", "recording")
"""White's and Black's turn; legal; please look; illegal; whole frames are being recorded."""

Mode = Literal["teach", "referee", "director", "silent"]
SHOWN: Mapping[Mode, frozenset[Lamp]] = {
    "teach": frozenset(LAMPS),
    "referee": frozenset(LAMPS),
    "director": frozenset({"white", "black", "recording"}),
    "silent": frozenset({"recording"}),
}
"""The lamps that each mode uses; hints while a play is being made are for ``teach`` alone."""

LONGEST_BLINK_S = 1.0


@dataclass(frozen=True)
class Pattern:
    """A lamp is lit and dark in turn for these durations, and then stays as ``then`` says."""

    blink_s: tuple[float, ...] = ()
    then: bool = False

    def __post_init__(self) -> None:
        if sum(self.blink_s) > LONGEST_BLINK_S + 1e-9:
            raise ValueError(f"blinking: expected at most {LONGEST_BLINK_S} s, got {sum(self.blink_s):.2f} s")

    def lit(self, age_s: float) -> bool:
        """Whether the lamp is lit so long after the pattern began."""
        passed = sum(end <= age_s + 1e-9 for end in accumulate(self.blink_s))
        return self.then if passed == len(self.blink_s) else passed % 2 == 0


PATTERNS: Mapping[str, Pattern] = {
    "dark": Pattern(),
    "steady": Pattern(then=True),
    "won": Pattern((0.2, 0.1, 0.2, 0.1, 0.2, 0.1), then=True),
}


@dataclass(frozen=True)
class Cue:
    """A lamp's pattern, and when it began (seconds)."""

    pattern: str = "dark"
    since_s: float = 0.0

    def lit(self, t: float) -> bool:
        """Whether the lamp is lit at the time ``t``."""
        return PATTERNS[self.pattern].lit(t - self.since_s)


@dataclass(frozen=True)
class Plan:
    """The cue of every lamp after the events so far."""

    view: Scoreboard = field(default_factory=Scoreboard)
    cues: Mapping[Lamp, Cue] = field(default_factory=lambda: {lamp: Cue() for lamp in LAMPS})
    mode: Mode = "referee"
    recording: bool = False

    def after(self, events: Iterable[ev.Event]) -> "Plan":
        """The plan when these events are known too; a pattern that stays the same does not begin again."""
        view, cues = self.view, dict(self.cues)
        for event in events:
            view = follow(view, event)
            patterns = wanted(view, self.mode, self.recording)
            for lamp, cue in cues.items():
                if patterns[lamp] != cue.pattern:
                    cues[lamp] = Cue(patterns[lamp], event.t)
        return Plan(view, cues, self.mode, self.recording)

    def levels(self, t: float) -> dict[Lamp, bool]:
        """Which lamps are lit at the time ``t``."""
        return {lamp: cue.lit(t) for lamp, cue in self.cues.items()}


def wanted(view: Scoreboard, mode: Mode, recording: bool = False) -> dict[Lamp, str]:
    """The pattern of every lamp for what is shown: the two-stage signal of the table."""
    lit: dict[Lamp, str] = {"recording": "steady"} if recording else {}
    if view.winner is not None:
        lit[view.winner] = "won"
    elif view.player is not None:
        lit[view.player] = "steady"
    if view.illegal:
        lit["red"] = "steady"
    elif view.void or view.phase in ("BLIND", "LOST") or view.message.key == "uncertain":
        lit["amber"] = "steady"
    elif mode == "teach" and view.phase == "MOVING" and view.provisional != "none":
        lit["green" if view.provisional == "legal" else "amber"] = "steady"
    elif view.phase in ("WAITING_FOR_ROLL", "GAME_OVER", "MATCH_OVER") and _last_legal(view):
        lit["green"] = "steady"
    return {lamp: lit.get(lamp, "dark") if lamp in SHOWN[mode] else "dark" for lamp in LAMPS}


def _last_legal(view: Scoreboard) -> bool:
    return view.last is not None and view.last.verdict == "legal"


def sequence(events: Sequence[ev.Event], times: Iterable[float], mode: Mode = "referee") -> list[dict[Lamp, bool]]:
    """The levels at each of these times, from what had happened by then."""
    return [Plan(mode=mode).after(e for e in events if e.t <= t).levels(t) for t in times]
