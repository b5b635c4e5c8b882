"""``import``, ``export`` and ``analyse`` as a person calls them; .xg and .bgf."""

import json
from pathlib import Path

import gvformat
import pytest

from companion.cli import main
from companion.records import Store
from companion.records.formats import Form, FormatError, read_file
from companion.records.formats.foreign import from_hedgehog, read_foreign
from tests.records.formats.files import MATCHES


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record with one match of gnubg."""
    path = tmp_path / "record.sqlite"
    assert main(["import", "--record", str(path), str(MATCHES / "money_09.mat")]) == 0
    return path


def test_what_is_imported_comes_out_in_every_form(record: Path, tmp_path: Path) -> None:
    for form in Form:
        out = tmp_path / f"out.{form}"
        assert main(["export", "1", "--record", str(record), "--format", form, "--out", str(out)]) == 0
        again = read_file(out)
        with Store.open(record, write=False) as store:
            kept = store.events(1)
        if form in (Form.json, Form.text):
            assert list(again.events) == kept
        plays = [event.to_json()["board"] for event in again.events if event.name == "play"]
        assert plays == [event.to_json()["board"] for event in kept if event.name == "play"]


def test_when_one_file_is_wrong_none_is_taken(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.mat"
    wrong.write_text(" 3 point match\nGame 1\nAnna\n")
    good = str(MATCHES / "money_06.sgf")
    capsys.readouterr()
    assert main(["import", "--record", str(record), good, str(wrong)]) == 1
    assert capsys.readouterr().err.startswith(f"companion: {wrong}:3:1: expected names and scores")
    with Store.open(record, write=False) as store:
        assert len(store.recordings()) == 1


def test_a_missing_file_is_named(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["import", "--record", str(record), "nowhere.mat"]) == 1
    assert capsys.readouterr().err == "companion: nowhere.mat: no such file or directory\n"


def test_an_analysis_goes_into_the_record_and_its_text(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "1", "--record", str(record), "--depth", "0"]) == 0
    assert "gnubgB: 5 plays, lost 0.000 by plays" in capsys.readouterr().out
    assert main(["export", "1", "--record", str(record), "--format", "text"]) == 0
    assert "64: 24/18 18/14 [lost 0, luck +0.0" in capsys.readouterr().out
    assert main(["export", "1", "--record", str(record)]) == 0
    assert len(json.loads(capsys.readouterr().out)["analysis"]) == 9


def test_without_gnubg_analyse_says_so_in_one_line(
    record: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.records.formats.gnubg._PLACES", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    capsys.readouterr()
    assert main(["analyse", "1", "--record", str(record)]) == 1
    assert capsys.readouterr().err.startswith("companion: gnubg: not installed")


@pytest.mark.parametrize("name", ["money_06.mat", "money_09.mat", "match7_02.mat", "full_05.mat"])
def test_the_form_of_the_library_becomes_the_same_match(name: str) -> None:
    theirs = from_hedgehog(gvformat.convert_mat(MATCHES / name), name)
    ours = read_file(MATCHES / name)
    told = [(e.name, e.player, getattr(e, "board", None), getattr(e, "score", None)) for e in theirs.events]
    assert told == [(e.name, e.player, getattr(e, "board", None), getattr(e, "score", None)) for e in ours.events]
    assert theirs.meta["players"] == ours.meta["players"]


@pytest.mark.parametrize("suffix", [".xg", ".bgf"])
def test_a_file_that_the_library_cannot_read_is_one_clear_line(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"game{suffix}"
    file.write_bytes(b"RGMH" + bytes(range(200)))
    with pytest.raises(FormatError, match=rf"game{suffix}: not a match as {suffix[1:]}: "):
        read_foreign(file)
    with pytest.raises(FormatError, match="expected a match, got another form of it"):
        from_hedgehog({"match_length": 3, "games": [{}]}, "x")
