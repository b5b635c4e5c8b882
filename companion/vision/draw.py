"""What was read, drawn over the picture: for a person to look at and to trust or doubt.

The board stands out of a darkened table; each point carries a disc of the colour that was read with the count
on it; what is unsure has an amber rim, what is unknown is a question mark; dice have their value beside them.
"""

from pathlib import Path

import cv2
import numpy as np

from companion.frame import Image
from companion.layout import BOTTOM_SLOTS, TOP_SLOTS
from companion.observation import READABLE, Observation, Reading, SeenDie
from companion.vision.geometry import Floats, as_corners, board_to_picture, board_width, transform

Colour = tuple[int, int, int]

IVORY: Colour = (214, 236, 246)
EBONY: Colour = (44, 38, 36)
WHITE: Colour = (255, 255, 255)
GREEN: Colour = (110, 190, 90)
AMBER: Colour = (40, 170, 245)
RED: Colour = (70, 70, 225)
GREY: Colour = (150, 150, 150)

SURE = 0.9
_LEAST_WIDTH = 1280
_FONT = cv2.FONT_HERSHEY_DUPLEX
_BAR = (0.463, 0.537)


def drawn(image: Image, seen: Observation) -> Image:
    """A new picture (height × width × 3, uint8, BGR, at least 1280 wide) with the reading drawn over it."""
    scale = max(1.0, _LEAST_WIDTH / image.shape[1])
    canvas = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    if seen.board.corners is not None:
        corners = (as_corners(seen.board.corners) + 0.5) * scale - 0.5
        canvas = _spotlit(canvas, corners)
        _draw_points(canvas, corners, seen)
    for die in seen.dice:
        _draw_die(canvas, die, scale)
    return _with_caption(canvas, _words(seen))


def _spotlit(canvas: Image, corners: Floats) -> Image:
    """The table darkened, the field outlined."""
    mask = np.zeros(canvas.shape[:2], np.uint8)
    quad = np.round(corners * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, quad, 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), 9).astype(np.float32)[..., None] / 255
    lit = (canvas * (0.5 + 0.5 * soft)).astype(np.uint8)
    thick = _thickness(canvas)
    cv2.polylines(lit, [quad], True, EBONY, thick + 2, cv2.LINE_AA, 4)
    cv2.polylines(lit, [quad], True, IVORY, thick, cv2.LINE_AA, 4)
    return lit


def _draw_points(canvas: Image, corners: Floats, seen: Observation) -> None:
    to_px = board_to_picture(corners)
    radius = max(9, round(board_width(corners) / 44))
    for slots, y in ((TOP_SLOTS, -0.05), (BOTTOM_SLOTS, 1.05)):
        places = transform(to_px, [(_column(i), y) for i in range(12)])
        for slot, place in zip(slots, places, strict=True):
            _draw_count(canvas, _inside(canvas, place, radius), radius, seen.slots.get(slot))
    if seen.bar is not None and seen.bar.best != (0, 0):
        _draw_count(canvas, _inside(canvas, transform(to_px, [(0.5, 0.5)])[0], radius), radius, seen.bar)


def _column(index: int) -> float:
    """Where the centre of a column lies across the unit board."""
    start, end = (0.0, _BAR[0]) if index < 6 else (_BAR[1], 1.0)
    return start + (end - start) * (index % 6 + 0.5) / 6


def _inside(canvas: Image, place: Floats, radius: int) -> tuple[int, int]:
    height, width = canvas.shape[:2]
    edge = radius + 3
    x, y = np.clip(place, [edge, edge], [width - edge, height - edge])
    return round(float(x)), round(float(y))


def _draw_count(canvas: Image, at: tuple[int, int], radius: int, reading: Reading | None) -> None:
    if reading is None or reading.confidence < READABLE:
        _disc(canvas, at, radius, EBONY, AMBER, "?", AMBER)
        return
    light, dark = reading.best
    rim = GREY if reading.confidence >= SURE else AMBER
    if light and dark:
        _disc(canvas, at, radius, RED, rim, f"{light}+{dark}", WHITE)
    elif light:
        _disc(canvas, at, radius, IVORY, rim, str(light), EBONY)
    elif dark:
        _disc(canvas, at, radius, EBONY, rim, str(dark), IVORY)
    else:
        cv2.circle(canvas, at, max(2, radius // 5), rim, -1, cv2.LINE_AA)


def _disc(canvas: Image, at: tuple[int, int], radius: int, fill: Colour, rim: Colour, text: str, ink: Colour) -> None:
    cv2.circle(canvas, at, radius + 1, EBONY, -1, cv2.LINE_AA)
    cv2.circle(canvas, at, radius, fill, -1, cv2.LINE_AA)
    cv2.circle(canvas, at, radius, rim, 2, cv2.LINE_AA)
    _centred_text(canvas, at, text, radius / (17.0 if len(text) < 3 else 27.0), ink)


def _draw_die(canvas: Image, die: SeenDie, scale: float) -> None:
    x, y, width, height = (v * scale for v in die.box)
    cocked = die.state == "cocked"
    tone = RED if cocked else GREEN if die.confidence >= SURE else AMBER
    thick = _thickness(canvas)
    a, b = (round(x) - 3, round(y) - 3), (round(x + width) + 3, round(y + height) + 3)
    cv2.rectangle(canvas, a, b, EBONY, thick + 2, cv2.LINE_AA)
    cv2.rectangle(canvas, a, b, tone, thick, cv2.LINE_AA)
    text = "?" if die.confidence < READABLE else str(die.value)
    label = f"{text} cocked" if cocked else text
    size = max(0.5, canvas.shape[1] / 2200)
    (wide, high), _ = cv2.getTextSize(label, _FONT, size, 1)
    left = min(max(a[0], 0), canvas.shape[1] - wide - 10)
    top = a[1] - high - 12 if a[1] > high + 14 else b[1] + 2
    cv2.rectangle(canvas, (left, top), (left + wide + 10, top + high + 10), tone, -1, cv2.LINE_AA)
    cv2.putText(canvas, label, (left + 5, top + high + 4), _FONT, size, EBONY, 1, cv2.LINE_AA)


def _with_caption(canvas: Image, text: str) -> Image:
    size = canvas.shape[1] / 1900
    strip = np.full((round(46 * size) + 8, canvas.shape[1], 3), EBONY, np.uint8)
    cv2.putText(strip, text, (14, strip.shape[0] - round(14 * size) - 2), _FONT, size * 0.9, IVORY, 1, cv2.LINE_AA)
    return np.vstack([canvas, strip])


def _words(seen: Observation) -> str:
    board = {"given": "corners given", "auto": "board found", "none": "no board found"}[seen.board.found]
    words = [board]
    if seen.board.found == "auto":
        words[0] += f" ({seen.board.confidence:.0%} sure)"
    if seen.slots:
        unknown = sum(r is None or r.confidence < READABLE for r in seen.slots.values())
        words.append(f"points {'all read' if not unknown else f'{unknown} unknown'}")
    dice = [("?" if d.confidence < READABLE else str(d.value)) for d in seen.dice]
    words.append(f"dice {' '.join(dice)}" if dice else "no dice")
    if seen.off is not None and seen.off.best != (0, 0):
        words.append(f"off {seen.off.best[0]} light {seen.off.best[1]} dark")
    if seen.hand > 0.5:
        words.append("a hand over the board")
    return "   |   ".join(words)


def _centred_text(canvas: Image, at: tuple[int, int], text: str, size: float, ink: Colour) -> None:
    (wide, high), _ = cv2.getTextSize(text, _FONT, size, 1)
    cv2.putText(canvas, text, (at[0] - wide // 2, at[1] + high // 2), _FONT, size, ink, 1, cv2.LINE_AA)


def _thickness(canvas: Image) -> int:
    return max(1, round(float(canvas.shape[1]) / 800))


def save_picture(path: Path, picture: Image) -> bool:
    """Write a picture in the format of its suffix; False when that cannot be done."""
    try:
        return bool(cv2.imwrite(str(path), picture))
    except cv2.error:
        return False
