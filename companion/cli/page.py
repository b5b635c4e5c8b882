"""``--page`` of ``run`` and ``replay``: where the page is served, and how what it asks for becomes a rig."""

import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

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
) -> Desk:
    """Serve the page until the stack is closed; ``record`` is the file of old and running matches."""
    desks: list[Desk] = []

    def told(match: int, events: Sequence[Event], turns: Sequence[TurnCard]) -> None:
        if desks and desks[0].match == match:
            desks[0].corrected(events, turns)

    desk = Desk(config, archive=None if record is None else Shelf(record, told), begin=begin)
    desks.append(desk)
    stack.callback(desk.close)
    print(f"companion: the page is at http://{_named(config.host)}:{desk.page.port}/", file=sys.stderr, flush=True)
    return desk


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
