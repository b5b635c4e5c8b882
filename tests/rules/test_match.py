"""Match, cube and resignation: what is allowed when, and what it leads to (rules.md §6, §7)."""

import pytest

from companion.rules import OptionError
from companion.rules.errors import MatchError
from companion.rules.match import Match, act
from companion.rules.options import make_options
from companion.rules.scoring import SCORING, Loser, Result, loser_of, score
from tests.rules.boards import board


def match(game="short", first_play=False, **options):
    begun = Match.begin(make_options(game, options), "white")
    return begun if first_play else begun.roll("white").play("white").roll("black").play("black")


def money(**options):
    return match(length=0, **options)


def refused(action, what):
    with pytest.raises(MatchError) as error:
        action()
    assert error.value.what == what
    assert str(error.value).startswith(what)
    return str(error.value)


def test_c1_the_player_on_turn_doubles_before_rolling():
    state = match().double("white")
    assert (state.phase, state.cube, state.turn) == ("doubled", 1, "white")
    assert "black" in refused(lambda: match().double("black"), "cube")
    assert "before the roll" in refused(lambda: match().roll("white").double("white"), "cube")
    assert "opening roll" in refused(lambda: match(first_play=True).double("white"), "cube")
    assert match("long", first_play=True).double("white").phase == "doubled"


def test_c1_an_offer_is_not_withdrawn_and_nothing_else_happens_before_the_answer():
    state = match().double("white")
    refused(lambda: state.withdraw("white"), "cube")
    refused(lambda: state.double("white"), "cube")
    refused(lambda: state.roll("white"), "cube")
    refused(lambda: state.win("white", "single"), "cube")
    refused(lambda: state.resign("black", "single"), "cube")
    refused(lambda: state.play("white"), "play")


def test_c1_no_double_before_an_extra_roll_nor_before_left_overs():
    gulbar = match("gulbar")
    extra = gulbar.roll("white").play("white", "extra")
    assert (extra.turn, extra.part) == ("white", "extra")
    assert "extra" in refused(lambda: extra.double("white"), "cube")
    left = gulbar.roll("white").play("white", "left-over")
    assert (left.turn, left.part) == ("black", "left-over")
    assert "left-over" in refused(lambda: left.double("black"), "cube")
    played = left.play("black")
    assert (played.turn, played.part, played.phase) == ("black", "own", "to roll")
    assert played.double("black").phase == "doubled"


def test_c2_the_cube_goes_to_the_taker_who_alone_may_double_next():
    taken = match(length=7).double("white").take("black")
    assert (taken.cube, taken.owner, taken.phase, taken.turn) == (2, "black", "to roll", "white")
    assert "belongs to black" in refused(lambda: taken.double("white"), "cube")
    again = taken.roll("white").play("white").double("black").take("white")
    assert (again.cube, again.owner) == (4, "white")
    refused(lambda: match().take("black"), "cube")
    refused(lambda: match().double("white").take("white"), "cube")


def test_c3_a_drop_pays_the_value_before_the_offer():
    assert match(length=7).double("white").drop("black").score == (1, 0)
    taken = match(length=7).double("white").take("black").roll("white").play("white")
    dropped = taken.double("black").drop("white")
    assert (dropped.score, dropped.last, dropped.cube) == ((0, 2), ("black", 2), 2)
    refused(lambda: match().drop("black"), "cube")


def test_c4_a_beaver_doubles_again_and_keeps_the_cube():
    state = money(beaver=True).double("white").beaver("black")
    assert (state.phase, state.cube, state.owner) == ("beavered", 4, "black")
    assert state.accept("white").phase == "to roll"
    assert state.drop("white").score == (0, 2)
    refused(lambda: state.roll("white"), "cube")
    refused(lambda: state.accept("black"), "cube")
    refused(lambda: state.drop("black"), "cube")
    refused(lambda: money(beaver=True).accept("white"), "cube")
    assert "not played" in refused(lambda: money().double("white").beaver("black"), "cube")
    assert "match" in refused(lambda: match().double("white").beaver("black"), "cube")
    limited = money(beaver=True, cube_limit=2).double("white")
    assert "a beaver to 4 is beyond the limit 2" in refused(lambda: limited.beaver("black"), "cube")


def test_c5_points_are_base_times_factor_times_cube():
    taken = money().double("white").take("black")
    assert taken.win("white", "mars").score == (4, 0)
    assert taken.win("white", "koks").score == (6, 0)
    assert match("khachapuri", length=0).win("white", "single", 7).score == (7, 0)
    assert "how many are left" in refused(lambda: match("khachapuri").win("white", "single"), "outcome")
    assert money().won("white", Result("mars", 1, 2, 2)).score == (2, 0)
    assert "expected one of" in refused(lambda: money().win("white", "oin"), "outcome")


def test_c6_in_the_crawford_game_nobody_doubles_and_afterwards_they_do():
    options = make_options("short", {"length": 3})
    crawford = Match.begin(options, "white", (2, 0)).roll("white").play("white")
    assert crawford.crawford_game
    assert "Crawford" in refused(lambda: crawford.double("black"), "cube")
    after = crawford.win("black", "single").new_game("black").roll("black").play("black")
    assert not after.crawford_game
    assert after.double("white").phase == "doubled"
    assert not Match.begin(make_options("short", {"length": 3, "crawford": False}), "white", (2, 0)).crawford_game
    assert not Match.begin(options, "white", (2, 2)).crawford_game


def test_c6_jacoby_counts_mars_only_after_a_double():
    assert money(jacoby=True).win("white", "mars").score == (1, 0)
    assert money(jacoby=True).double("white").take("black").win("white", "mars").score == (4, 0)


def test_c6_the_cube_has_a_limit_and_can_be_left_out():
    at_limit = money(cube_limit=2).double("white").take("black").roll("white").play("white")
    assert "limit is 2" in refused(lambda: at_limit.double("black"), "cube")
    assert "without the cube" in refused(lambda: money(cube=False).double("white"), "cube")


def test_c7_a_resignation_is_refused_or_pays_what_was_conceded():
    state = money().resign("black", "mars")
    assert state.refuse("white").offered is None
    assert state.accept_resign("white").score == (2, 0)
    refused(lambda: state.accept_resign("black"), "no resignation")
    refused(lambda: state.roll("white"), "resignation")
    refused(lambda: state.resign("white", "single"), "resignation")
    refused(lambda: money().refuse("white"), "no resignation")
    white = money().resign("white", "single")
    assert white.refuse("black").offered is None
    assert white.accept_resign("black").score == (0, 1)
    refused(lambda: white.refuse("white"), "no resignation")
    refused(lambda: money().resign("white", "oin"), "outcome")


def test_r3_a_match_ends_at_the_target_and_the_sum_goes_beyond_it():
    state = match(length=3).double("white").take("black").win("white", "mars")
    assert (state.score, state.match_over, state.game_over, state.turn) == ((4, 0), True, True, None)
    assert "match is over" in refused(lambda: state.new_game("white"), "match")
    refused(lambda: state.roll("white"), "roll")
    assert not money().win("white", "koks").match_over
    assert match(length=3).win("white", "koks").match_over
    assert not match(length=3).win("white", "mars").match_over
    before = Match(options=make_options("short"))
    assert (before.score, before.match_over, before.game_over) == ((0, 0), False, True)


def test_o3_the_winner_starts_the_next_long_game_and_an_opening_roll_the_short_one():
    long = match("long").win("white", "mars")
    assert long.next_starter() == "white"
    assert act(long, "black", "new-game").turn == "white"
    short = match(length=5).win("white", "single")
    assert short.next_starter() is None
    begun = act(short, "white", "new-game", "black")
    assert (begun.turn, begun.cube, begun.owner, begun.last, begun.first_play) == ("black", 1, None, None, True)
    refused(lambda: match().new_game("white"), "game")


def test_turns_alternate_and_a_play_follows_a_roll():
    state = match()
    assert "state is 'rolled'" in refused(lambda: state.roll("white").roll("white"), "roll")
    refused(lambda: state.play("white"), "play")
    refused(lambda: state.roll("black"), "roll")
    assert state.roll("white").play("white").turn == "black"


def test_actions_have_names():
    assert act(match(), "white", "double").phase == "doubled"
    with pytest.raises(OptionError, match="expected one of double, take"):
        act(match(), "white", "jump")
    with pytest.raises(OptionError, match="other arguments"):
        act(match(), "white", "take", 1, 2)


@pytest.mark.parametrize(
    ("system", "same_way", "diagram", "outcome", "points"),
    [
        ("oin-mars", True, "off w15 b0", "mars", 2),
        ("oin-mars", True, "off w15 b1", "oin", 1),
        ("mars-koks", True, "off w15 b0", "koks", 3),
        ("mars-koks", False, "off w15 b0", "koks", 3),
        ("home-mars", False, "off w15 b0", "mars", 2),
        ("home-mars", True, "off w15 b0", "koks", 4),
        ("checkers-left", False, "off w15 b0", "mars", 30),
        ("checkers-left", False, "off w15 b1", "single", 14),
        ("unborne", True, "off w15 b0", "single", 15),
    ],
)
def test_r1_r2_what_a_game_counts(system, same_way, diagram, outcome, points):
    # Black's rearmost checkers stand on White's 1 to 6: in short games White's home, in long games Black's 13 to 18.
    far = "b1" if same_way else "."
    count = 14 if diagram.endswith("b1") else 15
    position = board(f"""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .  {far} |   .   .   .   .   .  b{count - (far == "b1")}
bar w0 b0  {diagram}""")
    result = score(SCORING[system], loser_of(position, False, same_way), 1)
    assert (result.outcome, result.points) == (outcome, points)


@pytest.mark.parametrize(
    ("system", "factors"),
    [  # the table of rules.md §6
        ("oin-mars", {"oin": 1, "mars": 2}),
        ("mars-koks", {"single": 1, "mars": 2, "koks": 3}),
        ("home-mars", {"single": 1, "mars": 2, "home-mars": 3, "koks": 4}),
        ("checkers-left", {"single": 1, "mars": 2, "koks": 3}),
        ("unborne", {"single": 1}),
    ],
)
def test_r2_outcomes_and_their_factors(system, factors):
    loser = Loser((0,) * 24, 0, 10, True)
    assert {name: score(SCORING[system], loser, 1, None, name).factor for name in SCORING[system].names()} == factors
    base = 5 if system in ("checkers-left", "unborne") else 1
    assert score(SCORING[system], loser, 4).points == 4 * base


def test_only_the_losers_own_checkers_count():
    # The winner is not done: the players have agreed on how it would end.
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   . w15
  .   .   .   .   .   . |   .   .   .   .   . b15
""")
    black = loser_of(position, False, False)
    assert (black.all_home, black.far_behind, black.left) == (False, True, 15)
    position = board("""
  .   .   .   .   .  w3 |   .   .   .   .   . b15
  .   .   .   .   .   . |   .   .   .   .   . w12
""")
    assert loser_of(position, False, False).all_home
    assert not loser_of(position, False, False).far_behind
    assert not loser_of(position, True, False).all_home


@pytest.mark.parametrize(
    ("point", "home", "behind"), [(1, True, False), (6, True, False), (7, False, False), (18, False, False),
                                  (19, False, True), (24, False, True)],
)  # fmt: skip
def test_home_ends_at_6_and_the_starting_quarter_begins_at_19(point, home, behind):
    points = tuple(15 * (each == point) for each in range(1, 25))
    for same_way in (True, False):
        loser = Loser(points, 0, 0, same_way)
        assert (loser.all_home, loser.far_behind, loser.left) == (home, behind, 15)
        assert loser.hopeless == (behind and same_way)
        on_the_bar = Loser(points, 1, 3, same_way)
        assert (on_the_bar.all_home, on_the_bar.far_behind, on_the_bar.left) == (False, True, 12)
        assert on_the_bar.hopeless == (behind or not same_way)


def test_r2_factors_are_options():
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |   .   .   .   .   .  b15
bar w0 b0  off w15 b0""")
    loser = loser_of(position, False, False)
    assert score(SCORING["mars-koks"], loser, 2, {"koks": 5}).points == 10
    assert score(SCORING["mars-koks"], loser, outcome="mars").points == 2
    with pytest.raises(OptionError, match="expected one of single, mars, koks"):
        score(SCORING["mars-koks"], loser, outcome="oin")
