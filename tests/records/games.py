"""Whole games as a record has them: played at random, by the rules."""

import random

from companion import events as ev
from companion.layout import Player
from companion.records.account import At, closed, follow
from companion.rules import Game, Position, format_play, get_game
from companion.rules.match import other


def meta(game: str = "short", **options: object) -> dict[str, object]:
    return {"game": game, "options": options, "source": "simulated", "started": "2026-11-29T19:00:00+00:00"}


def play_game(seed: int, name: str = "short", turns: int = 400, **options: object) -> list[ev.Event]:
    """A game, to its end or to so many turns."""
    dice = random.Random(seed)
    house = get_game(name, dict(options))
    events: list[ev.Event] = [
        ev.GameStarted(t=0.0, game=name, board=house.start.to_json(), score={"white": 0, "black": 0})
    ]
    at = follow(house, At(house.start, over=True), events[0])
    player: Player = "white" if dice.random() < 0.5 else "black"
    for number in range(turns):
        roll = (dice.randint(1, 6), dice.randint(1, 6))
        for event in turn(house, at, player, roll, 10.0 * number, dice):
            events.append(event)
            at = follow(house, at, event)
        if at.ended is not None:
            events += closed(house, at, 10.0 * number + 6)
            break
        player = other(player)
    return events


def turn(house: Game, at: At, player: Player, roll: ev.Dice, t: float, dice: random.Random) -> list[ev.Event]:
    first = player not in at.played
    second = first and at.starter is not None
    legal = house.plays(at.position, roll, player=player, first_turn=first, second_player=second)
    # The order of a set of positions is not the same in every run.
    after: Position = dice.choice(sorted(legal.results, key=lambda p: (p.points, p.bar, p.off)))
    text = format_play(legal.results[after][0], house.seen(at.position, player))
    return [
        ev.Rolled(t=t, player=player, dice=roll),
        ev.PlayMade(
            t=t + 5.0, player=player, dice=roll, play=text, verdict="legal", board=after.to_json(), confidence=0.99
        ),
    ]


def plays_of(events: list[ev.Event]) -> list[ev.PlayMade]:
    return [event for event in events if isinstance(event, ev.PlayMade)]
