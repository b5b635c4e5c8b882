"""What a picture says about a position: log-likelihoods in nats, and the position it shows by itself.

Slots and shades become points and players here, through the layout. The free reading conserves the thirty checkers:
it is the most probable *possible* content of the whole board, not the most probable content of each slot alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from companion.layout import Layout
from companion.observation import FLOOR, Content, Observation, Reading
from companion.rules import Position

CHECKERS = 15
_SIZE = CHECKERS + 1
_LOG_FLOOR = float(np.log(FLOOR))
_DRIFT = -1.0  # nats for each checker on the bar or off that was not there before, where these cannot be seen
_EARLY = -6.0  # nats for each checker borne off by a player who has some outside the home
_NEVER = -30.0  # nats for a checker on a bar that the game does not have

Pair = tuple[int, int]
"""(White's, Black's) checkers at one place."""


@dataclass(frozen=True)
class SeenPosition:
    """A board as it lies: (White's, Black's) checkers on each of White's points 1 … 24, on the bar, off."""

    points: tuple[Pair, ...]
    bar: Pair
    off: Pair

    def position(self, mover: str) -> Position:
        """As a position; where both colours share a point, the mover holds it and the others stand on the bar (§5)."""
        points, bar = [], list(self.bar)
        for white, black in self.points:
            if white and black:
                bar[1 if mover == "white" else 0] += black if mover == "white" else white
            points.append(white if white and (mover == "white" or not black) else -black)
        return Position(tuple(points), (bar[0], bar[1]), self.off)


class Evidence:
    """One observation, seen through the layout: evidence for and against positions."""

    def __init__(self, seen: Observation, layout: Layout) -> None:
        self.seen = seen
        self._swap = layout.white == "dark"
        self._same_way = layout.same_way
        self._points = [self._pairs(seen.slots.get(slot)) for slot in layout.slots]
        self._counts = [_by_count(logs) for logs in self._points]
        self._bar = self._pairs(seen.bar)
        self._off = self._pairs(seen.off)

    def _pairs(self, reading: Reading | None) -> Mapping[Pair, float] | None:
        if reading is None:
            return None
        logs = {content: reading.log_likelihood(content) for content in reading.probabilities}
        return {(d, light): v for (light, d), v in logs.items()} if self._swap else logs

    def score(self, position: Position) -> float:
        """The log-likelihood of a position: what the visible points, the bar and the trays say about it."""
        total = 0.0
        for count, (logs, otherwise) in zip(position.points, self._counts, strict=True):
            total += logs.get(count, otherwise)
        for pair, seen in ((position.bar, self._bar), (position.off, self._off)):
            if seen is not None:
                total += seen.get(pair, _LOG_FLOOR)
        return total

    def against(self, position: Position) -> float:
        """How many nats the picture prefers its own best contents to those of the position; 0 is a perfect fit."""
        return self.best_possible - self.score(position)

    @cached_property
    def best_possible(self) -> float:
        """The log-likelihood of the best content of every place, also where together they are impossible."""
        seen = [logs for logs in (*self._points, self._bar, self._off) if logs is not None]
        return sum(max(logs.values()) for logs in seen)

    @cached_property
    def weakest(self) -> float:
        """The probability of the best content of the least certain point; 0 when a point cannot be seen."""
        return min(float(np.exp(max(logs.values()))) if logs else 0.0 for logs in self._points)

    def free(self, hints: Iterable[Position]) -> tuple[SeenPosition, float]:
        """The most probable board with fifteen checkers of each player, and its log-likelihood.

        ``hints`` are positions whose contents are allowed at every place, however improbable; the first one tells how
        many checkers were on the bar and off before, for where these cannot be seen. Dynamic programming over the
        places, with the numbers of White's and Black's checkers so far as the state.
        """
        hints = list(hints)
        before = hints[0]
        places: list[Mapping[Pair, float]] = []
        for index, logs in enumerate(self._points):
            hinted = {_pair(h.points[index]) for h in hints}
            known = (
                logs if logs is not None else {(n, 0): 0.0 for n in range(_SIZE)} | {(0, n): 0.0 for n in range(_SIZE)}
            )
            places.append({pair: known.get(pair, _LOG_FLOOR) for pair in hinted | set(known)})
        places.append(self._unseen(self._bar, before.bar, {h.bar for h in hints}, self._bar_costs()))
        places.append(self._unseen(self._off, before.off, {h.off for h in hints}, self._off_costs(before)))
        chosen, score = _conserved(places)
        return SeenPosition(tuple(chosen[:24]), chosen[24], chosen[25]), score

    def _bar_costs(self) -> tuple[float, float]:
        return (_NEVER, _NEVER) if self._same_way else (_DRIFT, _DRIFT)

    def _off_costs(self, before: Position) -> tuple[float, float]:
        """What a checker more on the tray costs each player: much, before all are home."""
        home = range(12, 18) if self._same_way else range(18, 24)
        white = before.bar[0] or any(n > 0 for n in before.points[6:])
        black = before.bar[1] or any(n < 0 for i, n in enumerate(before.points) if i not in home)
        return _EARLY if white else _DRIFT, _EARLY if black else _DRIFT

    @staticmethod
    def _unseen(
        logs: Mapping[Pair, float] | None, before: Pair, hinted: set[Pair], costs: tuple[float, float]
    ) -> dict[Pair, float]:
        """The contents of the bar or the trays: as read, or the nearer to what was there before the more probable."""
        if logs is not None:
            return {pair: logs.get(pair, _LOG_FLOOR) for pair in hinted | set(logs)}
        near = {
            (w, b): costs[0] * abs(w - before[0]) + costs[1] * abs(b - before[1])
            for w in range(_SIZE)
            for b in range(_SIZE)
        }
        return near | dict.fromkeys(hinted, 0.0)


def _by_count(logs: Mapping[Pair, float] | None) -> tuple[dict[int, float], float]:
    """The log-likelihoods by signed count, and that of every other count; a point that cannot be seen says nothing."""
    if logs is None:
        return {}, 0.0
    return {white - black: value for (white, black), value in logs.items() if not (white and black)}, _LOG_FLOOR


def _pair(count: int) -> Content:
    return (count, 0) if count >= 0 else (0, -count)


def _conserved(places: list[Mapping[Pair, float]]) -> tuple[list[Pair], float]:
    """One content for each place so that each player has fifteen checkers, with the largest sum."""
    best: npt.NDArray[np.float64] = np.full((_SIZE, _SIZE), -np.inf)
    best[0, 0] = 0.0
    choices: list[tuple[list[Pair], npt.NDArray[np.int64]]] = []
    for contents in places:
        pairs = [p for p in contents if p[0] <= CHECKERS and p[1] <= CHECKERS]
        options = np.full((len(pairs), _SIZE, _SIZE), -np.inf)
        for index, (white, black) in enumerate(pairs):
            options[index, white:, black:] = best[: _SIZE - white, : _SIZE - black] + contents[white, black]
        choice = options.argmax(axis=0)
        choices.append((pairs, choice))
        best = options.max(axis=0)
    score = float(best[CHECKERS, CHECKERS])
    white, black = CHECKERS, CHECKERS
    chosen: list[Pair] = []
    for pairs, choice in reversed(choices):
        pair = pairs[int(choice[white, black])]
        chosen.append(pair)
        white, black = white - pair[0], black - pair[1]
    return chosen[::-1], score
