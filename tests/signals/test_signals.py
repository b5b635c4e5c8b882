"""Lamps and display as devices: gpiozero's pins in memory, luma's display in memory."""

import logging
from collections.abc import Iterator
from itertools import pairwise

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from companion.config import DisplaySettings
from companion.errors import HardwareError
from companion.signals import Signals, SignalsConfig
from companion.signals.display import Display
from companion.signals.lamps import DEFAULT_PINS, Lamps
from companion.signals.pages import pages
from tests.signals.happening import illegal, played, rolled, started, won


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    """Pins in memory in place of the machine's; afterwards all is as it was."""
    before = Device.pin_factory
    factory = MockFactory()
    Device.pin_factory = factory
    try:
        yield factory
    finally:
        factory.reset()
        Device.pin_factory = before


def states(factory: MockFactory, lamp: str) -> list[bool]:
    """Every level that a lamp's pin has had, in order."""
    return [state.state for state in factory.pin(DEFAULT_PINS[lamp]).states]  # type: ignore[index]


def test_the_pins_go_through_the_levels_of_the_plan(pins: MockFactory) -> None:
    with Signals.from_config(SignalsConfig(hardware="gpio")) as signals:
        for lamp in DEFAULT_PINS:
            pins.pin(DEFAULT_PINS[lamp]).clear_states()
        for t, events in ((0.0, [started()]), (1.0, [rolled(1)]), (1.5, []), (2.0, [illegal(2)]), (4.0, [played(4)])):
            signals.show(events, t)
        assert states(pins, "white") == [False, True, False]
        assert states(pins, "black") == [False, True]
        assert states(pins, "red") == [False, True, False]
        assert states(pins, "green") == [False, True]
        assert states(pins, "amber") == [False]


def test_closing_turns_every_lamp_off_and_may_be_done_twice(pins: MockFactory) -> None:
    signals = Signals.from_config(SignalsConfig(hardware="gpio"))
    signals.show([started(), rolled(1)], 1.0)
    signals.close()
    signals.close()
    assert not any(states(pins, lamp)[-1] for lamp in DEFAULT_PINS)


def test_pages_are_made_when_something_happened_and_not_for_every_frame(
    pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    monkeypatch.setattr("companion.signals.signals.pages", lambda view, *more: made.append(view) or pages(view, *more))
    with Signals.from_config(SignalsConfig(display=DisplaySettings(page_s=1.0))) as signals:
        signals.show([started(), rolled(1), played(2)], 2.0)
        shown = [signals.show([], 2.0 + i / 10) and signals.page for i in range(25)]
        assert len(made) == 1
        assert [page.kind for page in dict.fromkeys(shown) if page] == ["play", "score"]
        signals.notice("camera-lost", True, 5.0)
        assert len(made) == 2
        assert signals.page is not None
        assert signals.page.kind == "message"


def test_frames_are_no_evidence_while_a_lamp_changes(pins: MockFactory) -> None:
    with Signals.from_config(SignalsConfig(hardware="gpio", exposure_s=0.05)) as signals:
        assert signals.show([started()], 0.0) == float("-inf")
        assert signals.show([rolled(1)], 1.0) == pytest.approx(1.15)
        assert signals.show([], 1.2) == pytest.approx(1.15)
        assert signals.show([illegal(2)], 2.0) == pytest.approx(2.15)


def test_while_a_lamp_blinks_each_change_counts(pins: MockFactory) -> None:
    with Signals.from_config(SignalsConfig(hardware="gpio")) as signals:
        signals.show([started(), rolled(1), played(2)], 2.0)
        signals.show([won(3)], 3.0)
        dead = [signals.show([], 3.0 + i / 10) for i in range(1, 30)]
    assert all(a <= b for a, b in pairwise(dead))
    assert 3.5 < dead[-1] <= 4.0 + 1 / 30 + 0.1 + 1e-9


def test_a_lamp_that_does_not_answer_is_left_out_with_one_line(
    pins: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), Lamps({"white": 5, "black": 5, "red": 22}) as lamps:
        assert lamps.set({"white": True, "black": True, "red": True})
        assert lamps.levels == {"white": True, "red": True}
    assert [r.getMessage().split(":")[0] for r in caplog.records] == [
        "lamp black on pin 5 does not answer and is left out"
    ]


def test_a_lamp_that_fails_later_is_left_out_too(
    pins: MockFactory, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the chip is gone")

    with Lamps({"white": 5, "red": 22}) as lamps, caplog.at_level(logging.WARNING):
        monkeypatch.setattr(pins.pin(5), "_set_state", fail)
        lamps.set({"white": True, "red": True})
        monkeypatch.undo()
        assert lamps.levels == {"red": True}
    assert len(caplog.records) == 1


def test_an_rgb_lamp_has_three_pins_which_are_full_on_or_off(pins: MockFactory) -> None:
    with Lamps({"white": (16, 20, 21), "red": 22}) as lamps:
        lamps.set({"white": True, "red": True}, {"white": "amber", "black": "dark"})
        assert [pins.pin(n).state for n in (16, 20, 21)] == [1, 1, 0]
        assert not lamps.set({"white": False, "red": True}, {"white": "amber"})
    assert [pins.pin(n).state for n in (16, 20, 21)] == [0, 0, 0]


def test_lamps_between_the_pin_and_3v3_are_dark_when_the_pin_is_high(pins: MockFactory) -> None:
    with Lamps({"red": 22}, active_high=False) as lamps:
        assert pins.pin(22).state == 1
        lamps.set({"red": True})
        assert pins.pin(22).state == 0


def test_a_display_that_is_missing_is_said_in_one_line_and_the_lamps_burn(
    pins: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    wanted = DisplaySettings(device=("--display", "ssd1306", "--interface", "i2c", "--i2c-port", "77"))
    with caplog.at_level(logging.WARNING), Signals.from_config(SignalsConfig(display=wanted)) as signals:
        signals.show([started(), rolled(1)], 1.0)
        assert pins.pin(5).state == 1
    assert [r.getMessage().endswith("the game goes on without it") for r in caplog.records] == [True]


def test_live_the_frames_that_are_no_evidence_are_counted_from_when_the_lamp_changed(pins: MockFactory) -> None:
    now = [1.4]
    with Signals.from_config(SignalsConfig(exposure_s=0.05), clock=lambda: now[0]) as signals:
        assert signals.show([started(), rolled(1)], 1.0) == pytest.approx(1.55)


def test_a_machine_without_pins_has_them_in_memory_unless_they_are_insisted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "no-such-library")
    with Lamps.on("auto") as lamps:
        assert lamps.set({"red": True})
        assert lamps.levels["red"]
        assert not lamps.set({"red": True})
    with pytest.raises(HardwareError, match="no pins"):
        Lamps.on("gpio")


@pytest.mark.parametrize("options", [["--display", "no-such-display"], ["--bright"]])
def test_a_wrong_display_is_said_in_one_line(options: list[str]) -> None:
    with pytest.raises(HardwareError, match="display: ") as caught:
        Display.on(options)
    assert "\n" not in str(caught.value)
