"""Which dice lie on the table, whether they are the ones that lay there before, and whether the roll is valid (D1)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from companion.attention import Box
from companion.events import Dice
from companion.layout import Layout, Player
from companion.observation import SeenDie
from companion.rules.options import Options
from companion.table.state import Roll, VoidWhy

PRESENT = 0.5
LIKELY = 0.3
COCKED, SURELY_FLAT = 0.5, 0.2
NUDGE = 3.0  # dice that lie less than so many of their sizes away, with the same values, were pushed and not thrown
_RELIABLE = 0.95

MOST_CLUTTER = 40
MOST_UNREAD = 4
CLEARLY = 0.7  # a third die less likely than the second by this factor is none

Change = Literal["none", "one", "same", "new"]


def lying(dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """The dice that are really there, from left to right."""
    seen = (d for d in dice if d.presence > PRESENT and (d.confidence > _RELIABLE or likelihood(d) > LIKELY))
    return tuple(sorted(seen, key=lambda d: (d.box[0], d.box[1])))


def unread(dice: Sequence[SeenDie], known: Sequence[SeenDie], sure: float) -> tuple[Box, ...]:
    """Where dice lie that are not known and were read less than surely, with as much around them on each side: the
    likeliest ``MOST_UNREAD``.
    """
    there = [die for die in lying(dice) if die.confidence < sure and not any(at(die, other) for other in known)]
    boxes = (die.box for die in sorted(there, key=likelihood, reverse=True)[:MOST_UNREAD])
    return tuple((x - width, y - height, 3 * width, 3 * height) for x, y, width, height in boxes)


def half_seen(die: SeenDie, player: Player | None, part: Literal["own", "extra"]) -> Roll:
    """A roll of which only one die was found; the other may have any value."""
    other = replace(die, values=(1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6), presence=0.0)
    return Roll((die, other), player, part=part, half_seen=True)


def change(roll: Roll, dice: Sequence[SeenDie]) -> Change:
    """What became of the dice of a roll: gone, one left, the same (perhaps pushed), or thrown anew."""
    if roll.half_seen:
        lies = any(at(roll.lying[0], die) for die in dice)
        return "same" if lies else "new" if len(dice) == 2 else "none"
    near = sum(any(at(die, other) for other in dice) for die in roll.lying)
    if near == 2:
        return "new" if len(dice) == 2 and _surely_other_values(roll.lying, dice) else "same"
    if len(dice) == 2:
        if _same_values(roll.lying, dice) and _displacement(roll.lying, dice) < NUDGE:
            return "same"
        if near == 0 or min(die.confidence for die in dice) > _RELIABLE:
            return "new"
    return "one" if near else "none"


def at(die: SeenDie, other: SeenDie) -> bool:
    """Whether two dice lie at the same place, within half a die."""
    return _distance(die, other) < 0.5 * max(die.box[2], die.box[3], 1.0)


def the_two(lying: Sequence[SeenDie], roll: Roll | None) -> tuple[SeenDie, ...]:
    """The dice that matter: those of the roll where they lie, else the two that are clearly the likeliest."""
    if len(lying) <= 2:
        return tuple(lying)
    if roll is not None:
        same = tuple(die for die in lying if any(at(old, die) for old in roll.lying))
        if len(same) == 2:
            return same
    first, second, third, *_ = sorted(lying, key=likelihood, reverse=True)
    if likelihood(third) < CLEARLY * likelihood(second):
        return tuple(die for die in lying if die in (first, second))
    return tuple(lying)


def likelihood(die: SeenDie) -> float:
    """How likely this is a die of the roll.

    What lies beside the board, on the rim or on a checker seldom is one; and of a real die it can be told whether it
    lies flat, while what only looks like one is neither flat nor cocked.
    """
    where = {"outside": 0.1, "rim": 0.4, "bar": 0.4}.get(die.place or "", 1.0)
    decided = abs(2 * die.cocked - 1)
    return die.presence * decided * where * (1 - 0.6 * die.on_checker)


def without_clutter(dice: Sequence[SeenDie], clutter: Sequence[SeenDie]) -> list[SeenDie]:
    """The dice that do not lie where something that is none was seen before, unless they are much surer than it."""
    return [
        die
        for die in dice
        if not any(at(die, old) and die.confidence < max(_RELIABLE, old.confidence + 0.1) for old in clutter)
    ]


def more_clutter(clutter: Sequence[SeenDie], new: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """Both, the surest of those at one place, the latest last, not more than ``MOST_CLUTTER``."""
    kept = [old for old in clutter if not any(at(old, die) and die.confidence >= old.confidence for die in new)]
    added = [die for die in new if not any(at(die, old) for old in kept)]
    return (*kept, *added)[-MOST_CLUTTER:]


def same_values(roll: Roll, dice: Sequence[SeenDie]) -> bool:
    """Whether two dice show the values of the roll, wherever they lie."""
    return len(dice) == 2 and _same_values(roll.lying, dice)


def told(roll: Roll, dice: Dice) -> Roll:
    """The roll with values that something else than its look has told."""
    first, second = (
        old if old.value == value else replace(old, values=_surely(value))
        for old, value in zip(roll.lying, dice, strict=True)
    )
    return replace(roll, lying=(first, second))


def _surely(value: int) -> tuple[float, float, float, float, float, float]:
    one, two, three, four, five, six = (float(value == each) for each in range(1, 7))
    return one, two, three, four, five, six


def perhaps_same_values(roll: Roll, dice: Sequence[SeenDie]) -> bool:
    """Whether two dice may show the values of the roll, as far as they can be read."""
    return len(dice) == 2 and not _surely_other_values(roll.lying, dice)


def updated(roll: Roll, dice: Sequence[SeenDie]) -> Roll:
    """The roll with its dice as they lie now; the surer reading of the values is kept, and for ever once announced."""
    if all(new is old for new, old in zip(dice, roll.lying, strict=True)):
        return roll
    pairs = _paired(roll.lying, dice)
    kept = [
        new if new.confidence >= old.confidence and not roll.announced else replace(old, box=new.box, xy=new.xy)
        for old, new in pairs
    ]
    kept.sort(key=lambda d: (d.box[0], d.box[1]))
    return replace(roll, lying=(kept[0], kept[1]))


def void_because(dice: Sequence[SeenDie], options: Options, layout: Layout, player: Player | None) -> VoidWhy | None:
    """Why the roll must be thrown again, or None when it is valid under the agreed option."""
    if options.void_rolls == "off":
        return None
    for die in dice:
        if die.on_checker > COCKED:
            return "on-checker"
        if die.cocked > COCKED:
            return "cocked"
    if options.void_rolls == "cocked":
        return None
    places = {die.place for die in dice}
    if "outside" in places:
        return "outside"
    if places & {"rim", "bar"}:
        return "rim"
    if options.roll_area == "any" or None in places:
        return None
    if len(places) > 1:
        return "split"
    if options.roll_area == "own-right" and player is not None and places != {_right_half(layout, player)}:
        return "outside"  # of the half that was agreed upon
    return None


def perhaps_void_because(dice: Sequence[SeenDie], options: Options) -> VoidWhy | None:
    """Why a roll that was thrown again may have been void although it was taken for a valid one, or None."""
    if options.void_rolls == "off" or surely_flat(dice):
        return None
    leaning = max(dice, key=lambda die: max(die.cocked, die.on_checker))
    return "on-checker" if leaning.on_checker > leaning.cocked else "cocked"


def surely_flat(dice: Sequence[SeenDie]) -> bool:
    """Whether every die lies flat beyond the doubt that made a roll void before."""
    return all(die.cocked < SURELY_FLAT and die.on_checker < SURELY_FLAT for die in dice)


def _right_half(layout: Layout, player: Player) -> str:
    """The half at the right hand of a player, who sits at the row of the own home."""
    home = layout.slot(1, player)
    return "right" if home.startswith("B") else "left"


def _paired(old: Sequence[SeenDie], new: Sequence[SeenDie]) -> list[tuple[SeenDie, SeenDie]]:
    straight = _distance(old[0], new[0]) + _distance(old[1], new[1])
    crossed = _distance(old[0], new[1]) + _distance(old[1], new[0])
    return [(old[0], new[0]), (old[1], new[1])] if straight <= crossed else [(old[0], new[1]), (old[1], new[0])]


def _displacement(old: Sequence[SeenDie], new: Sequence[SeenDie]) -> float:
    """How far the die that moved most moved, in its own sizes."""
    return max(_distance(a, b) / max(a.box[2], a.box[3], 1.0) for a, b in _paired(old, new))


def _distance(a: SeenDie, b: SeenDie) -> float:
    return math.dist(
        (a.box[0] + a.box[2] / 2, a.box[1] + a.box[3] / 2), (b.box[0] + b.box[2] / 2, b.box[1] + b.box[3] / 2)
    )


def _same_values(old: Sequence[SeenDie], new: Sequence[SeenDie]) -> bool:
    return sorted(d.value for d in old) == sorted(d.value for d in new)


def _surely_other_values(old: Sequence[SeenDie], new: Sequence[SeenDie]) -> bool:
    return any(a.value != b.value and min(a.confidence, b.confidence) > _RELIABLE for a, b in _paired(old, new))
