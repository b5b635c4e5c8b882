"""The service as a process of its own over a film that never ends: ``python -m tests.service.process run …``.

Only what looks at pixels is replaced (tests.service.film). The film is a long nardy game, told over and over.
"""

import itertools
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from companion import cli
from companion.attention import Attention
from companion.frame import Frame
from companion.rules import Position, get_game
from companion.vision.calibration import Calibration
from tests.service.film import FPS, Eyes, Film
from tests.table.seeing import pair

LONG = get_game("long")
PLAYS = ((24, 18), (18, 17)), ((24, 19), (19, 17)), ((24, 21), (21, 20)), ((24, 20), (20, 19))
LOOK = np.full((480, 640, 3), 120, np.uint8)
"""What the page shows as the picture of the camera."""

DICE = (6, 1), (5, 2), (3, 1), (4, 1)


def game() -> Film:
    """Eight turns from the start position; the dice lie elsewhere each time."""
    film = Film()
    board: Position = LONG.start
    film.show(board, seconds=1.0)
    for number, (dice, moves) in enumerate(zip(DICE, PLAYS, strict=True)):
        for side, player in enumerate(("white", "black")):
            board = film.turn(board, dice, player, *moves, lying=pair(dice, x=300.0 + 40 * number + 20 * side))
    film.show(board, seconds=600.0)
    return film


class Endless:
    """Frames of the film at the pace that ``COMPANION_TEST_FPS`` says, from the one at which the process begins."""

    def __init__(self, film: Film) -> None:
        self._film = film
        self._pace_s = 1.0 / float(os.environ.get("COMPANION_TEST_FPS", "100"))

    def __iter__(self) -> Iterator[Frame]:
        for number in itertools.count():
            time.sleep(self._pace_s)
            yield Frame(LOOK, number / FPS, number)

    def attend(self, attention: Attention) -> None:
        """Cannot be steered."""

    def close(self) -> None:
        """Nothing is held open."""


class Last(Eyes):
    """After its end the film stands still."""

    def observe(self, frame, attention):  # type: ignore[no-untyped-def]
        return super().observe(Frame(frame.image, frame.t, min(frame.number, len(self._film.seen) - 1)), attention)


def opened(film: Film, corners: object = None, calibration: Calibration | None = None) -> Last:
    """Eyes that write down, where a test wants to know it, which calibration they were given."""
    if "COMPANION_TEST_EYES" in os.environ and calibration is not None:
        with Path(os.environ["COMPANION_TEST_EYES"]).open("a") as file:
            file.write(calibration.model_dump_json() + "\n")
    return Last(film)


class JumpingClock:
    """The machine's clock, put forward or back by the seconds that stand in a file."""

    def __init__(self, file: Path, really: Callable[[], float] = time.time) -> None:
        self._file, self._really, self._ahead_s = file, really, 0.0

    def __call__(self) -> float:
        self._ahead_s = float(self._file.read_text() or self._ahead_s)  # empty while it is being written
        return self._really() + self._ahead_s


def main() -> int:
    """Run the command line with the film in place of camera and eyes."""
    import companion.cli.service as service
    import companion.pipeline as pipeline

    film = game()
    if "COMPANION_TEST_CLOCK" in os.environ:
        time.time = JumpingClock(Path(os.environ["COMPANION_TEST_CLOCK"]))
    pipeline.Eyes = lambda **rig: opened(film, **rig)  # type: ignore[assignment, misc]
    service.open_source = lambda path: Endless(film)  # type: ignore[assignment]
    service.open_camera = lambda device, **_: Endless(film)  # type: ignore[assignment]
    Path(os.environ["STATE_DIRECTORY"]).mkdir(parents=True, exist_ok=True)
    return cli.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
