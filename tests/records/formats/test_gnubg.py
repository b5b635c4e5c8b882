"""The real gnubg reads what is written, and its own account of it is compared: rolls, plays, cube, results, scores."""

from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.records.formats import Document, Form, read_file, write
from companion.records.formats.analyse import analyse, totals
from companion.records.formats.gnubg import ask_gnubg, find_gnubg
from companion.records.transcript import Transcript
from tests.records.formats.dumps import read_by_gnubg, same
from tests.records.formats.files import MATCHES
from tests.records.formats.matches import random_match


def compared(folder: Path, matches: dict[str, Transcript]) -> None:
    """Write all of them in both forms, let gnubg read them in one go, and compare."""
    files = []
    for name, match in matches.items():
        for form in (Form.mat, Form.sgf):
            file = folder / f"{name}.{form}"
            file.write_text(write(Document.of(match), form), encoding="utf-8")
            files.append((file, match))
    dumps = read_by_gnubg([file for file, _ in files], [match.house.options.jacoby for _, match in files])
    assert len(dumps) == len(files)
    different = [file.name for (file, m), dump in zip(files, dumps, strict=True) if not same(file.suffix[1:], m, dump)]
    assert different == []


def test_matches_of_gnubg_come_out_as_they_went_in(tmp_path: Path) -> None:
    files = sorted(MATCHES.glob("*.mat")) + sorted(MATCHES.glob("*.sgf"))
    assert len(files) == 6
    compared(tmp_path, {f"{file.stem}-{file.suffix[1:]}": read_file(file).transcript for file in files})


def test_illegal_plays_gaps_resignations_and_beavers_arrive(tmp_path: Path) -> None:
    """Names in Cyrillic and with colons and commas, drops, takes, Jacoby, starts in the middle."""
    matches = {str(seed): random_match(seed, "tabla", rough=0.3, most_plays=150) for seed in range(8)}
    kinds = {event.name for match in matches.values() for event in match.events()}
    assert {"gap", "resign", "illegal-play", "cube", "game"} <= kinds
    compared(tmp_path, matches)


def test_a_match_to_25_with_the_crawford_game_arrives(tmp_path: Path) -> None:
    match = random_match(0, "short", rough=0.05, most_plays=900, options={"length": 25})
    assert len(match.games) > 5
    compared(tmp_path, {"long": match})


def test_beavers_dropped_and_taken_arrive(tmp_path: Path) -> None:
    rules = {"length": 0, "beaver": True}
    matches = {str(s): random_match(s, "short", rough=0.0, most_plays=200, options=rules) for s in range(40, 44)}
    dropped = [
        (one.name, getattr(one, "action", ""), getattr(two, "action", ""))
        for match in matches.values()
        for one, two in zip(match.events(), match.events()[1:], strict=False)
    ]
    assert ("cube", "beaver", "drop") in dropped
    assert ("cube", "beaver", "accept") in dropped
    compared(tmp_path, matches)


def test_gnubg_says_what_each_play_lost() -> None:
    match = read_file(MATCHES / "money_09.mat").transcript
    found = analyse(match, depth=0)
    assert set(found) == set(range(1, 10))
    assert all(said.error == 0 and said.luck is not None for said in found.values())
    assert [plays for _, plays, *_ in totals(match, found)] == [4, 5]


def test_a_missing_gnubg_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.records.formats.gnubg._PLACES", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CompanionError, match=r"^gnubg: not installed .*apt install gnubg\)$"):
        find_gnubg()


def test_a_script_that_fails_or_hangs_is_one_clear_line() -> None:
    with pytest.raises(CompanionError, match="gnubg: expected its answer, got"):
        ask_gnubg("raise SystemExit", timeout_s=60)
    with pytest.raises(CompanionError, match="gnubg: expected an answer within 1 s, got none"):
        ask_gnubg("import time; time.sleep(30)", timeout_s=1)
