"""Which lamp is lit when: a pure function of the events and the time.

Lamps light the board, and the camera must not take that for evidence. So a lamp changes rarely, stays steady
while a picture is wanted, and blinks for at most a second, when nothing is being decided. What the lamps show in
which situation stands in ``patterns.toml``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from companion import events as ev
from companion.layout import Player
from companion.signals.patterns import LAMPS, Lamp, Mode, table
from companion.signals.scoreboard import Scoreboard, follow, noticed

Colour = Literal["dark", "white", "green", "amber", "red"]
"""What the RGB lamp of a side shows: white when it is that side's turn, else the verdict on it."""

_SIDES: tuple[Player, ...] = ("white", "black")
_VERDICTS: tuple[Literal["red", "amber", "green"], ...] = ("red", "amber", "green")


@dataclass(frozen=True)
class Cue:
    """A lamp's pattern, and when it began (seconds)."""

    pattern: str = "dark"
    since_s: float = 0.0

    def lit(self, t: float) -> bool:
        """Whether the lamp is lit at the time ``t``."""
        return table().patterns[self.pattern].lit(t - self.since_s)


@dataclass(frozen=True)
class Plan:
    """The cue of every lamp after the events so far."""

    view: Scoreboard = field(default_factory=Scoreboard)
    cues: Mapping[Lamp, Cue] = field(default_factory=lambda: {lamp: Cue() for lamp in LAMPS})
    mode: Mode = "referee"
    recording: bool = False

    def after(self, events: Iterable[ev.Event]) -> "Plan":
        """The plan when these events are known too; a pattern that stays the same does not begin again."""
        plan = self
        for event in events:
            plan = plan._at(follow(plan.view, event), event.t)
        return plan

    def noticing(self, key: str, on: bool, t: float) -> "Plan":
        """The plan while something is wrong with the machine itself (a key of the texts), or not any more."""
        return self._at(noticed(self.view, key, on), t)

    def filming(self, on: bool, t: float) -> "Plan":
        """The plan while whole frames are being stored, or not any more."""
        return replace(self, recording=on)._at(self.view, t)

    def levels(self, t: float) -> dict[Lamp, bool]:
        """Which lamps are lit at the time ``t``."""
        return {lamp: cue.lit(t) for lamp, cue in self.cues.items()}

    def colours(self, t: float) -> dict[str, Colour]:
        """The same for a table whose sides have one RGB lamp each: the verdict on a side hides that it is on turn."""
        lit = self.levels(t)
        colours: dict[str, Colour] = {side: "white" if lit[side] else "dark" for side in _SIDES}
        verdict = next((lamp for lamp in _VERDICTS if lit[lamp]), None)
        if verdict is not None:
            about = concerned(self.view)
            colours |= {side: verdict for side in _SIDES if about in (side, None)}
        return colours

    def _at(self, view: Scoreboard, t: float) -> "Plan":
        patterns = wanted(view, self.mode, self.recording)
        # A verdict is as old as the play: it does not begin anew when a hand or a cube has come between.
        played_s = view.last.t if view.last is not None and situation(view, self.mode) == "legal" else t
        changed: dict[Lamp, Cue] = {
            lamp: Cue(patterns[lamp], played_s if lamp == "green" else t)
            for lamp, cue in self.cues.items()
            if patterns[lamp] != cue.pattern
        }
        return replace(self, view=view, cues={**self.cues, **changed})


def situation(view: Scoreboard, mode: Mode) -> str:
    """The name of what is going on, as ``patterns.toml`` knows it: the two-stage signal of the table."""
    if "camera-lost" in view.notices:
        return "look"
    if view.winner is not None:
        return "won"
    if view.illegal:
        return "illegal"
    if view.void:
        return "void"
    if view.phase in ("BLIND", "LOST") or view.message.key == "uncertain":
        return "look"
    if view.phase == "CUBE_OFFERED":
        return "cube"
    if mode == "teach" and view.phase == "MOVING" and view.provisional != "none":
        return "hint-legal" if view.provisional == "legal" else "hint-doubt"
    if view.phase == "WAITING_FOR_ROLL" and view.last is not None:
        return "legal" if view.last.verdict == "legal" else "stood"
    return "turn"


def concerned(view: Scoreboard) -> Player | None:
    """Whom a verdict is about: who made the last play, or who is on turn; None: both."""
    if view.winner is None and not view.illegal and not view.void and view.phase == "WAITING_FOR_ROLL":
        return None if view.last is None else view.last.player
    return view.winner or view.player


def wanted(view: Scoreboard, mode: Mode, recording: bool = False) -> dict[Lamp, str]:
    """The pattern of every lamp for what is shown."""
    known = table()
    roles: Mapping[str, Player | None] = {"player": view.player, "asked": view.asked, "winner": view.winner}
    lit: dict[str, str] = {"recording": "steady"} if recording else {}
    for lamp, pattern in known.situations[situation(view, mode)].items():
        lit[roles[lamp] or "" if lamp in roles else lamp] = pattern
    return {lamp: lit.get(lamp, "dark") if lamp in known.shown[mode] else "dark" for lamp in LAMPS}
