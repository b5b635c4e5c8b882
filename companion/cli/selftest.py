"""``companion doctor --self-test``: a person looks and presses, and sees that every lamp, page and button is right."""

import time
from collections.abc import Callable, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from companion.cli.checks import Found
from companion.config import ButtonSettings, Settings
from companion.errors import CompanionError
from companion.languages import N_, _
from companion.signals.buttons import Buttons
from companion.signals.display import Display
from companion.signals.lamps import Lamps, pin_factory
from companion.signals.pages import Kind, Page
from companion.signals.patterns import Lamp
from companion.signals.scoreboard import Scoreboard
from companion.signals.texts import caption, name_of, phase_text, reason_text

LIT_S, PAGE_S, PRESS_S = 1.0, 2.0, 10.0

LAMPS: Mapping[Lamp, str] = {
    "white": N_("White's lamp"),
    "black": N_("Black's lamp"),
    "green": N_("the green lamp"),
    "amber": N_("the amber lamp"),
    "red": N_("the red lamp"),
    "recording": N_("the lamp of the recording"),
}

PAGES: Mapping[Kind, str] = {
    "score": N_("the score"),
    "dice": N_("the dice"),
    "play": N_("a play"),
    "pips": N_("the pips"),
    "message": N_("a message"),
    "legal": N_("a legal play"),
    "clock": N_("the time"),
}


def samples() -> tuple[Page, ...]:
    """One page of each kind, as they look in a game."""
    white, black = name_of("white"), name_of("black")
    return (
        Page("score", f"{white} – {black}", "3 : 5"),
        Page("dice", phase_text(Scoreboard(phase="MOVING", player="white")), dice=(6, 5)),
        Page("play", white, "24/18 13/8"),
        Page("pips", caption("pips"), "167 : 158"),
        Page("message", black, reason_text("head")),
        Page("legal", caption("legal"), "24/18 24/19"),
        Page("clock", caption("clock"), "9.45 : 10.00"),
    )


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
        yield Found("pins", "bad", str(error), _("see {0}").format("docs/hardware.md"))
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
                words = _("{0} (pin {1}) does not answer").format(_(LAMPS[lamp]), pin)
                yield Found("lamps", "bad", words, _("see {0}").format("docs/hardware.md"))
                continue
            say(_("{0} (pin {1}) is lit now").format(_(LAMPS[lamp]), pin))
            lamps.set({lamp: True})
            sleep(LIT_S)
            words = _("{0} (pin {1}) was lit; if it stayed dark: is the LED the right way round?")
            yield Found("lamps", "good", words.format(_(LAMPS[lamp]), pin))


def _display(settings: Settings, say: Callable[[str], None], sleep: Callable[[float], None]) -> Iterator[Found]:
    device = settings.display.device
    if not device:
        yield Found("display", "none", _("none is set up (setting display.device)"))
        return
    try:
        with Display.on(device) as shown:
            for page in samples():
                say(_("the display shows {0} now").format(_(PAGES[page.kind])))
                shown.show(page)
                sleep(PAGE_S)
            yield Found("display", "good", _("{0} pages were shown").format(len(PAGES)))
    except (CompanionError, OSError) as error:
        yield Found("display", "bad", str(error), _("look at its wires and its address: {0}").format("i2cdetect -y 1"))


def _button(
    name: str, button: ButtonSettings, settings: Settings, factory: Any, say: Callable[[str], None], press_s: float
) -> Found:
    """Wait for one press; what it would mean in a game does not matter here."""
    pressed: SimpleQueue[object] = SimpleQueue()
    plain = {name: ButtonSettings(pin=button.pin, press="confirm")}
    bounce_s = settings.buttons.bounce_s
    with Buttons(plain, pressed.put, time.monotonic, Scoreboard, factory=factory, bounce_s=bounce_s):
        say(_("press the button {0} (pin {1}) now").format(name, button.pin))
        try:
            pressed.get(timeout=press_s)
        except Empty:
            words = _("{0} (pin {1}) was not felt within {2} s").format(name, button.pin, f"{press_s:.0f}")
            return Found("buttons", "look", words, _("if you pressed it: look at its two wires, the pin and ground"))
    return Found("buttons", "good", _("{0} (pin {1}) was pressed").format(name, button.pin))
