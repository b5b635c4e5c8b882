"""Recognising a start position, and with it which way round the board is used."""

import math
from collections.abc import Iterable

from companion.layout import CORNERS, Corner, Layout, Shade
from companion.observation import Observation
from companion.rules import Position
from companion.table.evidence import Evidence

_AHEAD = 5.0
_CONSISTENT = 1.5


def layouts(home: Corner | None, same_way: bool, white: Shade) -> tuple[Layout, ...]:
    """The layouts that are possible: one when the home corner is known, else four."""
    homes: Iterable[Corner] = CORNERS if home is None else (home,)
    return tuple(Layout(corner, same_way, white) for corner in homes)


def recognised(seen: Observation, position: Position, possible: Iterable[Layout], fit: float) -> Layout | None:
    """The layout under which the picture shows the position, or None when none or several do.

    ``fit`` is how many nats the position may be behind the best reading of the whole board; the best layout must be
    clearly ahead of the second.
    """
    ranked = sorted((Evidence(seen, layout).against(position), i, layout) for i, layout in enumerate(possible))
    best, _, layout = ranked[0]
    ahead = ranked[1][0] - best if len(ranked) > 1 else math.inf
    if best > fit or ahead < _AHEAD or _other_position(Evidence(seen, layout), position):
        return None
    return layout


def _other_position(evidence: Evidence, position: Position) -> bool:
    """Whether the eyes see, beyond doubt, thirty checkers in another position."""
    _, free = evidence.free([position])
    consistent = evidence.best_possible - free <= _CONSISTENT
    return consistent and free - evidence.score(position) > _AHEAD
