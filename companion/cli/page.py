"""``--page`` of ``run`` and ``replay``: where the page is served, and how what it asks for becomes a rig."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from typing import Self

from companion.cli.checks import CHECKS, Patient, named
from companion.cli.desk import Desk
from companion.cli.keeping import say
from companion.cli.options import KeepOptions, RigOptions
from companion.cli.rig import rig_from
from companion.cli.shelf import Shelf
from companion.config import Settings, Strict, validated
from companion.errors import ConfigError
from companion.events import Event
from companion.languages import current
from companion.rules import RulesError
from companion.vision.calibration import Calibration, load_calibration, save_calibration
from companion.web import WebConfig, parse_address
from companion.web.ports import TurnCard, Wanted

CALIBRATION = "calibration.json"
SET_UP = "set-up.json"


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
        self._found: dict[str, tuple[float, list[dict[str, str]]]] = {}

    def findings(self) -> Sequence[Mapping[str, str]]:
        """Every finding, with what to do."""
        with self._lock:
            language = current()
            at, found = self._found.get(language, (float("-inf"), []))
            if time.monotonic() - at > self._FRESH_S:
                found = [each for name in CHECKS if name not in self._USED for each in self._made(name)]
                self._found[language] = time.monotonic(), found
            return found

    def _made(self, name: str) -> list[dict[str, str]]:
        try:
            found = list(CHECKS[name](self._patient))
        except Exception as error:  # as for the doctor: the other checks still count
            return [{"state": "fail", "what": f"{named(name)}: {type(error).__name__}", "advice": ""}]
        return [
            {
                "state": self._STATES[each.state],
                "what": f"{named(each.check)}: {each.words}",
                "advice": "" if each.state == "good" else each.advice,
            }
            for each in found
            if each.state in self._STATES
        ]


class KeptSetUp(Strict):
    """What was last asked for on the set-up page, as the state folder keeps it for the next start."""

    game: str
    options: dict[str, str]
    profile: str
    length: int
    mode: str
    policy: str
    white: str
    home: str | None
    names: tuple[str, str]

    @classmethod
    def of(cls, wanted: Wanted) -> Self:
        """What a page asks for."""
        options = {name: _plain(value) for name, value in wanted.options.items() if name != "length"}
        return cls(
            game=wanted.game,
            options=options,
            profile=wanted.profile or "",
            length=int(wanted.options.get("length", 3)),
            mode=wanted.mode,
            policy=wanted.policy,
            white=wanted.white,
            home=wanted.home,
            names=(wanted.names["white"], wanted.names["black"]),
        )

    def over(self, wishes: RigOptions, keeping: KeepOptions) -> tuple[RigOptions, KeepOptions]:
        """The same wishes with this in the place of what they say about the match."""
        said = {key: getattr(self, key) for key in ("game", "profile", "length", "mode", "policy", "white", "home")}
        options = [f"{name}={value}" for name, value in self.options.items()]
        wishes = replace(wishes, **said, options=options, corners=None, start=None)
        return wishes, replace(keeping, white_name=self.names[0], black_name=self.names[1])


class SetUp:
    """What the set-up page asks for, until the table has time for it; checked at once, and kept in ``folder`` for the
    next start of the program: a table stays as it was set up, also after a power cut.
    """

    def __init__(self, wishes: RigOptions, keeping: KeepOptions, settings: Settings, folder: Path) -> None:
        self._wishes, self._keeping, self._settings, self._folder = wishes, keeping, settings, folder
        self._waiting: tuple[RigOptions, KeepOptions] | None = None
        self._lock = threading.Lock()

    def begin(self, wanted: Wanted) -> None:
        """Take note of it; raises ConfigError or RulesError when it cannot be."""
        asked = KeptSetUp.of(wanted)
        known = None if wanted.corners is None else calibration_of(wanted, self._calibration())
        wishes, keeping = asked.over(self._wishes, self._keeping)
        rig_from(wishes, self._settings)
        with self._lock:
            if known is not None:
                _put(self._folder / CALIBRATION, lambda path: save_calibration(known, path))
                self._wishes = replace(self._wishes, calibration=self._folder / CALIBRATION)
                wishes = replace(wishes, calibration=self._folder / CALIBRATION)
            _put(self._folder / SET_UP, lambda path: path.write_text(asked.model_dump_json(indent=2), "utf-8"))
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

    def first(self) -> tuple[RigOptions, KeepOptions]:
        """What to start with: as the command line says where it names a game, else as it was last set up here."""
        kept = self._kept()
        given = self._wishes
        if kept is None or given.game or given.profile or given.options or given.start:
            return given, self._keeping
        wishes, keeping = kept.over(given, self._keeping)
        said = {f.name: getattr(given, f.name) for f in fields(given) if getattr(given, f.name) is not None}
        names = {f.name: getattr(self._keeping, f.name) for f in fields(keeping) if getattr(self._keeping, f.name)}
        return replace(wishes, **said), replace(keeping, **names)

    def _kept(self) -> KeptSetUp | None:
        """What was kept; one that cannot be read or played any more is told, and left alone."""
        path = self._folder / SET_UP
        if not path.is_file():
            return None
        try:
            kept = validated(KeptSetUp, json.loads(path.read_text("utf-8")), str(path))
            rig_from(kept.over(self._wishes, self._keeping)[0], self._settings)
        except (OSError, ValueError, RulesError) as error:
            say(f"{path} is not used: {error}")
            return None
        return kept

    def _calibration(self) -> Calibration:
        """What is known of the rig beside its corners: lens, board."""
        path = self._wishes.calibration or self._settings.camera.calibration
        return Calibration() if path is None else load_calibration(path)


def calibration_of(wanted: Wanted, known: Calibration | None = None) -> Calibration:
    """The calibration that the corners on the page mean, with what is known of lens and board; raises ConfigError when
    they are no board.
    """
    data = (known or Calibration()).model_dump(exclude={"game"})
    data |= {"corners": wanted.corners, "image_size": wanted.size, "home": wanted.home, "white": wanted.white}
    return validated(Calibration, data | {"note": "set up on the page"}, "corners")


def _put(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file as a whole or not at all, whatever happens meanwhile."""
    new = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(new)
        with new.open("rb") as file:
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def _plain(value: object) -> str:
    """An option's value as the command line writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if str(value) else "none"


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host
