"""The display, compared by meaning: pips are counted, letters are compared with letters, texts are read from pages."""

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion import events as ev
from companion import languages
from companion.rules import get_game
from companion.signals.display import FONT, LARGEST, Display, fitted, needed, picture
from companion.signals.pages import Page, Showing, lines, pages, ticking
from companion.signals.patterns import Mode
from companion.signals.scoreboard import noticed, scoreboard
from companion.signals.texts import MESSAGES, RULES
from tests.signals.happening import illegal, played, rolled, started, status, won

SIZE = (128, 64)
LONG = get_game("long")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    languages.use("en")
    yield
    languages.use("en")


def drawn(page: Page, size: tuple[int, int] = SIZE) -> npt.NDArray[np.uint8]:
    return np.array(picture(page, size).convert("L"), np.uint8)


def said(events: list[ev.Event], mode: Mode = "referee") -> list[tuple[str, str]]:
    return [(page.kind, page.body.replace("\u00a0", " ")) for page in pages(scoreboard(events), mode, LONG)]


def holes(page: Page, die: int) -> int:
    """How many dark pips a die on the display has."""
    half = drawn(page)[17:, die * 64 : die * 64 + 64]
    rows, columns = np.nonzero(half)
    face = half[rows.min() : rows.max() + 1, columns.min() + 1 : columns.max()]
    dark = (face == 0).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=4)
    return sum(1 for i in range(1, count) if stats[i][cv2.CC_STAT_AREA] > 20)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_its_pips(value: int) -> None:
    page = pages(scoreboard([started(), rolled(1, dice=(value, 7 - value))]), "referee", LONG)[0]
    assert (page.kind, page.title) == ("dice", "White to play")
    assert holes(page, 0) == value
    assert holes(page, 1) == 7 - value


def test_each_thing_has_a_page_of_its_own() -> None:
    assert said([started()]) == [("message", "Roll for the start"), ("score", "0 : 0")]
    assert said([started(), rolled(1), played(2)]) == [
        ("play", "24/18 18/17"),
        ("score", "0 : 0"),
        ("pips", "360 : 360"),
    ]
    assert said([started(), rolled(1), won(2)]) == [("message", "White wins: mars, 2 points"), ("score", "2 : 0")]
    assert said([started(), ev.VoidRoll(t=1, player="white", dice=(5, 3), why="cocked")]) == [
        ("message", "Roll again: a die is cocked"),
        ("dice", ""),
    ]


def test_equal_moves_are_told_once() -> None:
    double = [started(), rolled(1), played(2, play="13/11 13/11 24/22 24/22", dice=(2, 2))]
    assert said(double)[0] == ("play", "13/11(2) 24/22(2)")


def test_only_teach_shows_what_would_have_been_legal() -> None:
    wrong = [started(), rolled(1), played(2), rolled(3, "black"), illegal(4, "black")]
    accused = ("message", "Illegal: too many left the head (point 24)")
    assert said(wrong, "teach") == [accused, ("legal", "24/18 18/17")]
    assert said(wrong, "referee") == [accused]


def test_director_accuses_nobody_and_silent_shows_the_score_alone() -> None:
    wrong = [started(), rolled(1), illegal(2)]
    assert said(wrong, "director") == [("dice", "")]
    assert said(wrong, "silent") == [("score", "0 : 0")]


def test_what_is_wrong_with_the_machine_comes_before_everything_else() -> None:
    view = noticed(scoreboard([started(), rolled(1)]), "camera-lost", True)
    assert [page.body for page in pages(view, "silent", LONG)] == ["The camera does not answer"]
    assert lines(view)[3] == "The camera does not answer"


def test_names_of_the_players_and_the_cube_stand_above_the_score() -> None:
    taken = [started(), ev.CubeAction(t=1, player="white", action="take", value=4, owner="black"), status(2, "OPENING")]
    page = next(p for p in pages(scoreboard(taken), "silent", LONG, {"white": "Anna"}))
    assert page.title == "Anna – Black ×4"


def test_pages_take_turns_from_when_they_are_new() -> None:
    both = (Page("message", "", "a"), Page("score", "", "b"))
    showing = Showing(page_s=3.0).after(both, 10.0)
    assert [showing.at(t) for t in (10.0, 12.9, 13.0, 16.0)] == [both[0], both[0], both[1], both[0]]
    assert showing.after(both, 14.0) is showing
    assert showing.after(both[:1], 14.0).at(14.0) == both[0]
    assert Showing().at(1.0) is None


def test_the_lines_say_score_turn_dice_and_message() -> None:
    assert lines(scoreboard([started(), rolled(1)])) == ("White 0 : 0 Black", "White to play", "6-1", "")
    assert lines(scoreboard([started(), rolled(1), played(2)]))[1:3] == ("Black to roll", "24/18 18/17")
    assert lines(scoreboard([started(), rolled(1), won(2)]))[0] == "White 2 : 0 Black"


def test_score_and_dice_can_be_read_from_a_metre() -> None:
    # 5 mm on a display of 11 mm height: 30 of its 64 lines, about a 200th of the distance.
    figures = drawn(Page("score", "", "3"))
    assert np.ptp(np.nonzero(figures)[0]) + 1 >= 30
    face = drawn(Page("dice", "White to play", dice=(6, 1)))[17:]
    assert np.ptp(np.nonzero(face)[0]) + 1 >= 44


@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_every_message_fits_on_the_display_in_every_language(language: str) -> None:
    languages.use(language)
    texts = [languages._(text).format("Ж" * 6, "24/18", "2") for text in MESSAGES.values()]
    texts += [languages._(MESSAGES["illegal-play-at"]).format(languages._(rule), "24") for rule in RULES.values()]
    for text in texts:
        height, rows = fitted(text, 128, 48, LARGEST)
        assert needed(height, rows) <= 48, text
        assert height >= 10, text


@pytest.mark.parametrize("letter", "БДЖЗИЙЛФЦЧШЩЪЫЬЭЮЯЁбджзийлфцчшщъыьэюяё")
def test_cyrillic_letters_are_letters_and_not_boxes(letter: str) -> None:
    missing = drawn(Page("message", "", "\uffff"))
    assert not np.array_equal(drawn(Page("message", "", letter)), missing)


def test_the_font_is_small_and_its_licence_lies_beside_it() -> None:
    assert FONT.stat().st_size < 60_000
    assert "Bitstream" in (FONT.parent / "LICENSE.txt").read_text(encoding="utf-8")


def test_a_long_title_is_cut_and_a_larger_display_gets_larger_letters() -> None:
    image = drawn(Page("score", "A name that is far too long for this – another", "1 : 0"))
    assert image[:15].any()
    double = drawn(Page("score", "", "3"), (256, 128))
    assert np.ptp(np.nonzero(double)[0]) > 1.8 * np.ptp(np.nonzero(drawn(Page("score", "", "3")))[0])
    assert SIZE[1] >= LARGEST


def test_the_device_is_drawn_on_only_when_something_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    with Display.on() as display:
        shown: list[object] = []
        monkeypatch.setattr(display.device, "display", shown.append)
        for body in ("1 : 0", "1 : 0", "2 : 0", "2 : 0"):
            display.show(Page("score", "", body))
        assert len(shown) == 2


def test_the_picture_reaches_the_device_and_closing_twice_is_allowed() -> None:
    page = Page("score", "White – Black", "3 : 1")
    with Display.on() as display:
        display.show(page)
        assert np.array_equal(np.array(display.device.image), np.array(picture(page)))
        display.close()
        display.show(page)


def test_the_game_clock_has_a_page_that_goes_on_while_nothing_happens() -> None:
    clock = ev.ClockRuns(t=1.0, player="white", left={"white": 65.0, "black": 600.0}, delay_s=5.0)
    modes: tuple[Mode, ...] = ("teach", "referee", "director", "silent")
    for mode in modes:
        view = scoreboard([started(), rolled(0.5), clock])
        page = pages(view, mode, None)[-1]
        assert page.kind == "clock"
        assert [ticking(page, view, t).body.replace("\u00a0", " ") for t in (1.0, 6.0, 6.5, 70.9, 80.0)] == [
            "1.05 : 10.00", "1.05 : 10.00", "1.05 : 10.00", "0.01 : 10.00", "0.00 : 10.00",
        ]  # fmt: skip
    assert all(page.kind != "clock" for page in pages(scoreboard([started(), rolled(0.5)]), "referee", None))
