"""One simulated game told to the real table."""

import random
from collections.abc import Iterator

from companion.events import Event
from companion.layout import CORNERS, Layout
from companion.observation import Observation
from companion.rules import get_game
from companion.settle import Settle
from companion.table import Table, TableSettings
from tests.simulator.count import Count, Told, compared
from tests.simulator.noise import Noise, NoisyEyes
from tests.simulator.people import Habit, People, Upset

FPS = 10.0


def watched(eyes: NoisyEyes, people: People, most_turns: int, told: Told) -> Iterator[Observation]:
    """Observations at the frame rate; the first of every new scene shows motion. Notes in ``told`` when turns end."""
    frame, before = 0, None
    for scene, seconds, ends in people.scenes(most_turns):
        if ends is not None:
            told.ended[ends] = frame / FPS
        if scene.lost:
            frame += round(seconds * FPS)
            continue
        for i in range(max(1, round(seconds * FPS))):
            moving = 1.0 if i == 0 and scene is not before and scene != before else 0.0
            yield eyes.see(frame / FPS, scene, moving)
            frame += 1
        before = scene
        told.at[len(people.turns)] = frame / FPS


def simulate(
    name: str, seed: int, noise: Noise, habit: Habit | None = None, most_turns: int = 400, upset: Upset | None = None
) -> Count:
    """Play and referee one game; everything follows from the seed."""
    told, events, people = played(name, seed, noise, habit, most_turns, upset)
    return compared(people.turns, events, told, f"{name} {seed}")


def played(
    name: str, seed: int, noise: Noise, habit: Habit | None = None, most_turns: int = 400, upset: Upset | None = None
) -> tuple[Told, list[Event], People]:
    """Play one game before the table; what was noted, said and done."""
    chance = random.Random(f"{name} {seed}")
    game = get_game(name)
    people = People(game, chance, habit or Habit(), upset)
    home = chance.choice(CORNERS)
    eyes = NoisyEyes(noise, Layout(home, game.same_way), chance)
    table, settle = Table(game, TableSettings()), Settle()
    events: list[Event] = []
    told = Told()
    for seen in watched(eyes, people, most_turns, told):
        told.observations += 1
        events += table.step(seen.t, settle.step(seen))
    return told, events, people
