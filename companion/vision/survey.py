"""Whether a picture is good enough to referee by, in figures and in words: what ``companion calibrate`` reports.

Each finding is good, fair (it works, not always) or bad (no referee could), and says what to do about it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from companion.frame import Image
from companion.languages import _, plural
from companion.observation import READABLE, Observation
from companion.vision.geometry import FIELD_ASPECT, Floats, as_corners, board_width
from companion.vision.lens import View

Level = Literal["good", "fair", "bad"]

DIE = 0.030
"""Side of a usual die in widths of the field (14 mm on 480 mm)."""

PIPS = 5.0
"""A pip is about a fifth of its die."""

_CORNER_NAMES = ("TL", "TR", "BR", "BL")
_BURNT = 250


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: how it is, in words, and what to do when it is not good."""

    what: str
    level: Level
    words: str
    advice: str = ""

    def to_json(self) -> dict[str, str]:
        """The JSON form."""
        return {"what": self.what, "level": self.level, "words": self.words, "advice": self.advice}


@dataclass(frozen=True)
class Survey:
    """What one picture is worth; ``figures`` are the measured numbers behind the words."""

    findings: tuple[Finding, ...]
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def go(self) -> bool:
        """Whether the referee can work with such pictures."""
        return all(finding.level != "bad" for finding in self.findings)

    @property
    def score(self) -> tuple[int, int]:
        """The better of two surveys has the smaller score: fewer bad findings, then fewer fair ones."""
        levels = [finding.level for finding in self.findings]
        return levels.count("bad"), levels.count("fair")

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        figures = {name: round(value, 3) for name, value in self.figures.items()}
        return {"go": self.go, "findings": [finding.to_json() for finding in self.findings], "figures": figures}


def survey(image: Image, seen: Observation, view: View) -> Survey:
    """Look at one picture (height × width × 3, uint8, BGR) that was read; ``view`` is the lens it came through."""
    if seen.board.corners is None:
        advice = _("show the whole board, from above if possible, in even light; or say {0}")
        advice = advice.format('--corners "x,y x,y x,y x,y"')
        return Survey((Finding("board", "bad", _("no board was found"), advice),))
    corners = as_corners(seen.board.corners)
    figures = _figures(image, corners)
    found = [
        _board(seen),
        _framed(corners, view.size),
        _seen_from(figures),
        *(check(figures) for check in (_checker_size, _die_size, _focus, _exposure, _glare)),
        _lens(corners, view),
        _hand(seen),
        _checkers(seen),
    ]
    return Survey(tuple(finding for finding in found if finding is not None), figures)


def _figures(image: Image, corners: Floats) -> dict[str, float]:
    width = board_width(corners)
    height = float(np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])) / 2
    field_px = _field_of(image, corners)
    return {
        "px_per_checker": width / 13 * 0.95,
        "px_per_die": width * DIE,
        "flatness": height / width * FIELD_ASPECT,
        "edge_px": edge_width(image, corners),
        "brightness": float(np.median(field_px.max(axis=1))) if len(field_px) else 0.0,
        "black": float((field_px.max(axis=1) < 12).mean()) if len(field_px) else 1.0,
        "glare": float((field_px.min(axis=1) >= _BURNT).mean()) if len(field_px) else 0.0,
    }


def _field_of(image: Image, corners: Floats) -> npt.NDArray[np.uint8]:
    """The pixels of the field (n × 3)."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return np.asarray(image[mask > 0], np.uint8)


def edge_width(image: Image, corners: Floats) -> float:
    """How many pixels wide the sharpest edges of the field are: 2.7 in focus, 5 blurred by two pixels.

    The contrast within 9 × 9 pixels by the steepest slope there, where the contrast is greatest.
    """
    low = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, None)
    high = np.ceil(corners.max(axis=0)).astype(int)
    part = image[low[1] : high[1], low[0] : high[0]]
    if min(part.shape[:2]) < 16:
        return float("inf")
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    window = np.ones((9, 9), np.uint8)
    slope = cv2.dilate(cv2.magnitude(across, down), window)
    contrast = cv2.dilate(grey, window) - cv2.erode(grey, window)
    strong = (contrast >= np.percentile(contrast, 97)) & (slope > 0)
    return float(np.median(contrast[strong] / slope[strong])) if strong.any() else float("inf")


def _graded(value: float, good: Callable[[float], bool], fair: Callable[[float], bool]) -> Level:
    return "good" if good(value) else "fair" if fair(value) else "bad"


def _board(seen: Observation) -> Finding:
    if seen.board.found == "given":
        return Finding("board", "good", _("the corners are as given"))
    sure = seen.board.confidence
    level = _graded(sure, lambda v: v >= 0.9, lambda v: v >= 0.7)
    advice = _("look whether the drawn corners fit (--draw FILE), else say --corners") if level != "good" else ""
    return Finding("board", level, _("found, {0} sure").format(f"{sure:.0%}"), advice)


def _framed(corners: Floats, size: tuple[int, int]) -> Finding:
    beyond = np.maximum(-corners, corners - (np.array(size) - 1)).max(axis=1) / board_width(corners)
    cut = [name for name, far in zip(_CORNER_NAMES, beyond, strict=True) if far > 0]
    if not cut:
        return Finding("frame", "good", _("the whole field is in the picture"))
    level = _graded(float(beyond.max()), lambda v: v <= 0, lambda v: v <= 0.03)
    words = plural("corner {0} lies outside of the picture", "corners {0} lie outside of the picture", len(cut))
    return Finding("frame", level, words.format(", ".join(cut)), _("move the camera back"))


def _seen_from(figures: dict[str, float]) -> Finding:
    level = _graded(figures["flatness"], lambda v: v >= 0.7, lambda v: v >= 0.45)
    if level == "good":
        return Finding("view", level, _("from above"))
    words = _("from the side: stacks hide each other and dice lie behind them")
    return Finding("view", level, words, _("put the camera higher"))


def _checker_size(figures: dict[str, float]) -> Finding:
    px = figures["px_per_checker"]
    level = _graded(px, lambda v: v >= 24, lambda v: v >= 16)
    advice = "" if level == "good" else _("bring the camera nearer, or choose a larger picture")
    return Finding("checkers", level, _("{0} pixels across (24 are good)").format(f"{px:.0f}"), advice)


def _die_size(figures: dict[str, float]) -> Finding:
    px = figures["px_per_die"]
    level = _graded(px, lambda v: v >= 20, lambda v: v >= 13)
    advice = "" if level == "good" else _("bring the camera nearer, choose a larger picture, or take larger dice")
    words = _("a usual die is about {0} pixels wide (20 are good)").format(f"{px:.0f}")
    return Finding("dice", level, words, advice)


def _focus(figures: dict[str, float]) -> Finding:
    pip = figures["px_per_die"] / PIPS
    level = _graded(figures["edge_px"] / pip, lambda v: v <= 1.0, lambda v: v <= 1.35)
    words = {
        "good": _("sharp: an edge is {0} pixels wide, a pip {1}"),
        "fair": _("soft: an edge is {0} pixels wide, a pip {1}"),
        "bad": _("blurred: an edge is {0} pixels wide, a pip {1}"),
    }[level]
    advice = "" if level == "good" else _("focus the lens, clean it, keep the camera from shaking")
    return Finding("focus", level, words.format(f"{figures['edge_px']:.1f}", f"{pip:.1f}"), advice)


def _exposure(figures: dict[str, float]) -> Finding:
    bright = figures["brightness"]
    told = f"{bright:.0f}"
    if bright < 60 or figures["black"] > 0.4:
        level: Level = "bad" if bright < 30 or figures["black"] > 0.6 else "fair"
        advice = _("more light on the board, or a longer exposure")
        return Finding("light", level, _("dark ({0} of 255)").format(told), advice)
    if bright > 225:
        level = "bad" if bright > 245 else "fair"
        advice = _("less light, or a shorter exposure")
        return Finding("light", level, _("too bright ({0} of 255)").format(told), advice)
    return Finding("light", "good", _("bright enough ({0} of 255)").format(told))


def _glare(figures: dict[str, float]) -> Finding:
    share = figures["glare"]
    level = _graded(share, lambda v: v < 0.01, lambda v: v < 0.05)
    advice = "" if level == "good" else _("move the lamp or the camera so that it is not mirrored in the board")
    return Finding("glare", level, _("{0} of the field is burnt out").format(f"{share:.1%}"), advice)


def _lens(corners: Floats, view: View) -> Finding | None:
    """How far in pixels the lens moves the middle of a side away from the line between its corners."""
    if not view.bends:
        return None
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    straight = view.straight(corners)
    bent = view.bent((straight + np.roll(straight, -1, axis=0)) / 2)
    px = float(np.linalg.norm(bent - middles, axis=1).max())
    words = _("bends the sides by {0} pixels; this is taken out")
    return Finding("lens", "good", words.format(f"{px:.0f}"))


def _hand(seen: Observation) -> Finding:
    if seen.hand > 0.5:
        advice = _("clear the board and try again")
        return Finding("hand", "bad", _("a hand or something else covers the board"), advice)
    return Finding("hand", "good", _("nothing covers the board"))


def _checkers(seen: Observation) -> Finding:
    unknown = sum(r is None or r.confidence < READABLE for r in seen.slots.values())
    if unknown > 3:
        words = plural("{0} of 24 points cannot be read", "{0} of 24 points cannot be read", unknown).format(unknown)
        advice = _("set up the start position, and look at the light")
        return Finding("reading", "bad" if unknown > 8 else "fair", words, advice)
    light = sum(r.best[0] for r in seen.slots.values() if r is not None)
    dark = sum(r.best[1] for r in seen.slots.values() if r is not None)
    words = _("checkers read: {0} light, {1} dark")
    return Finding("reading", "good", words.format(light, dark))
