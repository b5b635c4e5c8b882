"""Where a progression may have led (X1): its end positions are millions, so that the picture proposes them.

A progression moves only the player's own checkers, and hits nobody. The readings of the points are combined, the most
probable combination first, and those are proposed whose checkers and pips can come of the doubles.
"""

import heapq
from collections.abc import Iterator, Sequence
from itertools import accumulate

from companion.layout import Player
from companion.rules import Game, Position
from companion.rules.position import CHECKERS
from companion.table.evidence import Evidence

LOOKED_AT = 3000
"""So many combinations are looked at."""
_BEHIND = 16.0  # nats behind the best combination, at which it is given up


def proposals(
    game: Game, before: Position, doubles: Sequence[Sequence[int]], player: Player, evidence: Evidence
) -> Iterator[Position]:
    """Positions after a progression of these doubles, the most probable first."""
    mine, sign = (0, 1) if player == "white" else (1, -1)
    fixed = [count if count * sign < 0 else None for count in before.points]
    numbers = [number(game, index, player) for index in range(24)]
    options = [_options(evidence, i, player, max(0, before.points[i] * sign)) for i in range(24) if fixed[i] is None]
    places = [i for i in range(24) if fixed[i] is None]
    dice = list(accumulate(die for double in doubles for die in double))
    pips = sum(numbers[i] * max(0, before.points[i] * sign) for i in range(24))
    for counts in _best_first(options):
        off = CHECKERS - sum(counts)
        moved = pips - sum(numbers[i] * n for i, n in zip(places, counts, strict=True))
        borne_off = off - before.off[mine]
        if borne_off < 0 or (moved not in dice if not borne_off else not 0 < moved <= dice[-1]):
            continue
        points = [0 if count is None else count for count in fixed]
        for i, n in zip(places, counts, strict=True):
            points[i] = n * sign
        yield Position(tuple(points), before.bar, (off, before.off[1]) if mine == 0 else (before.off[0], off))


def number(game: Game, index: int, player: Player) -> int:
    """The player's own number of White's point ``index`` + 1 (B2: both travel the same way)."""
    return index + 1 if player == "white" else (index + 12) % 24 + 1


def _options(evidence: Evidence, index: int, player: Player, was: int) -> list[tuple[float, int]]:
    seen = evidence.options(index, player)
    if not seen:
        return [(0.0, was), *((-1.0 - abs(n - was), n) for n in range(max(0, was - 4), was + 5) if n != was)]
    return seen


def _best_first(options: Sequence[Sequence[tuple[float, int]]]) -> Iterator[tuple[int, ...]]:
    """Combinations of one option for each place, in the order of the sums of their nats."""
    first = (0,) * len(options)
    heap: list[tuple[float, tuple[int, ...], int]] = [(0.0, first, 0)]
    for _ in range(LOOKED_AT):
        if not heap or heap[0][0] > _BEHIND:
            return
        behind, chosen, place = heapq.heappop(heap)
        yield tuple(options[i][k][1] for i, k in enumerate(chosen))
        for i in range(place, len(options)):
            k = chosen[i] + 1
            if k < len(options[i]):
                more = behind + options[i][k - 1][0] - options[i][k][0]
                heapq.heappush(heap, (more, (*chosen[:i], k, *chosen[i + 1 :]), i))
