"""House rules as typed data: every option with its values, where it comes from, and the games that have it.

S0 … S4 are the texts from which the rules were distilled (docs/rules.md). :func:`make_options` validates a mapping
of plain values (from JSON, TOML or the command line) and says in one line what is wrong.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from companion.rules.errors import OptionError
from companion.rules.scoring import SCORING

SHORT_GAMES = ("short", "tabla")
LONG_GAMES = (
    "long", "nardgammon", "mad", "gulbar", "mad-gulbar", "khachapuri", "fevga", "mad-fevga",
)  # fmt: skip
GAMES = LONG_GAMES + SHORT_GAMES
_BLOCK_GAMES = tuple(name for name in LONG_GAMES if "fevga" not in name)
_HEAD_GAMES = tuple(name for name in _BLOCK_GAMES if name != "khachapuri")


@dataclass(frozen=True, kw_only=True)
class Options:
    """The house rules of one game; every field is an option of :data:`OPTIONS`."""

    direction: str
    opening_dice: str
    opening: str
    next_start: str
    void_rolls: str
    roll_area: str
    dice_sets: str
    first_play_doubles: frozenset[int]
    second_player_any_double: bool
    block: str
    block_in_passing: str
    scoring: str
    factors: tuple[tuple[str, int], ...]
    length: int
    cube: bool
    cube_limit: int
    crawford: bool
    jacoby: bool
    beaver: bool

    def to_json(self) -> dict[str, Any]:
        """Plain values, as :func:`make_options` reads them back."""
        plain: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        return plain | {"first_play_doubles": sorted(self.first_play_doubles), "factors": dict(self.factors)}


Reader = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule: how its value is read, what is expected, its default, its source, and which games have it."""

    name: str
    read: Reader
    expected: str
    source: str
    default: Any
    games: tuple[str, ...] = GAMES
    special: tuple[tuple[tuple[str, ...], Any], ...] = ()

    def default_for(self, game: str) -> Any:
        """The default in that game."""
        return next((value for games, value in self.special if game in games), self.default)


def _choice(*values: str) -> tuple[Reader, str]:
    def read(value: Any) -> str:
        if value not in values:
            raise ValueError
        return str(value)

    return read, " | ".join(values)


def _flag(value: Any) -> bool:
    words = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
    if isinstance(value, bool):
        return value
    return words[value.lower()]


def _number(least: int, test: Callable[[int], bool] = lambda _: True) -> Reader:
    def read(value: Any) -> int:
        number = int(value) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, int) or number < least or not test(number):
            raise ValueError
        return number

    return read


def _doubles(value: Any) -> frozenset[int]:
    if isinstance(value, str):
        named = {"none": "", "all": "1,2,3,4,5,6"}.get(value, value)
        value = [int(number) for number in named.split(",") if number]
    doubles = frozenset(value)
    if not doubles <= frozenset(range(1, 7)):
        raise ValueError
    return doubles


def _factors(value: Any) -> tuple[tuple[str, int], ...]:
    if isinstance(value, str):
        value = dict(part.split(":") for part in value.split(",") if part)
    read = _number(1)
    return tuple(sorted((str(name), read(factor)) for name, factor in dict(value).items()))


def _power_of_two(number: int) -> bool:
    return number & (number - 1) == 0


_FLAG = (_flag, "on | off")
OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option("direction", *_choice("counter-clockwise", "clockwise"), "B4: S2, S0, S1, S3 | S0, S3",
               "counter-clockwise"),
        Option("opening_dice", *_choice("one", "two"), "O1: S0, S1, S3 | S0, S3", "one"),
        Option("opening", *_choice("reroll", "keep"), "O2: S0, S3 | S0", "reroll", special=((SHORT_GAMES, "keep"),)),
        Option("next_start", *_choice("winner", "opening-roll"), "O3: S3", "winner",
               special=((SHORT_GAMES, "opening-roll"),)),
        Option("void_rolls", *_choice("strict", "cocked", "off"), "D1: S1, S3", "strict"),
        Option("roll_area", *_choice("one-half", "own-right", "any"), "D1: S1, S3", "one-half"),
        Option("dice_sets", *_choice("shared", "own"), "D2: S3", "shared"),
        Option("first_play_doubles", _doubles, "doubles such as 3,4,6, none or all", "L4: S0, S2, S3 | S1",
               frozenset({3, 4, 6}), _HEAD_GAMES),
        Option("second_player_any_double", *_FLAG, "L4: S2", True, _HEAD_GAMES),
        Option("block", *_choice("ahead", "home", "not-all"), "L5: S0, S2, S3 | S0 | S0", "ahead", _BLOCK_GAMES),
        Option("block_in_passing", *_choice("allowed", "forbidden"), "L6: S3", "allowed", _BLOCK_GAMES,
               ((("nardgammon",), "forbidden"),)),
        Option("scoring", *_choice(*SCORING), "§6: S0, S1, S3, S4", "oin-mars",
               special=((SHORT_GAMES, "mars-koks"), (("khachapuri",), "unborne"))),
        Option("factors", _factors, "outcomes with whole factors, such as mars:2,koks:3", "R2", ()),
        Option("length", _number(0), "a number of points, 0 for money play", "R3: S3", 3),
        Option("cube", *_FLAG, "§7: S4", True),
        Option("cube_limit", _number(1, _power_of_two), "a power of two", "C6", 64),
        Option("crawford", *_FLAG, "C6", False, special=((SHORT_GAMES, True),)),
        Option("jacoby", *_FLAG, "C6", False),
        Option("beaver", *_FLAG, "C4: S4", False),
    )
}  # fmt: skip


def make_options(game: str, values: Mapping[str, Any] | None = None) -> Options:
    """The options of a game: ``values`` over its defaults; raises OptionError in one line."""
    values = values or {}
    check_names(values, game)
    read = {name: _read(option, values[name]) for name, option in OPTIONS.items() if name in values}
    defaults = {name: option.default_for(game) for name, option in OPTIONS.items()}
    if read.get("length") == 0 and "crawford" not in read:
        read["crawford"] = False
    options = Options(**(defaults | read))
    _check_together(game, options)
    return options


def check_names(names: Iterable[str], game: str = "") -> None:
    """Raise OptionError unless there are such options, and the game has such rules."""
    for name in names:
        if name not in OPTIONS:
            raise OptionError(f"option {name}: expected one of {', '.join(OPTIONS)}")
        if game and game not in OPTIONS[name].games:
            have = _and(OPTIONS[name].games)
            raise OptionError(f"option {name}: the game {game} has no such rule (only {have})")


def _read(option: Option, value: Any) -> Any:
    try:
        return option.read(value)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise OptionError(f"option {option.name}: expected {option.expected}, got {value!r}") from None


def _check_together(game: str, options: Options) -> None:
    money = options.length == 0
    outcomes = SCORING[options.scoring].names()
    strange = next((name for name, _ in options.factors if name not in outcomes), None)
    wrong = (
        (options.crawford and money, "crawford = on needs a match: expected length of at least 1, got 0"),
        (options.jacoby and not money, f"jacoby = on is for money play: expected length 0, got {options.length}"),
        (options.beaver and not money, f"beaver = on is for money play: expected length 0, got {options.length}"),
        (options.beaver and not options.cube, "beaver = on needs the cube: expected cube on, got off"),
        (game == "tabla" and not options.cube and not money, "cube = off: a match is always played with it (S4)"),
        (strange is not None, f"factors: expected {', '.join(outcomes)} ({options.scoring}), got {strange!r}"),
        (game == "nardgammon" and options.block_in_passing == "allowed",
         "block_in_passing = allowed: that game is called long"),
    )  # fmt: skip
    for is_wrong, why in wrong:
        if is_wrong:
            raise OptionError(f"{game}: {why}")


def _and(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
