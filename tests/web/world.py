"""A table without camera behind the real page: the real pipeline, whose eyes see what the test puts on the board."""

import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from companion.attention import Attention
from companion.cli.desk import Desk
from companion.events import Event, Status
from companion.frame import Frame, Image
from companion.layout import Layout
from companion.observation import Observation, SeenDie
from companion.pipeline import Pipeline
from companion.rules import Game, Position, get_game
from companion.settle import Settle
from companion.table import Table, TableSettings
from companion.web import WebConfig
from tests.table.seeing import observe, pair

FPS = 25.0


class Scene:
    """The eyes of this world: what lies on the board now; every change is a moment of motion."""

    def __init__(self, game: Game) -> None:
        self.layout = Layout("BR", game.same_way)
        self._lies: tuple[Position, tuple[SeenDie, ...]] = (game.start, ())
        self._moved = True

    def put(self, position: Position, dice: Sequence[int] = ()) -> None:
        self._lies = position, pair(dice)
        self._moved = True

    def observe(self, frame: Frame, attention: Attention) -> Observation:
        moved, self._moved = self._moved, False
        position, dice = self._lies
        return observe(frame.t, position, self.layout, dice, motion=1.0 if moved else 0.0)


class Display:
    """The table's display, as far as it says pairing codes."""

    def __init__(self) -> None:
        self.code = ""

    def show(self, events: Sequence[Event], t: float) -> float:
        for event in events:
            if isinstance(event, Status) and event.message == "pairing":
                self.code = event.details[0]
        return float("-inf")

    def wait_for_code(self) -> str:
        for _ in range(400):
            if self.code:
                return self.code
            time.sleep(0.05)
        raise AssertionError("the table showed no code")


class World:
    """A page that is served, and a table that a thread looks at; a context manager."""

    def __init__(
        self,
        game: str = "short",
        options: dict[str, Any] | None = None,
        *,
        picture: Image | None = None,
        settings: TableSettings | None = None,
        config: WebConfig | None = None,
        record: Any = None,
        match: int | None = None,
        playing: bool = True,
        **ports: Any,
    ) -> None:
        self.game = get_game(game, options or {})
        self.scene = Scene(self.game)
        self.picture = np.full((480, 640, 3), 90, np.uint8) if picture is None else picture
        table = Table(self.game, settings or TableSettings(), home="BR")
        self.desk = Desk(config or WebConfig(port=0), **ports)
        self.display = Display()
        self.pipeline = Pipeline(self.scene, table, Settle(), signals=self.display, record=record)
        self.desk.attach(self.pipeline, {"white": "Mara", "black": "Teo"}, match)
        self._ended = threading.Event()
        self._playing = playing
        self._thread = threading.Thread(target=self._run, name="table")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.desk.page.port}"

    def code(self) -> str:
        """The code that the display shows."""
        if not self._playing:
            self.desk.show((), 0.0)
        return self.display.wait_for_code()

    def see(self) -> None:
        """The camera sees its picture once, where no table is playing."""
        self.pipeline.eyes.observe(Frame(self.picture, 0.0, 0), Attention())

    def put(self, position: Position, dice: Sequence[int] = (), seconds: float = 0.9) -> None:
        """Let this lie on the board for so long."""
        self.scene.put(position, dice)
        time.sleep(seconds)

    def _run(self) -> None:
        for step in self.pipeline.run(Frames(self)):  # type: ignore[arg-type]
            assert step is not None

    def frames(self) -> Iterator[Frame]:
        begun, number = time.monotonic(), 0
        while not self._ended.wait(1 / FPS):
            yield Frame(self.picture, time.monotonic() - begun, number)
            number += 1

    def __enter__(self) -> "World":
        if self._playing:
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        if self._playing:
            self._thread.join()
        self.desk.close()


class Frames:
    """The camera of this world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __iter__(self) -> Iterator[Frame]:
        return self._world.frames()

    def attend(self, attention: Attention) -> None:
        """It cannot be steered."""

    def close(self) -> None:
        """Nothing is open."""
