"""The display, compared by meaning: pips are counted, texts are read from the lines."""

import cv2
import numpy as np
import pytest

from companion import events as ev
from companion.signals.display import Display, lines, picture
from companion.signals.scoreboard import scoreboard
from tests.signals.happening import illegal, played, rolled, started, won


def holes(view_events: list[ev.Event], die: int) -> int:
    """How many dark pips a die on the display has."""
    drawn = np.array(picture(scoreboard(view_events)).convert("L"))
    left = die * 20
    face = (drawn[26:43, left : left + 17] == 0).astype(np.uint8)
    return int(cv2.connectedComponents(face, connectivity=4)[0]) - 1


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_its_pips(value: int) -> None:
    events = [started(), rolled(1, dice=(value, 7 - value))]
    assert holes(events, 0) == value
    assert holes(events, 1) == 7 - value


def test_the_lines_say_score_turn_dice_and_message() -> None:
    assert lines(scoreboard([started(), rolled(1)])) == ("White 0 : 0 Black", "White to play", "6-1", "")
    assert lines(scoreboard([started(), rolled(1), played(2)]))[1:3] == ("Black to roll", "24/18 18/17")
    assert lines(scoreboard([started(), rolled(1), won(2)]))[0] == "White 2 : 0 Black"


def test_a_long_message_is_broken_into_lines_that_fit() -> None:
    drawn = np.array(picture(scoreboard([started(), rolled(1), illegal(2, reason="larger-die")])).convert("L"))
    assert drawn[42:53].any()
    assert drawn[53:].any()


def test_the_device_is_drawn_on_only_when_something_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    with Display.on() as display:
        shown: list[object] = []
        monkeypatch.setattr(display.device, "display", shown.append)
        for events in ([started()], [started()], [started(), rolled(1)], [started(), rolled(1)]):
            display.show(scoreboard(events))
        assert len(shown) == 2


def test_the_picture_reaches_the_device() -> None:
    view = scoreboard([started(), rolled(1)])
    with Display.on() as display:
        display.show(view)
        assert np.array_equal(np.array(display.device.image), np.array(picture(view)))
        display.close()
