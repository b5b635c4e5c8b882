"""LED light must not fool the camera: frames by which a lamp changes are no evidence (design.md §2)."""

from collections.abc import Sequence

import numpy as np

from companion.attention import Attention
from companion.events import Event
from companion.frame import Frame
from companion.layout import Layout
from companion.observation import Observation, SeenBoard
from companion.pipeline import Pipeline
from companion.rules import get_game
from companion.settle import Settle
from companion.table import Table
from tests.table.seeing import CORNERS, observe, pair

GAME = get_game("long")
LAYOUT = Layout("BR", same_way=True)


class Dazzled:
    """Eyes that see dice which are not there for as long as the lamp changes, and say, as the real ones do, when."""

    def observe(self, frame: Frame, attention: Attention) -> Observation:
        if frame.t < attention.not_evidence_until_s:
            return Observation(t=frame.t, board=SeenBoard(CORNERS, "given"), full=False)
        dazzled = 2.0 <= frame.t < 4.0
        return observe(frame.t, GAME.start, LAYOUT, pair((6, 5)) if dazzled else ())


class Lamps:
    """Lamps that change from the second 2 to 4; ``interlocked``: they say so."""

    def __init__(self, interlocked: bool) -> None:
        self.interlocked = interlocked

    def show(self, events: Sequence[Event], t: float) -> float:
        return 4.0 if self.interlocked and 1.9 < t < 4.0 else float("-inf")


def said(interlocked: bool) -> list[str]:
    pipeline = Pipeline(Dazzled(), Table(GAME, home="BR"), Settle(), Lamps(interlocked))  # type: ignore[arg-type]
    nothing = np.zeros((1, 1, 3), np.uint8)
    events: list[Event] = []
    for number in range(60):
        events += pipeline.step(Frame(nothing, number / 10, number)).events
    return [event.name for event in events if event.name != "status"]


def test_what_is_seen_by_a_changing_lamp_is_not_evidence() -> None:
    assert said(interlocked=True) == ["start"]


def test_without_the_interlock_the_dazzled_eyes_would_be_believed() -> None:
    assert "rolled" in said(interlocked=False)
