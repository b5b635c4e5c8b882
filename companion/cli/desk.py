"""The page at one table: what it needs of the pipeline, and what the pipeline tells it."""

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.attention import Attention
from companion.errors import CompanionError
from companion.events import Event, Status, TurnSeen
from companion.frame import Frame, Image
from companion.inputs import Input, InputKind, Side
from companion.observation import Observation
from companion.pipeline import Looks, Pipeline, Shows
from companion.signals.scoreboard import Message, Scoreboard, follow, scoreboard
from companion.signals.texts import RULES, VOID, message_text, outcome_text, phase_text, reason_text
from companion.vision.draw import drawn
from companion.vision.finder import BoardFinder
from companion.web import Page, Ports, WebConfig
from companion.web.ports import Archive, Corners, Doctor, TurnCard, Wanted

NEVER = float("-inf")


class TableWords:
    """The texts of lamps and display, for the page."""

    def phase(self, view: Mapping[str, Any]) -> str:
        """What the table waits for."""
        return phase_text(Scoreboard(phase=view["phase"], player=view["player"]))

    def message(self, view: Mapping[str, Any]) -> str:
        """What the table has to say."""
        message = view["message"]
        if not message["key"] or message["key"] == "pairing":
            return ""
        return message_text(Message(message["key"], tuple(message["details"])))

    def rule(self, reason: str) -> str:
        """A rule, the cause of a void roll, or an outcome in words."""
        if reason in RULES or reason not in VOID:
            return outcome_text(reason_text(reason))
        return message_text(Message("void-roll", (reason,)))


class Watched:
    """Eyes that keep what they saw last, for whoever asks for a picture."""

    def __init__(self, eyes: Looks) -> None:
        self._eyes = eyes
        self.newest: tuple[Frame, Observation] | None = None

    def observe(self, frame: Frame, attention: Attention) -> Observation:
        """See, and keep."""
        seen = self._eyes.observe(frame, attention)
        self.newest = frame, seen
        return seen


class Desk:
    """Serves the page of one table; a pipeline is attached to it, and after a new set-up another one.

    ``begin`` starts a match as the set-up page asks for it; without it (a replay) nothing can be started.
    """

    def __init__(
        self,
        config: WebConfig,
        *,
        archive: Archive | None = None,
        doctor: Doctor | None = None,
        begin: Callable[[Wanted], None] | None = None,
    ) -> None:
        self.match: int | None = None
        self._begin = begin
        self._pipeline: Pipeline | None = None
        self._watched: Watched | None = None
        self._signals: Shows | None = None
        self._finder: BoardFinder | None = None
        self._finding = threading.Lock()
        self._code: str | None = None
        self._view = Scoreboard()
        self._ahead = {"white": 0, "black": 0}
        self._t = 0.0
        ports = Ports(TableWords(), presses=self, archive=archive, rigging=self, doctor=doctor)
        self.page = Page(config, ports, self._show_code)

    def attach(self, pipeline: Pipeline, names: Mapping[str, str], match: int | None = None) -> None:
        """Show this pipeline from now on; ``match`` is its number in the record."""
        self._signals = pipeline.signals
        self._watched = Watched(pipeline.eyes)
        pipeline.eyes, pipeline.signals = self._watched, self
        self._pipeline = pipeline
        self._view, self._ahead = Scoreboard(), {"white": 0, "black": 0}
        self.match = match
        self.page.begin(names, match)

    # What the pipeline calls

    def show(self, events: Sequence[Event], t: float) -> float:
        """Tell the page and the lamps what happened."""
        self._t = t
        for event in events:
            self._view = follow(self._view, event)
        if self._pipeline is not None and any(not isinstance(event, TurnSeen) for event in events):
            self.page.tell(self._shown(), events, self._pipeline.table.layout)
        if self._signals is None:
            return NEVER
        code, self._code = self._code, None
        shown = events if code is None else (*events, self._notice(code))
        return self._signals.show(shown, t)

    # What the page calls, from its own threads

    def press(self, kind: InputKind, side: Side | None) -> None:
        """A button was pressed on the page."""
        if self._pipeline is not None:
            self._pipeline.inputs.put(Input(self._t, kind, side))

    def look(self) -> Image | None:
        """The newest picture."""
        newest = self._watched and self._watched.newest
        return newest[0].image if newest else None

    def drawn(self) -> Image | None:
        """The newest picture with what was read."""
        newest = self._watched and self._watched.newest
        return drawn(newest[0].image, newest[1]) if newest else None

    def seen(self) -> Corners | None:
        """Where the eyes have the board."""
        newest = self._watched and self._watched.newest
        corners = newest[1].board.corners if newest else None
        return None if corners is None else tuple((float(x), float(y)) for x, y in corners)

    def find(self, picture: Image) -> Corners | None:
        """Look for the board; one search at a time."""
        with self._finding:
            self._finder = self._finder or BoardFinder()
            found = self._finder.find(picture)
        return None if found is None else tuple((float(x), float(y)) for x, y in found.corners)

    def begin(self, wanted: Wanted) -> None:
        """Start a match."""
        if self._begin is None:
            raise CompanionError("a recording is being replayed: a match is started with: companion run")
        picture = self.look()
        if wanted.corners is not None and wanted.size is not None and picture is not None:
            _same_shape(wanted.size, (picture.shape[1], picture.shape[0]))
        self._begin(wanted)

    def corrected(self, events: Sequence[Event], turns: Sequence[TurnCard]) -> None:
        """The record of the running match now holds these events: show its turns and its score."""
        score = scoreboard(events).score
        self._ahead = {side: score[side] - self._view.score[side] for side in self._ahead}
        self.page.corrected(turns, self._shown())

    def close(self) -> None:
        """Stop serving; may be called twice."""
        self.page.close()

    def _shown(self) -> dict[str, Any]:
        """What is shown: the table keeps the score as it saw it, corrections are added here."""
        view = self._view.to_json()
        return view | {
            "t": round(max(self._t, self._view.t), 3),
            "score": {side: view["score"][side] + more for side, more in self._ahead.items()},
        }

    def _show_code(self, code: str) -> None:
        self._code = code
        print(f"companion: the code of the page is {code}", file=sys.stderr, flush=True)

    def _notice(self, code: str) -> Status:
        view = self._view
        return Status(
            t=self._t,
            phase=view.phase,
            player=view.player,
            dice=view.dice,
            provisional=view.provisional,
            message="pairing",
            details=(code,),
        )


def _same_shape(size: tuple[int, int], camera: tuple[int, int]) -> None:
    """Corners of a photograph that is cut otherwise mean nothing in the camera's picture."""
    if abs(size[0] * camera[1] / (size[1] * camera[0]) - 1) > 0.02:
        raise CompanionError(
            f"corners: expected a picture of {camera[0]}×{camera[1]} pixels or of that shape, as the camera's, "
            f"got {size[0]}×{size[1]}: take a new picture, and show the board there"
        )
