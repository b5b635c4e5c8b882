"""``companion.toml``: what is wrong in it is said in one line, with the key that was probably meant."""

import tomllib
from pathlib import Path

import pytest

from companion.config import LAMP_PINS, Settings, load_settings, validated
from companion.errors import ConfigError

GOOD = """
language = "bg"

[players]
white = "Anna"

[lamps.pins]
white = [16, 20, 21]
red = 22

[buttons]
hold_s = 2.0

[buttons.white-turn]
pin = 23
press = "turn"
side = "white"

[web]
port = 8000
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "companion.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_may_be_left_out() -> None:
    assert dict(Settings().lamps.pins) == dict(LAMP_PINS)
    assert not Settings().voice.on


def test_a_file_is_read_from_where_it_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONFIGURATION_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    (tmp_path / "own" / "companion").mkdir(parents=True)
    (tmp_path / "systemd").mkdir()
    written(tmp_path / "own" / "companion", GOOD)
    settings = load_settings()
    assert (settings.language, settings.players, settings.lamps.pins["white"]) == (
        "bg",
        {"white": "Anna"},
        (16, 20, 21),
    )
    button = settings.buttons.by_name["white-turn"]
    assert (settings.buttons.hold_s, button.pin, button.press, button.side) == (2.0, 23, "turn", "white")
    written(tmp_path / "systemd", 'language = "ru"')
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "systemd"))
    assert load_settings().language == "ru"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lamp = 5", "unknown key lamp: expected lamps? (the keys are language, "),
        ("[lamps]\npin = 5", "unknown key lamps.pin: expected pins? (the keys are pins, active_high)"),
        ("[buttons.a]\npin = 3\npres = 'turn'", "unknown key buttons.a.pres: expected press? (the keys are pin, "),
        ("[voice]\nspeed = 9", "key voice.speed: input should be greater than or equal to 80, got 9"),
        ("[lamps.pins]\nwhyte = 3", "key lamps.pins.whyte: input should be 'white', 'black'"),
        ("[lamps.pins]\nred = 3\namber = 3", "expected every pin once: pin 3 is used twice"),
        ("[lamps.pins]\nred = [1, 2, 3]", "key lamps: lamp red: expected one pin"),
        ("[buttons.a]\npin = 5", "expected every pin once: pin 5 is used twice"),
        ("[buttons.a]\npress = 'turn'", "key buttons.a.pin: field required, got nothing"),
        ("language = 'tlh'", "key language: input should be 'en', 'ru' or 'bg', got 'tlh'"),
        ("language", "expected TOML, got: "),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_settings(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_asked_for_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected settings, got"):
        load_settings(tmp_path / "none.toml")


def test_the_settings_in_the_documents_are_valid() -> None:
    document = (Path(__file__).parent.parent / "docs" / "settings.md").read_text(encoding="utf-8")
    data = tomllib.loads(document.split("```toml\n")[1].split("```")[0])
    assert validated(Settings, data, "docs/settings.md").buttons.by_name["white-cube"].hold == "drop"
