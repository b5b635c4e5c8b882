"""Eyes that err as the real ones do: drawn once for each thing that is seen, and lasting as long as it lies there.

Independent errors from frame to frame would average away and prove nothing. A slot that is misread stays misread until
its content changes, a die until it is thrown again.
"""

import random
from dataclasses import dataclass, field

from companion.layout import Layout
from companion.observation import Content, Observation, Reading, SeenBoard, SeenDie
from tests.simulator.scene import LyingDie, Scene

CORNERS = ((100.0, 100.0), (900.0, 100.0), (900.0, 700.0), (100.0, 700.0))
DIE_PX = 18.0
BOARD = SeenBoard(CORNERS, "given")


@dataclass(frozen=True)
class Noise:
    """How often the eyes err.

    ``slot_wrong``: a content is read as a neighbour and believed; ``slot_unsure``: it is half believed; both grow with
    the height of the stack. ``die_wrong``, ``die_unsure``, ``die_missed`` and the two errors about cocked dice are for
    each throw of a die; ``hand_missed`` for each time a hand comes.
    """

    slot_wrong: float = 0.002
    slot_unsure: float = 0.01
    die_wrong: float = 0.0005
    die_unsure: float = 0.01
    die_missed: float = 0.002
    cocked_missed: float = 0.03
    cocked_false: float = 0.002
    hand_missed: float = 0.02

    def times(self, factor: float) -> "Noise":
        """All errors more or less often."""
        return Noise(**{name: min(1.0, factor * getattr(self, name)) for name in self.__dataclass_fields__})


@dataclass
class NoisyEyes:
    """Sees scenes of one set: the same thing gives the same reading as long as it lies there."""

    noise: Noise
    layout: Layout
    random: random.Random
    _slots: dict[str, tuple[Content, Reading]] = field(default_factory=dict)
    _dice: dict[LyingDie, SeenDie | None] = field(default_factory=dict)
    _scene: Scene | None = None
    _board: dict[str, Reading | None] = field(default_factory=dict)
    _bar: Reading | None = None
    _lying: tuple[SeenDie, ...] = ()
    _hand: tuple[bool, float] = (False, 0.0)

    def see(self, t: float, scene: Scene, motion: float = 0.0) -> Observation:
        """The observation of a scene at the time ``t``."""
        if scene.hand != self._hand[0]:
            seen = scene.hand and self.random.random() >= self.noise.hand_missed
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
        if (
            self._scene is not None
            and self._scene.dice is scene.dice
            and (self._scene.points is scene.points and self._scene.bar == scene.bar)
        ):
            return
        if self._scene is None or self._scene.points != scene.points or self._scene.bar != scene.bar:
            self._board = {slot: self._slot(slot, scene.points[i]) for i, slot in enumerate(self.layout.slots)}
            self._bar = self._slot("bar", scene.bar)
        if self._scene is None or self._scene.dice != scene.dice:
            self._dice = {die: self._die(die) for die in scene.dice}
            self._lying = tuple(die for die in self._dice.values() if die is not None)
        self._scene = scene

    def _slot(self, name: str, pair: tuple[int, int]) -> Reading:
        content = pair if self.layout.white == "light" else pair[::-1]
        known = self._slots.get(name)
        if known is None or known[0] != content:
            known = (content, self._reading(content))
            self._slots[name] = known
        return known[1]

    def _reading(self, content: Content) -> Reading:
        light, dark = content
        height = light + dark
        other = self._neighbour(content)
        harder = 1 + max(0, height - 5) / 2
        draw = self.random.random() / harder
        if draw < self.noise.slot_wrong:
            return Reading({other: 0.97, content: 0.03})
        if draw < self.noise.slot_wrong + self.noise.slot_unsure:
            sure = self.random.uniform(0.4, 0.9)
            return Reading({content: sure, other: 1 - sure})
        return Reading({content: 0.995, other: 0.005})

    def _neighbour(self, content: Content) -> Content:
        light, dark = content
        if light + dark == 0:
            return self.random.choice([(1, 0), (0, 1)])
        step = 1 if light + dark == 1 and self.random.random() < 0.5 else self.random.choice([-1, 1])
        return (light + step, dark) if light else (light, dark + step)

    def _die(self, die: LyingDie) -> SeenDie | None:
        if die in self._dice:
            return self._dice[die]
        if self.random.random() < self.noise.die_missed:
            return None
        cocked = die.cocked
        if self.random.random() < (self.noise.cocked_missed if cocked else self.noise.cocked_false):
            cocked = not cocked
        value, sure = die.value, 0.998
        draw = self.random.random()
        if draw < self.noise.die_wrong:
            value = self.random.choice([v for v in range(1, 7) if v != value])
        elif draw < self.noise.die_wrong + self.noise.die_unsure:
            sure = self.random.uniform(0.4, 0.9)
        values = [(1 - sure) / 5] * 6
        values[value - 1] = sure
        box = (die.x, die.y, DIE_PX, DIE_PX)
        return SeenDie(tuple(values), 0.97 if cocked else 0.01, 0.99, box, die.place)  # type: ignore[arg-type]
