"""One simulated game told to the real table, and how its account compares with what happened."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from companion.events import Event, Gap, IllegalPlay, PlayMade, Status
from companion.layout import CORNERS, Layout
from companion.observation import Observation
from companion.rules import get_game
from companion.settle import Settle
from companion.table import Table, TableSettings
from tests.simulator.noise import Noise, NoisyEyes
from tests.simulator.people import Habit, People, TrueTurn
from tests.simulator.scene import Scene


@dataclass
class Count:
    """Sums over turns; ``+=`` adds another count."""

    games: int = 0
    turns: int = 0
    exact: int = 0
    dice: int = 0
    plays: int = 0
    extra: int = 0
    accused: int = 0
    falsely: int = 0
    to_notice: int = 0
    noticed: int = 0
    reason: int = 0
    gaps: int = 0
    observations: int = 0
    notes: list[str] = field(default_factory=list)

    def __iadd__(self, other: "Count") -> "Count":
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self


def observed(eyes: NoisyEyes, scenes: Iterator[tuple[Scene, float]], fps: float = 10.0) -> Iterator[Observation]:
    """Observations at the frame rate; the first of every new scene shows motion."""
    frame, before = 0, None
    for scene, seconds in scenes:
        for i in range(max(1, round(seconds * fps))):
            moving = 1.0 if i == 0 and scene != before else 0.0
            yield eyes.see(frame / fps, scene, moving)
            frame += 1
        before = scene


def simulate(name: str, seed: int, noise: Noise, habit: Habit | None = None, most_turns: int = 400) -> Count:
    """Play and referee one game; everything follows from the seed."""
    chance = random.Random(f"{name} {seed}")
    game = get_game(name)
    people = People(game, chance, habit or Habit())
    home = chance.choice(CORNERS)
    eyes = NoisyEyes(noise, Layout(home, game.same_way), chance)
    table, settle = Table(game, TableSettings()), Settle()
    events: list[Event] = []
    observations = 0
    t = 0.0
    for seen in observed(eyes, people.scenes(most_turns)):
        observations += 1
        t = seen.t
        events += [e for e in table.step(t, settle.step(seen)) if not isinstance(e, Status)]
    count = compared(people.turns, events, f"{name} {seed}")
    count.observations = observations
    return count


def compared(turns: Sequence[TrueTurn], events: Sequence[Event], label: str) -> Count:
    """Align what was announced with what was done."""
    count = Count(games=1, turns=len(turns), gaps=sum(isinstance(e, Gap) for e in events))
    said = [e for e in events if isinstance(e, PlayMade)]
    wanted = [(t.player, str(t.after.to_json())) for t in turns]
    matcher = SequenceMatcher(None, wanted, [(e.player, str(e.board)) for e in said], autojunk=False)
    pairs = {i + k: j + k for i, j, size in matcher.get_matching_blocks() for k in range(size)}
    for index, turn in enumerate(turns):
        event = said[pairs[index]] if index in pairs else None
        right = event is not None and sorted(event.dice or ()) == sorted(turn.dice)
        count.plays += event is not None
        count.dice += right
        exact = right and event is not None and event.verdict == turn.verdict
        count.exact += exact
        if not exact and len(count.notes) < 1:
            count.notes.append(f"{label}: turn {index} {turn.player} {turn.dice}")
    count.extra = len(said) - len(pairs)
    _accusations(count, turns, events, label)
    return count


def _accusations(count: Count, turns: Sequence[TrueTurn], events: Sequence[Event], label: str) -> None:
    open_turns = [t for t in turns if t.noticed is not None]
    count.to_notice = len(open_turns)
    for event in events:
        if not isinstance(event, IllegalPlay):
            continue
        count.accused += 1
        fits = [t for t in open_turns if t.player == event.player and sorted(t.dice) == sorted(event.dice or ())]
        if not fits:
            count.falsely += 1
            count.notes.append(f"{label}: falsely accused at {event.t:.1f} s: {', '.join(event.reasons)}")
            continue
        open_turns.remove(fits[0])
        count.noticed += 1
        count.reason += event.reasons[0] == fits[0].noticed
