"""The real gnubg reads what is written, and its own account of it is compared: rolls, plays, cube, results, scores."""

from pathlib import Path

import pytest

from companion import events as ev
from companion.errors import CompanionError
from companion.records.formats import Document, Form, read_file, write
from companion.records.formats.analyse import analyse, totals
from companion.records.formats.gnubg import ask_gnubg, find_gnubg
from companion.records.transcript import Transcript
from tests.records.formats.dumps import read_by_gnubg, same
from tests.records.formats.files import MATCHES, given
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


def test_illegal_plays_gaps_and_starts_in_the_middle_arrive(tmp_path: Path) -> None:
    matches = {str(seed): random_match(seed, "tabla", rough=0.4, most_plays=40) for seed in (1, 2)}
    kinds = {event.name for match in matches.values() for event in match.events()}
    assert {"gap", "illegal-play"} <= kinds
    compared(tmp_path, matches)


BEAVERS = """
; [Beaver "On"]

 0 point match

 Game 1
 Anna : 0                       Boris : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Beavers => 4                Drops
      Wins 2 points

 Game 2
 Anna : 2                       Boris : 0
  1)                             42: 8/4 6/4
  2)  Doubles => 2                Beavers => 4
  3) 65: 24/18 18/13             31: 8/5 6/5
  4) 21: 13/11 6/5               66: ????
      Wins 8 points

 Game 3
 Anna : 10                      Boris : 0
  1) 31: 8/5 6/5                 52:
  2)  Doubles => 2                Drops
      Wins 1 point
"""


def test_beavers_dropped_and_taken_resignations_and_passes_arrive(tmp_path: Path) -> None:
    match = given(BEAVERS)
    names = {"white": "Иванов, Иван: мл.", "black": 'O\'Brien; the "2nd" [x]'}
    match = Transcript.of({**match.meta, "players": names}, match.events())
    actions = [event.action for event in match.events() if isinstance(event, ev.CubeAction)]
    assert actions == ["double", "beaver", "drop", "double", "beaver", "accept", "double", "drop"]
    compared(tmp_path, {"beavers": match})


def test_a_match_to_25_with_its_crawford_game_arrives(tmp_path: Path) -> None:
    """Two of its games, both won by a resignation; the second is the Crawford game."""
    games = []
    for number, score in enumerate((0, 24), 1):
        rows = "  1) 31: 8/5 6/5                 62: 24/18 13/11"
        games.append(f" Game {number}\n Анна : {score}                       B : 0\n{rows}\n      Wins 1 point\n")
    match = given(" 25 point match\n\n" + "\n".join(games))
    assert [game.score[0] for game in match.games] == [0, 24]
    assert match.games[1].match_result is not None
    compared(tmp_path, {"long": match})


GAP_AFTER_ILLEGAL = """
 5 point match

 Game 1
 Anna : 4                       Boris : 2
  1)                             15: Illegal play (5;0;0;0;0;B;A;1;2;4;1;0;0;-2;0;0;0;0;5;0;4;0;0;0;-4;4;0;1;0;-4;0;-4;0;0;-1;1;0;0;1;5;)
; Set Pos=--aA-AB-D---dD-a-d-e----BA/0
  2) 12: 25/24 24/22             25: Illegal play (5;0;0;0;0;B;A;1;2;4;1;0;0;-2;0;-1;0;0;5;0;4;0;1;0;-4;4;0;0;0;-4;0;-2;-1;0;-1;1;0;0;2;5;)
  3) 52: 13/11 8/3
      Wins 2 points and the match
"""  # noqa: E501  # the format has no shorter lines


def test_a_gap_right_after_an_illegal_play_of_the_crawford_game_loses_no_roll(tmp_path: Path) -> None:
    match = given(GAP_AFTER_ILLEGAL)
    assert [event.name for event in match.events()].count("play") == 4
    assert any(isinstance(event, ev.Gap) for event in match.events())
    compared(tmp_path, {"crawford": match})


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
