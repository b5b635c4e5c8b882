"""Positions and turns as pictures, the same board as ``rules.svg`` draws, for PNG and films."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from companion.rules import Position
from companion.rules.svg import CELL

WIDTH, HEIGHT = 15 * CELL, 13 * CELL
_CHECKERS = {"white": ("#f4ead5", "#6b4a2b"), "black": ("#4a2c1a", "#f4ead5")}
_SHOWN = 5
_CAPTION = 26

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def board_picture(
    position: Position, *, clockwise: bool = False, caption: Sequence[str] = (), font: Path | None = None
) -> Image.Image:
    """The board as White sees it from the own seat, RGB; the lines of ``caption`` stand below it.

    ``clockwise`` boards are the mirror image. ``font`` is a TrueType file, for names in any script.
    """
    picture = Image.new("RGB", (WIDTH, HEIGHT + _CAPTION * len(caption)), "#7a5230")
    pen = ImageDraw.Draw(picture)
    letters = _font(font, 14)
    for left in (CELL // 2, 15 * CELL // 2):
        pen.rectangle((left, CELL // 2, left + 6 * CELL, 25 * CELL // 2), fill="#d9b98a")
    for point in range(1, 25):
        _point(pen, point, position.points[point - 1], clockwise, letters)
    for row, (player, bar, off) in enumerate(zip(_CHECKERS, position.bar, position.off, strict=True)):
        y = HEIGHT - 3 * CELL if row == 0 else 3 * CELL
        for place, count in ((7, bar), (14, off)):
            if count:
                _checker(pen, _mirrored(place * CELL, clockwise), y, player, str(count), letters)
    for number, line in enumerate(caption):
        pen.text((CELL // 2, HEIGHT + _CAPTION * number + 3), line, font=_font(font, 17), fill="#f4ead5")
    return picture


def _point(pen: ImageDraw.ImageDraw, point: int, count: int, clockwise: bool, letters: Font) -> None:
    top = point > 12
    column = point - 13 if top else 12 - point
    x = _mirrored(CELL * (column + 1 + (column > 5)), clockwise)
    base, up = (CELL // 2, 1) if top else (HEIGHT - CELL // 2, -1)
    shade = "#a8713f" if point % 2 else "#efe0c0"
    pen.polygon([(x - CELL // 2, base), (x + CELL // 2, base), (x, base + up * 5 * CELL)], fill=shade)
    pen.text((x, base - up * CELL // 4), str(point), font=letters, fill="#f4ead5", anchor=_anchor(letters))
    for height in range(min(abs(count), _SHOWN)):
        label = str(abs(count)) if height == _SHOWN - 1 and abs(count) > _SHOWN else ""
        y = base + up * (CELL * height + CELL // 2)
        _checker(pen, x, y, "white" if count > 0 else "black", label, letters)


def _checker(pen: ImageDraw.ImageDraw, x: int, y: int, player: str, label: str, letters: Font) -> None:
    fill, ink = _CHECKERS[player]
    radius = CELL // 2 - 2
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=ink)
    if label:
        pen.text((x, y), label, font=letters, fill=ink, anchor=_anchor(letters))


def _mirrored(x: int, clockwise: bool) -> int:
    return WIDTH - x if clockwise else x


def _font(font: Path | None, size: int) -> Font:
    return ImageFont.load_default() if font is None else ImageFont.truetype(str(font), size)


def _anchor(letters: Font) -> str | None:
    """Centred, where the font can say what that is."""
    return "mm" if isinstance(letters, ImageFont.FreeTypeFont) else None
