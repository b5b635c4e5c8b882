"""One whole game before ``run --simulate``, and everything that can happen in it, one after the other: what the lamps
show, level by level, what the display says and how it looks, what the buzzer plays and what the voice says.

Pins, display and voice are in memory, the frames come from a camera that fails once; the table plays in ``teach`` mode,
and an illegal play may be accepted. What the display shows is kept in ``tests/data/display.png``; with
``COMPANION_GOLDEN=1`` it is drawn anew.
"""

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion import cli
from companion.errors import HardwareError
from companion.rules import Position, get_game
from companion.signals.calls import CALLS
from companion.signals.sounds import TUNES
from tests.service.conftest import Table
from tests.service.film import FPS, Camera, Eyes, Film, moved
from tests.table.seeing import pair

Picture = npt.NDArray[np.uint8]
GOLDEN = Path(__file__).parents[1] / "data" / "display.png"
ACROSS = 6
MOST_UNLIKE = 0.02
"""Another version of FreeType moves a few points; one other figure is more."""
LONG = get_game("long")
W, B, GREEN, AMBER, RED = "white", "black", "green", "amber", "red"


@dataclass
class Story:
    """A film told turn by turn; ``chapters`` are the first frames of what happens in it."""

    table: Table
    film: Film = field(default_factory=Film)
    board: Position = LONG.start
    turn: str = W
    played: frozenset[str] = frozenset()
    chapters: dict[str, int] = field(default_factory=dict)
    pages: dict[str, int] = field(default_factory=dict)
    thrown: int = 0

    def chapter(self, name: str) -> None:
        self.chapters[name] = len(self.film.seen)
        self.film.act(lambda: self.pages.setdefault(name, len(self.table.shown.pages)))

    def stay(self, seconds: float) -> None:
        self.film.show(self.board, seconds=seconds)

    def press(self, button: str) -> None:
        self.film.act(self.table.press(button))

    def lying(self, dice: tuple[int, int], **more: float) -> tuple:  # type: ignore[type-arg]
        """Dice, each time somewhere else."""
        self.thrown += 1
        return pair(dice, x=200.0 + 40 * (self.thrown % 5) + (300.0 if self.thrown % 2 else 0.0), **more)

    def play(self, dice: tuple[int, int], *moves: tuple[int, int], legal: bool = True) -> None:
        """Dice lie, checkers are moved, the dice are lifted."""
        self.board = self.film.turn(self.board, dice, self.turn, *moves, lying=self.lying(dice))
        if legal:
            self.over()

    def _frames(self, name: str) -> tuple[int, int]:
        """The first frame of a chapter, and the first of the next."""
        frames = [*self.chapters.values(), len(self.film.seen)]
        index = list(self.chapters).index(name)
        return frames[index], frames[index + 1]

    def lamps(self, name: str) -> list[frozenset[str]]:
        """What burnt in a chapter, level by level."""
        begin, end = (frame / FPS for frame in self._frames(name))
        return [lit for t, lit in self.table.shown.lamps if begin <= t < end]

    def _pages(self, name: str) -> slice:
        """The pages of a chapter among all that were shown."""
        marks = [*self.pages.values(), None]
        index = list(self.pages).index(name)
        return slice(marks[index], marks[index + 1])

    def said(self, name: str) -> list[str]:
        """What the display said in a chapter, dice in brackets."""
        return self.table.shown.bodies[self._pages(name)]

    def pictures(self, name: str) -> dict[str, Picture]:
        """What the display showed in a chapter, by what it said."""
        shown = self.table.shown.pictures[self._pages(name)]
        return {words: np.array(picture.convert("L")) for words, picture in zip(self.said(name), shown, strict=True)}

    def over(self) -> None:
        self.played |= {self.turn}
        self.turn = B if self.turn == W else W

    def play_on(self, chance: random.Random, until: Callable[[Position], bool]) -> None:
        """Whatever is legal, quickly."""
        while not until(self.board):
            dice = chance.randint(1, 6), chance.randint(1, 6)
            first = self.turn not in self.played
            found = LONG.plays(self.board, dice, player=self.turn, first_turn=first)  # type: ignore[arg-type]
            lying = self.lying(dice)
            self.film.show(self.board, lying, seconds=0.6)
            self.board = min(found.results, key=lambda end: str(end))
            self.film.show(self.board, lying, seconds=0.6)
            self.film.hand(self.board)
            self.film.show(self.board, seconds=0.6)
            self.over()


def whole_game(table: Table) -> Story:
    story = Story(table)
    film = story.film
    story.chapter("start")
    story.stay(1.0)
    story.chapter("legal")
    story.play((6, 1), (24, 18), (18, 17))
    story.stay(9.0)
    story.chapter("provisional")
    lying = story.lying((5, 2))
    film.show(story.board, lying)
    film.show(moved(LONG, story.board, B, (24, 19), (24, 22)), lying, seconds=1.5)
    story.board = moved(LONG, story.board, B, (24, 19), (19, 17))
    film.show(story.board, lying, seconds=1.5)
    film.hand(story.board)
    story.stay(1.0)
    story.over()
    story.chapter("illegal")
    before = story.board
    story.play((5, 2), (24, 19), (24, 22), legal=False)
    story.stay(1.0)
    story.chapter("taken back")
    film.hand(before)
    story.board = before
    lying = pair((5, 2), x=700.0)
    film.show(before, lying)
    story.board = film.turn(before, (5, 2), W, (24, 19), (19, 17), lying=lying)
    story.over()
    story.chapter("void")
    film.show(story.board, story.lying((4, 2), cocked=0.95), seconds=1.0)
    film.hand(story.board)
    story.stay(1.0)
    story.chapter("after void")
    story.play((4, 2), (24, 20), (20, 18))
    story.chapter("stood")
    story.play((6, 3), (24, 18), (24, 21), legal=False)
    story.stay(1.0)
    story.press("black-turn")
    story.stay(7.0)
    story.over()
    story.chapter("after stood")
    story.play((6, 5), (24, 18), (18, 13))
    story.stay(6.0)
    story.chapter("cube")
    story.press("white-cube")
    story.stay(2.0)
    story.chapter("taken")
    story.press("black-cube")
    story.stay(6.0)
    story.chapter("bump")
    film.show(story.board, seconds=2.0, residual_px=9.0)
    story.stay(2.0)
    story.chapter("after bump")
    story.play((4, 3), (24, 20), (20, 17))
    story.stay(6.0)
    story.chapter("lost")
    story.board = moved(LONG, story.board, B, (24, 20), (24, 15))
    story.stay(6.0)
    story.chapter("confirmed")
    story.press("confirm")
    story.stay(4.0)
    story.chapter("camera lost")
    story.stay(1.0)
    story.chapter("playing on")
    story.play_on(random.Random(6), lambda board: 15 in board.off)
    story.chapter("won")
    story.stay(8.0)
    return story


def run(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """``run --simulate`` with a camera that fails when the story says so, and answers again at the third try."""
    table, film, lost = story.table, story.film, story.chapters["camera lost"]
    tries: list[str] = []

    def open_camera(device: str, *, stills: bool) -> Camera:
        tries.append(device)
        if len(tries) == 1:
            return table.camera(film, fails_at=lost)
        if len(tries) < 4:
            raise HardwareError("camera 7: expected a camera that answers, found none")
        if len(tries) == 4:
            table.shown.lamps.append((lost / FPS, table.lit()))
            return table.camera(film, begin=lost)
        raise SystemExit(0)

    monkeypatch.setattr("companion.cli.service.open_camera", open_camera)
    monkeypatch.setattr("companion.pipeline.Eyes", lambda *_, **__: Eyes(film))
    monkeypatch.setattr("companion.camera.steady.FIRST_S", 0.01)
    settings = str(table.folder / "companion.toml")
    command = ["run", "--simulate", "--camera", "7", "--config", settings, "--game", "long", "--home", "BR"]
    agreed = ["--mode", "teach", "--policy", "responsible", "--length", "2"]
    assert cli.main([*command, "--no-evidence", *agreed]) == 0
    assert tries == ["7"] * 5


LAMPS = {
    "start": [set()],
    "legal": [{GREEN}, {B, GREEN}, {B}],
    "provisional": [{B, AMBER}, {B, GREEN}, {W, GREEN}],
    "illegal": [{W}, {W, AMBER}, {W}, {W, RED}],
    "taken back": [{W}, {W, GREEN}, {B, GREEN}],
    "void": [{B, AMBER}],
    "after void": [{B}, {B, GREEN}, {W, GREEN}],
    "stood": [{W}, {W, AMBER}, {W}, {W, RED}, {B}],
    "after stood": [{B, GREEN}, {W, GREEN}, {W}],
    "cube": [{B}, set(), {B}, set(), {B}, set(), {B}],
    "taken": [{W}],
    "bump": [{W, AMBER}],
    "after bump": [{W}, {W, GREEN}, {B, GREEN}, {B}],
    "lost": [{B, AMBER}],
    "confirmed": [set()],
    "camera lost": [{AMBER}, set()],
    "won": [{W, GREEN}, {GREEN}, {W, GREEN}, {GREEN}, {W, GREEN}, {W}],
}
"""What burns, level by level, from the first frame of each chapter to its last."""

SAID = {
    "start": ["Set up the start position", "Roll for the start"],
    "legal": ["[6 1]", "24/18 18/17", "0 : 0", "353 : 360"],
    "provisional": ["24/19 19/17"],
    "illegal": ["[5 2]", "Illegal: too many left the head (point 24)"],
    "taken back": ["Taken back, thank you", "24/19 19/17"],
    "void": ["Roll again: a die is cocked"],
    "after void": ["[4 2]", "24/20 20/18"],
    "stood": ["[6 3]", "Illegal: too many left the head (point 24)", "It stands: too many left the head"],
    "after stood": ["[6 5]", "24/18 18/13"],
    "cube": ["White doubles to 2"],
    "taken": ["Black takes: 2", "0 : 0"],
    "bump": ["The board was moved"],
    "after bump": ["[4 3]", "24/20 20/17"],
    "lost": ["Please check the board"],
    "confirmed": ["Going on from here", "The camera does not answer", "Going on from here"],
    "won": ["2 : 0", "White wins the match"],
}
"""What the display says, in this order, perhaps with more between."""

HEARD = [
    ("illegal-play", "Illegal: too many left the head (point 24)"),
    ("void-roll", "Roll again: a die is cocked"),
    ("illegal-play", "Illegal: too many left the head (point 24)"),
    ("stands", "It stands: too many left the head"),
    ("cube", "White doubles to 2"),
    ("cube", "Black takes: 2"),
    ("look", "The board was moved"),
    ("look", "Please check the board"),
    ("game", "White wins: oin, 2 points"),
    ("", "White wins the match"),
]
"""Tunes, and what is said beside the calls of the dice."""


def unlike_the_golden_pictures(story: Story) -> dict[str, float]:
    """The pages of ``SAID`` that were not shown as they are drawn in the golden picture, and how much they differ."""
    shown = {f"{name}: {words}": story.pictures(name)[words] for name, said in SAID.items() for words in said}
    sheet = tiled(list(shown.values()))
    if "COMPANION_GOLDEN" in os.environ:
        cv2.imwrite(str(GOLDEN), sheet)
    golden = np.asarray(cv2.imread(str(GOLDEN), cv2.IMREAD_GRAYSCALE), np.uint8)
    assert golden.shape == sheet.shape
    off = {name: _unlike(shown[name], drawn) for name, drawn in zip(shown, tiles(golden), strict=False)}
    return {name: share for name, share in off.items() if share > MOST_UNLIKE}


def tiled(pictures: Sequence[Picture]) -> Picture:
    """Pictures of the display side by side, ``ACROSS`` in a row, the last row filled with black."""
    height, width = pictures[0].shape
    rows = -(-len(pictures) // ACROSS)
    sheet = np.zeros((rows * height, ACROSS * width), np.uint8)
    for number, picture in enumerate(pictures):
        top, left = number // ACROSS * height, number % ACROSS * width
        sheet[top : top + height, left : left + width] = picture
    return sheet


def tiles(sheet: Picture) -> list[Picture]:
    """The pictures of such a sheet."""
    return [part for row in np.split(sheet, len(sheet) // 64) for part in np.split(row, ACROSS, axis=1)]


def _unlike(a: Picture, b: Picture) -> float:
    """How much of what is lit is so in one picture only."""
    return float(((a > 127) != (b > 127)).sum() / max(1, (b > 127).sum()))


def test_everything_that_can_happen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    story = whole_game(table)
    run(story, monkeypatch)
    shown = table.shown
    for name, levels in LAMPS.items():
        assert [set(lit) for lit in story.lamps(name)] == levels, name
    for name, said in SAID.items():
        pages = iter(story.said(name))
        missing = [words for words in said if words not in pages]
        assert not missing, (name, story.said(name))
    assert "Illegal" not in "".join(story.said("provisional"))
    assert RED not in set().union(*story.lamps("playing on"))
    assert {title for _, title, _ in shown.pages} >= {"White – Black", "White – Black ×2", "Legal:", "Pips"}
    assert shown.tunes == [TUNES[tune] for tune, _ in HEARD if tune]
    calls = set(CALLS["en"].values())
    said = [words for words in shown.words if words not in calls and words != "No move"]
    assert said == [words for _, words in HEARD]
    rolls = [words for words in shown.words if words in calls]
    assert rolls[:7] == ["six one", "five two", "five two", "four two", "six three", "six five", "four three"]
    assert len(rolls) == story.thrown - 1  # one was void
    assert unlike_the_golden_pictures(story) == {}
