"""Presses on gpiozero's pins in memory become inputs; chatter is no press; what is meant depends on the game."""

import logging
import time
from collections.abc import Callable, Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from companion import events as ev
from companion.config import ButtonSettings
from companion.inputs import Input, InputKind, Side
from companion.signals.buttons import Buttons, Press, meant
from companion.signals.scoreboard import Scoreboard, follow, scoreboard
from tests.signals.happening import played, rolled, started

TURN = ButtonSettings(pin=23, press="turn", side="white")
CUBE = ButtonSettings(pin=24, press="cube", hold="drop", side="black")


class Pressing:
    """Two buttons on pins in memory, and what comes of them."""

    def __init__(self) -> None:
        self.factory = MockFactory()
        self.got: list[tuple[InputKind, Side | None]] = []
        self.times: list[float] = []
        self.view = Scoreboard()
        self.buttons = Buttons(
            {"turn": TURN, "cube": CUBE},
            self._put,
            lambda: 7.5,
            lambda: self.view,
            factory=self.factory,
            bounce_s=0.02,
            hold_s=0.15,
        )

    def _put(self, item: Input) -> None:
        self.got.append((item.input, item.side))
        self.times.append(item.t)

    def press(self, pin: int, seconds: float) -> None:
        self.factory.pin(pin).drive_low()
        time.sleep(seconds)
        self.factory.pin(pin).drive_high()
        time.sleep(0.05)


@pytest.fixture
def pressing() -> Iterator[Pressing]:
    made = Pressing()
    try:
        yield made
    finally:
        made.buttons.close()
        made.buttons.close()
        made.factory.reset()


def test_a_press_is_an_input_with_its_time_and_side(pressing: Pressing) -> None:
    pressing.press(23, 0.03)
    assert pressing.got == [(InputKind.END_TURN, "white")]
    assert pressing.times == [7.5]


def test_a_long_press_means_something_else_and_is_told_once_while_it_is_held(pressing: Pressing) -> None:
    pressing.press(24, 0.05)
    assert pressing.got == [(InputKind.DOUBLE, "black")]
    pressing.press(24, 0.4)
    assert pressing.got[1:] == [(InputKind.DROP, "black")]


def told(*changes: tuple[float, str], wanted: ButtonSettings = TURN) -> list[str]:
    """What a button says when its contact changes at these times (milliseconds)."""
    said: list[str] = []
    now = [0.0]
    press = Press(wanted, lambda action, side: said.append(action), 0.02, lambda: now[0])
    acts: dict[str, Callable[[], None]] = {"down": press.down, "up": press.up, "held": press.held}
    for milliseconds, change in changes:
        now[0] = 10 + milliseconds / 1000
        acts[change]()
    return said


def test_a_contact_that_chatters_is_one_press() -> None:
    chatter = [(0, "down"), (2, "up"), (4, "down"), (6, "up"), (7, "down"), (200, "up"), (203, "down"), (205, "up")]
    assert told(*chatter) == ["turn"]
    assert told(*chatter, wanted=CUBE) == ["cube"]
    assert told((0, "down"), (100, "up"), (200, "down"), (300, "up")) == ["turn", "turn"]
    assert told((0, "down"), (1000, "held"), (1500, "up"), wanted=CUBE) == ["drop"]


def test_the_cube_button_takes_what_was_offered_and_offers_otherwise() -> None:
    view = scoreboard([started(), rolled(1), played(2)])
    assert meant("cube", "black", view) is InputKind.DOUBLE
    offered = follow(view, ev.CubeAction(t=3, player="black", action="double", value=2))
    assert meant("cube", "white", offered) is InputKind.TAKE
    assert meant("cube", "black", offered) is InputKind.DOUBLE


def test_the_turn_button_accepts_what_waits_for_an_answer() -> None:
    view = scoreboard([started(), rolled(1)])
    assert meant("turn", "white", view) is InputKind.END_TURN
    resigned = follow(view, ev.Resigned(t=2, player="black", outcome="oin"))
    assert meant("turn", "white", resigned) is InputKind.ACCEPT
    assert meant("confirm", None, view) is InputKind.CONFIRM
    assert meant("", None, view) is None


def test_a_button_that_does_not_answer_is_left_out_with_one_line(caplog: pytest.LogCaptureFixture) -> None:
    factory = MockFactory()
    twice = {"a": TURN, "b": TURN.model_copy(update={"press": "cube"})}
    got: list[Input] = []
    with (
        caplog.at_level(logging.WARNING),
        Buttons(twice, got.append, lambda: 0.0, Scoreboard, factory=factory, bounce_s=0.0),
    ):
        factory.pin(23).drive_low()
    assert [item.input for item in got] == [InputKind.END_TURN]
    assert len(caplog.records) == 1
    assert caplog.records[0].getMessage().startswith("button b on pin 23 does not answer and is left out")
    factory.reset()
