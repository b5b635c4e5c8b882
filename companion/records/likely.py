"""What may have happened where a corrected account does not go on: up to four corrections, the likeliest first.

What the camera had read after the turn is evidence: a play that leads there, or near it, is likelier, also with another
number on one die (unless a person said it), the more so the less sure that die was. What the table itself had thought
likely is taken at its word. Where pictures are kept, the caller may weigh positions by them, and they count instead.
Plays after which the next turns can be played as they were recorded come first among equals.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from companion import events as ev
from companion.layout import Player
from companion.records.fix import Conflict, Edit, Replay, apply, distance
from companion.records.transcript import moved
from companion.rules import Game, Position, RulesError, format_play, parse_play
from companion.rules.match import other

MOST = 4
AHEAD = 3
"""So many turns are tried after a correction."""
TRIED = 24
"""So many corrections are looked at closely."""
OTHER_DIE, OTHER_PLAYER, STOOD, NEVER, UNSEEN = 2.0, 1.0, 4.0, 5.0, 6.0
"""What a correction of each kind costs, in checkers that stand elsewhere."""
SURE_DIE = 0.999
"""A die that was read with this probability costs the whole ``OTHER_DIE``; at evens a tenth of it."""
NATS_FOR_A_CHECKER = 6.0
"""So much worse, in nats, does a picture fit when one checker stands elsewhere (two slots read wrong)."""
WRONG_AHEAD = 1.0
"""What it costs when the next turns cannot be played after it, for each of them."""

Weigh = Callable[[ev.PlayMade, Position], float | None]
"""How badly a position fits the picture that was kept after a play (as recorded), in checkers; None: no picture."""


@dataclass(frozen=True)
class Correction:
    """One thing that may have happened, in words and as an edit; the smaller the cost, the likelier."""

    words: str
    edit: Edit
    cost: float


def likely(house: Game, conflict: Conflict, weigh: Weigh | None = None) -> list[Correction]:
    """Up to four corrections of a conflict, the likeliest first."""
    if not isinstance(conflict.event, ev.PlayMade):
        return _without(conflict)
    found = sorted(_candidates(house, conflict, conflict.event, weigh), key=lambda c: c.cost)[:TRIED]
    tried = [_looked_ahead(house, conflict, each) for each in found]
    return sorted(tried, key=lambda c: c.cost)[:MOST]


def _without(conflict: Conflict) -> list[Correction]:
    """Something else than a play cannot be: the cube was not used, or the turn after which the game ended is wrong."""
    if isinstance(conflict.event, ev.CubeAction):
        return [Correction("the cube was not used here", Edit(conflict.turn, cube=()), NEVER)]
    return []


def _candidates(house: Game, conflict: Conflict, event: ev.PlayMade, weigh: Weigh | None) -> Iterator[Correction]:
    seen, thought = _seen(conflict), _thought(house, conflict)
    player, turn = event.player, conflict.turn
    if player is not None and conflict.at.ended is None:
        who = player if conflict.at.may_play(player, event.part) else other(player)
        price = 0.0 if who == player else OTHER_PLAYER
        for dice, more in islice(_dice(event.dice, conflict.seen), 1 if conflict.rest[0].dice_said else None):
            for position, text in _plays(house, conflict, who, dice, event.part):
                weighed = None if weigh is None else weigh(event, position)
                far = weighed if weighed is not None else 0.0 if seen is None else distance(position, seen)
                cost = thought.get((who, min(dice), max(dice), position))
                if weighed is None and cost is not None:
                    yield _read_so(turn, who, dice, text, price + cost)
                    continue
                yield _read_so(turn, who, dice, text, price + more + far)
        if "not legal" in conflict.why:
            yield Correction("the play broke a rule and stood", Edit(turn, stood=True), STOOD)
    yield Correction("this turn never was", Edit(turn, "delete"), NEVER)
    if seen is not None and conflict.at.ended is None and _possible(house, seen):
        yield Correction("not seen: go on from the board as it was seen after it", Edit(turn, "gap"), UNSEEN)


def _read_so(turn: int, who: Player, dice: ev.Dice, text: str, cost: float) -> Correction:
    words = f"{who} rolled {dice[0]}-{dice[1]} and played {text or 'nothing'}"
    return Correction(words, Edit(turn, player=who, roll=dice, play=text), cost)


def _thought(house: Game, conflict: Conflict) -> dict[tuple[Player, int, int, Position], float]:
    """What the table had thought likely besides what it took, with its cost, as far as it can be played here."""
    found = {}
    for player, one, two, play, behind in conflict.seen.others if conflict.seen else ():
        try:
            position = moved(house, conflict.at.position, player, parse_play(play))
        except RulesError:
            continue
        found[player, min(one, two), max(one, two), position] = behind / NATS_FOR_A_CHECKER
    return found


def _seen(conflict: Conflict) -> Position | None:
    """What the camera had read after the turn."""
    event = conflict.event
    if not isinstance(event, ev.PlayMade) or not event.board:
        return None
    return Position.from_json(event.board)


def _dice(dice: ev.Dice | None, seen: ev.TurnSeen | None) -> Iterator[tuple[ev.Dice, float]]:
    """The dice as read, and those that differ in one die, with what they cost."""
    if dice is None:
        return
    yield dice, 0.0
    costs = (OTHER_DIE, OTHER_DIE) if seen is None or seen.dice != dice else tuple(map(_wrong, seen.sure))
    changed = {(n, dice[1]): costs[0] for n in range(1, 7)} | {(dice[0], n): costs[1] for n in range(1, 7)}
    for each, cost in sorted(changed.items()):
        if sorted(each) != sorted(dice):
            yield each, cost


def _wrong(sure: float) -> float:
    """What it costs that a die was misread that was read with this probability."""
    return OTHER_DIE * min(1.0, math.log(max(1.0 - sure, 1e-9)) / math.log(1.0 - SURE_DIE))


def _plays(house: Game, conflict: Conflict, player: Player, dice: ev.Dice, part: str) -> Iterator[tuple[Position, str]]:
    """The legal plays, as end positions and texts."""
    at = conflict.at
    first = part == "own" and player not in at.played
    second = first and at.starter not in (None, player)
    if part == "left-over":
        return
    try:
        legal = house.plays(at.position, dice, player=player, first_turn=first, second_player=second)
    except RulesError:
        return
    seen = house.seen(at.position, player)
    for position, plays in legal.results.items():
        yield position, format_play(plays[0], seen)


def _looked_ahead(house: Game, conflict: Conflict, correction: Correction) -> Correction:
    """The correction with what it costs that the next turns cannot be played after it."""
    count = sum(isinstance(entry.event, ev.PlayMade) for entry in conflict.rest) - 1
    ahead = min(AHEAD, count)
    if ahead < 1 or correction.edit.what == "gap":
        return correction
    rest = list(islice(conflict.rest, _until(conflict, ahead + 1)))
    relative = Edit(**{**vars(correction.edit), "turn": 1})
    wanted = ahead + (correction.edit.what != "delete")
    replay = Replay(house, apply(house, rest, relative), conflict.at)
    replay.run(wanted)
    return Correction(correction.words, correction.edit, correction.cost + WRONG_AHEAD * (wanted - replay.turn))


def _until(conflict: Conflict, plays: int) -> int:
    """How many entries hold so many plays."""
    seen = 0
    for index, entry in enumerate(conflict.rest):
        seen += isinstance(entry.event, ev.PlayMade)
        if seen == plays:
            return index + 1
    return len(conflict.rest)


def _possible(house: Game, position: Position) -> bool:
    try:
        house.check(position)
    except RulesError:
        return False
    return True
