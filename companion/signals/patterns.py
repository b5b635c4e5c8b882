"""The patterns of the lamps as data: ``patterns.toml`` beside this file, read once and checked."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal, get_args

from companion.config import LampName

Lamp = LampName
LAMPS: tuple[Lamp, ...] = get_args(LampName)
"""White's and Black's turn; legal; please look; illegal; whole frames are being recorded."""

Mode = Literal["teach", "referee", "director", "silent"]

LONGEST_BLINK_S = 1.0
ROLES = ("player", "asked", "winner")
_SOON = 1e-9


@dataclass(frozen=True)
class Pattern:
    """A lamp is lit and dark in turn for these durations, then as ``then`` says, and dark after ``longest_s``."""

    longest_s: float
    blink_s: tuple[float, ...] = ()
    then: bool = False

    def __post_init__(self) -> None:
        if sum(self.blink_s) > LONGEST_BLINK_S + _SOON:
            raise ValueError(f"blinking: expected at most {LONGEST_BLINK_S} s, got {sum(self.blink_s):.2f} s")
        if sum(self.blink_s) > self.longest_s + _SOON:
            raise ValueError(f"blinking: expected to end within {self.longest_s} s, got {sum(self.blink_s):.2f} s")

    def lit(self, age_s: float) -> bool:
        """Whether the lamp is lit so long after the pattern began."""
        if age_s >= self.longest_s - _SOON:
            return False
        passed = sum(end <= age_s + _SOON for end in accumulate(self.blink_s))
        return self.then if passed == len(self.blink_s) else passed % 2 == 0


@dataclass(frozen=True)
class Table:
    """``situations``: situation → lamp or role → pattern; ``shown``: the lamps that each mode uses."""

    patterns: Mapping[str, Pattern]
    situations: Mapping[str, Mapping[str, str]]
    shown: Mapping[str, frozenset[str]]


def read_table(text: str) -> Table:
    """Read and check a table of patterns; raises ValueError that names what is wrong."""
    data = tomllib.loads(text)
    patterns = {name: _pattern(name, values) for name, values in data["pattern"].items()}
    for situation, lamps in data["situation"].items():
        for lamp, pattern in lamps.items():
            if lamp not in (*LAMPS, *ROLES) or pattern not in patterns:
                raise ValueError(f"situation {situation}: expected a lamp and a pattern, got {lamp} = {pattern!r}")
    return Table(patterns, data["situation"], {mode: frozenset(lamps) for mode, lamps in data["shown"].items()})


@cache
def table() -> Table:
    """The table that ships with the program."""
    return read_table(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _pattern(name: str, values: Mapping[str, Any]) -> Pattern:
    try:
        return Pattern(values["longest_s"], tuple(values.get("blink_s", ())), values.get("then", False))
    except KeyError as error:
        raise ValueError(f"pattern {name}: expected a key {error.args[0]}") from None
