"""What a won game counts (rules.md §6): a scoring system is data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.rules.errors import OptionError
from companion.rules.position import CHECKERS, Position


@dataclass(frozen=True, slots=True)
class Loser:
    """What the outcomes look at: the loser's checkers when the winner bears off the last, as the loser sees them.

    ``points`` are own counts 1 to 24 (index 0 is the loser's 1-point).
    """

    points: tuple[int, ...]
    bar: int
    off: int
    same_way: bool

    @property
    def left(self) -> int:
        """How many checkers are still in play."""
        return CHECKERS - self.off

    @property
    def all_home(self) -> bool:
        """Whether every checker in play is at home."""
        return not self.bar and not any(self.points[6:])

    @property
    def in_starting_quarter(self) -> bool:
        """Whether a checker stands on own points 19 to 24: in the short games the winner's home."""
        return any(self.points[18:])

    @property
    def far_behind(self) -> bool:
        """A checker on the bar or in the winner's home (long games: in the own starting quarter)."""
        return self.bar > 0 or self.in_starting_quarter

    @property
    def hopeless(self) -> bool:
        """R1: a checker on the bar, or in the long games, where there is none, in the starting quarter."""
        return self.in_starting_quarter if self.same_way else self.bar > 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A way to win: its name, its test, its factor."""

    name: str
    test: Callable[[Loser], bool]
    factor: int


@dataclass(frozen=True, slots=True)
class System:
    """The outcomes in the order in which they are tried, and whether the base is 1 or the checkers left."""

    name: str
    outcomes: tuple[Outcome, ...]
    base_is_left: bool = False

    def names(self) -> tuple[str, ...]:
        """The outcomes from the smallest."""
        return tuple(outcome.name for outcome in reversed(self.outcomes))


def _none_off(loser: Loser) -> bool:
    return loser.off == 0


def _always(loser: Loser) -> bool:
    return True


_SINGLE = Outcome("single", _always, 1)
_MARS = Outcome("mars", _none_off, 2)
_BACK = Outcome("koks", lambda loser: loser.off == 0 and loser.far_behind, 3)
_HOPELESS = Outcome("koks", lambda loser: loser.off == 0 and loser.hopeless, 4)
_HOME_MARS = Outcome("home-mars", lambda loser: loser.off == 0 and loser.all_home, 3)
_HOME_KOKS = Outcome("koks", _HOME_MARS.test, 3)
SCORING: dict[str, System] = {
    system.name: system
    for system in (
        System("oin-mars", (_MARS, Outcome("oin", _always, 1))),
        System("mars-koks", (_BACK, _MARS, _SINGLE)),
        System("home-mars", (_HOPELESS, _HOME_MARS, _MARS, _SINGLE)),
        System("checkers-left", (_HOME_KOKS, _MARS, _SINGLE), base_is_left=True),
        System("unborne", (_SINGLE,), base_is_left=True),
    )
}


@dataclass(frozen=True, slots=True)
class Result:
    """What a game counts: ``points`` = ``base`` × ``factor`` × cube."""

    outcome: str
    base: int
    factor: int
    points: int


def score(
    system: System, loser: Loser, cube: int = 1, factors: Mapping[str, int] | None = None, outcome: str = ""
) -> Result:
    """The result of a won game, or of the ``outcome`` that the loser concedes (R2)."""
    if outcome:
        found = next((each for each in system.outcomes if each.name == outcome), None)
        if found is None:
            raise OptionError(f"outcome: expected one of {', '.join(system.names())} ({system.name}), got {outcome!r}")
    else:
        found = next(each for each in system.outcomes if each.test(loser))
    base = loser.left if system.base_is_left else 1
    factor = (factors or {}).get(found.name, found.factor)
    return Result(found.name, base, factor, base * factor * cube)


def loser_of(position: Position, loser_is_white: bool, same_way: bool) -> Loser:
    """The losing side of a position (White's view; Black's numbers are turned)."""
    if loser_is_white:
        return Loser(tuple(max(n, 0) for n in position.points), position.bar[0], position.off[0], same_way)
    points = position.points[12:] + position.points[:12] if same_way else position.points[::-1]
    return Loser(tuple(max(-n, 0) for n in points), position.bar[1], position.off[1], same_way)
