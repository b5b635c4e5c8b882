"""Eyes that err as the real ones do: drawn once for each thing that is seen, and lasting as long as it lies there.

Independent errors from frame to frame would average away and prove nothing. A slot that is misread stays misread until
its content changes, a die until it is thrown again. What the real eyes read of pictures that they never saw in training
is kept in noise.json (``make noise``); one group of pictures of like difficulty is drawn for a whole match, since a
board that is hard to read is so all evening.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.layout import Layout
from companion.observation import Content, Observation, Reading, SeenBoard, SeenDie
from tests.simulator.scene import LyingDie, Scene

CORNERS = ((100.0, 100.0), (900.0, 100.0), (900.0, 700.0), (100.0, 700.0))
DIE_PX = 18.0
BOARD = SeenBoard(CORNERS, "given")
MEASURED = Path(__file__).parent / "noise.json"

_LEAST = 6
"""A group with fewer readings of a kind borrows from the other groups."""

_MIXED: list[Sequence[Sequence[float]]] = [[[0, 0, 0.7], [0, -1, 0.2], [-1, 0, 0.1]]]
"""A point that holds both colours is in no picture that was measured: this is assumed."""

Relative = Sequence[Sequence[float]]
"""``[[own, other, probability]]``: a reading relative to the truth."""


@lru_cache(maxsize=4)
def figures(path: Path = MEASURED) -> Mapping[str, Any]:
    """What was measured."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


@dataclass(frozen=True)
class Noise:
    """How much the eyes err: not at all (0), as measured (1), twice as often (2); ``group`` names a difficulty."""

    level: int = 1
    group: int | None = None


@dataclass
class NoisyEyes:
    """Sees scenes of one set: the same thing gives the same reading as long as it lies there."""

    noise: Noise
    layout: Layout
    random: random.Random
    _slots: dict[str, tuple[Content, Reading]] = field(default_factory=dict)
    _dice: dict[LyingDie, SeenDie | None] = field(default_factory=dict)
    _hand: tuple[bool, float] = (False, 0.0)
    _scene: Scene | None = None
    _board: dict[str, Reading | None] = field(default_factory=dict)
    _bar: Reading | None = None
    _lying: tuple[SeenDie, ...] = ()
    _ornaments: tuple[SeenDie, ...] = ()

    def __post_init__(self) -> None:
        measured = figures()
        boards, dice = measured["boards"], measured["dice"]
        chosen = self.noise.group if self.noise.group is not None else self.random.randrange(len(boards))
        pooled: dict[str, list[Relative]] = {}
        for group in boards:
            for kind, readings in group.items():
                pooled.setdefault(kind, []).extend(readings)
        own = {kind: readings for kind, readings in boards[chosen].items() if len(readings) >= _LEAST}
        self._kinds: dict[str, list[Relative]] = pooled | own
        self._throws = dice[chosen * len(dice) // len(boards)]
        self._cocked = [die for group in dice for die in group["cocked"]]
        if self.noise.level and self.random.random() < self.noise.level * measured["false_dice_per_picture"]:
            what = self.random.choice(measured["false_dice"])
            box = (self.random.uniform(150, 850), self.random.uniform(150, 650), DIE_PX, DIE_PX)
            self._ornaments = (self._as_seen(what, self.random.randint(1, 6), box, what["place"]),)

    def see(self, t: float, scene: Scene, motion: float = 0.0) -> Observation:
        """The observation of a scene at the time ``t``."""
        if scene.covered:
            return Observation(t=t, board=BOARD, hand=1.0, motion=1.0, full=False)
        if scene.hand != self._hand[0]:
            seen = scene.hand and (not self.noise.level or self._chance(figures()["hand_seen"]))
            self._hand = (scene.hand, 0.95 if seen else 0.02)
        self._look(scene)
        return Observation(
            t=t,
            board=BOARD if not scene.pushed_px else SeenBoard(CORNERS, "given", residual_px=scene.pushed_px),
            slots=self._board,
            bar=self._bar,
            dice=self._lying,
            hand=self._hand[1],
            motion=motion,
            full=motion < 0.5,
        )

    def _look(self, scene: Scene) -> None:
        """What does not change is not looked at again: the same picture gives the same readings."""
        last = self._scene
        if last is scene:
            return
        if last is None or last.points != scene.points or last.bar != scene.bar:
            self._board = {slot: self._slot(slot, scene.points[i]) for i, slot in enumerate(self.layout.slots)}
            self._bar = self._slot("bar", scene.bar)
        if last is None or last.dice != scene.dice:
            self._dice = {die: self._die(die) for die in scene.dice}
            self._lying = (*(die for die in self._dice.values() if die is not None), *self._ornaments)
        self._scene = scene

    def _slot(self, name: str, pair: tuple[int, int]) -> Reading:
        content = pair if self.layout.white == "light" else pair[::-1]
        known = self._slots.get(name)
        if known is None or known[0] != content:
            known = (content, self._reading(name, content))
            self._slots[name] = known
        return known[1]

    def _reading(self, name: str, content: Content) -> Reading:
        """The worst of as many measured readings of such a content as the noise's level says."""
        if not self.noise.level:
            return _clear(content)
        kind = _kind(name, content)
        readings = self._kinds.get(kind) or (_MIXED if kind == "mixed" else self._kinds[_kind("", content)])
        drawn = [self.random.choice(readings) for _ in range(self.noise.level)]
        return _absolute(min(drawn, key=_of_truth), content, swap=self.random.random() < 0.5)

    def _die(self, die: LyingDie) -> SeenDie | None:
        if die in self._dice:
            return self._dice[die]
        box = (die.x, die.y, DIE_PX, DIE_PX)
        if not self.noise.level:
            values = [0.0004] * 6
            values[die.value - 1] = 0.998
            return SeenDie(tuple(values), 0.97 if die.cocked else 0.01, 0.99, box, die.place)  # type: ignore[arg-type]
        pool = self._cocked if die.cocked else self._throws["flat"]
        drawn = [self.random.choice(pool) for _ in range(self.noise.level)]
        what = min(drawn, key=lambda d: d.get("values", [0.0])[0] * d.get("presence", 0.0))
        return self._as_seen(what, die.value, box, die.place) if "values" in what else None

    def _as_seen(self, what: Mapping[str, Any], value: int, box: tuple[float, ...], place: str) -> SeenDie:
        """A measured die with another value: the wrong values are dealt out anew."""
        others = [v for v in range(1, 7) if v != value]
        self.random.shuffle(others)
        dealt = dict(zip([value, *others], what["values"], strict=True))
        values = tuple(dealt[v] for v in range(1, 7))
        return SeenDie(values, what["leans"], what["presence"], box, place, None, what["on_checker"])  # type: ignore[arg-type]

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability


def _kind(name: str, content: Content) -> str:
    light, dark = content
    height = light + dark
    if name == "bar":
        return "bar-held" if height else "bar-empty"
    if light and dark:
        return "mixed"
    return str(height) if height <= 5 else "6-8" if height <= 8 else "9-11" if height <= 11 else "12-15"


def _of_truth(reading: Relative) -> float:
    return next((p for own, other, p in reading if own == 0 and other == 0), 0.0)


@lru_cache(maxsize=64)
def _clear(content: Content) -> Reading:
    light, dark = content
    other = (light, dark + 1) if dark else (light + 1, dark)
    return Reading({content: 0.9995, other: 0.0005})


def _absolute(reading: Relative, content: Content, *, swap: bool) -> Reading:
    """A relative reading of this content; on an empty place the colours are dealt by ``swap``."""
    light, dark = content
    other_way = dark > light or (dark == light and swap)
    own, other = (dark, light) if other_way else (light, dark)
    probabilities: dict[Content, float] = {}
    for a, b, p in reading:
        pair = (max(0, own + int(a)), max(0, other + int(b)))
        pair = pair[::-1] if other_way else pair
        probabilities[pair] = probabilities.get(pair, 0.0) + p
    return Reading(probabilities)
