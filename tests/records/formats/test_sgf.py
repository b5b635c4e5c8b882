"""SGF: trees as gnubg writes them, and what is set by hand in them."""

import pytest

from companion import events as ev
from companion.records.formats import Document, Form, FormatError, read_file, write
from companion.records.formats.sgf_tree import read_trees
from companion.records.formats.source import Source
from companion.records.transcript import Transcript
from companion.rules import get_game
from tests.records.formats.files import MATCHES, given
from tests.records.formats.matches import random_match

ROOT = "(;FF[4]GM[6]CA[UTF-8]AP[x:1]MI[length:3][game:0][ws:1][bs:0]PW[Анна \\[1\\]]PB[B: C, D]RU[Crawford]"


def test_moves_are_read_for_both_colours() -> None:
    match = given(ROOT + "RE[W+2R];W[31hefe];B[66aggmaggm];W[42hdfd])")
    told = [(e.player, e.dice, e.play) for e in match.events() if isinstance(e, ev.PlayMade)]
    assert told == [
        ("white", (3, 1), "8/5 6/5"),
        ("black", (6, 6), "24/18 24/18 18/12 18/12"),
        ("white", (4, 2), "8/4 6/4"),
    ]
    assert (match.name("white"), match.name("black")) == ("Анна [1]", "B: C, D")
    result = match.games[0].result
    assert result is not None
    assert (result.winner, result.outcome, result.score) == ("white", "mars", {"white": 3, "black": 0})
    assert match.games[0].match_result is not None


def test_rules_scores_and_dates_are_read() -> None:
    match = given(ROOT.replace("RU[Crawford]", "DT[2026-11-29]EV[Cup]RO[1]PC[Sofia]AN[me]") + ")")
    assert (match.date, match.games[0].score, match.house.options.crawford) == ((2026, 11, 29), (1, 0), False)
    assert {key: match.meta[key] for key in ("event", "round", "place", "transcriber")} == {
        "event": "Cup", "round": "1", "place": "Sofia", "transcriber": "me",
    }  # fmt: skip
    money = given("(;GM[6]MI[length:0]RU[NoCube:Jacoby])")
    assert (money.house.options.length, money.house.options.cube, money.house.options.jacoby) == (0, False, True)


def test_a_beaver_is_a_double_of_a_double() -> None:
    match = given("(;GM[6]MI[length:0];W[31hefe];B[double];W[double];B[take];B[66aggmaggm])")
    assert [e.action for e in match.events() if isinstance(e, ev.CubeAction)] == ["double", "beaver", "accept"]


def test_a_set_roll_with_a_set_board_is_an_illegal_play_that_stood() -> None:
    board = "AE[a:y]AW[f][f][f][f][f][h][h][m][m][m][m][m][x][x][a]AB[y][y][l][l][l][l][l][q][q][q][s][s][s][s][s]"
    match = given(ROOT + f";PL[W]DI[42];PL[W]{board}C[head\\; 3 s];B[61yg])")
    first, second = (e for e in match.events() if isinstance(e, ev.PlayMade))
    assert (first.player, first.dice, first.verdict) == ("white", (4, 2), "illegal")
    assert "blocked-point" in first.reasons
    assert first.board["bar"] == {"white": 0, "black": 2}
    assert second.play == "bar/18"  # g is White's 7-point, Black's 18


def test_a_set_board_alone_is_a_gap_or_the_start() -> None:
    board = "AE[a:y]AW[a][b]AB[x][w]"
    match = given(ROOT + f";PL[B]{board};B[21xz])".replace("xz", "wz"))
    assert match.games[0].start.board["off"] == {"white": 13, "black": 13}
    later = given(ROOT + f";W[31hefe];{board})")
    (gap,) = (e for e in later.events() if isinstance(e, ev.Gap))
    assert gap.board is not None
    assert gap.board["points"][:2] == [1, 1]


def test_of_variations_the_first_is_the_game() -> None:
    nodes = next(read_trees(Source("x", "(;A[1];B[2](;C[3];D[4](;E[5])(;F[6]))(;G[7];H[8]))")))
    assert [node.properties[0][0] for node in nodes] == ["A", "B", "C", "D", "E"]


def test_escapes_and_blanks_of_the_syntax() -> None:
    (node,) = next(read_trees(Source("x", " ( ; C[a\\]b\\\\c\\:d\\\ne] [2]\n X[] ) ")))
    assert node.values("C") == ("a]b\\c:de", "2")
    assert node.first("X") == ""


def test_the_analysis_of_gnubg_comes_with_its_file() -> None:
    match = read_file(MATCHES / "money_09.sgf").transcript
    assert set(match.analysis) == set(range(1, 10))
    assert all(said.error == 0 for said in match.analysis.values())
    text = (MATCHES / "money_09.sgf").read_text().replace("A[0][aggk", "A[2][aggk", 1)
    worse = given(text).analysis[1]
    assert (worse.error, worse.best) == (0.039, "24/18 18/14")


def test_what_is_written_is_read_again_as_it_was() -> None:
    for seed in range(4):
        match = random_match(seed, "short", rough=0.0, most_plays=40)
        again = given(write(Document.of(match), Form.sgf))
        for ours, theirs in zip(match.games, again.games, strict=True):
            assert _told(ours.events) == _told(theirs.events)
            assert (ours.score, ours.result and ours.result.points) == (
                theirs.score,
                theirs.result and theirs.result.points,
            )


def _told(events: tuple[ev.Event, ...]) -> list[tuple[object, ...]]:
    plays = [(e.player, e.dice, e.board) for e in events if isinstance(e, ev.PlayMade)]
    return [*plays, *((e.player, e.action, e.value) for e in events if isinstance(e, ev.CubeAction))]


def test_the_crawford_game_is_named() -> None:
    events = [e for e in given(ROOT + "RE[W+1];W[31hefe];B[drop])").events() if not isinstance(e, ev.Resigned)]
    second = ev.GameStarted(
        t=0, game="short", board=get_game("short").start.to_json(), number=2, score={"white": 2, "black": 0}
    )
    text = write(Document.of(Transcript.of({"game": "short", "options": {"length": 3}}, [*events, second])), Form.sgf)
    assert [line for line in text.split("(;") if "MI[" in line][1].count("RU[Crawford:CrawfordGame]") == 1
    assert text.count("CrawfordGame") == 1


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (ROOT, "game:1:1: expected a tree that ends with \\), got 'the end of the file'"),
        (ROOT + ";W[31hefe)", "game:1:.*: expected a value that ends with \\], got"),
        (
            ROOT + "\n;W[37hefe])",
            "game:2:2: expected dice and moves such as 31hefe, double, take or drop, got '37hefe'",
        ),
        (ROOT + "\n;W[31bc])", "game:2:2: expected a checker on point 2 to move"),
        (ROOT + "\n;W[31hefe];PL[B]DI[99])", "game:2:11: expected two dice such as DI\\[31\\], got '99'"),
        (ROOT + "\n;AW[a]AE[1])", "game:2:1: expected points from a to y in AE, got '1'"),
        (ROOT + "\n;AW[a:x])", "game:2:1: expected at most 15 checkers each, got"),
        (ROOT + "))", "expected another game tree or the end, got '\\)'"),
        ("(;GM[1])", "game:1:2: expected backgammon, GM\\[6\\], got 'GM\\[1\\]'"),
        ("(;GM[6]RU[Nackgammon])", "expected backgammon, got 'Nackgammon'"),
        ("(;" + "(;" * 300, "expected at most 200 variations inside each other"),
    ],
)
def test_errors_name_line_and_column(text: str, error: str) -> None:
    with pytest.raises(FormatError, match=error):
        given(text)
