"""The small display: pages drawn on any device that luma knows, or in memory.

A picture is drawn in full before the device is touched, and only when what it shows has changed.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

from PIL import Image, ImageDraw, ImageFont

from companion.closing import Closing
from companion.errors import HardwareError
from companion.signals.pages import Page

FONT = Path(__file__).parent / "fonts" / "DejaVuSans-Bold.ttf"
"""A part of DejaVu Sans Bold: Latin, Cyrillic and signs (NOTICE)."""

_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}
"""Column and row, 0 to 2, of the pips of each value."""

SMALLEST, LARGEST = 9, 46
"""Heights of the letters in pixels, as fonts measure them, on a display of 64 lines."""


def picture(page: Page, size: tuple[int, int] = (128, 64)) -> Image.Image:
    """Draw a page, white on black: a picture of ``size`` (width, height) pixels, mode ``1``."""
    image = Image.new("1", size)
    draw = ImageDraw.Draw(image)
    top = _draw_title(draw, page.title, size)
    if page.dice is not None:
        _draw_dice(draw, page.dice, (0, top, *size))
    else:
        _draw_text(draw, page.body, (0, top, *size), LARGEST * size[1] // 64)
    return image


def _draw_title(draw: ImageDraw.ImageDraw, text: str, size: tuple[int, int]) -> int:
    """The title in one line at the top; answers where the rest begins."""
    if not text:
        return 0
    height = size[1] * 15 // 64
    letters = next((h for h in range(height - 2, SMALLEST, -1) if _font(h).getlength(text) <= size[0]), SMALLEST)
    _draw_rows(draw, [cut(text, size[0], letters)], (0, 0, size[0], height), letters)
    return height + size[1] // 64


def _draw_text(draw: ImageDraw.ImageDraw, text: str, box: tuple[int, int, int, int], largest: int) -> None:
    """Draw a text in the middle of ``box`` (left, top, right, bottom), as large as it fits."""
    left, top, right, bottom = box
    height, rows = fitted(text, right - left, bottom - top, largest)
    _draw_rows(draw, rows, box, height)


def fitted(text: str, width: int, room: int, largest: int) -> tuple[int, list[str]]:
    """The largest letters with which a text fits into ``width`` × ``room`` pixels, and its lines."""
    for height in range(largest, SMALLEST - 1, -1):
        rows = wrap(text, width, height)
        widest = max(_font(height).getlength(row) for row in rows)
        if widest <= width and needed(height, rows) <= room:
            break
    return height, rows


def _draw_rows(draw: ImageDraw.ImageDraw, rows: list[str], box: tuple[int, int, int, int], height: int) -> None:
    left, top, right, bottom = box
    baseline = top + max(0, bottom - top - needed(height, rows)) // 2 + _capitals(height)
    for number, row in enumerate(rows):
        x = left + max(0, (right - left - int(_font(height).getlength(row))) // 2)
        draw.text((x, baseline + number * height), row, fill=1, font=_font(height), anchor="ls")


def cut(text: str, width: int, height: int) -> str:
    """As much of a text as fits into ``width`` pixels."""
    if _font(height).getlength(text) <= width:
        return text
    while text and _font(height).getlength(f"{text}…") > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def wrap(text: str, width: int, height: int) -> list[str]:
    """Break a text between words so that each line fits into ``width`` pixels, where a word alone does."""
    rows: list[str] = []
    for word in text.split(" "):
        if rows and _font(height).getlength(f"{rows[-1]} {word}") <= width:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows


def _draw_dice(draw: ImageDraw.ImageDraw, dice: Sequence[int], box: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = box
    side = min(bottom - top, (right - left) // 2 - 4)
    gap = (right - left - 2 * side) // 3
    for index, value in enumerate(dice):
        _draw_die(draw, (left + gap + index * (side + gap), top), side, value)


def _draw_die(draw: ImageDraw.ImageDraw, corner: tuple[int, int], side: int, value: int) -> None:
    x, y = corner
    draw.rounded_rectangle((x, y, x + side - 1, y + side - 1), radius=side // 8, fill=1)
    pip = side // 5
    for column, row in _PIPS[value]:
        left = x + side * (2 * column + 1) // 6 - pip // 2
        top = y + side * (2 * row + 1) // 6 - pip // 2
        draw.ellipse((left, top, left + pip - 1, top + pip - 1), fill=0)


@cache
def _font(height: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONT), height)


def _capitals(height: int) -> int:
    """How high capitals and figures are."""
    return round(height * 0.73)


def needed(height: int, rows: Sequence[str]) -> int:
    """How much room the lines take, with what hangs below the last."""
    below = _font(height).getbbox(rows[-1], anchor="ls")[3]
    return _capitals(height) + (len(rows) - 1) * height + max(0, round(below))


class Display(Closing):
    """A display; a context manager. ``close`` clears it and may be called twice."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.page: Page | None = None

    @classmethod
    def on(cls, options: Sequence[str] = ()) -> Self:
        """Open the device that luma's own options name: ``["--display", "ssd1306", "--interface", "i2c"]``.

        Without options it is a picture in memory. Raises HardwareError when the device does not answer or an
        option is wrong.
        """
        return cls(_open(options) if options else _in_memory())

    def show(self, page: Page) -> None:
        """Draw the page, if it is another one."""
        if page != self.page and self.device is not None:
            self.device.display(picture(page, self.device.size).convert(self.device.mode))
        self.page = page

    def close(self) -> None:
        """Turn the display off."""
        if self.device is not None:
            self.device.cleanup()
        self.device = None


def _in_memory() -> Any:
    from luma.core.device import dummy

    return dummy(width=128, height=64, mode="1")


def _open(options: Sequence[str]) -> Any:
    from luma.core import cmdline
    from luma.core.error import Error

    parser = cmdline.create_parser(description="display")
    setattr(parser, "error", _refuse)  # noqa: B010  argparse would print its usage and end the program
    try:
        device: Any = cmdline.create_device(parser.parse_args(list(options)))
    except (Error, OSError, ImportError) as error:
        raise HardwareError(f"display: {' '.join(options)}: {error}") from error
    return device


def _refuse(message: str) -> None:
    raise HardwareError(f"display: {message}")
