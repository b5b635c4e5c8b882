"""Stand-ins for the camera and the buttons, for tests that need no table."""

import numpy as np

from companion.errors import ConfigError
from companion.frame import Image
from companion.inputs import InputKind, Side
from companion.rules import get_game
from companion.web.ports import Corners, Presses, Wanted


class Rigged:
    """A camera that sees a grey board, where it always is."""

    def __init__(self) -> None:
        self.begun: list[Wanted] = []

    def look(self) -> Image:
        return np.full((480, 640, 3), 120, np.uint8)

    def drawn(self) -> Image:
        return self.look()

    def seen(self) -> Corners | None:
        return None

    def find(self, picture: Image) -> Corners:
        return ((10.0, 10.0), (600.0, 12.0), (610.0, 400.0), (5.0, 410.0))

    def begin(self, wanted: Wanted) -> None:
        get_game(wanted.game, wanted.options)
        if wanted.home is None:
            raise ConfigError("home: expected a corner")
        self.begun.append(wanted)


def pressed(into: list[tuple[InputKind, Side | None]]) -> Presses:
    """Buttons that are only written down."""

    class Written:
        def press(self, kind: InputKind, side: Side | None) -> None:
            into.append((kind, side))

    return Written()
