"""What there is to show after what happened."""

import json

from companion import events as ev
from companion.signals.scoreboard import Message, Scoreboard, follow, scoreboard
from companion.signals.texts import MESSAGES, RULES, message_text, phase_text
from tests.signals.happening import START, illegal, played, rolled, started, status, won


def test_a_turn_is_shown_from_roll_to_play() -> None:
    rolling = scoreboard([started(), rolled(1)])
    assert (rolling.player, rolling.dice, phase_text(rolling)) == ("white", (6, 1), "White to play")
    done = follow(rolling, played(3))
    assert (done.player, done.dice, done.t) == ("black", None, 3)
    assert phase_text(done) == "Black to roll"


def test_an_illegal_play_is_shown_until_it_is_taken_back() -> None:
    noticed = scoreboard([started(), rolled(1), illegal(2)])
    assert noticed.illegal
    assert message_text(noticed.message) == "Illegal: too many left the head (point 24)"
    back = follow(noticed, ev.TakenBack(t=3))
    assert not back.illegal
    assert back.phase == "MOVING"


def test_an_illegal_play_that_stood_is_named_and_the_game_goes_on() -> None:
    view = scoreboard([started(), rolled(1), illegal(2), played(5, verdict="illegal", reasons=("head",))])
    assert not view.illegal
    assert view.player == "black"
    assert message_text(view.message) == "It stands: too many left the head"


def test_a_void_roll_is_shown_until_the_next_roll() -> None:
    void = scoreboard([started(), ev.VoidRoll(t=1, player="white", dice=(5, 3), why="cocked")])
    assert (void.void, void.dice) == (True, (5, 3))
    assert message_text(void.message) == "Roll again: a die is cocked"
    again = follow(void, rolled(2))
    assert (again.void, again.dice, again.message) == (False, (6, 1), Message())


def test_a_status_that_only_repeats_the_phase_leaves_the_message() -> None:
    view = scoreboard([started(), rolled(1), illegal(2), status(2, "ILLEGAL", "white", message="illegal")])
    assert view.message.key == "illegal-play"
    said = follow(view, status(3, "LOST", "white", message="paused"))
    assert message_text(said.message).startswith("Paused")


def test_a_won_game_gives_the_score_and_the_next_one_clears_the_rest() -> None:
    over = scoreboard([started(), rolled(1), played(2), won(2)])
    assert (over.winner, dict(over.score)) == ("white", {"white": 2, "black": 0})
    assert message_text(over.message) == "White wins: mars, 2 points"
    following = ev.GameStarted(t=9, game="long", board=START, number=2, score={"white": 2, "black": 0}, player="white")
    fresh = follow(over, following)
    assert (fresh.winner, fresh.last, fresh.number, fresh.score["white"]) == (None, None, 2, 2)


def test_a_cube_is_shown_with_its_owner() -> None:
    view = scoreboard([started(), ev.CubeAction(t=1, player="white", action="double", value=2)])
    assert phase_text(view) == "Take or drop?"
    taken = follow(view, ev.CubeAction(t=2, player="black", action="take", value=2, owner="black"))
    assert (taken.cube, taken.cube_owner) == (2, "black")
    assert message_text(taken.message) == "Black takes: 2"


def test_every_event_can_be_shown() -> None:
    others: list[ev.Event] = [
        ev.Resigned(t=1, player="black", outcome="mars"),
        ev.MatchWon(t=1, winner="black", score={"white": 0, "black": 3}),
        ev.Gap(t=1),
        ev.Gap(t=1, board=START),
        ev.BoardMoved(t=1, residual_px=8.0),
        ev.Unfinished(t=1, player="white", dice=(6, 1)),
    ]
    for event in others:
        assert message_text(follow(Scoreboard(), event).message)


def test_every_rule_of_the_verdicts_has_a_text() -> None:
    from companion.rules.reason import Reason

    assert {reason.value for reason in Reason} <= RULES.keys()


def test_an_unknown_message_is_shown_as_it_is_and_an_empty_one_as_nothing() -> None:
    assert message_text(Message("no-such-key", ("a", "b"))) == "no-such-key"
    assert message_text(Message()) == ""
    assert all(message_text(Message(key, ("white", "head", "2"))) for key in MESSAGES)


def test_the_json_of_what_is_shown_is_plain() -> None:
    data = json.loads(json.dumps(scoreboard([started(), rolled(1), illegal(2), won(3)]).to_json()))
    assert data["score"] == {"white": 2, "black": 0}
    assert data["message"] == {"key": "game-won", "details": ["white", "mars", "2"]}


def runs(t: float, player: str | None, white: float, black: float, delay_s: float = 0.0) -> ev.ClockRuns:
    return ev.ClockRuns(t=t, player=player, left={"white": white, "black": black}, delay_s=delay_s)  # type: ignore[arg-type]


def test_the_game_clock_runs_down_for_one_player_after_the_delay() -> None:
    assert scoreboard([started()]).to_json()["clock"] is None
    view = scoreboard([started(), runs(5.0, "black", 60.0, 40.0, delay_s=12.0), rolled(30.0, "black"), started(40.0)])
    assert view.left("white", 100.0) == 60.0
    assert [view.left("black", t) for t in (5.0, 17.0, 27.0, 90.0)] == [40.0, 40.0, 30.0, 0.0]
    stands = follow(view, runs(41.0, None, 60.0, 16.0))
    assert stands.left("black", 100.0) == 16.0


def test_a_flag_that_falls_is_named_until_the_next_thing_happens() -> None:
    view = scoreboard([started(), runs(5.0, "black", 60.0, 1.0), ev.FlagFell(t=6.0, player="black")])
    assert message_text(view.message, {"black": "Boris"}) == "Boris: the time is up"
    assert follow(view, rolled(7.0, "black")).message == Message()
