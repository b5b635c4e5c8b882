"""Events in one line for a person, in the person's language; systemd's notices."""

import io
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import cli, languages
from companion import events as ev
from companion.cli.notify import Notifier
from companion.cli.telling import EventSink, in_words
from tests.signals.happening import illegal, played, rolled, started, status, won


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    languages.use("en")
    yield
    languages.use("en")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (rolled(1), ["rolled", "White", "6-1"]),
        (illegal(1), ["illegal-play", "White", "6-1", "too", "many", "left", "the", "head", "24"]),
        (played(1, play=""), ["play", "White", "6-1", "no", "move", "legal"]),
        (won(1), ["game", "White", "mars", "2", "points", "White", "2", "Black", "0"]),
    ],
)
def test_an_event_is_one_line_of_words(event: ev.Event, words: list[str]) -> None:
    assert in_words(event).split()[2:] == words


def test_the_words_are_those_of_the_language() -> None:
    languages.use("ru")
    assert in_words(illegal(7)).split(maxsplit=2)[2].endswith("с головы снято лишнее 24")
    assert "Белые" in in_words(rolled(1))
    languages.use("bg")
    assert "няма ход" in in_words(played(1, play=""))


def test_json_is_the_same_in_every_language_and_tells_its_version_once() -> None:
    languages.use("ru")
    out = io.StringIO()
    sink = EventSink(out, as_json=True)
    for event in (started(), rolled(1), status(1, "MOVING"), illegal(2)):
        sink(event)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["rolled", "illegal-play"]
    assert [line.get("schema") for line in lines] == [ev.SCHEMA, None]
    assert lines[1]["reasons"] == ["head"]


def test_the_language_is_an_option_of_the_whole_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--language", "bg", "--version"]) == 0
    assert cli.main(["--language", "tlh", "history"]) == 1
    assert "language: expected en, ru, bg, got 'tlh'" in capsys.readouterr().err


def test_systemd_is_told_and_its_watchdog_fed_four_times_an_interval(tmp_path: Path) -> None:
    address = tmp_path / "notify"
    now = [0.0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(address))
        systemd.settimeout(2)
        notifier = Notifier({"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "4000000"}, lambda: now[0])
        notifier.ready()
        for tenths in range(25):
            now[0] = tenths / 10
            notifier.alive()
        notifier.stopping()
        got = [systemd.recv(100).decode() for _ in range(5)]
    assert got == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]


def test_without_systemd_nothing_is_told() -> None:
    notifier = Notifier({})
    notifier.ready()
    notifier.alive()
    notifier.stopping()
