"""Thirty checkers: what the places of a board hold, given that each side has fifteen.

A place that is read as five or six, beside others that are sure, is told by what is missing. Every way to share the
fifteen checkers of each side among points, bar and trays is weighed, by sums over places (the forward-backward method
of hidden Markov models, whose state is how many checkers of each side have been counted so far).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.observation import FLOOR, Content, Observation, Reading

CHECKERS = 15
OFF_NONE = (0.98, 0.2)
"""How probable it is that a side has borne nothing off: while some of its checkers are away from home, and when all
that are left stand in one quarter. Any other number off is equally probable.
"""
LEAST_SURE = 0.02
"""Each reading is mixed with so much of any neighbouring count: networks are surer than they should be about stacks
of a kind that they never saw."""
_SIZE = CHECKERS + 1
_QUARTERS = tuple(tuple(f"{row}{column}" for column in range(first, first + 6)) for row in "TB" for first in (0, 6))

Totals = NDArray[np.float64]
"""Weights by how many light (rows) and dark (columns) checkers were counted, (16, 16)."""


def conserved(seen: Observation) -> Observation:
    """The observation of one picture, its contents as they are probable for thirty checkers.

    ``off`` is what is neither on the points nor on the bar. Where something is hidden, or nothing fits, each place
    keeps its own reading and ``off`` is unknown.
    """
    if not seen.slots:
        return seen
    places: dict[str, Reading | None] = {**seen.slots, "bar": seen.bar}
    if any(reading is None for reading in places.values()):
        return seen
    known = [_softened(reading) for reading in places.values() if reading is not None]
    off = [_off_before(places, side) for side in (0, 1)]
    before, after = _forward(known), _backward(known, np.outer(off[0][::-1], off[1][::-1]))
    if before[-1].max() <= 0 or (before[-1] * after[-1]).sum() <= 0:
        return seen
    joint = [_joint(reading, b, a) for reading, b, a in zip(known, before, after[1:], strict=False)]
    by_name = dict(zip(places, joint, strict=True))
    return replace(
        seen,
        slots={slot: by_name[slot] for slot in seen.slots},
        bar=by_name["bar"],
        off=_off(before[-1] * after[-1]),
    )


def _off_before(places: Mapping[str, Reading | None], side: int) -> NDArray[np.float64]:
    """How probable each number off (0 … 15) of a side is, by where its checkers stand."""
    free = {name: sum(p for c, p in r.probabilities.items() if c[side] == 0) for name, r in places.items() if r}
    home = max(np.prod([p for name, p in free.items() if name not in quarter]) for quarter in _QUARTERS)
    none = OFF_NONE[0] + (OFF_NONE[1] - OFF_NONE[0]) * float(home)
    return np.array([none] + [(1 - none) / CHECKERS] * CHECKERS)


def _softened(reading: Reading) -> dict[Content, float]:
    """A reading with a little of the counts next to those that are probable."""
    soft = {content: p * (1 - LEAST_SURE) for content, p in reading.probabilities.items()}
    for (light, dark), p in reading.probabilities.items():
        if (light == 0) == (dark == 0):
            continue
        near = [(light + step * (light > 0), dark + step * (dark > 0)) for step in (-1, 1)]
        for content in near:
            if 0 < sum(content) <= CHECKERS:
                soft[content] = soft.get(content, 0.0) + p * LEAST_SURE / 2
    return soft


def _shifted(weights: Totals, content: Content, sign: int) -> Totals:
    """The weights after (sign 1) or before (-1) so many checkers were counted."""
    light, dark = content
    out = np.zeros_like(weights)
    if sign > 0:
        out[light:, dark:] = weights[: _SIZE - light, : _SIZE - dark]
    else:
        out[: _SIZE - light, : _SIZE - dark] = weights[light:, dark:]
    return out


def _forward(places: Sequence[Mapping[Content, float]]) -> list[Totals]:
    """Before each place, and after the last: the probability of what was counted so far."""
    start = np.zeros((_SIZE, _SIZE))
    start[0, 0] = 1.0
    steps = [start]
    for place in places:
        steps.append(sum((p * _shifted(steps[-1], c, 1) for c, p in place.items()), np.zeros((_SIZE, _SIZE))))
    return steps


def _backward(places: Sequence[Mapping[Content, float]], end: Totals) -> list[Totals]:
    """From each place on, and after the last: the probability of what is still to be counted; ``end`` weighs the
    totals of points and bar by what is then off."""
    steps = [end]
    for place in reversed(places):
        steps.append(sum((p * _shifted(steps[-1], c, -1) for c, p in place.items()), np.zeros((_SIZE, _SIZE))))
    return steps[::-1]


def _joint(place: Mapping[Content, float], before: Totals, after: Totals) -> Reading:
    weights = {c: p * float((before * _shifted(after, c, -1)).sum()) for c, p in place.items()}
    total = sum(weights.values())
    return Reading({c: w / total for c, w in weights.items() if w > FLOOR * total})


def _off(totals: Totals) -> Reading:
    """What is missing from fifteen of each side, from the weights of all totals."""
    weights = totals / totals.sum()
    most = np.argsort(weights.ravel())[::-1][:8]
    found = {(CHECKERS - int(i) // _SIZE, CHECKERS - int(i) % _SIZE): float(weights.ravel()[i]) for i in most}
    return Reading({content: p for content, p in found.items() if p > FLOOR})
