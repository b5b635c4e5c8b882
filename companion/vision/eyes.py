"""The eyes: one frame in, one Observation out.

Cheap things first: the motion gate runs on every frame; while something moves, or while a lamp changes, the
frame is not read. On a still frame the board is found (unless the corners were given: a user's corners always
win), checked for having moved, and read.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from companion.attention import Attention
from companion.frame import Detail, Frame, Image
from companion.observation import BoardFound, Observation, Reading, SeenBoard, SeenDie
from companion.vision.arrivals import Arrivals, Peak
from companion.vision.calibration import Calibration, corners_for, lens_of
from companion.vision.closer import Closer
from companion.vision.contact import with_contact
from companion.vision.cover import Cover, CoverWatch
from companion.vision.finder import BoardFinder, FoundBoard
from companion.vision.geometry import Corners, Floats, board_width, picture_to_board, place_die
from companion.vision.lens import View
from companion.vision.motion import MotionGate
from companion.vision.rectify import Rectifier
from companion.vision.thirty import conserved
from companion.vision.track import BoardTracker

STILL = 0.5
"""A frame with a greater probability of motion is not read."""

SEARCH_EVERY_S = 0.5
"""How often the board is looked for while none is known."""

CHECK_EVERY_S = 1.0
"""How often a board at rest is checked for having moved; after motion it is checked at once."""

CONTENT = 0.95
"""A found board less sure than this is looked for again on later frames; the surest of ``TRIES`` is kept."""

TRIES = 6

SAME_PLACE = 0.025
"""A board found again within this part of its width of where it was has not moved: what was known is kept."""

HANDS_OVER = 0.5
"""A picture with a hand more probable than this is not the board at rest."""

LOOKS_AT_BAR = 3
"""So often the bar is looked for on a board at rest; after that it is known."""

HIDDEN = 0.5
"""A slot more probably hidden than this is not read."""


class ReadsCheckers(Protocol):
    """What reads the checkers of a picture whose corners are known."""

    def read(self, image: Image, corners: Sequence[Sequence[float]], span: tuple[float, float] | None = None) -> Any:
        """A reading with ``slots``, ``bar``, ``off``, ``hand``, ``hidden``, ``span`` and ``tops`` (see
        ``vision.checkers``); the ``span`` of the bar is looked for where it is not given."""
        ...


class ReadsDice(Protocol):
    """What reads the dice of a picture."""

    def read(
        self,
        image: Image,
        corners: Sequence[Sequence[float]] | None,
        span: tuple[float, float] | None = None,
        also: Sequence[Peak] = (),
        details: Sequence[Detail] = (),
    ) -> tuple[SeenDie, ...]:
        """Every die in the picture; ``also`` are places that must be looked at, ``details`` finer pictures of parts."""
        ...


class FindsBoards(Protocol):
    """What finds the playing field in a picture."""

    def find(self, image: Image) -> FoundBoard | None:
        """The field, or None when unsure."""
        ...


class Eyes:
    """Finds and follows the board and reads it: the composition of ``vision``.

    ``corners`` TL, TR, BR, BL in pixels of the frames, or None for those of the ``calibration`` (whose lens is used
    too), and without any the board is found; the readers are those of the trained networks unless others are given.
    """

    def __init__(
        self,
        corners: Corners | None = None,
        checkers: ReadsCheckers | None = None,
        dice: ReadsDice | None = None,
        finder: FindsBoards | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        self._given, self._calibration = corners, calibration
        self._view: View | None = None
        self._corners: Floats | None = None
        self._found: BoardFound = "none"
        self._confidence = 0.0
        self._checkers = checkers or _trained_checkers()
        self._dice = dice or _trained_dice()
        self._finder = finder
        self._gate = MotionGate()
        self._tracker = BoardTracker()
        self._arrivals = Arrivals()
        self._cover = CoverWatch()
        self._closer = Closer()
        self._searched_t = self._checked_t = float("-inf")
        self._disturbed, self._lost = True, False
        self._searches = 0
        self._spans: list[tuple[float, float]] = []

    @property
    def corners(self) -> Floats | None:
        """The corners of the board as they are known now, 4 × 2 in pixels of the frames, or None."""
        return None if self._corners is None or self._view is None else self._view.bent(self._corners)

    def observe(self, frame: Frame, attention: Attention | None = None) -> Observation:
        """What is seen in this frame; ``full`` is False when only the motion gate ran."""
        view = self._view_of(frame.image)
        motion = self._gate.motion(frame.image)
        lit = attention is not None and frame.t < attention.not_evidence_until_s
        self._disturbed |= motion > STILL
        self._closer.look(frame.image, frame.details, view, moving=motion > STILL)
        if motion > STILL or lit:
            return view.in_frame(Observation(t=frame.t, board=self._board(), motion=motion, full=False))
        return view.in_frame(self._read(view.straight_picture(frame.image), frame.t, motion))

    def _read(self, image: Image, t: float, motion: float) -> Observation:
        """The full reading of a still picture without distortion."""
        disturbed = self._disturbed
        residual_px = self._locate(image, t)
        also = self._arrived(image, disturbed)
        board = self._board(residual_px)
        cover = None if self._corners is None else self._cover.look(image, self._corners, t)
        closer = self._closer.details
        seen = read_board(image, board, self._checkers, self._dice, t, motion, also, self._spans, cover, closer)
        centres = [(die.box[0] + die.box[2] / 2, die.box[1] + die.box[3] / 2) for die in seen.dice]
        self._arrivals.keep(centres, hand=seen.hand > HANDS_OVER)
        self._cover.keep(hand=seen.hand > HANDS_OVER)
        return seen

    def _view_of(self, image: Image) -> View:
        """How the camera sees; the first frame tells its size, and with it where the calibration's corners are."""
        size = (image.shape[1], image.shape[0])
        if self._view is None or self._view.size != size:
            self._view = View(lens_of(self._calibration), size)
            given = self._given
            if given is None and self._calibration is not None:
                given = corners_for(self._calibration, size)
            if given is not None:
                self._know(self._view.straight(given), "given", 1.0)
        return self._view

    def _arrived(self, image: Image, disturbed: bool) -> list[Peak]:
        """Where something as large as a die has arrived since the board was last at rest."""
        if self._corners is None:
            return []
        return list(self._arrivals.look(image, self._corners, disturbed=disturbed))

    def _locate(self, image: Image, t: float) -> float:
        """Make sure where the board is; how far in pixels it was from where it was thought to be, infinite:
        lost."""
        if self._wants_search(t):
            self._searched_t = t
            self._search(image)
        if self._corners is None:
            return 0.0
        if not self._disturbed and t - self._checked_t < CHECK_EVERY_S:
            return float("inf") if self._lost else 0.0
        self._disturbed, self._checked_t = False, t
        moved = self._tracker.check(image, self._corners)
        if moved.lost:
            residual_px = self._search_again(image)
            self._lost = residual_px == float("inf")
            return residual_px
        self._lost = False
        if moved.corners is not None:
            self._know(moved.corners, self._found, self._confidence)
        return moved.residual_px

    def _search_again(self, image: Image) -> float:
        """The board does not look as it did: find it anew; infinite when it is not found."""
        assert self._corners is not None
        before, width = self._corners, board_width(self._corners)
        again = self._find(image)
        if again is None:
            return float("inf")
        moved_px = _distance(again.corners, before)
        if moved_px <= SAME_PLACE * width:
            self._tracker.register(image, before)
            return 0.0
        self._know(_same_way_round(again.corners, before), self._found, again.confidence)
        self._tracker.register(image, self._corners)
        return moved_px

    def _find(self, image: Image) -> FoundBoard | None:
        if self._finder is None:
            self._finder = BoardFinder()
        return self._finder.find(image)

    def _wants_search(self, t: float) -> bool:
        """Whether the board is to be looked for: while none is known, and a few times more while not quite
        sure."""
        unsure = self._found == "auto" and self._confidence < CONTENT and self._searches < TRIES
        return (self._corners is None or unsure) and t - self._searched_t >= SEARCH_EVERY_S

    def _search(self, image: Image) -> None:
        found = self._find(image)
        if self._corners is not None:
            self._searches += 1
        if found is None or found.confidence <= self._confidence:
            return
        corners = found.corners if self._corners is None else _same_way_round(found.corners, self._corners)
        self._know(corners, "auto", found.confidence)
        self._tracker.register(image, corners)

    def _know(self, corners: Floats, found: BoardFound, confidence: float) -> None:
        self._corners, self._found, self._confidence = corners, found, confidence
        self._spans = []
        self._cover.forget()
        self._gate.watch(self.corners)

    def _board(self, residual_px: float = 0.0) -> SeenBoard:
        if self._corners is None:
            return SeenBoard(None, "none", 0.0, residual_px)
        return seen_board(self._corners, self._found, self._confidence, residual_px)


def _same_way_round(corners: Floats, before: Floats) -> Floats:
    """The corners in the order (of the two, half a turn apart) that is nearer to the one before."""
    turned = np.roll(corners, 2, axis=0)
    return corners if np.abs(corners - before).sum() <= np.abs(turned - before).sum() else turned


def _distance(corners: Floats, before: Floats) -> float:
    """How far in pixels the corner that moved most moved."""
    return float(np.linalg.norm(_same_way_round(corners, before) - before, axis=1).max())


class StillEyes:
    """Reads single pictures that have nothing to do with each other."""

    def __init__(
        self,
        checkers: ReadsCheckers | None = None,
        dice: ReadsDice | None = None,
        finder: FindsBoards | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        self._checkers = checkers or _trained_checkers()
        self._dice = dice or _trained_dice()
        self._finder = finder
        self._calibration = calibration

    def with_rig(self, calibration: Calibration | None) -> "StillEyes":
        """The same eyes for pictures of this rig."""
        return StillEyes(self._checkers, self._dice, self._finder, calibration)

    def read(self, image: Image, corners: Corners | None = None) -> Observation:
        """One picture (height × width × 3, uint8, BGR), at the time 0; without corners those of the calibration, and
        without any the board is looked for."""
        view = View(lens_of(self._calibration), (image.shape[1], image.shape[0]))
        if corners is None and self._calibration is not None:
            corners = corners_for(self._calibration, view.size)
        straight = None if corners is None else view.straight(corners)
        return view.in_frame(self._read(view.straight_picture(image), straight))

    def _read(self, image: Image, corners: Floats | None) -> Observation:
        if corners is None:
            self._finder = self._finder or BoardFinder()
            found = self._finder.find(image)
            board = (
                SeenBoard(None, "none", 0.0) if found is None else seen_board(found.corners, "auto", found.confidence)
            )
        else:
            board = seen_board(corners, "given", 1.0)
        return conserved(read_board(image, board, self._checkers, self._dice))


def seen_board(corners: Floats, found: BoardFound, confidence: float, residual_px: float = 0.0) -> SeenBoard:
    """The noun for a field whose corners are known."""
    return SeenBoard(tuple((float(x), float(y)) for x, y in corners), found, confidence, residual_px)


def read_board(
    image: Image,
    board: SeenBoard,
    checkers: ReadsCheckers,
    dice: ReadsDice,
    t: float = 0.0,
    motion: float = 0.0,
    also: Sequence[Peak] = (),
    spans: list[tuple[float, float]] | None = None,
    cover: Cover | None = None,
    details: Sequence[Detail] = (),
) -> Observation:
    """A full read: dice anywhere in the picture (and at the places ``also``), checkers where the board is known.

    ``spans`` are those of the bar as they were found on this board before; the bar is looked for until there are
    ``LOOKS_AT_BAR``, and what is found without a hand over the board is added. ``cover`` is what has come over the
    board since it was last at rest. ``details`` are finer pictures of parts of this one, for the dice.
    """
    if board.corners is None:
        return Observation(t=t, board=board, dice=dice.read(image, None, None, also, details), motion=motion)
    known = spans if spans is not None else []
    sure = len(known) >= LOOKS_AT_BAR
    reading = checkers.read(image, board.corners, _middle(known) if sure else None)
    if not sure and reading.hand <= HANDS_OVER:
        known.append(reading.span)
    to_unit = picture_to_board(board.corners)
    lying = tuple(place_die(die, to_unit) for die in dice.read(image, board.corners, reading.span, also, details))
    over = cover or Cover()
    slots: dict[str, Reading | None] = {
        slot: None if _joined(reading.hidden.get(slot, 0.0), over.slots.get(slot, 0.0)) > HIDDEN else content
        for slot, content in reading.slots.items()
    }
    return Observation(
        t=t,
        board=board,
        slots=slots,
        bar=reading.bar,
        off=reading.off,
        dice=with_contact(lying, slots, reading.tops, Rectifier(board.corners, reading.span)),
        hand=_joined(reading.hand, over.board),
        motion=motion,
    )


def _joined(probability: float, evidence: float) -> float:
    """A probability after so much evidence (nats)."""
    if evidence == 0:
        return probability
    p = min(max(probability, 1e-4), 1 - 1e-4)
    return float(1 / (1 + np.exp(-(np.log(p / (1 - p)) + evidence))))


def _middle(spans: list[tuple[float, float]]) -> tuple[float, float]:
    """The median of where the bar was found."""
    begin, end = np.median(np.array(spans), axis=0)
    return float(begin), float(end)


def _trained_checkers() -> ReadsCheckers:
    from companion.vision.checkers import CheckerReader  # only when asked for: it loads its network

    return CheckerReader()


def _trained_dice() -> ReadsDice:
    from companion.vision.dice import DiceReader  # only when asked for: it loads its network

    return DiceReader()
