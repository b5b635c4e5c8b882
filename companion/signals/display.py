"""The small display: score, names, dice, play and message, on any device that luma knows, or in memory.

A picture is drawn in full before the device is touched, and only when what it shows has changed.
"""

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from PIL import Image, ImageDraw, ImageFont

from companion.errors import HardwareError
from companion.signals.scoreboard import Scoreboard
from companion.signals.texts import message_text, name_of, phase_text

_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}
"""Column and row, 0 to 2, of the pips of each value."""

_DIE_PX = 17
_ROW_PX = 12


def lines(view: Scoreboard) -> tuple[str, str, str, str]:
    """What the display says, line by line: the score, who is to do what, the dice and the last play, the message."""
    score = f"{name_of('white')} {view.score['white']} : {view.score['black']} {name_of('black')}"
    return score, phase_text(view), f"{dice_text(view)} {play_text(view)}".strip(), message_text(view.message)


def dice_text(view: Scoreboard) -> str:
    """The dice as people write them: ``6-1``."""
    return "" if view.dice is None else f"{view.dice[0]}-{view.dice[1]}"


def play_text(view: Scoreboard) -> str:
    """The last final play, while no new dice lie."""
    return "" if view.dice is not None or view.last is None else view.last.play


def picture(view: Scoreboard, size: tuple[int, int] = (128, 64)) -> Image.Image:
    """Draw the display, white on black: a picture of ``size`` (width, height) pixels, mode ``1``."""
    image = Image.new("1", size)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default()
    score, phase, _, message = lines(view)
    draw.text((0, 0), score, fill=1, font=font)
    draw.text((0, _ROW_PX), phase, fill=1, font=font)
    top = 2 * _ROW_PX + 2
    for index, value in enumerate(view.dice or ()):
        _draw_die(draw, (index * (_DIE_PX + 3), top), value)
    draw.text((0, top), play_text(view), fill=1, font=font)
    for row, line in enumerate(_wrapped(message, size[0], font)[:2]):
        draw.text((0, size[1] - (2 - row) * _ROW_PX + 2), line, fill=1, font=font)
    return image


def _draw_die(draw: ImageDraw.ImageDraw, corner: tuple[int, int], value: int) -> None:
    x, y = corner
    draw.rectangle((x, y, x + _DIE_PX - 1, y + _DIE_PX - 1), fill=1)
    for column, row in _PIPS[value]:
        left, top = x + 3 + column * 4, y + 3 + row * 4
        draw.rectangle((left, top, left + 2, top + 2), fill=0)


def _wrapped(text: str, width: int, font: Any) -> list[str]:
    """Break a text between words so that each line fits into ``width`` pixels."""
    rows: list[str] = []
    for word in text.split():
        if rows and font.getlength(f"{rows[-1]} {word}") <= width:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows


class Display:
    """A display; a context manager. ``close`` clears it and may be called twice."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self._shown: Scoreboard | None = None

    @classmethod
    def on(cls, options: Sequence[str] = ()) -> Self:
        """Open the device that luma's own options name: ``["--display", "ssd1306", "--interface", "i2c"]``.

        Without options it is a picture in memory. Raises HardwareError when the device does not answer or an
        option is wrong.
        """
        return cls(_open(options) if options else _in_memory())

    def show(self, view: Scoreboard) -> None:
        """Draw what is shown, if it has changed."""
        if self._shown is None or lines(view) != lines(self._shown):
            image = picture(view, self.device.size)
            self.device.display(image.convert(self.device.mode))
        self._shown = view

    def close(self) -> None:
        """Turn the display off."""
        if self.device is not None:
            self.device.cleanup()
        self.device = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


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
