"""MAT: what is written, and what is read of what others write."""

import json
from pathlib import Path

import pytest

from companion import events as ev
from companion.records.formats import Document, Form, FormatError, read_file, write
from companion.records.formats.mat import plain_name
from companion.records.formats.source import decoded
from companion.records.transcript import Transcript
from companion.rules import GAMES, Position, get_game
from tests.records.formats.files import MATCHES, given
from tests.records.formats.matches import random_match

EXAMPLE = """
; [Event "Club night"]
; [EventDate "2026.11.29"]
; [Transcriber "board-companion 0.1"]

 3 point match

 Game 1
 Anna : 0                       Boris : 0
  1) 31: 8/5 6/5                 62: 24/18 13/11
  2)  Doubles => 2                Takes
  3) 66: 24/18 24/18 13/7* 13/7  55:
  4) 11: 8/7 8/7 6/5 6/5         43: 25/21 24/21
      Wins 2 points

 Game 2
 Anna : 2                       Boris : 0
  1)                             42: 8/4 6/4
  2) 65: 24/18 18/13
"""


def plays(transcript: Transcript) -> list[ev.PlayMade]:
    return [event for event in transcript.events() if isinstance(event, ev.PlayMade)]


def actions(transcript: Transcript) -> list[tuple[str | None, str, int]]:
    return [(e.player, e.action, e.value) for e in transcript.events() if isinstance(e, ev.CubeAction)]


def game_of(rows: str, length: int = 0, score: str = " Anna : 0                       Boris : 0") -> Transcript:
    return given(f" {length} point match\n\n Game 1\n{score}\n{rows}")


def test_a_match_is_read_with_names_scores_cube_and_results() -> None:
    match = given(EXAMPLE)
    assert (match.name("white"), match.name("black"), match.date) == ("Anna", "Boris", (2026, 11, 29))
    assert (match.meta["event"], match.house.name, match.house.options.length) == ("Club night", "short", 3)
    assert [game.score for game in match.games] == [(0, 0), (2, 0)]
    assert actions(match) == [("white", "double", 2), ("black", "take", 2)]
    first = match.games[0].result
    assert first is not None
    assert (first.winner, first.outcome, first.points, first.score) == ("white", "single", 2, {"white": 2, "black": 0})
    assert any(isinstance(event, ev.Resigned) and event.player == "black" for event in match.games[0].events)
    assert match.games[1].result is None
    assert [(e.player, e.dice, e.play) for e in plays(match)][-2:] == [
        ("black", (4, 2), "8/4 6/4"),
        ("white", (6, 5), "24/18 18/13"),
    ]
    assert [e.verdict for e in plays(match)] == ["legal"] * 8


def test_what_is_written_of_it_is_the_same_text() -> None:
    text = write(Document.of(given(EXAMPLE)), Form.mat)
    assert text.split(" 3 point match\n")[1].split() == EXAMPLE.split(" 3 point match\n")[1].split()
    assert "\n 3 point match\n\n Game 1\n Anna : 0                       Boris : 0\n" in text
    assert "\n  1)                             42: 8/4 6/4\n" in text


@pytest.mark.parametrize("name", ["money_06", "money_09"])
@pytest.mark.parametrize("form", ["mat", "sgf"])
def test_files_of_gnubg_are_read_as_their_truth_says(name: str, form: str) -> None:
    match = read_file(MATCHES / f"{name}.{form}").transcript
    truth = json.loads((MATCHES / f"{name}.json").read_text())
    for game, told in zip(match.games, truth["games"], strict=True):
        made = [e for e in game.events if isinstance(e, ev.PlayMade | ev.CubeAction)]
        for event, action in zip(made, told["actions"], strict=True):
            assert event.player == action["player"]
            if isinstance(event, ev.PlayMade):
                assert (list(event.dice or ()), event.board) == (action["dice"], action["board_after"])
                assert event.verdict == "legal"
            else:
                assert event.action == action["type"]
        assert game.result is not None
        assert (game.result.winner, game.result.points) == (told["result"]["winner"], told["result"]["points"])


@pytest.mark.parametrize("game", [name for name in GAMES if name not in ("short", "tabla")])
@pytest.mark.parametrize("form", [Form.mat, Form.sgf])
def test_a_long_game_is_refused_in_one_clear_line(game: str, form: Form) -> None:
    with pytest.raises(FormatError, match=rf"{form}: expected a match of short or tabla, got {game}: .*json or text"):
        write(Document.of(random_match(1, game, most_plays=3)), form)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Иванов, Иван", "Иванов Иван"),
        ("O'Brien: the 2nd", "O'Brien the 2nd"),
        ("Константин Константинопольский", "Константин Конст"),
        (" , ", "-"),
        ("a\nb\tc", "a b c"),
    ],
)
def test_names_lose_what_the_format_would_misread(name: str, plain: str) -> None:
    assert plain_name(name) == plain
    assert len(plain.encode()) <= 31


def test_shortened_plays_of_other_programs_are_cut_into_moves() -> None:
    match = game_of("  1) 31: 8/5 6/5                 64: 24/14\n  2) 66: 24/18(2) 13/7(2)        21: 14/11\n")
    assert [e.play for e in plays(match)][1:] == ["24/18 18/14", "24/18 24/18 13/7 13/7", "14/13 13/11"]


@pytest.mark.parametrize("blank", ["", "????", "Cannot Move", "   "])
def test_a_roll_without_a_legal_play_is_a_dance(blank: str) -> None:
    points = (2, 2, 2, 2, 2, 2, *[0] * 12, -2, -2, -2, -2, -2, -3)
    board = Position(points, (0, 2), (3, 0))
    letters = "bBBBBBB------------bbbbbc-"
    match = game_of(f"; Set Pos={letters}/0\n  1)                             31: {blank}\n  2) 21: 6/4 5/4\n")
    dance = plays(match)[0]
    assert (dance.player, dance.play, dance.verdict) == ("black", "", "legal")
    assert dance.board == board.to_json()


def test_a_roll_that_was_not_played_before_a_resignation_stays_a_roll() -> None:
    match = game_of("  1) 31: 8/5 6/5                 62: ????\n      Wins 1 point\n")
    assert len(plays(match)) == 1
    names = [event.name for event in match.games[0].events]
    assert names == ["rolled", "play", "rolled", "resign", "game"]


def test_a_pass_that_was_against_the_rules_is_one() -> None:
    match = game_of("  1) 31: 8/5 6/5                 62:\n  2) 21: 13/11 6/5\n")
    assert [(e.verdict, e.reasons) for e in plays(match)][1] == ("illegal", ("passed-but-could-move",))


def test_a_beaver_is_accepted_by_the_next_roll_or_dropped() -> None:
    rows = "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4               62: 24/18 13/11\n"
    match = game_of(rows)
    assert actions(match) == [("black", "double", 2), ("white", "beaver", 4), ("black", "accept", 4)]
    assert match.house.options.beaver
    dropped = game_of("  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4                Drops\n")
    assert actions(dropped)[-1] == ("black", "drop", 4)


def test_an_illegal_play_that_cannot_be_moved_is_told_by_the_position() -> None:
    house = get_game("short")
    start = given(EXAMPLE).games[0].start
    points = list(house.start.points)
    points[5], points[0] = 4, 1  # a white checker stands on a point that Black held
    odd = Position(tuple(points), (0, 2))
    play = ev.PlayMade(
        t=1, player="white", dice=(3, 1), play="6/1", verdict="illegal", board=odd.to_json(), reasons=("blocked-point",)
    )
    answer = ev.PlayMade(t=2, player="black", dice=(6, 6), play="", verdict="legal", board=odd.to_json())
    transcript = Transcript.of({"game": "short", "options": {"length": 3}}, [start, play, answer])
    text = write(Document.of(transcript), Form.mat)
    assert "31: Illegal play (3;0;0;0;1;White;Black;0;0;0;1;0;-2;1;0;0;0;0;4;" in text
    assert "; 1.1 White: illegal play that stood (blocked-point)" in text
    again = plays(given(text))
    assert [(e.verdict, e.board) for e in again] == [("illegal", odd.to_json()), ("legal", odd.to_json())]
    assert "blocked-point" in again[0].reasons


def test_a_gap_is_told_as_a_position() -> None:
    transcript = random_match(4, "short", rough=0.0, most_plays=6, options={"length": 0})
    board = get_game("short").start.to_json()
    events = transcript.events()
    at = max(i for i, event in enumerate(events) if isinstance(event, ev.PlayMade)) + 1
    events.insert(at, ev.Gap(t=1, board=board))
    again = given(write(Document.of(Transcript.of(transcript.meta, events[: at + 1])), Form.mat))
    assert [event.board for event in again.events() if isinstance(event, ev.Gap)] == [board]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("hello\n", "game:1:1: expected a match as json, text, mat, sgf, got 'hello"),
        (" 3 point match\n\nGame of chess\n", "game:3:1: expected a line such as \" Game 1\", got 'Game of chess'"),
        (" 3 point match\n Game 1\nAnna\n", "game:3:1: expected names and scores, such as .* got 'Anna'"),
        (EXAMPLE[1:].replace("66:", "76:"), "game:11:6: expected a roll such as 31: or a cube action, got '76: 24/18"),
        (EXAMPLE[1:].replace("8/5 6/5", "8/5 7/5"), "game:9:9: expected a checker on point 7 to move"),
        (EXAMPLE[1:].replace("8/5 6/5", "8/9"), "game:9:9: play: expected moves forward such as .*, got '8/9'"),
        (
            EXAMPLE[1:].replace("8/5 6/5", "Illegal play (" + "--1;" * 40 + ")"),
            "game:9:9: expected a whole number, got '--1'",
        ),
        (EXAMPLE[1:].replace("Wins 2 points", "Wins a lot"), "game:13:7: expected a result such as Wins 2 points"),
        (
            EXAMPLE[1:].replace("      Wins 2 points", "      Wins 2 points\n  9) 31: 8/5"),
            "game:14:6: expected a new game",
        ),
        (EXAMPLE[1:].replace('[Event "Club', '[Variation "NackGammon"]\n; [Event "Club'), "expected backgammon"),
    ],
)
def test_errors_name_line_and_column(text: str, error: str) -> None:
    with pytest.raises(FormatError, match=error):
        given(text)


def test_a_file_that_is_too_large_or_too_long_is_refused() -> None:
    with pytest.raises(FormatError, match="game:1:1: expected at most 8 MiB, got a larger file"):
        decoded("game", b" " * (8 * 1024 * 1024 + 1))


def test_latin_1_and_marks_and_line_ends_of_windows_are_read(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    text = EXAMPLE[1:].replace("Boris", "Zoë").replace("\n", "\r\n")
    for raw in (text.encode("latin-1"), b"\xef\xbb\xbf" + text.encode()):
        file.write_bytes(raw)
        assert read_file(file).transcript.name("black") == "Zoë"


def test_a_cube_beyond_the_limit_of_the_house_raises_the_limit() -> None:
    turn = "  1)  Doubles                    Takes\n  2) 31: 8/5 6/5                 Doubles\n  3)  Takes\n"
    again = turn.replace("8/5 6/5", "13/10 10/9")
    assert game_of(turn + again).house.options.cube_limit == 64
    assert game_of(turn + again + turn.replace("8/5 6/5", "13/10 9/8") + again).house.options.cube_limit == 256
