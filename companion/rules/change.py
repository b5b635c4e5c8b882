"""What changed on the board, before anything is said about dice."""

from dataclasses import dataclass
from itertools import accumulate
from operator import sub

from companion.rules.movement import Movement
from companion.rules.position import BAR, CHECKERS, OFF, Cells, Position


@dataclass(frozen=True, slots=True)
class Change:
    """From one position to another as the mover sees them; the second may be anything that a camera can report.

    ``own`` are the mover's counts after it (25 elements and the bar), ``hits`` the points whose blot was hit,
    ``closed`` the points that the mover now holds although the opponent closed them, ``disturbed`` the points
    where the opponent's checkers are not what they were for no such reason. ``miscounted``: somebody does not
    have fifteen checkers.
    """

    own: Cells
    hits: frozenset[int]
    closed: frozenset[int]
    disturbed: frozenset[int]
    miscounted: bool

    def needed(self, cells: Cells) -> list[int]:
        """How many checkers must still pass from above each point to that point or below; negative: one went back."""
        return list(accumulate(map(sub, self.own, [n if n > 0 else 0 for n in cells])))

    def moved(self, cells: Cells) -> list[int]:
        """The points where the mover's number is another than in ``cells``."""
        return [point for point in range(BAR, OFF, -1) if self.own[point] != max(cells[point], 0)]


def compare(before: Position, after: Position, movement: Movement) -> Change:
    """Both positions in the mover's view."""
    own = (after.off[0], *(max(n, 0) for n in after.points), after.bar[0])
    hits, closed, disturbed = set(), set(), set()
    for point, (then, now) in enumerate(zip(before.points, after.points, strict=True), 1):
        was, stays = max(-then, 0), max(-now, 0)
        if was == stays:
            continue
        if was == 1 and stays == 0 and movement.hits:
            hits.add(point)
        elif now > 0:
            closed.add(point)
        else:
            disturbed.add(point)
    if after.off[1] != before.off[1]:
        disturbed.add(OFF)
    # Whoever is gone from the points stands on the bar then, or checkers have vanished.
    miscounted = after.counts() != (CHECKERS, CHECKERS)
    return Change(own, frozenset(hits), frozenset(closed), frozenset(disturbed), miscounted)
