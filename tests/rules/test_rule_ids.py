"""Every rule by its id, each on a board, with the text (S0 … S4) that it comes from. White is to move."""

import pytest

from companion.rules import PositionError, get_game
from companion.rules.turn import LeftOver
from tests.rules.boards import after, board, ends, plays, reasons

LONG, SHORT = get_game("long"), get_game("short")

START = """
 13  14  15  16  17  18 |  19  20  21  22  23  24
  .   .   .   .   .   . |   .   .   .   .   . w15
b15   .   .   .   .   . |   .   .   .   .   .   .
 12  11  10   9   8   7 |   6   5   4   3   2   1
"""

RACE = """
 13  14  15  16  17  18 |  19  20  21  22  23  24
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |   .  w2   .  w1   .   .
 12  11  10   9   8   7 |   6   5   4   3   2   1
bar w0 b0  off w12 b14
"""


def test_b1_points_are_numbered_down_to_the_home_and_off():  # S0 "выбрасывать", S3
    assert plays(SHORT, board(RACE), (5, 3)) == {"5/off 3/off", "5/2 5/off"}


def test_b2_in_long_games_the_opponent_is_half_a_board_away_and_goes_the_same_way():  # S3, S2
    #  13  14  15  16  17  18 |  19  20  21  22  23  24
    #   .   .   .   .   .   . |   .   .   .   .   . w15
    # b15   .   .   .   .   . |   .   .   .   .   .   .
    position = board(START)
    assert LONG.turned(position) == position == LONG.start
    legal = LONG.plays(position, (1, 2), player="black").results
    assert {end.points[11] for end in legal} == {-14}
    assert {end.points[8] for end in legal} == {-1}


def test_b3_in_short_games_the_opponent_comes_the_other_way():  # S0, S1
    #  13  14  15  16  17  18 |  19  20  21  22  23  24
    #  w5   .   .   .  b3   . |  b5   .   .   .   .  w2
    #  b5   .   .   .  w3   . |  w5   .   .   .   .  b2
    assert SHORT.turned(SHORT.start) == SHORT.start
    # Black's 24/14 goes from White's 1 to White's 11.
    moved = [end for end in SHORT.plays(SHORT.start, (6, 4), player="black").results if end.points[0] == -1]
    assert -1 in {end.points[10] for end in moved}
    assert all(end.points[23] == 2 for end in moved)


def test_b4_the_direction_is_an_option_of_every_game():  # S0, S2, S3
    assert LONG.options.direction == "counter-clockwise"
    assert get_game("long", {"direction": "clockwise"}).options.direction == "clockwise"


def test_o1_o2_o3_the_opening_is_played_as_the_house_says():  # S0, S1, S3
    assert (LONG.options.opening_dice, LONG.default_opening, LONG.default_next_start) == ("one", "reroll", "winner")
    assert (SHORT.default_opening, SHORT.default_next_start) == ("keep", "opening-roll")
    assert get_game("long", {"opening": "keep", "opening_dice": "two"}).default_opening == "keep"


def test_o4_the_first_to_bear_off_all_wins_even_if_the_other_could_next():  # S0 "ничьей в нардах нет"
    # bar w0 b0  off w15 b14
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |   .   .   .   .   .  b1
bar w0 b0  off w15 b14""")
    assert LONG.winner(position) == "white"
    assert LONG.winner(LONG.start) is None


def test_d5_a_checker_must_be_able_to_stand_between_its_two_moves():  # all seeds
    position = board("""
  .   .   .   .  b2   . |   .  b2   .  w1   .   .
  .   .   .   .   .   . |   .   .   .   .   .   .
bar w0 b0  off w14 b11""")
    assert plays(SHORT, position, (5, 2)) == {""}
    assert reasons(SHORT, position, (5, 2), (22, 15)) == ("blocked-way",)


def test_m1_a_checker_goes_forward_one_die_at_a_time_four_times_for_a_double():  # all seeds
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .  w1   .   .   . |   .   .   .   .   .   .
bar w0 b0  off w14 b15""")
    assert {"5/4 5/3", "5/4 4/2", "5/3 3/2"} < plays(SHORT, board(RACE), (1, 2))
    assert plays(LONG, position, (2, 2)) == {"10/8 8/6 6/4 4/2"}
    assert reasons(LONG, position, (2, 1), (10, 11)) == ("backwards",)
    again = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |   .  w2   .  w2   .   .
bar w0 b0  off w11 b14""")
    # What was borne off stays off: the verdict names the point on which it stands again.
    verdict = LONG.judge(board(RACE), (1, 2), again)
    assert (verdict.reasons, verdict.points) == (("backwards",), (3,))


def test_m2_as_many_dice_as_can_be_played_must_be_played():  # S0 "не имеет права его сократить"
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .  w1   .  w1 |   .   .   .   .   .   .
bar w0 b0  off w13 b15""")
    assert SHORT.plays(position, (6, 5)).max_dice == 2
    assert reasons(SHORT, position, (6, 5), (9, 3)) == ("not-full",)
    assert reasons(SHORT, position, (6, 5)) == ("passed-but-could-move",)


def test_m3_of_two_dice_that_exclude_each_other_the_larger_is_played():  # S0 "выбрать больший"
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
 w1   .   .   .   .   . |   .   .   .   .   .  b2
bar w0 b0  off w14 b13""")
    assert plays(SHORT, position, (6, 5)) == {"12/6"}
    assert reasons(SHORT, position, (6, 5), (12, 7)) == ("larger-die",)


def test_m4_without_a_legal_move_the_turn_passes():  # S0 "очки игрока пропадают"
    position = board("""
  .   .   .   .   .   . |  b2  b2  b2  b2  b2  b2
  .   .   .   .   .   . |   .   .   .   .   .   .
bar w1 b0  off w14 b3""")
    legal = SHORT.plays(position, (6, 4))
    assert (legal.max_dice, dict(legal.results)) == (0, {position: ((),)})
    assert SHORT.judge(position, (6, 4), position)


def test_m5_nobody_bears_off_before_all_are_at_home():  # S0, S3
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .  w1 |   .  w1   .   .   .   .
bar w0 b0  off w13 b15""")
    assert plays(LONG, position, (5, 1)) == {"7/6 5/off", "7/2 5/4", "7/6 6/1", "7/2 2/1"}
    assert reasons(LONG, position, (5, 2), (7, 5), (5, 0)) == ()
    assert reasons(LONG, position, (5, 4), (5, 0)) == ("bear-off-early",)


def test_m6_an_empty_point_bears_off_the_highest_or_moves_a_higher_checker():  # S0 "низшего разряда"
    assert plays(SHORT, board(RACE), (6, 6)) == {"5/off 5/off 3/off"}
    assert plays(SHORT, board(RACE), (4, 6)) == {"5/1 5/off"}
    assert reasons(SHORT, board(RACE), (4, 6), (5, 0), (3, 0)) == ("bear-off-wrong-point",)
    on_six = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |  w2   .   .   .   .   .
bar w0 b0  off w13 b15""")
    assert reasons(SHORT, on_six, (2, 1), (6, 0), (6, 0)) == ("bear-off-wrong-point",)


def test_m7_bearing_off_is_not_compulsory_while_the_die_can_move():  # S0 "по своему усмотрению"
    assert "5/4 5/2" in plays(SHORT, board(RACE), (3, 1))
    assert "5/4 3/off" in plays(SHORT, board(RACE), (3, 1))


STANDING = """
  .   .   .   .   .  w1 |  w2  w2  w2  w2  w2   .
  .  b3   .   .   .   . |   .  b1 b11   .  w2  w2
"""


def test_m8_a_block_that_already_stands_must_be_opened_if_a_play_can():  # S3
    position = board(STANDING)
    assert position.counts() == (15, 15)
    legal = LONG.plays(position, (1, 6))
    assert all(0 in end.points[17:23] for end in legal.results)
    assert reasons(LONG, position, (1, 6), (20, 14), (23, 22)) == ("block",)
    assert reasons(LONG, position, (1, 6), (18, 12), (23, 22)) == ()
    # In a progression the first double must open it, not a six after the fives.
    walled = board("""
 w5  w2  w1  w1  w1  w1 |  w2  b1   .  b1   .   .
 b7  b1  b1   .  b1  b1 |   .  b1   .  b1  w1  w1
""")
    late = ((19, 14), (19, 14), (14, 9), (14, 9), (15, 9))
    assert reasons(get_game("mad-gulbar"), walled, (5, 5), *late) == ("block",)


def test_l1_long_games_start_with_all_on_the_head():  # all seeds
    assert LONG.start == board(START)


def test_l2_one_checker_closes_a_point():  # S0 "не идет"
    position = board("""
  .   .   .   .   .  b1 |   .   .   .   .   . w15
b14   .   .   .   .   . |   .   .   .   .   .   .
""")
    assert plays(LONG, position, (6, 5)) == {"24/19 19/13"}
    assert reasons(LONG, position, (6, 4), (24, 18)) == ("blocked-point", "not-full")
    assert reasons(LONG, position, (6, 1), (24, 23), (24, 18)) == ("blocked-point", "head")


def test_l3_one_checker_leaves_the_head_in_a_play():  # S0, S3 "ход с головы"
    assert plays(LONG, board(START), (1, 2)) == {"24/22 22/21", "24/23 23/21"}
    assert reasons(LONG, board(START), (1, 2), (24, 23), (24, 22)) == ("head",)


@pytest.mark.parametrize(("double", "two"), [(1, False), (2, False), (3, True), (4, True), (5, False), (6, True)])
def test_l4_two_leave_the_head_in_the_first_play_with_three_doubles(double, two):  # S0, S2, S3
    heads = {end.points[23] for end in ends(LONG, board(START), (double, double), first_turn=True)}
    assert (13 in heads) == two
    assert {end.points[23] for end in ends(LONG, board(START), (double, double))} == {14}


def test_l4_the_second_player_takes_two_with_any_double_that_one_checker_cannot_play():  # S2
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   . w15
b13   .   .   .   .   . |   .   .  b2   .   .   .
""")
    turn = {"first_turn": True, "second_player": True}
    assert {end.points[23] for end in ends(LONG, position, (5, 5), **turn)} == {13}
    off = get_game("long", {"second_player_any_double": False})
    assert {end.points[23] for end in ends(off, position, (5, 5), **turn)} == {14}


BLOCK = """
  .   .   .   .   .   . |  w1  w1  w1  w1   .  w9
 b9   .   .   .   .   . |  b6   .   .   .   .  w2
"""


def test_l5_six_in_a_row_need_an_opponent_ahead_of_them():  # S0 "реализовано", S2, S3
    behind = board("""
  .   .   .   .   .  w1 |  w1  w1  w1  w1   .  w9
 b9   .   .   .   .   . |  b6   .   .   .   .  w1
""")
    assert reasons(LONG, behind, (1, 4), (24, 23), (1, 0)) == ("bear-off-early", "block")
    assert reasons(LONG, behind, (1, 5), (24, 23), (24, 19)) == ("head", "block")
    assert reasons(LONG, behind, (1, 2), (24, 23), (22, 20)) == ()
    ahead = board("""
 b1   .   .   .   .  w1 |  w1  w1  w1  w1   .  w9
 b8   .   .   .   .   . |  b6   .   .   .   .  w1
""")
    assert reasons(LONG, ahead, (1, 5), (24, 23), (23, 18)) == ()
    assert reasons(LONG, ahead, (1, 4), (24, 23), (24, 20)) == ("head",)
    # Whoever pushes the foremost opponent away has landed on a closed point, and built no block behind it.
    pushed = board("""
 w1  w1  w1  w2  w1  b1 |   .   .   .   .   .  w9
b14   .   .   .   .   . |   .   .   .   .   .   .
""")
    assert reasons(LONG, pushed, (6, 1), (24, 18), (16, 15)) == ("blocked-point",)


def test_l5_home_asks_for_an_opponent_at_home():  # S0, variant
    position = board("""
  .   .   .   .   .   . |   .  b1   .   .   .  w9
b14   .   .   .   .  w1 |  w1  w1  w1  w1  w1   .
""")
    home = get_game("long", {"block": "home"})
    assert reasons(LONG, position, (6, 1), (7, 1), (24, 23)) == ()
    assert reasons(home, position, (6, 1), (7, 1), (24, 23)) == ("block",)
    at_home = board("""
 b1   .   .   .   .   . |   .   .   .   .   .  w9
b14   .   .   .   .  w1 |  w1  w1  w1  w1  w1   .
""")
    assert reasons(home, at_home, (6, 1), (7, 1), (24, 23)) == ()


def test_l5_not_all_only_forbids_to_shut_in_all_fifteen():  # S0 "все пятнадцать запереть нельзя"
    loose = get_game("long", {"block": "not-all"})
    fifteen = board("""
  .  w1   .   .   .   . |   .   .   .   .   .  w8
b15   .  w1  w1  w1  w1 |  w1   .   .   .  w1   .
""")
    assert reasons(loose, fifteen, (3, 1), (14, 11), (24, 23)) == ("block",)
    fourteen = board("""
  .  w1   .   .   .   . |   .   .   .   .   .  w8
b14   .  w1  w1  w1  w1 |  w1   .   .   .  w1   .
 12  11  10   9   8   7 |   6   5   4   3   2   1
bar w0 b0  off w0 b1""")
    assert reasons(loose, fourteen, (3, 1), (14, 11), (24, 23)) == ()


def test_l6_a_block_in_passing_is_allowed_in_long_and_forbidden_in_nardgammon():  # S3 "пробегом"
    position = board("""
 w1  w1  w1  w1  w1   . |   .   .   .   .  b1 w10
b14   .   .   .   .   . |   .   .   .   .   .   .
""")
    # 24/18 makes six in a row, 18/17 opens them again; the other way leads over 23, which is closed.
    nardgammon = get_game("nardgammon")
    assert "24/18 18/17" in plays(LONG, position, (6, 1))
    assert "24/18 18/17" not in plays(nardgammon, position, (6, 1))
    strict = get_game("long", {"block_in_passing": "forbidden"})
    assert ends(strict, position, (6, 1)) == ends(nardgammon, position, (6, 1))
    assert not nardgammon.judge(position, (6, 1), after(position, (24, 18), (18, 17)))
    assert LONG.judge(position, (6, 1), after(position, (24, 18), (18, 17)))
    # So it is in each double of a progression: of these fives nothing can be played but 23/18/13, over the block.
    walled = board("""
 w1  w1  w1  w1  w1   . |  b1   .   .  b1  w1  w2
 b4  b1  b1  b2  b1  b1 |  b1   .   .  w1  b2  w6
""")
    over = ((23, 18), (18, 13))
    assert reasons(get_game("mad"), walled, (5, 5), *over) == ()
    assert reasons(get_game("mad", {"block_in_passing": "forbidden"}), walled, (5, 5), *over) == ("block",)


def test_x1_x3_a_progression_plays_each_double_and_takes_one_from_the_head_for_each():  # S3 "бешеные"
    mad = get_game("mad")
    legal = mad.plays(mad.start, (5, 5), first_turn=True)
    assert legal.max_dice == max(ending.played for each in legal.endings.values() for ending in each)
    assert min(end.points[23] for end in legal.results) >= 13
    assert reasons(mad, mad.start, (6, 6), (24, 18), (24, 18)) == ("head",)
    assert reasons(mad, mad.start, (6, 6), (24, 18), (24, 18), first_turn=True) == ()


def test_x2_a_double_that_cannot_be_begun_is_not_played_and_nothing_passes():  # S3
    mad = get_game("mad")
    position = board("""
  .   .   .   .   .  b1 |   .   .   .   .   . w15
b14   .   .   .   .   . |   .   .   .   .   .   .
""")
    legal = mad.plays(position, (6, 6))
    assert (legal.max_dice, set(legal.results)) == (0, {position})
    assert [ending.to_json() for ending in legal.endings[position]] == [[0, None]]


def test_x4_in_mad_nothing_moves_inside_the_home_and_the_die_must_match():  # S3 "запрещается ходить"
    mad = get_game("mad")
    assert plays(mad, board(RACE), (6, 4)) == {""}
    assert plays(mad, board(RACE), (5, 1)) == {"5/off"}
    assert reasons(mad, board(RACE), (5, 1), (5, 0), (5, 4)) == ("home-move",)
    assert reasons(mad, board(RACE), (6, 5), (5, 0), (5, 0)) == ("bear-off-wrong-point",)
    on_six = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |  w1   .   .  w2   .   .
bar w0 b0  off w12 b15""")
    assert reasons(mad, on_six, (5, 1), (6, 5)) == ("home-move",)
    assert reasons(mad, board(RACE), (1, 1), (5, 4)) == ("home-move",)
    last = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .  w1   . |   .  w1   .   .   .   .
bar w0 b0  off w13 b15""")
    assert reasons(mad, last, (2, 2), (8, 6), (6, 4)) == ("home-move",)
    assert reasons(mad, last, (2, 2), (5, 3), (3, 1), (8, 6)) == ()
    # Whoever brings the last one home first cannot finish the double any more; who moves at home first, can.
    assert mad.judge(last, (2, 2), after(last, (5, 3), (3, 1))).kind == "incomplete"
    assert mad.judge(last, (2, 2), after(last, (8, 6))).kind == "illegal"
    assert reasons(mad, last, (2, 2), (8, 6)) == ("not-full",)


def test_x5_the_progression_ends_with_the_double_that_brings_the_last_home():  # S3
    mad = get_game("mad")
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .  w1 |   .   .   .  w3   .  w1
bar w0 b0  off w10 b15""")
    legal = mad.plays(position, (3, 3))
    assert {ending.played for each in legal.endings.values() for ending in each} == {4}
    assert plays(mad, position, (3, 3)) == {"7/4 3/off 3/off 3/off"}
    assert mad.plays(board(RACE), (3, 3)).max_dice == 1


def test_x6_a_double_played_in_full_gives_another_roll():  # S3 "бросает кости снова"
    gulbar = get_game("gulbar")
    assert gulbar.plays(board(START), (1, 1)).extra_roll
    assert not gulbar.plays(board(START), (1, 2)).extra_roll
    assert not gulbar.plays(board(START), (6, 6)).extra_roll
    assert not LONG.plays(board(START), (1, 1)).extra_roll


def test_x7_moves_that_cannot_be_made_are_made_by_the_opponent():  # S3 "соперник дохаживает"
    gulbar = get_game("gulbar")
    legal = gulbar.plays(board(START), (4, 4))
    ((end, endings),) = legal.endings.items()
    assert legal.max_dice == 2
    (left,) = (ending.left_over for ending in endings)
    assert left == LeftOver(4, 2)
    answer = gulbar.left_over_plays(end, left, player="black")
    assert answer.max_dice == 2
    assert not answer.extra_roll
    assert gulbar.judge_left_over(end, left, next(iter(answer.results)), player="black")
    assert str(gulbar.judge_left_over(end, left, end, player="black").reasons[0]) == "passed-but-could-move"


def test_x7_after_a_won_game_nothing_passes():  # S3, decision
    gulbar = get_game("gulbar")
    legal = gulbar.plays(board(RACE), (6, 6))
    ((_, endings),) = legal.endings.items()
    assert (endings[0].played, endings[0].left_over) == (3, None)


def test_x8_in_mad_gulbar_all_that_follows_passes_too():  # S3
    game = get_game("mad-gulbar")
    legal = game.plays(game.start, (6, 6))
    assert legal.max_dice == 1
    assert {ending.left_over for each in legal.endings.values() for ending in each} == {LeftOver(6, 3)}
    legal = game.plays(game.start, (4, 4))
    assert {ending.left_over for each in legal.endings.values() for ending in each} == {LeftOver(4, 2, (5, 6))}


def test_x9_one_double_more_when_the_last_comes_home_on_the_fourth_move():  # S3, the example with 2-2 and 3-3
    game = get_game("mad-gulbar")
    position = board("""
  .  w1   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |   .   .   .  w4   .   .
bar w0 b0  off w10 b15""")
    legal = game.plays(position, (2, 2))
    home = after(position, (14, 12), (12, 10), (10, 8), (8, 6), (3, 0), (3, 0), (3, 0), (3, 0))
    assert [ending.to_json() for ending in legal.endings[home]] == [[8, None]]
    assert after(home, (6, 0)) not in legal.results
    assert game.judge(position, (2, 2), home).endings == legal.endings[home]
    half = after(position, (14, 12), (12, 10), (10, 8), (8, 6), (3, 0), (3, 0))
    assert game.judge(position, (2, 2), half).kind == "incomplete"
    assert reasons(game, half, (2, 2), (6, 4)) == ("home-move",)
    # Here the one that comes home must do so before another can be borne off: not on the fourth move, no 3-3.
    early = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .  w1   . |   .   .   .  w2  w4  w4
bar w0 b0  off w4 b15""")
    (named,) = game.judge(early, (2, 2), early).plays
    assert named == ((8, 6), (2, 0), (2, 0), (2, 0))
    assert reasons(game, early, (2, 2), *named) == ()
    assert reasons(game, early, (2, 2), *named, (3, 0), (3, 0)) != ()


def test_x10_khachapuri_starts_with_four_on_the_head_which_may_all_leave():  # S3
    game = get_game("khachapuri")
    assert game.start == board("""
  .   .   .   .   . b11 |   .   .   .   .   .  w4
 b4   .   .   .   .   . | w11   .   .   .   .   .
""")
    assert {end.points[23] for end in ends(game, game.start, (1, 2))} >= {2}
    assert all(end.off == (0, 0) for end in ends(game, game.start, (6, 6)))
    assert game.options.scoring == "unborne"


def test_x11_in_mad_fevga_a_double_that_was_not_begun_does_not_pass():  # S3, both sentences
    game = get_game("mad-fevga")
    position = board("""
  .   .   .   .   .  b1 |   .   .   .   .   . w15
b14   .   .   .   .   . |   .   .   .   .   .   .
""")
    assert [[ending.left_over for ending in each] for each in game.plays(position, (6, 6)).endings.values()] == [[None]]
    begun = game.plays(game.start, (6, 6))
    assert {ending.left_over for each in begun.endings.values() for ending in each} == {LeftOver(6, 3)}
    assert "5/2" in {word for play in plays(game, board(RACE), (3, 3)) for word in play.split()}


def test_f1_fevga_has_no_exception_for_the_first_play():  # S3 "вторую пешку снять нельзя"
    fevga = get_game("fevga")
    assert {end.points[23] for end in ends(fevga, board(START), (6, 6), first_turn=True)} == {14}


def test_f2_the_head_is_locked_until_the_first_checker_has_passed_the_other_head():  # S3
    fevga = get_game("fevga")
    position = board("""
  .   .   .   .   .  w1 |   .   .   .   .   . w14
b15   .   .   .   .   . |   .   .   .   .   .   .
""")
    assert {end.points[23] for end in ends(fevga, position, (3, 2))} == {14}
    assert reasons(fevga, position, (3, 2), (24, 21), (18, 16)) == ("head",)
    passed = board("""
  .   .   .   .   .   . |   .   .   .   .   . w14
b15  w1   .   .   .   . |   .   .   .   .   .   .
""")
    assert reasons(fevga, passed, (3, 2), (24, 21), (24, 22)) == ()
    # 18/14/10 passes the opponent's head, and then the others may go in the same play.
    assert {end.points[23] for end in ends(fevga, position, (4, 4))} == {12, 13, 14}


def test_f3a_the_own_starting_quarter_may_not_be_held_whole():  # S3 "хотя бы 1 пункт должен быть свободен"
    fevga = get_game("fevga")
    position = board("""
  .   .   .   .   .   . |  w1  w1  w1  w1   .  w9
 b9  w1   .   .   .   . |  b6   .   .   .   .  w1
""")
    assert reasons(fevga, position, (1, 6), (24, 23), (11, 5)) == ("block",)
    assert reasons(fevga, position, (1, 6), (24, 23), (19, 13)) == ()


def test_f3_six_may_be_held_without_an_opponent_ahead():  # S3
    fevga = get_game("fevga")
    position = board("""
  .  w1  w1  w1  w1  w1 |   .   .   .   .   .  w8
 b9  w1   .   .   .   . |  b6   .   .   .   .  w1
""")
    assert reasons(fevga, position, (5, 4), (24, 19), (11, 7)) == ()


def test_f3b_six_in_front_of_fifteen_on_one_point_must_be_opened():  # S3 "обязаны разбить блок"
    fevga = get_game("fevga")
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .  w8
b15  w1  w1  w1  w1  w1 |  w2   .   .   .   .   .
""")
    legal = ends(fevga, position, (1, 2))
    assert legal
    assert all(not all(end.points[5:11]) for end in legal)
    assert reasons(fevga, position, (1, 2), (24, 23), (24, 22)) == ("block",)


def test_f4_fevga_bears_off_as_the_other_games():  # S3
    assert plays(get_game("fevga"), board(RACE), (6, 4)) == {"5/1 5/off"}


def test_h1_the_short_games_start_as_backgammon():  # S0, S1, S3
    assert (
        SHORT.start
        == get_game("tabla").start
        == board("""
 w5   .   .   .  b3   . |  b5   .   .   .   .  w2
 b5   .   .   .  w3   . |  w5   .   .   .   .  b2
""")
    )


def test_h2_a_blot_is_hit_and_two_close_a_point():  # S0, S1
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
 w1   .   .  b1   .  b2 |   .   .   .   .   .   .
bar w0 b0  off w14 b12""")
    assert plays(SHORT, position, (3, 5)) == {"12/9* 9/4"}
    end = next(iter(ends(SHORT, position, (3, 5))))
    assert end.bar == (0, 1)
    assert reasons(SHORT, position, (5, 3), (12, 7))[0] == "blocked-point"


def test_h3_who_is_on_the_bar_enters_first():  # S0, S1
    position = board("""
  .   .   .   .   .   . |   .  b2   .   .   .   .
  .   .   .   .   .   . |  w1   .   .   .   .   .
bar w1 b0  off w13 b13""")
    assert plays(SHORT, position, (5, 1)) == {"bar/24 6/1", "bar/24 24/19"}
    assert reasons(SHORT, position, (5, 1), (6, 1)) == ("bar-first", "not-full")
    assert plays(SHORT, position, (5, 5)) == {""}


def test_h4_a_checker_that_was_hit_must_come_home_before_bearing_off_goes_on():  # S1
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |  w1   .   .   .   .   .
bar w1 b0  off w13 b15""")
    assert all(end.off[0] == 13 for end in ends(SHORT, position, (6, 6)) if any(end.points[6:]))
    assert reasons(SHORT, position, (6, 1), (6, 0), (25, 24))[0] in ("bar-first", "bear-off-early")


def test_only_possible_positions_are_played():
    with pytest.raises(PositionError, match=r"expected 15 checkers each, got 16 white and 15 black: White 1:1 24:15"):
        LONG.plays(after(board(START), (24, 1), (1, 24)).__class__((1, *LONG.start.points[1:])), (1, 2))
    with pytest.raises(PositionError, match="expected nobody on the bar"):
        LONG.check(type(LONG.start)((*LONG.start.points[:23], 14), (1, 0)))


def test_the_judge_tells_what_passes_on():  # X7, X8
    gulbar, mad = get_game("gulbar"), get_game("mad-gulbar")
    half = gulbar.judge(board(START), (4, 4), after(board(START), (24, 20), (20, 16)))
    assert [ending.to_json() for ending in half.endings] == [[2, {"die": 4, "moves_left": 2, "then": []}]]
    whole = gulbar.judge(board(START), (1, 1), after(board(START), (24, 23), (23, 22), (22, 21), (21, 20)))
    assert [ending.to_json() for ending in whole.endings] == [[4, None]]
    stopped = mad.judge(board(START), (4, 4), after(board(START), (24, 20), (20, 16)))
    assert [ending.to_json() for ending in stopped.endings] == [[2, {"die": 4, "moves_left": 2, "then": [5, 6]}]]
    plain = LONG.judge(board(START), (1, 2), after(board(START), (24, 23), (23, 21)))
    assert [ending.to_json() for ending in plain.endings] == [[2, None]]


def test_a_progression_that_is_not_legal_is_named_after_the_rule_without_which_it_were():  # X1, X3, X4
    mad = get_game("mad")
    far = board("""
  .   .   .   .   .   . |   .   .   .   .   . w10
  .  w5   .   .   .   . |   .   .   .   .   .   .
bar w0 b0  off w0 b15""")
    five = [(11, 6), (11, 6), (11, 6), (11, 6)]
    assert reasons(mad, far, (5, 5), *five) == ("not-full",)
    assert mad.judge(far, (5, 5), after(far, *five)).kind == "incomplete"
    assert mad.judge(far, (5, 5), after(far, *five[:2])).kind == "incomplete"
    assert reasons(mad, far, (5, 5)) == ("passed-but-could-move",)
    # The play that is named goes on from double to double.
    assert sorted(start - end for start, end in mad.judge(far, (5, 5), far).plays[0]) == [5, 5, 5, 5, 6, 6, 6, 6]
    # … and ends with the one that cannot be finished: 16/11 with a five would be possible.
    assert mad.judge(board(START), (4, 4), board(START)).plays == (((24, 20), (20, 16)),)
    assert reasons(mad, far, (5, 5), (11, 6), (11, 7)) == ("not-the-dice",)
    assert reasons(mad, far, (5, 5), *five, (6, 5), (11, 12)) == ("backwards",)
    assert reasons(mad, far, (5, 5), *five, (6, 0)) == ("bear-off-early",)
    assert reasons(mad, far, (4, 4), (24, 20), (24, 20), (11, 7), (11, 7)) == ("head",)
    closed = board("""
  .   .   .   .   .   . |   .  b1   .   .   . w14
b14   .   .   .   .   . |   .   .   .   .   .  w1
""")
    assert reasons(mad, closed, (4, 4), (24, 20)) == ("blocked-point",)
    assert reasons(mad, closed, (4, 4), (24, 16)) == ("blocked-way",)
