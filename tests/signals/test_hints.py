"""Pips to go, and the plays that would be legal."""

from companion.rules import get_game
from companion.signals.hints import legal_plays, pips
from companion.signals.scoreboard import Scoreboard, scoreboard
from tests.signals.happening import NIL, played, rolled, started

LONG, SHORT = get_game("long"), get_game("short")


def test_pips_are_counted_on_each_players_own_way() -> None:
    view = scoreboard([started()])
    assert (pips(LONG, view, "white"), pips(LONG, view, "black")) == (360, 360)
    short = Scoreboard(board=SHORT.start.to_json())
    assert (pips(SHORT, short, "white"), pips(SHORT, short, "black")) == (167, 167)
    assert pips(LONG, Scoreboard(), "white") is None


def test_a_checker_on_the_bar_has_25_pips_to_go() -> None:
    board = {"points": [0] * 24, "bar": {"white": 2, "black": 0}, "off": {"white": 13, "black": 15}}
    assert pips(SHORT, Scoreboard(board=board), "white") == 50


def test_legal_plays_know_the_first_play() -> None:
    first = scoreboard([started(), rolled(1, dice=(6, 6))])
    assert legal_plays(LONG, first) == ("24/18 24/18",)
    later = scoreboard(
        [started(), rolled(1), played(2), rolled(3, "black"), played(4, "black"), rolled(5, dice=(6, 6))]
    )
    assert later.player == "white"
    assert "24/18 24/18" not in legal_plays(LONG, later)


def test_no_move_is_one_play_that_is_empty_and_nothing_known_is_none() -> None:
    points = [0] * 24
    points[18:24] = [-2] * 6
    points[0:3] = [5, 5, 3]
    points[12] = -3
    board = {"points": points, "bar": {"white": 2, "black": 0}, "off": dict(NIL)}
    assert legal_plays(SHORT, Scoreboard(board=board, player="white", dice=(6, 5))) == ("",)
    assert legal_plays(SHORT, Scoreboard(board=board, player="white")) == ()
    assert legal_plays(LONG, Scoreboard()) == ()


def test_no_more_than_a_few_plays_are_shown_and_those_from_behind_come_first() -> None:
    view = Scoreboard(board=SHORT.start.to_json(), player="white", dice=(3, 1))
    plays = legal_plays(SHORT, view)
    assert len(plays) == 3
    assert plays[0].startswith("24/")
