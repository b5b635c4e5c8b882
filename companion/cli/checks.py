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

from companion.config import Settings, data_folder, settings_places, state_folder
from companion.errors import CompanionError

State = Literal["good", "look", "bad", "none"]
"""``look``: it works, not always; ``none``: it is not there, and is not needed."""

LITTLE_MB, SCARCE_MB = 1000, 200
OLDEST = datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC)
"""A clock that shows an earlier time was never set."""

PATIENCE_S = 20.0
"""No program that is asked may take longer."""


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
    yield Found("settings", "good", f"as {found} says" if found else "no file: everything as it usually is")


def libraries(patient: Patient) -> Iterator[Found]:
    """OpenCV and numpy, and whether what the system built against its numpy still works with this one."""
    code, said = patient.ask([sys.executable, "-c", "import cv2, numpy; print(cv2.__version__, numpy.__version__)"])
    versions = said.splitlines()[-1] if said else "nothing"
    if code:
        yield Found("libraries", "bad", f"OpenCV does not work: {versions}", "install the program again: ./install.sh")
        return
    yield Found("libraries", "good", "OpenCV {} and numpy {}".format(*versions.split()))
    for name, why in (("simplejpeg", "apt's simplejpeg"), ("picamera2", "the Pi camera")):
        code, said = patient.ask([sys.executable, "-c", f"import {name}"])
        last = said.splitlines()[-1] if said else f"exit code {code}"
        if not code or f"No module named '{name}'" in said:
            continue
        mismatch = "numpy" in said.lower() and ("dtype size" in said or "multiarray" in said or "binary" in said)
        words = "was built against another numpy than this one" if mismatch else f"cannot be loaded: {last}"
        advice = "use apt's numpy and OpenCV: ./install.sh, or pip uninstall numpy opencv-python-headless"
        yield Found(
            "libraries", "bad", f"{why} {words}", advice if mismatch else "sudo apt install --reinstall " + name
        )


def models(patient: Patient) -> Iterator[Found]:
    """The trained networks against their cards, and that OpenCV can load each."""
    folder = data_folder("models")
    cards = sorted(folder.glob("*.json"))
    again = "install the program again: ./install.sh"
    if not cards:
        yield Found("models", "bad", f"{folder}: expected trained networks, found none", again)
    wrong = 0
    for card in cards:
        problem = _altered(card) or _unloadable(card.stem)
        if problem:
            wrong += 1
            yield Found("models", "bad", problem, again)
    if cards and not wrong:
        yield Found(
            "models", "good", f"{len(cards)} networks are as their cards say: {', '.join(c.stem for c in cards)}"
        )


def _altered(card: Path) -> str | None:
    network = card.with_suffix(".onnx")
    try:
        expected = json.loads(card.read_text(encoding="utf-8")).get("sha256")
        got = hashlib.sha256(network.read_bytes()).hexdigest()
    except (OSError, ValueError) as error:
        return f"{network.name} cannot be read: {error}"
    return None if expected == got else f"{network.name}: expected sha256 {expected}, got {got}"


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
        yield Found("camera", "none", "the running service uses it", "stop it to look: sudo systemctl stop companion")
        return
    from companion.cli.sight import looked

    try:
        yield from (Found(*row) for row in looked(patient.camera, patient.settings, patient.state))
    except CompanionError as error:
        advice = "look at the cable; Pi cameras: rpicam-hello --list-cameras; others: ls /dev/video*"
        yield Found("camera", "bad", str(error), advice)


def pins(patient: Patient) -> Iterator[Found]:
    """Whether lamps, buttons and buzzer have their pins."""
    settings = patient.settings
    if settings.hardware == "none":
        yield Found("pins", "none", "not wanted (hardware = none)")
        return
    if patient.in_use:
        yield Found("pins", "none", "the running service uses them")
        return
    from companion.signals.lamps import Lamps

    try:
        with Lamps.on("gpio", settings.lamps.pins, active_high=settings.lamps.active_high) as lamps:
            missing = sorted(settings.lamps.pins.keys() - lamps.levels.keys())
    except CompanionError as error:
        on_a_pi = is_a_pi()
        advice = "the user needs the groups gpio, i2c and spi: sudo usermod -aG gpio,i2c,spi $USER" if on_a_pi else ""
        yield Found("pins", "bad" if on_a_pi else "none", str(error), advice)
        return
    if missing:
        yield Found("pins", "bad", f"lamps without a pin that answers: {', '.join(missing)}", "see docs/hardware.md")
    else:
        yield Found("pins", "good", f"{len(settings.lamps.pins)} lamps; companion doctor --self-test lights them")


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
        yield Found("display", "none", "none is set up (setting display.device)")
        return
    if patient.in_use:
        yield Found("display", "none", "the running service uses it")
        return
    from companion.signals.display import Display

    try:
        with Display.on(device):
            yield Found("display", "good", f"{' '.join(device)} answers")
    except CompanionError as error:
        advice = "sudo raspi-config: Interface Options, I2C on; i2cdetect -y 1 shows its address; look at the wires"
        yield Found("display", "bad", str(error), advice)


def disk(patient: Patient) -> Iterator[Found]:
    """Whether there is room for records, and whether they can be written."""
    folder = next((place for place in (patient.state, *patient.state.parents) if place.is_dir()), Path("/"))
    free_mb = shutil.disk_usage(folder).free // 2**20
    state: State = "good" if free_mb >= LITTLE_MB else "look" if free_mb >= SCARCE_MB else "bad"
    advice = "" if state == "good" else "delete pictures: companion forget --pictures; or films of run --record"
    yield Found("disk", state, f"{free_mb} MB free for {patient.state}", advice)
    if not os.access(folder, os.W_OK):
        yield Found("disk", "bad", f"{folder} cannot be written", "as the service: sudo companion doctor")


def record(patient: Patient) -> Iterator[Found]:
    """Whether the record is whole, and how old its copies are."""
    from companion.records.health import damage
    from companion.records.store import FILE_NAME

    path = patient.state / FILE_NAME
    if not path.is_file():
        yield Found("record", "none", "nothing has been recorded yet")
        return
    try:
        problem = damage(path)
    except CompanionError as error:
        yield Found("record", "look", str(error))
        return
    if problem:
        yield Found("record", "bad", f"{path} is damaged: {problem}", "companion recover")
        return
    copies = sorted((patient.state / "backups").glob("record-*.sqlite"))
    words = f"the last copy is {copies[-1].name}" if copies else "there is no copy of it yet"
    yield Found(
        "record", "good" if copies else "look", f"{path} is whole; {words}", "" if copies else "companion backup"
    )


def clock(patient: Patient) -> Iterator[Found]:
    """Whether the date is known; a Raspberry Pi forgets it when it is off."""
    now = datetime.datetime.now(datetime.UTC)
    synchronised = patient.ask(["timedatectl", "show", "--property=NTPSynchronized", "--value"])[1]
    advice = "connect it to a network once; games are refereed all the same, with a wrong date in the record"
    if now < OLDEST:
        yield Found("clock", "look", f"it shows {now:%Y-%m-%d}, and was not set since it was switched on", advice)
    elif synchronised == "no":
        yield Found("clock", "look", f"it shows {now:%Y-%m-%d %H:%M} UTC, and no network has confirmed it", advice)
    else:
        yield Found("clock", "good", f"{now:%Y-%m-%d %H:%M} UTC")


def service(patient: Patient) -> Iterator[Found]:
    """Whether the service is set up, runs, and stays."""
    code, said = patient.ask(
        ["systemctl", "show", "companion.service", "--property=LoadState,ActiveState,NRestarts,UnitFileState"]
    )
    shown = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    if code or shown.get("LoadState") != "loaded":
        yield Found("service", "none", "not set up on this machine (sudo ./install.sh)")
        return
    restarts, active = int(shown.get("NRestarts") or 0), shown.get("ActiveState", "?")
    log = "journalctl -u companion -e says why"
    if shown.get("UnitFileState") != "enabled":
        yield Found("service", "look", "does not start with the machine", "sudo systemctl enable companion")
    if active != "active":
        state: State = "bad" if active == "failed" else "look"
        yield Found("service", state, f"is {active}", f"sudo systemctl start companion; {log}")
    elif restarts:
        yield Found("service", "look", f"runs, and had to be started again {restarts} times", log)
    else:
        yield Found("service", "good", "runs")


def power(patient: Patient) -> Iterator[Found]:
    """On a Raspberry Pi: whether its power supply is strong enough, and its cooling."""
    code, said = patient.ask(["vcgencmd", "get_throttled"])
    number = said.partition("=")[2]
    if code or not number:
        return
    flags = int(number, 16)
    if flags & 0x10001:
        yield Found("power", "look", "the voltage was too low", "use the power supply made for this Raspberry Pi")
    if flags & 0xE000E:
        yield Found("power", "look", "it was slowed down because it was too hot", "a case with air, a fan on a Pi 5")
    if not flags:
        yield Found("power", "good", "voltage and temperature are as they should be")


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
            yield Found(name, "bad", f"the check itself failed: {type(error).__name__}: {error}", "please report this")
