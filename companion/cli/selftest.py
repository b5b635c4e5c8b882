"""``companion doctor --self-test``: a person looks and presses, and sees that every lamp, page and button is right."""

import time
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Any

from companion.cli.checks import Found
from companion.config import ButtonSettings, Settings
from companion.errors import CompanionError
from companion.signals.buttons import Buttons
from companion.signals.display import Display
from companion.signals.lamps import Lamps, pin_factory
from companion.signals.pages import Page
from companion.signals.patterns import Lamp
from companion.signals.scoreboard import Scoreboard

LIT_S, PAGE_S, PRESS_S = 1.0, 2.0, 10.0

PAGES: Sequence[Page] = (
    Page("score", "White – Black", "3 : 5"),
    Page("dice", "White moves", dice=(6, 5)),
    Page("play", "White", "24/18 13/8"),
    Page("pips", "pips", "167 – 158"),
    Page("message", "Black", "the head gives one checker a turn"),
    Page("legal", "legal", "24/18 24/19"),
)
"""One of each kind, as they look in a game."""


def self_test(
    settings: Settings,
    say: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
    press_s: float = PRESS_S,
) -> Iterator[Found]:
    """Light each lamp, show each page, ask for each button; ``say`` tells the person what should be seen now."""
    try:
        factory = pin_factory(settings.hardware)
    except CompanionError as error:
        yield Found("pins", "bad", str(error), "see docs/hardware.md")
        return
    yield from _lamps(settings, factory, say, sleep)
    yield from _display(settings, say, sleep)
    for name, button in settings.buttons.by_name.items():
        yield _button(name, button, settings, factory, say, press_s)


def _lamps(
    settings: Settings, factory: Any, say: Callable[[str], None], sleep: Callable[[float], None]
) -> Iterator[Found]:
    wanted: dict[Lamp, Any] = dict(settings.lamps.pins)
    with Lamps(wanted, factory, active_high=settings.lamps.active_high) as lamps:
        for lamp, pin in wanted.items():
            if lamp not in lamps.levels:
                yield Found("lamps", "bad", f"{lamp} on pin {pin} does not answer", "see docs/hardware.md")
                continue
            say(f"lamp {lamp} (pin {pin}) is lit now")
            lamps.set({lamp: True})
            sleep(LIT_S)
            yield Found("lamps", "good", f"{lamp} on pin {pin} was lit", "stayed dark? look which way round the LED is")


def _display(settings: Settings, say: Callable[[str], None], sleep: Callable[[float], None]) -> Iterator[Found]:
    device = settings.display.device
    if not device:
        yield Found("display", "none", "none is set up (setting display.device)")
        return
    try:
        with Display.on(device) as shown:
            for page in PAGES:
                say(f"the display shows a page of the kind {page.kind} now")
                shown.show(page)
                sleep(PAGE_S)
            yield Found("display", "good", f"{len(PAGES)} pages were shown")
    except (CompanionError, OSError) as error:
        yield Found("display", "bad", str(error), "look at its wires and its address: i2cdetect -y 1")


def _button(
    name: str, button: ButtonSettings, settings: Settings, factory: Any, say: Callable[[str], None], press_s: float
) -> Found:
    """Wait for one press; what it would mean in a game does not matter here."""
    pressed: SimpleQueue[object] = SimpleQueue()
    plain = {name: ButtonSettings(pin=button.pin, press="confirm")}
    bounce_s = settings.buttons.bounce_s
    with Buttons(plain, pressed.put, time.monotonic, Scoreboard, factory=factory, bounce_s=bounce_s):
        say(f"press the button {name} (pin {button.pin}) now")
        try:
            pressed.get(timeout=press_s)
        except Empty:
            advice = "not pressed? else look at its two wires: the pin, and ground"
            return Found("buttons", "look", f"{name} on pin {button.pin} was not felt within {press_s:.0f} s", advice)
    return Found("buttons", "good", f"{name} on pin {button.pin} was pressed")
