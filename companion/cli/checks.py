"""What ``companion doctor`` looks at. Each check answers with findings in words, and says what to do; none raises."""

import datetime
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from companion.cli.dating import KNOWN
from companion.config import Settings, data_folder, settings_places, state_folder
from companion.errors import CompanionError
from companion.languages import N_, _, plural

State = Literal["good", "look", "bad", "none"]
"""``look``: it works, not always; ``none``: it is not there, and is not needed."""

LITTLE_MB, SCARCE_MB = 1000, 200

PATIENCE_S = 20.0
"""No program that is asked may take longer."""

AGAIN = N_("install the program again: ./install.sh")

NAMES = {
    "settings": N_("settings"),
    "libraries": N_("libraries"),
    "models": N_("models"),
    "camera": N_("camera"),
    "pins": N_("pins"),
    "lamps": N_("lamps"),
    "buttons": N_("buttons"),
    "display": N_("display"),
    "disk": N_("disk"),
    "record": N_("record"),
    "clock": N_("clock"),
    "service": N_("service"),
    "power": N_("power"),
    "board": N_("board"),
    "frame": N_("frame"),
    "view": N_("view"),
    "checkers": N_("checkers"),
    "dice": N_("dice"),
    "focus": N_("focus"),
    "light": N_("light"),
    "glare": N_("glare"),
    "lens": N_("lens"),
    "hand": N_("hand"),
    "reading": N_("reading"),
    "home": N_("home"),
}
"""What is looked at, as a person reads it; in JSON the name is always the English one."""


def named(check: str) -> str:
    """The name of a check in the language of now."""
    return _(NAMES.get(check, check))


@dataclass(frozen=True)
class Found:
    """One finding of one check: how it is, in words, and what to do about it."""

    check: str
    state: State
    words: str
    advice: str = ""

    def to_json(self) -> dict[str, str]:
        """The JSON form."""
        return {"check": self.check, "state": self.state, "words": self.words, "advice": self.advice}


@dataclass(frozen=True)
class Patient:
    """What is looked at: the settings, where the state lives, and how other programs are asked (exit code, output)."""

    settings: Settings = field(default_factory=Settings)
    camera: str = "auto"
    state: Path = field(default_factory=state_folder)
    ask: Callable[[list[str]], tuple[int, str]] = lambda words: asked(words)

    @property
    def in_use(self) -> bool:
        """Whether the service runs, and with it uses camera, pins and display."""
        return self.ask(["systemctl", "is-active", "companion.service"])[1] == "active"


def asked(words: list[str]) -> tuple[int, str]:
    """Ask another program: its exit code and what it said; 127 and nothing where there is none."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL, errors="replace"
        )
    except (OSError, subprocess.SubprocessError):
        return 127, ""
    return done.returncode, (done.stdout + done.stderr).strip()


def settings_file(patient: Patient) -> Iterator[Found]:
    """Where the settings are from; that they are right was checked when they were read."""
    found = next((place for place in settings_places() if place.is_file()), None)
    words = _("as {0} says").format(found) if found else _("no file: everything as it usually is")
    yield Found("settings", "good", words)


def libraries(patient: Patient) -> Iterator[Found]:
    """OpenCV and numpy, and whether what the system built against its numpy still works with this one."""
    code, said = patient.ask([sys.executable, "-c", "import cv2, numpy; print(cv2.__version__, numpy.__version__)"])
    versions = said.splitlines()[-1] if said else "-"
    if code:
        yield Found("libraries", "bad", _("OpenCV does not work: {0}").format(versions), _(AGAIN))
        return
    yield Found("libraries", "good", _("OpenCV {0} and numpy {1}").format(*versions.split()))
    for name in ("simplejpeg", "picamera2"):
        code, said = patient.ask([sys.executable, "-c", f"import {name}"])
        last = said.splitlines()[-1] if said else str(code)
        if not code or f"No module named '{name}'" in said:
            continue
        mismatch = "numpy" in said.lower() and ("dtype size" in said or "multiarray" in said or "binary" in said)
        if mismatch:
            words = _("{0} was built against another numpy than this one").format(name)
            advice = _("use apt's numpy and OpenCV: {0}").format("pip uninstall numpy opencv-python-headless")
            yield Found("libraries", "bad", words, advice)
        else:
            words = _("{0} cannot be loaded: {1}").format(name, last)
            yield Found("libraries", "bad", words, f"sudo apt install --reinstall python3-{name}")


def models(patient: Patient) -> Iterator[Found]:
    """The trained networks against their cards, and that OpenCV can load each."""
    folder = data_folder("models")
    cards = sorted(folder.glob("*.json"))
    if not cards:
        yield Found("models", "bad", _("{0}: expected trained networks, found none").format(folder), _(AGAIN))
    wrong = 0
    for card in cards:
        problem = _altered(card) or _unloadable(card.stem)
        if problem:
            wrong += 1
            yield Found("models", "bad", problem, _(AGAIN))
    if cards and not wrong:
        words = _("{0} networks are as their cards say: {1}")
        yield Found("models", "good", words.format(len(cards), ", ".join(c.stem for c in cards)))


def _altered(card: Path) -> str | None:
    network = card.with_suffix(".onnx")
    try:
        expected = json.loads(card.read_text(encoding="utf-8")).get("sha256")
        got = hashlib.sha256(network.read_bytes()).hexdigest()
    except (OSError, ValueError) as error:
        return _("{0} cannot be read: {1}").format(network.name, error)
    if expected == got:
        return None
    return _("{0}: expected sha256 {1}, got {2}").format(network.name, expected, got)


def _unloadable(name: str) -> str | None:
    from companion.vision.nets import Net

    try:
        Net(name)
    except CompanionError as error:
        return str(error)
    return None


def camera(patient: Patient) -> Iterator[Found]:
    """Whether the camera answers, and whether focus, light and view are good enough."""
    if patient.in_use:
        advice = _("stop it to look: {0}").format("sudo systemctl stop companion")
        yield Found("camera", "none", _("the running service uses it"), advice)
        return
    from companion.cli.sight import looked

    try:
        yield from (Found(*row) for row in looked(patient.camera, patient.settings, patient.state))
    except CompanionError as error:
        advice = _("look at the cable; Pi cameras: {0}; others: {1}")
        advice = advice.format("rpicam-hello --list-cameras", "ls /dev/video*")
        yield Found("camera", "bad", str(error), advice)


def pins(patient: Patient) -> Iterator[Found]:
    """Whether lamps, buttons and buzzer have their pins."""
    settings = patient.settings
    if settings.hardware == "none":
        yield Found("pins", "none", _("not wanted (hardware = none)"))
        return
    if patient.in_use:
        yield Found("pins", "none", _("the running service uses them"))
        return
    from companion.signals.lamps import Lamps

    try:
        with Lamps.on("gpio", settings.lamps.pins, active_high=settings.lamps.active_high) as lamps:
            missing = sorted(settings.lamps.pins.keys() - lamps.levels.keys())
    except CompanionError as error:
        on_a_pi = is_a_pi()
        advice = _("the user needs the groups gpio, i2c and spi: {0}").format("sudo usermod -aG gpio,i2c,spi $USER")
        yield Found("pins", "bad" if on_a_pi else "none", str(error), advice if on_a_pi else "")
        return
    if missing:
        words = _("lamps without a pin that answers: {0}").format(", ".join(missing))
        yield Found("pins", "bad", words, _("see {0}").format("docs/hardware.md"))
    else:
        words = _("lamps: {0}; {1} lights them").format(len(settings.lamps.pins), "companion doctor --self-test")
        yield Found("pins", "good", words)


def is_a_pi(model: Path = Path("/proc/device-tree/model")) -> bool:
    """Whether this is a Raspberry Pi."""
    try:
        return b"Raspberry Pi" in model.read_bytes()
    except OSError:
        return False


def display(patient: Patient) -> Iterator[Found]:
    """Whether the display answers."""
    device = patient.settings.display.device
    if not device:
        yield Found("display", "none", _("none is set up (setting display.device)"))
        return
    if patient.in_use:
        yield Found("display", "none", _("the running service uses it"))
        return
    from companion.signals.display import Display

    try:
        with Display.on(device):
            yield Found("display", "good", _("{0} answers").format(" ".join(device)))
    except CompanionError as error:
        advice = _("turn I2C on: {0}; look at the wires; {1} shows its address")
        advice = advice.format("sudo raspi-config nonint do_i2c 0", "i2cdetect -y 1")
        yield Found("display", "bad", str(error), advice)


def disk(patient: Patient) -> Iterator[Found]:
    """Whether there is room for records, and whether they can be written."""
    folder = next((place for place in (patient.state, *patient.state.parents) if place.is_dir()), Path("/"))
    free_mb = shutil.disk_usage(folder).free // 2**20
    state: State = "good" if free_mb >= LITTLE_MB else "look" if free_mb >= SCARCE_MB else "bad"
    advice = "" if state == "good" else _("delete pictures: {0}; or films of {1}")
    advice = advice.format("sudo companion forget --pictures", "run --record")
    yield Found("disk", state, _("{0} MB free for {1}").format(free_mb, patient.state), advice)
    if not os.access(folder, os.W_OK):
        advice = _("ask as the service does: {0}").format("sudo companion doctor")
        yield Found("disk", "bad", _("{0} cannot be written").format(folder), advice)


def record(patient: Patient) -> Iterator[Found]:
    """Whether the record is whole, and how old its copies are."""
    from companion.records.health import damage
    from companion.records.store import FILE_NAME

    path = patient.state / FILE_NAME
    if not path.is_file():
        yield Found("record", "none", _("nothing has been recorded yet"))
        return
    try:
        problem = damage(path)
    except CompanionError as error:
        yield Found("record", "look", str(error))
        return
    if problem:
        yield Found("record", "bad", _("{0} is damaged: {1}").format(path, problem), "companion recover")
        return
    copies = sorted((patient.state / "backups").glob("record-*.sqlite"))
    if copies:
        words = _("{0} is whole; the last copy is {1}").format(path, copies[-1].name)
        yield Found("record", "good", words)
    else:
        words = _("{0} is whole; there is no copy of it yet").format(path)
        yield Found("record", "look", words, "companion backup")


def clock(patient: Patient) -> Iterator[Found]:
    """Whether the date is known; a Raspberry Pi forgets it when it is off."""
    now = datetime.datetime.now(datetime.UTC)
    synchronised = patient.ask(["timedatectl", "show", "--property=NTPSynchronized", "--value"])[1]
    advice = _("connect it to a network: until then games are refereed all the same, under a wrong date")
    if now < KNOWN:
        words = _("it shows {0}, and was not set since it was switched on").format(f"{now:%Y-%m-%d}")
        yield Found("clock", "look", words, advice)
    elif synchronised == "no":
        words = _("it shows {0} UTC, and no network has confirmed it").format(f"{now:%Y-%m-%d %H:%M}")
        yield Found("clock", "look", words, advice)
    else:
        yield Found("clock", "good", f"{now:%Y-%m-%d %H:%M} UTC")


def service(patient: Patient) -> Iterator[Found]:
    """Whether the service is set up, runs, and stays."""
    code, said = patient.ask(
        ["systemctl", "show", "companion.service", "--property=LoadState,ActiveState,NRestarts,UnitFileState"]
    )
    shown = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    if code or shown.get("LoadState") != "loaded":
        yield Found("service", "none", _("not set up on this machine ({0})").format("sudo ./install.sh"))
        return
    restarts, active = int(shown.get("NRestarts") or 0), shown.get("ActiveState", "?")
    log = _("{0} says why").format("journalctl -u companion -e")
    if shown.get("UnitFileState") != "enabled":
        yield Found("service", "look", _("does not start with the machine"), "sudo systemctl enable companion")
    if active != "active":
        state: State = "bad" if active == "failed" else "look"
        words = _("does not run ({0})").format(active)
        yield Found("service", state, words, f"sudo systemctl start companion; {log}")
    elif restarts:
        words = plural("runs, after it was started again once", "runs, after it was started again {0} times", restarts)
        yield Found("service", "look", words.format(restarts), log)
    else:
        yield Found("service", "good", _("runs"))


def power(patient: Patient) -> Iterator[Found]:
    """On a Raspberry Pi: whether its power supply is strong enough, and its cooling."""
    code, said = patient.ask(["vcgencmd", "get_throttled"])
    number = said.partition("=")[2]
    if code or not number:
        return
    flags = int(number, 16)
    if flags & 0x10001:
        advice = _("use the power supply made for this Raspberry Pi")
        yield Found("power", "look", _("the voltage was too low"), advice)
    if flags & 0xE000E:
        advice = _("take a case with air, and a fan on a Pi 5")
        yield Found("power", "look", _("it was slowed down because it was too hot"), advice)
    if not flags:
        yield Found("power", "good", _("voltage and temperature are as they should be"))


CHECKS: dict[str, Callable[[Patient], Iterator[Found]]] = {
    "settings": settings_file,
    "libraries": libraries,
    "models": models,
    "camera": camera,
    "pins": pins,
    "display": display,
    "disk": disk,
    "record": record,
    "clock": clock,
    "service": service,
    "power": power,
}
"""Every check by its name, in the order in which they are made."""


def examined(patient: Patient) -> Iterator[Found]:
    """All checks, one finding after the other; one that cannot even be made is a finding too."""
    for name, check in CHECKS.items():
        try:
            yield from check(patient)
        except Exception as error:  # a driver may raise anything, and the other checks still count
            words = _("the check itself failed: {0}").format(f"{type(error).__name__}: {error}")
            yield Found(name, "bad", words, _("please report this"))
