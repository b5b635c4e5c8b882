"""Dice that cannot be read are looked at in full resolution: table → attention → camera → eyes → table, all real.

Only the two readers are replaced: one knows what stands on the board, the other reads small dice badly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.attention import Attention
from companion.camera.folder import FolderSource, Recorder
from companion.events import Event, Rolled
from companion.frame import Detail, Frame, FrameSource, Image
from companion.layout import Layout
from companion.observation import Reading, SeenDie
from companion.pipeline import Pipeline
from companion.rules import get_game
from companion.settle import Settle
from companion.table import Table
from companion.vision.eyes import Eyes
from companion.vision.rectify import DEFAULT_SPAN
from tests.camera.two_sizes import TwoSizes
from tests.table.seeing import die, observe
from tests.vision.tables import CORNERS, noisy, table

LONG = get_game("long")
WHERE = ((230, 250), (400, 250))
"""Where the dice lie, in pixels of the small picture; 16 pixels each."""


@cache
def pictures(*, thrown: bool) -> list[Image]:
    """The table in twice the size, with noise, before and after the dice were thrown."""
    picture = table(tuple((2 * x, 2 * y) for x, y in CORNERS), (1280, 960))
    for x, y in WHERE if thrown else ():
        cv2.rectangle(picture, (2 * x, 2 * y), (2 * x + 31, 2 * y + 31), (40, 40, 200), -1)
        cv2.circle(picture, (2 * x + 16, 2 * y + 16), 5, (255, 255, 255), -1)
    return [noisy(picture, 2, seed) for seed in range(3)]


@dataclass
class Film:
    """The start position, and after a second two dice; five frames a second, twice as large as they are read."""

    seconds: float = 2.6

    def __iter__(self) -> Iterator[Frame]:
        for number in range(round(5 * self.seconds)):
            yield Frame(pictures(thrown=number >= 5)[number % 3], number / 5, number)

    def attend(self, attention: Attention) -> None:
        """A film cannot be steered."""

    def close(self) -> None:
        """Nothing is held open."""


@dataclass
class Checkers:
    """Knows the start position."""

    slots: dict[str, Reading | None] = field(
        default_factory=lambda: dict(observe(0.0, LONG.start, Layout("BR", LONG.same_way)).slots)
    )
    bar: Reading = field(default_factory=lambda: Reading({(0, 0): 1.0}))
    off: Reading | None = None
    hand: float = 0.0
    hidden: dict[str, float] = field(default_factory=dict)
    span: tuple[float, float] = DEFAULT_SPAN
    tops: Any = field(default_factory=lambda: np.empty((0, 2)))

    def read(self, image: Image, corners: Any, span: Any = None) -> "Checkers":
        """The reading."""
        return self


class Dice:
    """Finds what is red, and reads it well where a detail shows it in twice the size."""

    def read(
        self, image: Image, corners: Any, span: Any = None, also: Any = (), details: Sequence[Detail] = ()
    ) -> tuple[SeenDie, ...]:
        """The dice."""
        red = [(x, y) for x, y in WHERE if tuple(image[y + 3, x + 3] > 130) == (False, False, True)]
        return tuple(die(6, x, y, sure=0.999 if self._shown(x, y, details) else 0.5) for x, y in red)

    def _shown(self, x: float, y: float, details: Sequence[Detail]) -> bool:
        for (left, top, width, _), picture in details:
            times = picture.shape[1] / width
            here = picture[round((y - top) * times) : round((y + 16 - top) * times)]
            here = here[:, round((x - left) * times) : round((x + 16 - left) * times)]
            if here.shape[:2] == (32, 32) and tuple(here[4, 4] > 130) == (False, False, True):
                return True
        return False


def followed(source: FrameSource, record: Recorder | None = None) -> list[Event]:
    """What the table says to a film."""
    eyes = Eyes(CORNERS, Checkers(), Dice())
    pipeline = Pipeline(eyes, Table(LONG, home="BR"), Settle())
    each = None if record is None else record.frame
    return [event for step in pipeline.run(source, each) for event in step.events]


def rolls(events: Sequence[Event]) -> list[tuple[int, ...]]:
    return [event.dice for event in events if isinstance(event, Rolled) and event.dice]


def test_dice_that_are_too_small_are_read_from_the_still() -> None:
    source = TwoSizes(Film(), 2.0)
    assert rolls(followed(source)) == [(6, 6)]
    assert source.shown > 0


def test_without_stills_they_stay_unread() -> None:
    source = TwoSizes(Film(), 2.0, stills=False)
    assert rolls(followed(source)) == []
    assert source.shown == 0


def test_a_recording_of_it_gives_the_same_events(tmp_path: Path) -> None:
    with Recorder(tmp_path, quality=100) as record:
        live = followed(TwoSizes(Film(), 2.0), record)
    assert [event.to_json() for event in followed(FolderSource(tmp_path))] == [event.to_json() for event in live]


def test_nothing_is_wanted_closer_before_dice_lie() -> None:
    source = TwoSizes(Film(seconds=1.0), 2.0)
    followed(source)
    assert source.shown == 0
