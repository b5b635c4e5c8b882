"""Pictures on their way from the frame to the file: the pipeline hands them over, and the game never waits for them."""

from pathlib import Path

import numpy as np

from companion.attention import Attention
from companion.events import Event
from companion.frame import Frame
from companion.layout import Layout
from companion.observation import Observation, SeenBoard, SeenDie, Settled
from companion.pipeline import Pipeline
from companion.records import Store
from companion.records.pictures import Album, Pictures
from companion.settle import Settle
from tests.signals.happening import played, rolled

CORNERS = ((10.0, 10.0), (90.0, 10.0), (90.0, 70.0), (10.0, 70.0))
DIE = SeenDie((1.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0, 1.0, (20.0, 20.0, 5.0, 5.0), "left", (0.2, 0.2))


class FixedEyes:
    def observe(self, frame: Frame, attention: Attention) -> Observation:
        return Observation(t=frame.t, board=SeenBoard(CORNERS, "given", 1.0), dice=(DIE,))


class ScriptedTable:
    """Makes the events of its script, one list a step."""

    layout: Layout | None = None

    def __init__(self, *script: list[Event]) -> None:
        self._script = list(script)

    def step(self, t: float, settled: Settled | None, inputs: list[object]) -> tuple[Event, ...]:
        return tuple(self._script.pop(0))

    def finish(self, t: float) -> tuple[Event, ...]:
        return ()

    def attention(self) -> Attention:
        return Attention()


def pipeline(album: Album, *script: list[Event]) -> Pipeline:
    return Pipeline(FixedEyes(), ScriptedTable(*script), Settle(), album=album)  # type: ignore[arg-type]


def frames(count: int) -> list[Frame]:
    return [Frame(np.full((80, 100, 3), 90, np.uint8), 0.5 * n, n) for n in range(count)]


def test_pictures_of_a_turn_arrive_and_frames_without_events_leave_none(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store, Pictures.open(tmp_path) as pictures:
        album = Album(pictures, store, store.begin({}), lambda line: None)
        flow = pipeline(album, [], [rolled(0.5)], [], [played(1.5)])
        for frame in frames(4):
            flow.step(frame)
        kept = pictures.of_turn(1, 1)
    assert [(p.kind, p.t) for p in kept] == [("roll", 0.5), ("before", 0.5), ("after", 1.5)]
    assert all(p.jpeg.startswith(b"\xff\xd8") for p in kept)


def test_events_are_the_same_whether_pictures_can_be_kept_or_not(tmp_path: Path) -> None:
    said: list[str] = []
    with Store.open(tmp_path) as store:
        pictures = Pictures.open(tmp_path)
        album = Album(pictures, store, store.begin({}), said.append)
        pictures.close()  # as if the file had been taken away
        flow = pipeline(album, [rolled(0.0)], [played(0.5)])
        events = [event for frame in frames(2) for event in flow.step(frame).events]
    assert events == [rolled(0.0), played(0.5)]
    assert len(said) == 1
    assert "the game goes on without new pictures" in said[0]
