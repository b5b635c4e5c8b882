"""What a picture says about a position: log-likelihoods in nats, and the position it shows by itself.

Slots and shades become points and players here, through the layout. The free reading conserves the thirty checkers:
it is the most probable *possible* content of the whole board, not the most probable content of each slot alone.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from companion.layout import Layout, Player
from companion.observation import FLOOR, LOG_FLOOR, Content, Observation, Reading
from companion.rules import Position

CHECKERS = 15
_SIZE = CHECKERS + 1
_EXACTLY = 6  # decimals of a log-likelihood: sums in another order give the same number
_DRIFT = -1.0  # nats for each checker on the bar or off that was not there before, where these cannot be seen
_EARLY = -5.0  # nats more for bearing off at all by a player who has some outside the home
_TALL = range(5, CHECKERS + 1)
_OTHER_COLOUR = 0.03
_MISLAID, _MORE_MISLAID = -4.0, -0.5  # nats for checkers on the tray that belong on the bar, or the other way, and each
_NEVER = -30.0  # nats for a checker on a bar that the game does not have

Pair = tuple[int, int]
"""(White's, Black's) checkers at one place."""

Costs = tuple[tuple[float, float], tuple[float, float]]
"""For White and Black: nats for each checker more or fewer than before, and for any such change at all."""

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


class Positions:
    """Many positions as arrays, to be scored at once: ``points`` n × 24 signed counts, ``bar`` and ``off`` n × 2."""

    def __init__(self, positions: Iterable[Position]) -> None:
        self.positions = tuple(positions)
        self.points: Whole = np.array([p.points for p in self.positions], np.int64).reshape(-1, 24)
        self.bar: Whole = np.array([p.bar for p in self.positions], np.int64).reshape(-1, 2)
        self.off: Whole = np.array([p.off for p in self.positions], np.int64).reshape(-1, 2)


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
    """One observation, seen through the layout: evidence for and against positions.

    ``tall_doubt`` is the share of tall stacks that these eyes misread.
    """

    def __init__(self, seen: Observation, layout: Layout, tall_doubt: float = 0.5) -> None:
        self._tall_doubt = tall_doubt
        self._swap = layout.white == "dark"
        self._same_way = layout.same_way
        self._points = [self._pairs(seen.slots.get(slot)) for slot in layout.slots]
        self._bar = self._pairs(seen.bar)
        self._off = self._pairs(seen.off)
        self._scores: dict[Position, float] = {}
        self._beside: dict[tuple[Pair, Pair], tuple[float, float]] = {}
        self._free: dict[tuple[Position, ...], tuple[SeenPosition, float]] = {}

    def _pairs(self, reading: Reading | None) -> Mapping[Pair, float] | None:
        if reading is None:
            return None
        logs = _with_tall_doubt(reading, self._tall_doubt)
        return {(d, light): v for (light, d), v in logs.items()} if self._swap else logs

    @cached_property
    def _counts(self) -> Floats:
        """24 × 31: the log-likelihood of every signed count − 15 … 15 of every point; 0 where it cannot be seen."""
        table = np.full((24, 2 * CHECKERS + 1), LOG_FLOOR)
        for row, logs in zip(table, self._points, strict=True):
            if logs is None:
                row[:] = 0.0
                continue
            for (white, black), value in logs.items():
                if not (white and black) and white + black <= CHECKERS:
                    row[white - black + CHECKERS] = value
        return table

    def scores(self, many: Positions) -> Floats:
        """The log-likelihood of each position: what the visible points, the bar and the trays say about it."""
        total: Floats = self._counts[np.arange(24), many.points + CHECKERS].sum(axis=1)
        if self._bar is not None or self._off is not None:
            pairs = zip(many.bar.tolist(), many.off.tolist(), strict=True)
            total += [max(self._out_of_play((w, b), (v, c))) for (w, b), (v, c) in pairs]
        return total.round(_EXACTLY)

    def _out_of_play(self, bar: Pair, off: Pair) -> tuple[float, float]:
        """What is seen of checkers that stand on no point: (where they belong, where people have put them instead).

        A hit checker that was put with those that are off, or one that was borne off and put on the bar, has left its
        point all the same: what was meant is clear from the rules.
        """
        if (bar, off) not in self._beside:
            out = bar[0] + off[0], bar[1] + off[1]
            as_meant = _of(self._bar, bar) + _of(self._off, off)
            mislaid = -math.inf
            for white, black in self._bar if self._bar is not None else self._off or ():
                here, there = (white, black), (out[0] - white, out[1] - black)
                held, lying = (here, there) if self._bar is not None else (there, here)
                moved = abs(held[0] - bar[0]) + abs(held[1] - bar[1])
                if moved and min(there) >= 0:
                    cost = _MISLAID + (moved - 1) * _MORE_MISLAID
                    mislaid = max(mislaid, _of(self._bar, held) + _of(self._off, lying) + cost)
            self._beside[bar, off] = as_meant, mislaid
        return self._beside[bar, off]

    def mislaid(self, position: Position) -> bool:
        """Whether checkers that are out of play surely lie where they do not belong: on a tray, or on the bar."""
        as_meant, instead = self._out_of_play(position.bar, position.off)
        return instead > as_meant

    def score(self, position: Position) -> float:
        """The same of one position."""
        if position not in self._scores:
            self._scores[position] = float(self.scores(Positions([position]))[0])
        return self._scores[position]

    def against(self, position: Position) -> float:
        """How many nats the picture prefers its own best contents to those of the position; 0 is a perfect fit."""
        return self.best_possible - self.score(position)

    def options(self, index: int, player: Player) -> list[tuple[float, int]]:
        """How many checkers of ``player`` stand on White's point ``index`` + 1: (nats, count), the best first.

        Nothing where it cannot be seen.
        """
        logs = self._points[index] or {}
        mine = 0 if player == "white" else 1
        return sorted(((value, pair[mine]) for pair, value in logs.items() if not pair[1 - mine]), reverse=True)

    @cached_property
    def best_possible(self) -> float:
        """The log-likelihood of the best content of every place, also where together they are impossible."""
        seen = [logs for logs in (*self._points, self._bar, self._off) if logs is not None]
        return sum(max(logs.values()) for logs in seen)

    def free(self, hints: Iterable[Position]) -> tuple[SeenPosition, float]:
        """The most probable board with fifteen checkers of each player, and its log-likelihood.

        ``hints`` are positions whose contents are allowed at every place, however improbable; the first one tells how
        many checkers were on the bar and off before, for where these cannot be seen. Dynamic programming over the
        places, with the numbers of White's and Black's checkers so far as the state.
        """
        asked = tuple(dict.fromkeys(hints))
        if asked not in self._free:
            self._free[asked] = self._freely(asked)
        return self._free[asked]

    def _freely(self, hints: Sequence[Position]) -> tuple[SeenPosition, float]:
        before = hints[0]
        places: list[Mapping[Pair, float]] = []
        for index, logs in enumerate(self._points):
            hinted = {_pair(h.points[index]) for h in hints}
            known = (
                logs if logs is not None else {(n, 0): 0.0 for n in range(_SIZE)} | {(0, n): 0.0 for n in range(_SIZE)}
            )
            places.append({pair: known.get(pair, LOG_FLOOR) for pair in hinted | set(known)})
        places.append(self._unseen(self._bar, before.bar, {h.bar for h in hints}, self._bar_costs()))
        places.append(self._unseen(self._off, before.off, {h.off for h in hints}, self._off_costs(before)))
        if self._off is None:
            for hint in hints:
                tray = hint.off[0] + hint.bar[0], hint.off[1] + hint.bar[1]
                places[-1] = {**places[-1], tray: max(_MISLAID, places[-1].get(tray, -math.inf))}
        chosen, score = _conserved(places)
        return SeenPosition(tuple(chosen[:24]), chosen[24], chosen[25]), score

    def _bar_costs(self) -> Costs:
        return ((_NEVER, 0.0), (_NEVER, 0.0)) if self._same_way else ((_DRIFT, 0.0), (_DRIFT, 0.0))

    def _off_costs(self, before: Position) -> Costs:
        """What a checker more on the tray costs each player: much, before all are home."""
        home = range(12, 18) if self._same_way else range(18, 24)
        white = before.bar[0] or any(n > 0 for n in before.points[6:])
        black = before.bar[1] or any(n < 0 for i, n in enumerate(before.points) if i not in home)
        return (_DRIFT, _EARLY if white else 0.0), (_DRIFT, _EARLY if black else 0.0)

    @staticmethod
    def _unseen(logs: Mapping[Pair, float] | None, before: Pair, hinted: set[Pair], costs: Costs) -> dict[Pair, float]:
        """The contents of the bar or the trays: as read, or the nearer to what was there before the more probable."""
        if logs is not None:
            return {pair: logs.get(pair, LOG_FLOOR) for pair in hinted | set(logs)}
        white, black = (
            [each * abs(n - was) + (any_at_all if n != was else 0.0) for n in range(_SIZE)]
            for (each, any_at_all), was in zip(costs, before, strict=True)
        )
        near = {(w, b): white[w] + black[b] for w in range(_SIZE) for b in range(_SIZE)}
        return near | dict.fromkeys(hinted, 0.0)


def _of(seen: Mapping[Pair, float] | None, pair: Pair) -> float:
    """The evidence for a content; nothing where it cannot be seen."""
    return 0.0 if seen is None else seen.get(pair, LOG_FLOOR)


def _with_tall_doubt(reading: Reading, share: float) -> Mapping[Content, float]:
    """The evidence of a reading; a tall stack may as well be any other tall stack, seldom one of the other colour.

    The eyes do not count stacks of six and more: of those that they never saw in training hardly any was read right,
    by up to seven checkers too few (tests/simulator/noise.json). Conservation and history count them.
    """
    light, dark = reading.best
    height = max(light, dark)
    if (light and dark) or height < _TALL.start:
        return reading.logs
    doubt = share if height > _TALL.start else share / 5
    own = doubt * (1 - _OTHER_COLOUR) / len(_TALL)
    other = doubt * _OTHER_COLOUR / len(_TALL)
    flat = {(n, 0): own if light else other for n in _TALL} | {(0, n): other if light else own for n in _TALL}
    known = reading.probabilities
    return {
        c: math.log(max((1 - doubt) * known.get(c, 0.0) + flat.get(c, 0.0), FLOOR)) for c in flat.keys() | known.keys()
    }


def _pair(count: int) -> Content:
    return (count, 0) if count >= 0 else (0, -count)


def _conserved(places: list[Mapping[Pair, float]]) -> tuple[list[Pair], float]:
    """One content for each place so that each player has fifteen checkers, with the largest sum.

    Where the best content of every place adds up to that, there is nothing to weigh.
    """
    chosen = [max(contents, key=contents.__getitem__) for contents in places]
    if sum(w for w, _ in chosen) != CHECKERS or sum(b for _, b in chosen) != CHECKERS:
        chosen = _weighed(places)
    return chosen, sum(contents[pair] for contents, pair in zip(places, chosen, strict=True))


def _weighed(places: list[Mapping[Pair, float]]) -> list[Pair]:
    """By dynamic programming over the places: all but the last forwards, the last one takes what is missing."""
    best: Floats = np.full((_SIZE, _SIZE), -np.inf)
    best[0, 0] = 0.0
    choices: list[tuple[list[Pair], Whole]] = []
    for contents in places[:-1]:
        pairs = [p for p in contents if p[0] <= CHECKERS and p[1] <= CHECKERS]
        options = np.full((len(pairs), _SIZE, _SIZE), -np.inf)
        for index, (white, black) in enumerate(pairs):
            options[index, white:, black:] = best[: _SIZE - white, : _SIZE - black] + contents[white, black]
        choices.append((pairs, options.argmax(axis=0)))
        best = options.max(axis=0)
    rest = [p for p in places[-1] if p[0] <= CHECKERS and p[1] <= CHECKERS]
    last = max(rest, key=lambda p: best[CHECKERS - p[0], CHECKERS - p[1]] + places[-1][p])
    white, black = CHECKERS - last[0], CHECKERS - last[1]
    chosen = [last]
    for pairs, choice in reversed(choices):
        pair = pairs[int(choice[white, black])]
        chosen.append(pair)
        white, black = white - pair[0], black - pair[1]
    return chosen[::-1]
