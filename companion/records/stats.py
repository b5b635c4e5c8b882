"""What tallies say: whether the dice are fair, how games went, how long turns take, what was played against the rules.

The test is Pearson's chi-squared test: the sum over all outcomes of (seen - expected)² / expected, whose distribution
for fair dice is known; ``p`` is how often fair dice would look at least this uneven.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.records.tally import Tally

FACES = range(1, 7)
ROLLS = tuple((high, low) for high in FACES for low in range(1, high + 1))
MEAN_PIPS = 49 / 6
"""What a roll is worth on average, a double counted four times."""
ENOUGH = 5.0
SUSPICIOUS = 0.001
"""Fair dice look this uneven once in a thousand times."""


@dataclass(frozen=True)
class Fairness:
    """One chi-squared test: ``n`` observations, the statistic, its degrees of freedom, and p (1 without any).

    ``least`` is the smallest number that is expected of an outcome; below 5 the test says little.
    """

    n: int
    chi2: float
    dof: int
    p: float
    least: float = 0.0

    @property
    def enough(self) -> bool:
        """Whether there are enough observations for p to mean something."""
        return self.least >= ENOUGH

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"n": self.n, "chi2": round(self.chi2, 3), "dof": self.dof, "p": round(self.p, 6), "enough": self.enough}


def fairness(seen: Sequence[int], shares: Sequence[float]) -> Fairness:
    """Test counts against the shares that are expected of them (which sum to 1)."""
    n, dof = sum(seen), len(seen) - 1
    if not n:
        return Fairness(0, 0.0, dof, 1.0)
    chi2 = sum((count - n * share) ** 2 / (n * share) for count, share in zip(seen, shares, strict=True))
    return Fairness(n, chi2, dof, chi2_tail(chi2, dof), n * min(shares))


def chi2_tail(x: float, dof: int) -> float:
    """How probable a chi-squared value of at least ``x`` is: the upper regularised incomplete gamma function.

    Series and continued fraction after Abramowitz and Stegun 6.5.29 and 6.5.31.
    """
    if x <= 0:
        return 1.0
    a, z = dof / 2, x / 2
    front = math.exp(-z + a * math.log(z) - math.lgamma(a))
    if z < a + 1:
        term = total = 1 / a
        for n in range(1, 1000):
            term *= z / (a + n)
            total += term
            if term < total * 1e-15:
                break
        return max(0.0, 1 - front * total)
    return front * _continued(a, z)


def _continued(a: float, z: float) -> float:
    """Lentz's evaluation of the continued fraction of the upper incomplete gamma function."""
    b = z + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for n in range(1, 1000):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or 1e-300)
        c = b + step / c or 1e-300
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return fraction


@dataclass(frozen=True)
class Stats:
    """A tally, read."""

    tally: Tally

    @property
    def rolls(self) -> dict[tuple[int, int], int]:
        """How often each of the 21 rolls was thrown, the larger number first."""
        return {(high, low): self.tally.get(f"dice:{high}{low}", 0) for high, low in ROLLS}

    @property
    def faces(self) -> tuple[int, ...]:
        """How often each number was thrown, from 1."""
        return tuple(
            sum(n * ((high == face) + (low == face)) for (high, low), n in self.rolls.items()) for face in FACES
        )

    @property
    def doubles(self) -> int:
        """How many rolls were doubles."""
        return sum(n for (high, low), n in self.rolls.items() if high == low)

    @property
    def fair_faces(self) -> Fairness:
        """Whether each number comes as often as any other."""
        return fairness(self.faces, [1 / 6] * 6)

    @property
    def fair_rolls(self) -> Fairness:
        """Whether each roll comes as often as it should: also finds two dice that do not fall by themselves."""
        return fairness(tuple(self.rolls.values()), [(1 if high == low else 2) / 36 for high, low in ROLLS])

    @property
    def fair_doubles(self) -> Fairness:
        """Whether a sixth of the rolls are doubles."""
        n = sum(self.rolls.values())
        return fairness((self.doubles, n - self.doubles), (1 / 6, 5 / 6))

    @property
    def pips(self) -> float | None:
        """What a roll was worth on average."""
        n = sum(self.rolls.values())
        worth = sum((high + low) * (2 if high == low else 1) * count for (high, low), count in self.rolls.items())
        return worth / n if n else None

    @property
    def opening_pips(self) -> float | None:
        """What the first rolls of games were worth on average."""
        return self._mean("first pips", "first rolls")

    @property
    def seconds(self) -> float | None:
        """How long a turn takes on average."""
        mean = self._mean("milliseconds", "turns timed")
        return None if mean is None else mean / 1000

    def by(self, word: str) -> dict[str, int]:
        """The counts of one kind: ``by("won")`` gives the games won by outcome, ``by("illegal")`` rules by count."""
        head = f"{word} "
        named = {key.removeprefix(head): n for key, n in self.tally.items() if key.startswith(head)}
        return dict(sorted(named.items(), key=lambda item: (-item[1], item[0])))

    def to_json(self) -> dict[str, Any]:
        """Everything."""
        get = self.tally.get
        return {
            "rolls": {f"{high}-{low}": n for (high, low), n in self.rolls.items()},
            "faces": list(self.faces),
            "fair": {
                "faces": self.fair_faces.to_json(),
                "rolls": self.fair_rolls.to_json(),
                "doubles": self.fair_doubles.to_json(),
            },
            "doubles": self.doubles,
            "pips": _rounded(self.pips),
            "opening": {
                "games": get("first rolls", 0), "pips": _rounded(self.opening_pips),
                "started": get("starts", 0), "started_and_won": get("starts won", 0),
            },
            "games": get("games", 0),
            "won": self._outcomes("won"),
            "lost": self._outcomes("lost"),
            "points": {"won": get("points", 0), "lost": get("points lost", 0)},
            "turns": {"plays": get("plays", 0), "no_move": get("passes", 0), "seconds": _rounded(self.seconds)},
            "illegal": {"noticed": get("illegal", 0), "stood": get("stood", 0), "rules": self.by("illegal")},
        }  # fmt: skip

    def lines(self) -> list[str]:
        """The same in words."""
        get = self.tally.get
        fair = self.fair_faces
        lines = [
            f"Games        {get('games', 0)}: {_results('won', self._outcomes('won'), get('points', 0))}; "
            f"{_results('lost', self._outcomes('lost'), get('points lost', 0))}",
            f"Rolls        {sum(self.rolls.values())}, {_pips(self.pips)}; "
            f"{self.doubles} doubles ({_share(self.doubles, sum(self.rolls.values()))}, fair 16.7 %)",
            "Numbers      " + "  ".join(f"{face}: {n}" for face, n in zip(FACES, self.faces, strict=True)),
            f"Fair dice?   numbers {_p(fair)}; rolls {_p(self.fair_rolls)}; doubles {_p(self.fair_doubles)}",
            f"Opening      first rolls {_pips(self.opening_pips)}; started {get('starts', 0)}, "
            f"won {get('starts won', 0)} of these",
            f"Turns        {get('plays', 0)}, {get('passes', 0)} without a move; {_seconds(self.seconds)}",
            f"Illegal      {get('illegal', 0)} noticed, {get('stood', 0)} stood" + _listed(self.by("illegal")),
        ]
        return lines

    def _outcomes(self, word: str) -> dict[str, int]:
        return self.by(word)

    def _mean(self, total: str, count: str) -> float | None:
        n = self.tally.get(count, 0)
        return self.tally.get(total, 0) / n if n else None


def _results(word: str, outcomes: Mapping[str, int], points: int) -> str:
    named = ", ".join(f"{n} {outcome}" for outcome, n in outcomes.items())
    return f"{sum(outcomes.values())} {word}" + (f" ({named}; {points} points)" if named else "")


def _p(test: Fairness) -> str:
    if not test.enough:
        return "too few rolls to tell"
    word = "suspicious" if test.p < SUSPICIOUS else "fair"
    return f"{word} (chi² {test.chi2:.1f} of {test.dof}, p {test.p:.3f})"


def _pips(mean: float | None) -> str:
    return "–" if mean is None else f"{mean:.2f} pips on average (fair {MEAN_PIPS:.2f})"


def _seconds(mean: float | None) -> str:
    return "no times" if mean is None else f"{mean:.1f} s on average"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _listed(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{name} {n}' for name, n in counts.items())})" if counts else ""


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
