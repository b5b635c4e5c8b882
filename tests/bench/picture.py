"""Draw the picture of the README: ``python -m tests.bench.picture docs/demo.png FONT``.

It is the demo's own screen, at the moment at which the bundled game's illegal play is noticed. FONT is a TrueType font
of one width, such as ``/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf``.
"""

import io
import json
import sys

from PIL import Image, ImageDraw, ImageFont
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import MONOKAI

from companion.cli.board import layout_for
from companion.cli.telling import in_words
from companion.cli.terminal import screen
from companion.config import data_folder
from companion.events import Event, GameStarted, IllegalPlay
from companion.rules import get_game
from companion.signals.plan import Plan

GAME = "short"
RECENT = 6
COLUMNS = 82
NIL = {"white": 0, "black": 0}


def events_until_the_illegal_play() -> list[Event]:
    """The bundled game's expected events, from its start position on."""
    lines = (data_folder("calibration") / "example" / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events: list[Event] = [GameStarted(t=0, game=GAME, board=get_game(GAME).start.to_json(), score=NIL)]
    for line in lines:
        events.append(Event.from_json(json.loads(line)))
        if isinstance(events[-1], IllegalPlay):
            break
    return events


def drawn(events: list[Event], font: ImageFont.FreeTypeFont) -> Image.Image:
    """The screen after these events, each character in its cell, as a terminal draws it."""
    t = events[-1].t
    plan = Plan().after(events)
    words = [in_words(event) for event in events if not isinstance(event, GameStarted)]
    console = Console(width=COLUMNS, height=60, force_terminal=True, color_system="truecolor", file=io.StringIO())
    lines = console.render_lines(screen(plan.view, plan.levels(t), words, layout_for(GAME), t, RECENT))
    width, height = round(font.getlength("M")), sum(font.getmetrics())
    image = Image.new("RGB", ((COLUMNS + 2) * width, (len(lines) + 1) * height), (24, 24, 28))
    draw = ImageDraw.Draw(image)
    for row, segments in enumerate(lines):
        column = 1
        for segment in segments:
            for character in segment.text:
                place = (column * width, row * height + height // 2)
                draw.text(place, character, fill=colour(segment.style), font=font)
                column += 1
    return image


def colour(style: Style | None) -> tuple[int, int, int]:
    """What a dark terminal paints characters of this style with."""
    if style is None or style.color is None:
        return (120, 120, 120) if style is not None and style.dim else (220, 220, 220)
    return tuple(style.color.get_truecolor(MONOKAI))


if __name__ == "__main__":
    target, font_file = sys.argv[1:]
    drawn(events_until_the_illegal_play(), ImageFont.truetype(font_file, 16)).save(target, optimize=True)
