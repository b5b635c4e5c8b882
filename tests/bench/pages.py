"""Draw the pictures of docs/display.md: ``python -m tests.bench.pages docs``; they are the real pages, enlarged."""

import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from companion import events as ev
from companion import languages
from companion.rules import get_game
from companion.signals.display import picture
from companion.signals.pages import Page, pages
from companion.signals.patterns import Mode
from companion.signals.scoreboard import noticed, scoreboard
from tests.signals.happening import illegal, played, rolled, started, status, won

TIMES, GAP, COLUMNS = 2, 8, 4
NAMES = {"white": "Anna", "black": "Boris"}
LONG = get_game("long")


def shown(language: str) -> list[Page]:
    """One page of every kind, in the order of a game."""
    languages.use(language)

    def some(events: Sequence[ev.Event], mode: Mode = "referee") -> list[Page]:
        return list(pages(scoreboard(events), mode, LONG, NAMES))

    turn = [started(), rolled(1)]
    double = ev.CubeAction(t=4, player="white", action="double", value=2)
    lost = noticed(scoreboard(turn), "camera-lost", True)
    return [
        *some(turn)[:1],
        *some([*turn, played(2)]),
        *some([*turn, illegal(2)], "teach")[:2],
        *some([started(), ev.VoidRoll(t=1, player="white", dice=(5, 3), why="cocked")])[:1],
        *some([*turn, played(2), double])[:1],
        *some([*turn, status(2, "LOST", "white")])[:1],
        *some([*turn, won(3)])[:1],
        *pages(lost, "referee", LONG),
    ]


def sheet(all_pages: Sequence[Page]) -> Image.Image:
    """The pages side by side."""
    width, height = 128 * TIMES + GAP, 64 * TIMES + GAP
    rows = (len(all_pages) + COLUMNS - 1) // COLUMNS
    image = Image.new("L", (COLUMNS * width + GAP, rows * height + GAP), 150)
    for number, page in enumerate(all_pages):
        drawn = picture(page).convert("L").resize((128 * TIMES, 64 * TIMES), Image.Resampling.NEAREST)
        image.paste(drawn, (GAP + number % COLUMNS * width, GAP + number // COLUMNS * height))
    return image


def main(folder: Path) -> None:
    """Write one picture for each language."""
    for language in languages.LANGUAGES:
        sheet(shown(language)).quantize(4).save(folder / f"display-{language}.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
