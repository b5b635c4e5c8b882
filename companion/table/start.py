"""Recognising a start position, and with it which way round the board is used."""

from collections.abc import Iterable

from companion.layout import CORNERS, Corner, Layout, Shade
from companion.observation import Observation
from companion.rules import Position
from companion.table.evidence import Evidence


def layouts(home: Corner | None, same_way: bool, white: Shade) -> tuple[Layout, ...]:
    """The layouts that are possible: one when the home corner is known, else four."""
    homes: Iterable[Corner] = CORNERS if home is None else (home,)
    return tuple(Layout(corner, same_way, white) for corner in homes)


def recognised(seen: Observation, position: Position, possible: Iterable[Layout], fit: float) -> Layout | None:
    """The layout under which the picture shows the position, or None when none or several do.

    ``fit`` is how many nats the position may be behind the best reading of the whole board.
    """
    found = [layout for layout in possible if Evidence(seen, layout).against(position) <= fit]
    return found[0] if len(found) == 1 else None
