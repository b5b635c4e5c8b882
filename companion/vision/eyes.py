"""The eyes: one frame in, one Observation out.

Cheap things first: the motion gate runs on every frame; while something moves, or while a lamp changes, the
frame is not read. On a still frame the board is found (unless the corners were given: a user's corners always
win), checked for having moved, and read.
"""

from typing import Any, Protocol

from companion.attention import Attention
from companion.frame import Frame, Image
from companion.observation import BoardFound, Observation, Reading, SeenBoard, SeenDie
from companion.vision.finder import BoardFinder, FoundBoard
from companion.vision.geometry import Corners, Floats, as_corners, picture_to_board, place_die
from companion.vision.motion import MotionGate
from companion.vision.track import BoardTracker

STILL = 0.5
"""A frame with a greater probability of motion is not read."""

SEARCH_EVERY_S = 0.5
"""How often the board is looked for while none is known."""

HIDDEN = 0.5
"""A slot more probably hidden than this is not read."""


class ReadsCheckers(Protocol):
    """What reads the checkers of a picture whose corners are known."""

    def read(self, image: Image, corners: Corners) -> Any:
        """A reading with ``slots``, ``bar``, ``off``, ``hand`` and ``hidden`` (see ``vision.checkers``)."""
        ...


class ReadsDice(Protocol):
    """What reads the dice of a picture."""

    def read(self, image: Image, corners: Corners | None) -> tuple[SeenDie, ...]:
        """Every die in the picture."""
        ...


class FindsBoards(Protocol):
    """What finds the playing field in a picture."""

    def find(self, image: Image) -> FoundBoard | None:
        """The field, or None when unsure."""
        ...


class Eyes:
    """Finds and follows the board and reads it: the composition of ``vision``.

    ``corners`` TL, TR, BR, BL in pixels, or None to find the board; the readers are those of the trained
    networks unless others are given.
    """

    def __init__(
        self,
        corners: Corners | None = None,
        checkers: ReadsCheckers | None = None,
        dice: ReadsDice | None = None,
        finder: FindsBoards | None = None,
    ) -> None:
        self._corners: Floats | None = None if corners is None else as_corners(corners)
        self._found: BoardFound = "none" if corners is None else "given"
        self._confidence = 0.0 if corners is None else 1.0
        self._checkers = checkers or _trained_checkers()
        self._dice = dice or _trained_dice()
        self._finder = finder or BoardFinder()
        self._gate = MotionGate()
        self._tracker = BoardTracker()
        self._searched_t = float("-inf")
        self._gate.watch(self._corners)

    @property
    def corners(self) -> Floats | None:
        """The corners of the board as they are known now, 4 × 2, or None."""
        return self._corners

    def observe(self, frame: Frame, attention: Attention | None = None) -> Observation:
        """What is seen in this frame; ``full`` is False when only the motion gate ran."""
        motion = self._gate.motion(frame.image)
        lit = attention is not None and frame.t < attention.not_evidence_until_s
        if motion > STILL or lit:
            return Observation(t=frame.t, board=self._board(), motion=motion, full=False)
        residual_px = self._locate(frame.image, frame.t)
        return self._read(frame.image, frame.t, motion, residual_px)

    def read(self, image: Image) -> Observation:
        """One picture by itself (height × width × 3, uint8, BGR), at the time 0."""
        if self._found != "given":
            self._search(image)
        return self._read(image, 0.0, 0.0, 0.0)

    def _locate(self, image: Image, t: float) -> float:
        """Make sure where the board is; how far in pixels it was from where it was thought to be."""
        if self._corners is None:
            if t - self._searched_t >= SEARCH_EVERY_S:
                self._searched_t = t
                self._search(image)
            if self._corners is not None:
                self._tracker.register(image, self._corners)
            return 0.0
        moved = self._tracker.check(image, self._corners)
        if moved.lost:
            return self._search_again(image)
        if moved.corners is not None:
            self._know(moved.corners, self._found, self._confidence)
        return moved.residual_px

    def _search_again(self, image: Image) -> float:
        """The board is not where it was: find it anew, or keep what is known and say how badly it fits."""
        before = self._corners
        again = self._finder.find(image)
        if again is None or before is None:
            return float("inf")
        self._know(again.corners, self._found, again.confidence)
        self._tracker.register(image, again.corners)
        return float(abs(again.corners - before).max())

    def _search(self, image: Image) -> None:
        found = self._finder.find(image)
        if found is None:
            self._corners, self._found, self._confidence = None, "none", 0.0
        else:
            self._know(found.corners, "auto", found.confidence)

    def _know(self, corners: Floats, found: BoardFound, confidence: float) -> None:
        self._corners, self._found, self._confidence = corners, found, confidence
        self._gate.watch(corners)

    def _board(self, residual_px: float = 0.0) -> SeenBoard:
        corners = None if self._corners is None else tuple((float(x), float(y)) for x, y in self._corners)
        return SeenBoard(corners, self._found, self._confidence, residual_px)

    def _read(self, image: Image, t: float, motion: float, residual_px: float) -> Observation:
        board = self._board(residual_px)
        dice = tuple(place_die(die, self._to_unit()) for die in self._dice.read(image, self._corners))
        if self._corners is None:
            return Observation(t=t, board=board, dice=dice, motion=motion)
        reading = self._checkers.read(image, self._corners)
        slots: dict[str, Reading | None] = {
            slot: None if reading.hidden.get(slot, 0.0) > HIDDEN else content
            for slot, content in reading.slots.items()
        }
        return Observation(
            t=t,
            board=board,
            slots=slots,
            bar=reading.bar,
            off=reading.off,
            dice=dice,
            hand=reading.hand,
            motion=motion,
        )

    def _to_unit(self) -> Floats | None:
        return None if self._corners is None else picture_to_board(self._corners)


def _trained_checkers() -> ReadsCheckers:
    from companion.vision.checkers import CheckerReader  # only when asked for: it loads its network

    return CheckerReader()


def _trained_dice() -> ReadsDice:
    from companion.vision.dice import DiceReader  # only when asked for: it loads its network

    return DiceReader()
