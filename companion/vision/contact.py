"""Whether a die touches a checker: what the reader of dice cannot see in a crop, the board's geometry tells.

A die leans only where something is to lean on, and stands on a checker only where one lies. Where the checkers lie is
known from what was read: the first five of a slot lie side by side from the rim, longer columns where their tops were
seen. The distance to the nearest middle of a checker, in widths of a point, shifts the odds that the reader gives to
"cocked"; the shift is the logarithm of how much more often cocked dice than flat ones lie at that distance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.observation import Reading, SeenDie
from companion.vision.rectify import RIM_SLOTS, SLOT_PX, STRIP_W, Rectifier

Points = NDArray[np.float64]

DISTANCES = (0.45, 0.75, 1.05, 1.5, 2.2)
EVIDENCE = (3.5, 2.0, 0.8, -0.8, -2.5)
"""Nats for "cocked" at each of the distances, straight lines between (rendered scenes used for training)."""
RESERVE = 1.7
"""So many nats are taken away from "cocked": a flat die called cocked costs a player the roll."""
ON_TOP = 0.45
"""A die nearer than this to the middle of a checker stands on it."""
SIDE_BY_SIDE = 5
"""So many checkers of a slot lie side by side; more lie on top of them, or closer."""
REACH = 0.5
GAP = 1.5
"""A top belongs to a slot's column within ``REACH`` points of its middle, and follows the one before within ``GAP``."""
FOOT = 0.15
"""The foot of a die lies so far below the middle of its box, in sides of the box."""


def with_contact(
    dice: Sequence[SeenDie], slots: Mapping[str, Reading | None], tops: Points, rectifier: Rectifier
) -> tuple[SeenDie, ...]:
    """The dice with ``cocked`` and ``on_checker`` as the checkers near them suggest.

    ``tops`` (n × 2) are middles of tops of checkers in pixels of the strips (see ``vision.rectify``).
    """
    if not dice:
        return ()
    lying, seen = _lying(slots), _columns(slots, tops)
    if not len(lying) + len(seen):
        return tuple(_judged(die, DISTANCES[-1]) for die in dice)
    return tuple(_judged(die, _distance(die, lying, seen, rectifier)) for die in dice)


def _judged(die: SeenDie, distance: float) -> SeenDie:
    p = min(max(die.cocked, 0.01), 0.99)
    odds = float(np.log(p / (1 - p))) + float(np.interp(distance, DISTANCES, EVIDENCE)) - RESERVE
    cocked = float(1 / (1 + np.exp(-odds)))
    return replace(die, cocked=cocked, on_checker=cocked if distance < ON_TOP else 0.0)


def _distance(die: SeenDie, lying: Points, seen: Points, rectifier: Rectifier) -> float:
    """How far in widths of a point the die is from the nearest checker: its foot from those that are known to lie, its
    middle from the tops that were seen."""
    x, y, width, height = die.box
    middle = (x + width / 2, y + height / 2)
    foot = (middle[0], middle[1] + FOOT * height)
    nearest = [DISTANCES[-1]]
    for place, checkers in ((foot, lying), (middle, seen)):
        if len(checkers):
            strips = np.concatenate(rectifier.strip_points(np.array([place])))
            apart = np.linalg.norm(checkers[None] - strips[:, None], axis=2)
            nearest.append(float(apart.min()) / SLOT_PX)
    return min(nearest)


def _lying(slots: Mapping[str, Reading | None]) -> Points:
    """Middles of the checkers that lie side by side, in pixels of the strips."""
    places = [
        (_middle(slot), (RIM_SLOTS + index + 0.5) * SLOT_PX)
        for slot, count in _counts(slots)
        for index in range(min(count, SIDE_BY_SIDE))
    ]
    return np.array(places, np.float64).reshape(-1, 2)


def _columns(slots: Mapping[str, Reading | None], tops: Points) -> Points:
    """The tops that belong to columns of more than five checkers."""
    kept: list[Points] = []
    for slot, count in _counts(slots):
        if count <= SIDE_BY_SIDE or not len(tops):
            continue
        near = tops[np.abs(tops[:, 0] - _middle(slot)) < REACH * SLOT_PX]
        column = near[np.argsort(near[:, 1])][:count]
        broken = np.flatnonzero(np.diff(column[:, 1]) > GAP * SLOT_PX)
        kept.append(column[: broken[0] + 1] if len(broken) else column)
    return np.concatenate(kept) if kept else np.empty((0, 2))


def _counts(slots: Mapping[str, Reading | None]) -> list[tuple[str, int]]:
    best = [(slot, seen.best) for slot, seen in slots.items() if seen is not None]
    return [(slot, light + dark) for slot, (light, dark) in best if light + dark]


def _middle(slot: str) -> float:
    """Where the middle of a slot's column lies across the strips, in pixels."""
    index = int(slot[1:])
    column = index + 1 + (index >= 6)
    return (column + 0.5) * SLOT_PX + (STRIP_W / 2 if slot[0] == "B" else 0.0)
