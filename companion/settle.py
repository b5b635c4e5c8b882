"""Observations → one settled observation: stillness and agreement, in seconds, not in frames.

A picture is evidence when nothing moves, no hand is over the board and the readings agree. While it stays so, every
further reading is added, and the settled observation gets surer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.layout import SLOTS
from companion.observation import FLOOR, LOG_FLOOR, Content, Observation, Reading, SeenDie, Settled

SURE = 0.9


@dataclass(frozen=True)
class SettleSettings:
    """How long a picture must be still, from how many readings, and how many of the last readings count."""

    dwell_s: float = 0.3
    min_readings: int = 2
    window: int = 8
    moving: float = 0.5
    hand: float = 0.5


class Settle:
    """Feed it every observation; it answers with a settled one, or None while there is none."""

    def __init__(self, settings: SettleSettings | None = None) -> None:
        self.settings = settings or SettleSettings()
        self._kept: list[Observation] = []
        self._since: float | None = None
        self._moved = True

    def step(self, seen: Observation) -> Settled | None:
        """Take one observation in order of time."""
        if seen.motion > self.settings.moving or seen.hand > self.settings.hand:
            self._restart(seen.t)
        if not seen.full or seen.hand > self.settings.hand:
            return None
        if self._kept and not agree(self._kept[-1], seen):
            self._restart(seen.t)
        if self._since is None:
            self._since = seen.t
        self._kept = [*self._kept, seen][-self.settings.window :]
        if seen.t - self._since < self.settings.dwell_s - 1e-6 or len(self._kept) < self.settings.min_readings:
            return None
        settled = Settled(merged(self._kept), self._since, len(self._kept), self._moved)
        self._moved = False
        return settled

    def reset(self) -> None:
        """Forget what was seen (the lamps changed, the board was moved)."""
        self._kept, self._since, self._moved = [], None, True

    def _restart(self, t: float) -> None:
        """What moved had moved by ``t``: if the next frames are still, the picture has been so since then."""
        self._kept, self._since, self._moved = [], t, True


def agree(a: Observation, b: Observation) -> bool:
    """Whether two readings show the same table: what one is sure of, the other does not contradict."""
    if (a.board.corners is None) != (b.board.corners is None):
        return False
    if a.dice is not b.dice:
        for one, other in ((a, b), (b, a)):
            if any(die.presence > SURE and partner(die, other.dice) is None for die in one.dice):
                return False
    if a.slots is b.slots:
        return True
    for slot in SLOTS:
        first, second = a.slots.get(slot), b.slots.get(slot)
        if first is second or first is None or second is None or first.best == second.best:
            continue
        if min(first.confidence, second.confidence) > SURE:
            return False
    return True


def partner(die: SeenDie, others: Sequence[SeenDie]) -> SeenDie | None:
    """The die of another reading that lies at the same place (within 0.6 of its size), or None."""
    size = max(die.box[2], die.box[3], 1.0)
    near = [(math.dist(centre(die), centre(other)), index) for index, other in enumerate(others)]
    if not near or min(near)[0] > 0.6 * size:
        return None
    return others[min(near)[1]]


def centre(die: SeenDie) -> tuple[float, float]:
    """The middle of the die's box in pixels of the frame."""
    x, y, width, height = die.box
    return x + width / 2, y + height / 2


def merged(kept: Sequence[Observation]) -> Observation:
    """The readings of one still picture as one: geometric means, since their errors are not independent.

    A hidden cause (glare, a look-alike) errs the same way in every frame, so that evidence is averaged and never
    summed.
    """
    last = kept[-1]
    slots = last.slots
    if any(o.slots is not slots for o in kept):
        slots = {slot: _mean([o.slots.get(slot) for o in kept]) for slot in last.slots}
    dice = last.dice
    if any(o.dice is not dice for o in kept):
        dice = tuple(_mean_die(die, kept) for die in _all_dice(kept))
    return replace(
        last,
        board=replace(last.board, residual_px=max(o.board.residual_px for o in kept)),
        slots=slots,
        bar=_mean([o.bar for o in kept]),
        off=_mean([o.off for o in kept]),
        dice=dice,
        motion=0.0,
    )


def _mean(readings: Sequence[Reading | None]) -> Reading | None:
    """The geometric mean; of one and the same reading it is that reading."""
    if all(r is readings[0] for r in readings):
        return readings[0]
    seen = [r for r in readings if r is not None]
    if not seen:
        return None
    contents: set[Content] = {content for reading in seen for content in reading.probabilities}
    logs = {c: sum(r.logs.get(c, LOG_FLOOR) for r in seen) / len(seen) for c in contents}
    total = sum(math.exp(value) for value in logs.values())
    return Reading({c: math.exp(value) / total for c, value in logs.items()})


def _all_dice(kept: Sequence[Observation]) -> list[SeenDie]:
    """Every die that any of the readings saw, once, as it was seen last."""
    dice: list[SeenDie] = []
    for seen in reversed(kept):
        dice += [die for die in seen.dice if partner(die, dice) is None]
    return dice


def _mean_die(die: SeenDie, kept: Sequence[Observation]) -> SeenDie:
    same = [other for o in kept if (other := partner(die, o.dice)) is not None]
    logs = [sum(math.log(max(d.values[i], FLOOR)) for d in same) / len(same) for i in range(6)]
    total = sum(math.exp(v) for v in logs)
    v = [math.exp(value) / total for value in logs]
    return replace(
        die,
        values=(v[0], v[1], v[2], v[3], v[4], v[5]),
        cocked=sum(d.cocked for d in same) / len(same),
        presence=sum(d.presence for d in same) / len(kept),
        on_checker=sum(d.on_checker for d in same) / len(same),
    )
