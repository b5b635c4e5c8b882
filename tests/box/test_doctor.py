"""The doctor: what it finds on machines of all kinds, and that it always says what to do."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
import pytest
from gpiozero import LED, Device
from gpiozero.pins.mock import MockFactory

from companion import languages
from companion.cli import checks, main, selftest
from companion.cli.checks import Found, Patient
from companion.cli.mounting import mounted, mountings
from companion.config import ButtonSettings, ButtonsSettings, DisplaySettings, LampSettings, Settings, data_folder
from companion.signals.display import Display
from companion.signals.pages import Kind, Page
from companion.vision.calibration import BoardPreset, LensPreset


def answering(answers: dict[str, tuple[int, str]]) -> Callable[[list[str]], tuple[int, str]]:
    """Other programs, by the word that their command ends with or contains; all else is not there."""

    def ask(words: list[str]) -> tuple[int, str]:
        line = " ".join(words)
        return next((answer for key, answer in answers.items() if key in line), (127, ""))

    return ask


def states(found: Iterator[Found]) -> list[str]:
    return [finding.state for finding in found]


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    try:
        yield Device.pin_factory
    finally:
        Device.pin_factory.reset()
        Device.pin_factory = before


def test_models_that_are_as_their_cards_say_are_good_and_an_altered_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bar.onnx", "bar.json"):
        shutil.copy(data_folder("models") / name, tmp_path)
    monkeypatch.setattr(checks, "data_folder", lambda name: tmp_path)
    assert states(checks.models(Patient())) == ["good"]
    (tmp_path / "bar.onnx").write_bytes(b"altered")
    (finding,) = checks.models(Patient())
    assert finding.state == "bad"
    assert hashlib.sha256(b"altered").hexdigest() in finding.words
    (tmp_path / "bar.json").unlink()
    (finding,) = checks.models(Patient())
    assert (finding.state, "found none" in finding.words) == ("bad", True)


def test_a_numpy_that_apt_s_libraries_were_not_built_against_is_recognised() -> None:
    said = "ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96, got 88"
    ask = answering({"import cv2": (0, "4.10.0 2.1.0"), "import simplejpeg": (1, said), "import picamera2": (1, said)})
    good, jpeg, camera = checks.libraries(Patient(ask=ask))
    assert (good.state, jpeg.state, camera.state) == ("good", "bad", "bad")
    assert "another numpy" in jpeg.words
    assert "apt's numpy" in jpeg.advice


def test_libraries_of_the_pi_that_are_not_there_are_no_fault() -> None:
    missing = {
        f"import {name}": (1, f"ModuleNotFoundError: No module named '{name}'") for name in ("simplejpeg", "picamera2")
    }
    assert states(checks.libraries(Patient(ask=answering({"import cv2": (0, "4.6.0 1.24.2"), **missing})))) == ["good"]
    assert states(checks.libraries(Patient(ask=answering({"import cv2": (1, "ImportError: libGL.so.1")})))) == ["bad"]


def test_a_camera_that_is_not_there_is_one_line_with_what_to_do(tmp_path: Path) -> None:
    (finding,) = checks.camera(Patient(camera="/dev/video-none", state=tmp_path, ask=answering({})))
    assert (finding.state, finding.check) == ("bad", "camera")
    assert "cable" in finding.advice


def test_devices_that_the_service_uses_are_left_alone() -> None:
    settings = Settings(display=DisplaySettings(device=("--display", "ssd1306")))
    patient = Patient(settings, ask=answering({"is-active": (0, "active")}))
    for check in (checks.camera, checks.pins, checks.display):
        (finding,) = check(patient)
        assert (finding.state, "service" in finding.words) == ("none", True)


def test_focus_and_light_of_a_picture_are_judged(tmp_path: Path) -> None:
    from companion.cli.sight import judged

    film = cv2.VideoCapture(str(data_folder("calibration") / "example" / "video.mp4"))
    _, image = film.read()
    film.release()
    shutil.copy(data_folder("calibration") / "example" / "calibration.json", tmp_path)
    sharp = {row[0]: row[1] for row in judged(np.asarray(image, np.uint8), Settings(), tmp_path)}
    assert sharp["focus"] != "bad"
    assert sharp["light"] == "good"
    blurred = cv2.GaussianBlur(image, (0, 0), 12) // 8
    dull = {row[0]: row[1] for row in judged(np.asarray(blurred, np.uint8), Settings(), tmp_path)}
    assert dull["focus"] == "bad"
    assert dull["light"] == "bad"


def test_lamps_that_answer_are_good_and_a_pin_in_use_is_named(pins: MockFactory) -> None:
    assert states(checks.pins(Patient(ask=answering({})))) == ["good"]
    with LED(17, pin_factory=pins):
        (finding,) = checks.pins(Patient(ask=answering({})))
        assert (finding.state, "green" in finding.words) == ("bad", True)


def test_a_display_that_does_not_answer_is_bad_and_none_is_no_fault() -> None:
    assert states(checks.display(Patient(ask=answering({})))) == ["none"]
    settings = Settings(display=DisplaySettings(device=("--display", "no-such-display")))
    (finding,) = checks.display(Patient(settings, ask=answering({})))
    assert (finding.state, "raspi-config" in finding.advice) == ("bad", True)


@pytest.mark.parametrize(("free_mb", "state"), [(5000, "good"), (500, "look"), (50, "bad")])
def test_a_full_disk_is_noticed(free_mb: int, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=free_mb * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    assert states(checks.disk(Patient(state=tmp_path / "not" / "made" / "yet")))[0] == state


def test_a_damaged_record_is_bad_and_one_without_a_copy_is_to_look_at(tmp_path: Path) -> None:
    from companion.records import Store

    patient = Patient(state=tmp_path)
    assert states(checks.record(patient)) == ["none"]
    Store.open(tmp_path / "record.sqlite").close()
    (finding,) = checks.record(patient)
    assert (finding.state, finding.advice) == ("look", "companion backup")
    (tmp_path / "record.sqlite").write_bytes(b"no database" * 1000)
    for log in tmp_path.glob("record.sqlite-*"):
        log.unlink()
    (finding,) = checks.record(patient)
    assert (finding.state, finding.advice) == ("bad", "companion recover")


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("LoadState=not-found\nActiveState=inactive", ["none"]),
        ("LoadState=loaded\nActiveState=active\nNRestarts=0\nUnitFileState=enabled", ["good"]),
        ("LoadState=loaded\nActiveState=active\nNRestarts=4\nUnitFileState=enabled", ["look"]),
        ("LoadState=loaded\nActiveState=failed\nNRestarts=20\nUnitFileState=disabled", ["look", "bad"]),
    ],
)
def test_the_service_is_judged_by_what_systemd_says(shown: str, expected: list[str]) -> None:
    assert states(checks.service(Patient(ask=answering({"systemctl show": (0, shown)})))) == expected


def test_the_clock_and_the_power_supply_of_a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    assert states(checks.clock(Patient(ask=answering({"timedatectl": (0, "no")})))) == ["look"]
    assert states(checks.clock(Patient(ask=answering({"timedatectl": (0, "yes")})))) == ["good"]
    assert states(checks.power(Patient(ask=answering({"get_throttled": (0, "throttled=0x0")})))) == ["good"]
    assert states(checks.power(Patient(ask=answering({"get_throttled": (0, "throttled=0x50005")})))) == ["look", "look"]
    assert states(checks.power(Patient(ask=answering({})))) == []


def test_a_check_that_breaks_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(patient: Patient) -> Iterator[Found]:
        raise RuntimeError("a driver's own words")
        yield

    whole = dict.fromkeys(["one"], broken) | {"two": checks.settings_file}
    monkeypatch.setattr(checks, "CHECKS", whole)
    first, second = checks.examined(Patient())
    assert (first.check, first.state, second.check) == ("one", "bad", "settings")


def test_the_self_test_lights_each_lamp_alone_and_asks_for_each_button(pins: MockFactory) -> None:
    buttons = {"white turn": ButtonSettings(pin=23, press="turn", side="white"), "never": ButtonSettings(pin=24)}
    settings = Settings(
        lamps=LampSettings(pins={"green": 17, "red": 22}), buttons=ButtonsSettings(bounce_s=0, by_name=buttons)
    )
    said: list[str] = []
    lit: list[tuple[int, int]] = []

    def say(line: str) -> None:
        said.append(line)
        if "white turn" in line:
            pins.pin(23).drive_low()
            pins.pin(23).drive_high()

    found = list(
        selftest.self_test(settings, say, lambda s: lit.append((pins.pin(17).state, pins.pin(22).state)), 0.05)
    )
    assert lit == [(1, 0), (0, 1)]
    assert [(f.check, f.state) for f in found] == [
        ("lamps", "good"),
        ("lamps", "good"),
        ("display", "none"),
        ("buttons", "good"),
        ("buttons", "look"),
    ]
    assert [line for line in said if "press" in line] == [
        "press the button white turn (pin 23) now",
        "press the button never (pin 24) now",
    ]


def test_the_self_test_shows_every_page_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Page] = []
    display = Display.on()
    monkeypatch.setattr(Display, "on", lambda options: display)
    monkeypatch.setattr(display, "show", shown.append)
    said: list[str] = []
    settings = Settings(display=DisplaySettings(device=("--display", "ssd1306")), lamps=LampSettings(pins={}))
    found = list(selftest.self_test(settings, said.append, lambda seconds: None))
    assert {page.kind for page in shown} == set(get_args(Kind))
    assert said[:2] == ["the display shows the score now", "the display shows the dice now"]
    assert [(f.check, f.state) for f in found] == [("display", "good")]


def test_the_command_answers_in_json_with_an_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(checks, "CHECKS", {"disk": checks.disk, "clock": checks.clock})
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"]
    assert {finding["check"] for finding in told["findings"]} == {"disk", "clock"}
    (tmp_path / "wrong.toml").write_text("[camera]\ndevise = 1\n", encoding="utf-8")
    assert main(["doctor", "--config", str(tmp_path / "wrong.toml")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("- settings   ")
    assert "device?" in lines[0]
    assert lines[-1] == "Something is wrong (1): see the lines that begin with -."


@pytest.fixture
def _english_again() -> Iterator[None]:
    yield
    languages.use("en")


@pytest.mark.usefixtures("_english_again")
def test_it_speaks_the_language_of_the_settings_unless_the_command_line_wants_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    wanted = {"disk": checks.disk, "display": checks.display, "record": checks.record}
    monkeypatch.setattr(checks, "CHECKS", wanted)
    file = tmp_path / "companion.toml"
    file.write_text('language = "ru"\n', encoding="utf-8")
    for arguments, expected in (
        (["doctor"], ["диск", "экран", "запись", "Всё в порядке."]),
        (["--language", "bg", "doctor"], ["диск", "екран", "запис", "Всичко е наред."]),
    ):
        assert main([*arguments, "--config", str(file)]) == 0
        *lines, verdict = capsys.readouterr().out.splitlines()
        assert [line[2:].split()[0] for line in lines if line[2] != " "] == expected[:-1]
        assert verdict == expected[-1]
    assert main(["doctor", "--json", "--config", str(file)]) == 0
    told = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["check"] for finding in told] == ["disk", "display", "record"]
    assert told[2]["words"] == "ещё ничего не записано"


@pytest.mark.usefixtures("_english_again")
def test_the_page_tells_each_reader_in_the_own_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.cli import page

    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(page, "CHECKS", {"disk": checks.disk})
    health = page.Health(Settings())
    told = {}
    for language in ("en", "ru", "bg", "en"):
        with languages.speaking(language):
            told[language] = health.findings()[0]["what"].split(":")[0]
    assert told == {"en": "disk", "ru": "диск", "bg": "диск"}
    with languages.speaking("bg"):
        assert "свободни" in health.findings()[0]["what"]


def test_heights_follow_from_lens_and_board() -> None:
    lens = LensPreset(title="one width of picture at one distance", focal=1.0, shape=0.75)
    board = BoardPreset(title="", field_mm=(500, 300), bar_mm=30, checker_mm=30, die_mm=15)
    found = mounted(lens, board, ("pi-test", "test"))
    assert found.lowest_cm == 60  # 500 mm and a tenth of it on each side
    assert found.die_px == pytest.approx(15 * 1640 / 600, abs=0.05)
    assert found.highest_cm == 15 * 1640 // 20 // 10
    wide = mounted(lens, board.model_copy(update={"field_mm": (300, 500)}), ("pi-test", "test"))
    assert wide.lowest_cm == 80  # the short side of the picture decides


def test_the_table_in_the_documents_is_what_the_doctor_computes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--mounting"]) == 0
    table = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert len(table) == 2 + len({m.lens for m in mountings()})
    text = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text(encoding="utf-8")
    assert "\n".join(table) in text, "put the table of `companion doctor --mounting` into docs/hardware.md"
