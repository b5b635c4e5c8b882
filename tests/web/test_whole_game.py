"""A whole game is watched live: every turn arrives, and the score at the end."""

import random

from playwright.sync_api import expect

from companion.events import GameWon, PlayMade
from companion.frame import Frame
from companion.layout import Player
from companion.rules import Position
from tests.web.people import Device
from tests.web.world import World


class Film:
    """Plays a game before the eyes of the world, as fast as the table can follow."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.t = 0.0
        self.plays = 0
        self.won: GameWon | None = None

    def lie(self, position: Position, dice: tuple[int, ...] = (), seconds: float = 0.9) -> None:
        self.world.scene.put(position, dice)
        for _ in range(round(10 * seconds)):
            self.t += 0.1
            for event in self.world.pipeline.step(Frame(self.world.picture, self.t, round(10 * self.t))).events:
                self.plays += isinstance(event, PlayMade)
                self.won = event if isinstance(event, GameWon) else self.won

    def turn(self, position: Position, player: Player, dice: tuple[int, int]) -> Position:
        game = self.world.game
        ends = game.plays(position, dice, player=player).results
        after = min(ends, key=lambda end: sum(p * max(n, 0) for p, n in enumerate(game.seen(end, player).points)))
        self.lie(position, dice)
        if after != position:
            self.lie(after, dice)
        self.lie(after, seconds=1.6)
        return after


def test_every_turn_of_a_game_arrives_and_the_score_at_its_end(desktop: Device) -> None:
    with World("short", {"length": 3}, playing=False) as world:
        page, film, chance = desktop.open(world), Film(world), random.Random(4)
        position = world.game.start
        film.lie(position)
        player: Player = "white"
        for _ in range(200):
            dice = (chance.randint(1, 6), chance.randint(1, 6))
            position = film.turn(position, player, dice if dice[0] != dice[1] or film.plays else (6, 1))
            if world.game.winner(position) is not None:
                break
            player = "black" if player == "white" else "white"
        assert film.won is not None
        expect(page.locator(f"#score-{film.won.winner}")).to_have_text(str(film.won.points))
        expect(page.locator("#verdict")).to_contain_text("wins")
        assert world.desk.page.moment.turns[-1].number == film.plays
        expect(page.locator("#turns li").first.locator(".no")).to_have_text(str(film.plays))
