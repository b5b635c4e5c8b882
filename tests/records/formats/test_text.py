"""The text form: exact both ways, and written by hand."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as these
from hypothesis import strategies as st

from companion import events as ev
from companion.records.formats import Document, Form, FormatError, write
from companion.records.formats.notation import format_position, parse_position
from companion.records.transcript import Assessment, Transcript
from companion.rules import GAMES, Position, get_game, parse_play
from tests.records.formats.files import document, given
from tests.records.formats.matches import random_match

HAND = """
; game: long
; White: Анна
; Black: Boris: the 2nd
; rule length: 5

Game 1
  1) 64: 24/14      | 31: 24/23 24/21
  2) 52: 24/19 19/17| 62: 24/18 23/21
  3) Doubles        | Takes
* White void roll 55, cocked
  4) 21: 17/15 14/13|
White wins 4 points (mars), 4 : 0

Game 2
  1)                | 66: 24/18(2)
     * Black resigns, oin
White wins 1 point (oin), 5 : 0
White wins the match, 5 : 0
"""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("rough", [0.0, 0.4])
def test_every_game_comes_back_exactly(game: str, rough: float) -> None:
    for seed in range(3):
        made = random_match(seed, game, rough=rough, most_plays=25)
        text = write(Document.of(made), Form.text)
        again = given(text)
        assert again.meta == made.meta
        assert again.events() == made.events()
        assert write(Document.of(again), Form.text) == text
        assert "\n     ! {" not in text


def test_a_sheet_written_by_hand_is_read_and_judged() -> None:
    match = given(HAND)
    assert (match.name("white"), match.name("black")) == ("Анна", "Boris: the 2nd")
    assert (match.house.name, match.house.options.length) == ("long", 5)
    plays = [e for e in match.events() if isinstance(e, ev.PlayMade)]
    assert [(e.player, e.dice, e.play, e.verdict) for e in plays] == [
        ("white", (6, 4), "24/20 20/14", "legal"),
        ("black", (3, 1), "24/23 24/21", "illegal"),
        ("white", (5, 2), "24/19 19/17", "legal"),
        ("black", (6, 2), "24/18 23/21", "legal"),
        ("white", (2, 1), "17/15 14/13", "legal"),
        ("black", (6, 6), "24/18 24/18", "legal"),
    ]
    assert plays[1].reasons == ("head",)
    assert [(e.action, e.value, e.owner) for e in match.events() if isinstance(e, ev.CubeAction)] == [
        ("double", 2, None),
        ("take", 2, "black"),
    ]
    assert [game.score for game in match.games] == [(0, 0), (4, 0)]
    assert [e.name for e in match.events() if isinstance(e, ev.VoidRoll | ev.Resigned | ev.MatchWon)] == [
        "void-roll", "resign", "match",
    ]  # fmt: skip


def test_a_result_is_computed_when_all_checkers_are_off() -> None:
    rows = "; game: short\nGame 1 [start White 1x2 offx13; Black 24x2 offx13]\n  1) 21: 1/off(2) |\nWhite wins\n"
    result = given(rows).games[0].result
    assert result is not None
    assert (result.outcome, result.points, result.score) == ("single", 1, {"white": 1, "black": 0})


def test_what_words_cannot_say_stands_as_json() -> None:
    start = ev.GameStarted(t=0, game="long", board=get_game("long").start.to_json(), score={"white": 0, "black": 0})
    odd = [
        ev.CubeAction(t=1, player=None, action="take", value=2),
        ev.IllegalPlay(t=2, player="white", dice=(3, 1), reasons=("head",), play="a | b (c)"),
        ev.Resigned(t=2, player="white", dice=(3, 1), outcome="oin"),
        ev.PlayMade(t=3, player=None, dice=None, play="?", verdict="illegal", board=start.board),
    ]
    made = Transcript.of({"game": "long", "players": {"white": "A"}, "a key: x": [1, None]}, [start, *odd])
    text = write(Document.of(made), Form.text)
    assert text.count("\n     ! {") == 4
    assert given(text) == made


def test_an_analysis_stands_behind_the_play() -> None:
    made = random_match(3, "tabla", rough=0.0, most_plays=4)
    said = {1: Assessment(0.043, None, 0.12, "8/5 6/5"), 3: Assessment(0.0, 0.5, -0.3)}
    text = write(Document(made.meta, tuple(made.events()), analysis=said), Form.text)
    assert "[lost 0.043, luck +0.12, best 8/5 6/5]" in text
    assert "[lost 0, cube 0.5, luck -0.3]" in text
    assert document(text).analysis == said


names = st.text(min_size=1).map(lambda s: s) | st.sampled_from(["12", "null", " a ", "x|y", "Ж: ж", '"', "{", "\u2028"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@these(st.integers(0, 10**6), names, names, st.dictionaries(names, names | st.none() | st.integers(), max_size=3))
def test_names_and_meta_of_any_kind_come_back(seed: int, white: str, black: str, extra: dict[str, object]) -> None:
    made = random_match(seed, most_plays=2)
    meta = {**made.meta, "players": {"white": white, "black": black}, "comment": white + black, "more": extra}
    made = Transcript.of(meta, made.events())
    assert given(write(Document.of(made), Form.text)) == made
    assert document(write(Document.of(made), Form.json)).transcript == made


@these(st.lists(st.integers(-15, 15), min_size=24, max_size=24), st.tuples(*[st.integers(0, 15)] * 4))
def test_positions_come_back(points: list[int], rest: tuple[int, int, int, int]) -> None:
    position = Position(tuple(points), rest[:2], rest[2:])
    assert parse_position(format_position(position.to_json())) == position


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("; game: long", "; game: chess", r'game:1:1: expected a line "; game: NAME", .*, got .chess.'),
        ("; rule length: 5", "; rule length: x", r"game:4:1: option length: expected a number"),
        ("; rule length: 5", "; rule lenght: 5", r"game:4:1: option lenght: expected one of"),
        ("64: 24/14", "74: 24/14", r"game:7:6: expected a roll and its play such as .*, got .74: 24/14"),
        ("52: 24/19 19/17", "52: 13/8", r"game:8:10: expected a checker on point 13 to move, got .13/8."),
        ("52: 24/19 19/17", "52: 24/25", r"game:8:10: expected moves forward such as .*, got .24/25."),
        ("62: 24/18 23/21", "62: 24/18 [wrong]", r"game:8:34: expected \[extra\], .*, got .wrong."),
        ("Doubles  ", "Doubles [x]", r"game:9:15: expected \[flagged\], \[value N\] or"),
        ("* White void roll 55, cocked", "* White void roll 55, lost", r"game:10:1: expected cocked, split"),
        ("* White void roll 55, cocked", "  * hello", r"game:10:3: expected a note such as"),
        ("White wins 4 points (mars), 4 : 0", "White wins", r"game:12:1: expected points and outcome such as"),
        ("White wins 4 points (mars), 4 : 0", "Game over", r"game:12:1: expected a game, a numbered line of plays"),
        ("White wins 4 points (mars), 4 : 0", '! {"t": 1}', r"game:12:1: expected an event"),
        ("Game 2", "Game 2 [start White 24x1]", r"game:14:1: expected a position such as White 24x15; Black 12x15"),
    ],
)
def test_errors_name_line_and_column(old: str, new: str, error: str) -> None:
    assert old in HAND
    with pytest.raises(FormatError, match=error):
        given(HAND.replace(old, new))


def test_moves_of_the_sheet_are_those_of_the_notation() -> None:
    assert parse_play("24/18(2)") == ((24, 18), (24, 18))
