"""``--page`` of ``run`` and ``replay``: where the page is served, and how what it asks for becomes a rig."""

import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from companion.cli.checks import CHECKS, Patient
from companion.cli.desk import Desk
from companion.cli.options import KeepOptions, RigOptions
from companion.cli.rig import rig_from
from companion.cli.shelf import Shelf
from companion.config import Settings, state_folder, validated
from companion.events import Event
from companion.vision.calibration import Calibration, save_calibration
from companion.web import WebConfig, parse_address
from companion.web.ports import TurnCard, Wanted

CALIBRATION = "calibration.json"


def config_for(wishes: RigOptions, settings: Settings) -> WebConfig | None:
    """The page's settings (``[web]`` of companion.toml, the address also by ``--page``); None when it is not wanted."""
    if wishes.page is None and not settings.web:
        return None
    known = dict(settings.web)
    if wishes.page is not None:
        address = parse_address(wishes.page)
        known |= {"host": address.host, "port": address.port}
    if settings.language is not None:
        known.setdefault("language", settings.language)
    return validated(WebConfig, known, "settings: web")


def served(
    stack: ExitStack,
    config: WebConfig,
    record: Path | None,
    begin: Callable[[Wanted], None] | None = None,
    settings: Settings | None = None,
) -> Desk:
    """Serve the page until the stack is closed; ``record`` is the file of old and running matches."""
    desks: list[Desk] = []

    def told(match: int, events: Sequence[Event], turns: Sequence[TurnCard]) -> None:
        if desks and desks[0].match == match:
            desks[0].corrected(events, turns)

    archive = None if record is None else Shelf(record, told)
    desk = Desk(config, archive=archive, doctor=Health(settings or Settings()), begin=begin)
    desks.append(desk)
    stack.callback(desk.close)
    print(f"companion: the page is at http://{_named(config.host)}:{desk.page.port}/", file=sys.stderr, flush=True)
    return desk


class Health:
    """What ``companion doctor`` finds, but for camera, pins and display, which this program is using itself.

    One examination at a time, and not more than one in half a minute.
    """

    _USED = ("camera", "pins", "display")
    _STATES: Mapping[str, str] = {"good": "ok", "look": "warn", "bad": "fail"}
    _FRESH_S = 30.0

    def __init__(self, settings: Settings) -> None:
        self._patient = Patient(settings)
        self._lock = threading.Lock()
        self._found: list[dict[str, str]] = []
        self._at = float("-inf")

    def findings(self) -> Sequence[Mapping[str, str]]:
        """Every finding, with what to do."""
        with self._lock:
            if time.monotonic() - self._at > self._FRESH_S:
                self._found = [each for name in CHECKS if name not in self._USED for each in self._made(name)]
                self._at = time.monotonic()
            return self._found

    def _made(self, name: str) -> list[dict[str, str]]:
        try:
            found = list(CHECKS[name](self._patient))
        except Exception as error:  # as for the doctor: the other checks still count
            return [{"state": "fail", "what": f"{name}: {type(error).__name__}", "advice": ""}]
        return [
            {
                "state": self._STATES[each.state],
                "what": f"{each.check}: {each.words}",
                "advice": "" if each.state == "good" else each.advice,
            }
            for each in found
            if each.state in self._STATES
        ]


class SetUp:
    """What the set-up page asks for, until the table has time for it; checked at once."""

    def __init__(self, wishes: RigOptions, keeping: KeepOptions, settings: Settings) -> None:
        self._wishes, self._keeping, self._settings = wishes, keeping, settings
        self._waiting: tuple[RigOptions, KeepOptions] | None = None
        self._lock = threading.Lock()

    def begin(self, wanted: Wanted) -> None:
        """Take note of it; raises ConfigError or RulesError when it cannot be."""
        calibration = state_folder() / CALIBRATION if wanted.corners is not None else self._wishes.calibration
        if wanted.corners is not None and calibration is not None:
            calibration.parent.mkdir(parents=True, exist_ok=True)
            save_calibration(calibration_of(wanted), calibration)
        wishes = replace(
            self._wishes,
            game=wanted.game,
            options=[f"{name}={_plain(value)}" for name, value in wanted.options.items()],
            profile=wanted.profile,
            length=None,
            mode=wanted.mode,
            policy=wanted.policy,
            white=wanted.white,
            home=wanted.home,
            corners=None,
            calibration=calibration,
            start=None,
        )
        rig_from(wishes, self._settings)
        keeping = replace(self._keeping, white_name=wanted.names["white"], black_name=wanted.names["black"])
        with self._lock:
            self._waiting = wishes, keeping

    @property
    def waiting(self) -> bool:
        """Whether a match is to be started."""
        return self._waiting is not None

    def take(self) -> tuple[RigOptions, KeepOptions] | None:
        """What is to be started next, once."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
            return waiting


def calibration_of(wanted: Wanted) -> Calibration:
    """The calibration that the corners on the page mean; raises ConfigError when they are no board."""
    data = {"corners": wanted.corners, "image_size": wanted.size, "home": wanted.home, "white": wanted.white}
    return validated(Calibration, data | {"game": wanted.game, "note": "set up on the page"}, "corners")


def _plain(value: object) -> str:
    """An option's value as the command line writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if str(value) else "none"


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host
