"""``history``, ``show`` and ``export`` over a record that a game left."""

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.events import Event
from companion.records import Store
from tests.signals.happening import START, illegal, played, rolled, started, won

AFTER: dict[str, object] = START | {"points": [0] * 11 + [-15] + [0] * 4 + [1] + [0] * 6 + [14]}
GAME: list[Event] = [
    started(),
    rolled(1),
    played(3, board=AFTER),
    rolled(5, "black"),
    illegal(7, "black"),
    played(9, "black", play="24/18", board=AFTER, verdict="illegal", reasons=("head",)),
    won(12),
]
META = {"source": "game.mp4", "game": "long", "layout": {"home": "BR", "white": "light"}, "started": "2026-11-29"}


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record in the state folder, with one game."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    with Store.open(tmp_path) as store:
        store.append(store.begin(META), GAME)
    return tmp_path / "record.sqlite"


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_the_history_says_what_when_and_how_it_stands(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = out(capsys, "history")
    for part in ("1", "2026-11-29", "long", "2 plays,  1 illegal", "White 2 : 0 Black", "game.mp4"):
        assert part in line


def test_an_empty_history_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "new"))
    assert out(capsys, "history") == "Nothing has been recorded yet.\n"
    assert not (tmp_path / "new").exists()


def test_the_board_is_shown_after_any_play(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start, first, last = (out(capsys, "show", "--turn", turn) for turn in ("0", "1", "2"))
    assert start.splitlines()[6].split("│")[3].split()[-1] == "15"
    assert first.splitlines()[6].split("│")[3].split()[-1] == "14"
    assert first.splitlines()[2].split("│")[1].split()[4] == "○"
    assert "Black to roll" in first
    assert "It stands: too many left the head" in last
    assert "White wins" in out(capsys, "show")


def test_a_record_elsewhere_is_named_by_file_or_folder(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_file = out(capsys, "show", "--record", str(record))
    assert by_file == out(capsys, "show", "1", "--record", str(record.parent))


def test_the_json_export_holds_everything(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(out(capsys, "export"))
    assert [Event.from_json(event) for event in data["events"]] == GAME
    assert data["recording"]["source"] == "game.mp4"


def test_the_text_export_goes_to_a_file(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "game.txt"
    assert out(capsys, "export", "1", "--format", "text", "--out", str(target)) == ""
    text = target.read_text(encoding="utf-8")
    assert "61@1: 24/18 18/17" in text
    assert "[illegal: head]" in text


def test_a_game_is_exported_as_board_and_film(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for form, beginning in (("svg", b"<svg"), ("gif", b"GIF8")):
        target = tmp_path / f"game.{form}"
        assert out(capsys, "export", "1", "--format", form, "--out", str(target)) == ""
        assert target.read_bytes().startswith(beginning)


def test_a_film_needs_a_file(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "1", "--format", "gif"]) == 2
    assert "--out FILE.gif" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "--turn", "3"], "--turn: expected at most 2, got 3"),
        (["show", "9"], "expected a recording from 1 to 1, got 9"),
        (["export", "--record", "/no/such/place"], "no such file"),
        (["export", "--out", "/no/such/place/x.txt"], "/no/such/place/x.txt: no such file or directory"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(
    record: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1
