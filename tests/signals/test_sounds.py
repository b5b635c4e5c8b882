"""What is heard: which tune and which words for what has happened, and the devices that make them."""

import logging
import shutil
import subprocess
import threading
import time
import wave
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion import events as ev
from companion import languages
from companion.languages import LANGUAGES, Language
from companion.signals.calls import CALLS, call
from companion.signals.patterns import Mode
from companion.signals.scoreboard import Scoreboard, follow
from companion.signals.sounds import TUNES, Buzzer, Sound, Sounds, Voice, sound
from tests.signals.happening import illegal, played, rolled, started, status, won


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    languages.use("en")
    yield
    languages.use("en")


def test_what_is_for_the_record_only_is_not_heard() -> None:
    view = follow(Scoreboard(game="long"), illegal(1))
    seen = ev.TurnSeen(t=2, player="white", dice=(6, 1), sure=(0.99, 0.99))
    assert follow(view, seen) == view
    assert sound(seen, view, "referee") == Sound()


def heard(event: ev.Event, mode: Mode = "referee") -> Sound:
    return sound(event, follow(Scoreboard(game="long"), event), mode)


@pytest.mark.parametrize(
    ("event", "tune", "words"),
    [
        (rolled(1, dice=(1, 6)), "", "six one"),
        (illegal(1), "illegal-play", "Illegal: too many left the head (point 24)"),
        (played(1, verdict="illegal", reasons=("head",)), "stands", "It stands: too many left the head"),
        (played(1), "", ""),
        (played(1, play=""), "", "No move"),
        (ev.VoidRoll(t=1, why="rim"), "void-roll", "Roll again: a die lies on the rim"),
        (ev.CubeAction(t=1, player="white", action="double", value=2), "cube", "White doubles to 2"),
        (won(1), "game", "White wins: mars, 2 points"),
        (status(1, "LOST"), "look", "Please check the board"),
        (ev.Gap(t=1), "look", "Please check the board"),
        (ev.BoardMoved(t=1, residual_px=7.0), "look", "The board was moved"),
        (status(1, "MOVING"), "", ""),
        (started(), "", ""),
    ],
)
def test_what_is_heard(event: ev.Event, tune: str, words: str) -> None:
    assert heard(event) == Sound(TUNES.get(tune, ()), words)


def test_silent_is_silent_and_director_accuses_nobody_aloud() -> None:
    for event in (rolled(1), illegal(1), won(1), status(1, "LOST")):
        assert heard(event, "silent") == Sound()
    assert heard(illegal(1), "director") == Sound()
    assert heard(played(1, verdict="illegal"), "director") == Sound()
    assert heard(rolled(1), "director").words == "six one"


@pytest.mark.parametrize(
    ("language", "dice", "said"),
    [
        ("ru", (5, 6), "шеш-беш"),
        ("ru", (6, 6), "ду-шеш"),
        ("bg", (6, 5), "шеш-беш"),
        ("bg", (5, 5), "дюбеш"),
        ("en", (3, 3), "double three"),
    ],
)
def test_dice_are_called_as_players_call_them(language: Language, dice: ev.Dice, said: str) -> None:
    languages.use(language)
    assert heard(rolled(1, dice=dice)).words == said


def test_every_roll_has_its_own_call_in_every_language_and_a_table_may_have_others() -> None:
    rolls = {f"{high}-{low}" for high in range(1, 7) for low in range(1, high + 1)}
    for language in LANGUAGES:
        assert CALLS[language].keys() == rolls
        assert len(set(CALLS[language].values())) == 21
    assert call((2, 1), "ru", {"2-1": "ики-бир"}) == "ики-бир"


def test_every_tune_can_be_played_by_the_buzzer_and_leaves_it_silent() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    buzzer = Buzzer(18, factory)
    for tune in TUNES.values():
        assert sum(seconds for _, seconds in tune) <= 1.0
        buzzer.play(tuple((note, 0.0) for note, _ in tune))
        assert factory.pin(18).state == 0
    buzzer.close()
    buzzer.close()


def test_a_tune_sounds_at_its_pitch_and_stops_when_it_must() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    buzzer = Buzzer(18, factory)
    thread = threading.Thread(target=buzzer.play, args=((("A4", 30.0),),))
    thread.start()
    while factory.pin(18).frequency is None:
        time.sleep(0.005)
    assert factory.pin(18).frequency == pytest.approx(440.0)
    buzzer.stop()
    thread.join(2)
    assert not thread.is_alive()
    buzzer.close()


def test_words_are_an_argument_and_never_a_line_for_a_shell() -> None:
    assert Voice().arguments("-w; rm *", "ru")[-2:] == ["--", "-w; rm *"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_espeak_speaks_every_language(language: Language) -> None:
    assert shutil.which("espeak-ng"), "apt install espeak-ng"
    command = Voice().arguments(CALLS[language]["6-5"], language)
    spoken = subprocess.run([*command[:-2], "--stdout", *command[-2:]], capture_output=True, check=True)
    assert spoken.stderr == b""
    with wave.open(BytesIO(spoken.stdout)) as sounding:
        samples = sounding.readframes(10**6)
        assert len(samples) / 2 / sounding.getframerate() > 0.3
        assert max(samples) > 0


def test_a_voice_that_is_missing_is_said_in_one_line_once(caplog: pytest.LogCaptureFixture) -> None:
    sounds = Sounds(voice=Voice("no-such-program"))
    with caplog.at_level(logging.WARNING):
        sounds.play(Sound(words="six one"))
        sounds.play(Sound(words="six one"))
    assert [r.getMessage() for r in caplog.records] == [
        "the voice is left out: no-such-program: no such file or directory"
    ]
    assert not sounds.any


def test_a_voice_that_speaks_is_stopped_at_once(tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    sounds = Sounds(voice=Voice(str(slow)))
    thread = threading.Thread(target=sounds.play, args=(Sound(words="a"),))
    thread.start()
    time.sleep(0.2)
    sounds.stop()
    thread.join(2)
    assert not thread.is_alive()
    sounds.play(Sound(words="b"))
    sounds.close()
