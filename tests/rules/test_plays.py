"""Properties of all plays, of whole random games, and of the judge against them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import GAMES, LeftOver, Position, TooManyPlays, get_game
from companion.rules.movement import moved
from companion.rules.plays import find_play, full_plays, standard
from companion.rules.position import BAR, OFF, from_cells, to_cells
from companion.rules.reason import Reason
from tests.rules.boards import GAMES_PLAYED, Part, after, board, part_of, random_game
from tests.rules.transcripts import FOLDER, transcript

games = st.sampled_from(GAMES)
seeds = st.integers(0, 10_000)
SHORT = get_game("short")
few = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def seen(name: str, part: Part, position: Position) -> Position:
    return position if part.player == "white" else get_game(name).turned(position)


def pips(position: Position) -> int:
    return sum(n * p for p, n in enumerate(position.points, 1) if n > 0) + 25 * position.bar[0]


@few
@given(games, st.integers(0, GAMES_PLAYED - 1))
def test_thirty_checkers_are_conserved(name, number):
    for part in random_game(name, number):
        assert part.after.counts() == (15, 15)
        get_game(name).check(part.after)


@few
@given(games, seeds)
def test_the_movers_pips_fall_by_exactly_what_was_played(name, seed):
    part = part_of(name, seed)
    before, end = seen(name, part, part.before), seen(name, part, part.after)
    assert pips(before) - pips(end) == sum(start - end for start, end in part.play)


@few
@given(games, seeds)
def test_turning_twice_gives_the_position_back(name, seed):
    position = part_of(name, seed).after
    game = get_game(name)
    assert game.turned(game.turned(position)) == position
    assert Position.from_json(position.to_json()) == position
    assert from_cells(to_cells(position), position.off[1]) == position


@few
@given(games, seeds)
def test_what_is_played_legally_is_judged_legal(name, seed):
    game, part = get_game(name), part_of(name, seed)
    if isinstance(part.dice, LeftOver):
        verdict = game.judge_left_over(part.before, part.dice, part.after, player=part.player)
    else:
        turn = {"first_turn": part.first_turn, "second_player": part.second_player}
        verdict = game.judge(part.before, part.dice, part.after, player=part.player, **turn)
    assert (verdict.kind, verdict.reasons) == ("legal", ())
    assert verdict.endings
    start = seen(name, part, part.before)
    assert after(start, *verdict.plays[0]).points == seen(name, part, part.after).points


@few
@given(games, seeds, st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_the_judge_agrees_with_the_list_of_all_plays(name, seed, dice):
    game, part = get_game(name), part_of(name, seed)
    if game.law.progression and dice[0] == dice[1]:
        dice = (6, 6)
    legal = game.plays(part.after, dice)
    assert legal.results
    for end in sorted(legal.results, key=str)[:5]:
        assert game.judge(part.after, dice, end)
    others = (6, 5) if dice[0] == dice[1] else (dice[0], dice[0] % 6 + 1)
    other = game.plays(part.after, others).results
    for end in sorted(other, key=str)[:5]:
        assert bool(game.judge(part.after, dice, end)) == (end in legal.results)


@few
@given(games, seeds, st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_the_standard_is_that_of_all_plays(name, seed, dice):
    game, part = get_game(name), part_of(name, seed)
    task = game.task(game.cells(part.after, "white"), dice * 2 if dice[0] == dice[1] else dice)
    must, ends = standard(task), full_plays(task)
    assert must.count == ends.max_dice
    if must.count == len(task.dice):
        play = find_play(task, task.cells, task.dice, must.forbidden) or find_play(
            task, task.cells, task.dice[::-1], must.forbidden
        )
        assert play is not None
        assert tuple(sorted(play, reverse=True)) in {each for cells in ends.cells for each in ends.plays(cells)}


@few
@given(games, seeds, st.integers(1, 6))
def test_a_move_has_no_fault_exactly_when_it_is_listed(name, seed, die):
    game, part = get_game(name), part_of(name, seed)
    task = game.task(game.cells(part.after, "white"), (die, die % 6 + 1))
    listed = set(task.movement.moves(task.cells, die, task.may_leave))
    for start in range(1, BAR + 1):
        if task.cells[start] > 0:
            move = (start, max(start - die, OFF))
            assert (not task.movement.faults(task.cells, move, die, task.may_leave)) == (move in listed)


@few
@given(games, seeds, st.lists(st.integers(-15, 15), min_size=24, max_size=24), st.tuples(*[st.integers(0, 15)] * 4))
def test_whatever_the_camera_reports_has_a_verdict_and_never_a_legal_one_without_reason(name, seed, points, rest):
    game, part = get_game(name), part_of(name, seed)
    anything = Position(tuple(points), rest[:2], rest[2:])
    verdict = game.judge(part.before, (3, 3) if seed % 2 else (6, 1), anything, player=part.player)
    assert verdict.kind == "illegal"
    assert verdict.reasons


BROKEN = [(Reason.CHECKER_COUNT, 1), (Reason.CHECKER_COUNT, -1), (Reason.OPPONENT_MOVED, 0)]


@few
@given(games, seeds, st.sampled_from(BROKEN))
def test_one_broken_rule_is_named(name, seed, broken):
    reason, more = broken
    game, part = get_game(name), part_of(name, seed)
    points = list(part.after.points)
    sign = 1 if part.player == "white" else -1
    if more:
        places = [p for p, n in enumerate(points) if n * sign > 0]
        if not places:
            return
        points[places[0]] += more * sign
    else:
        theirs = [p for p in range(23) if points[p] * sign < 0 and points[p + 1] == 0]
        if not theirs:
            return
        points[theirs[0]] += sign
        points[theirs[0] + 1] -= sign
    wrong = Position(tuple(points), part.after.bar, part.after.off)
    dice = part.dice
    if isinstance(dice, LeftOver):
        verdict = game.judge_left_over(part.before, dice, wrong, player=part.player)
    else:
        verdict = game.judge(part.before, dice, wrong, player=part.player, first_turn=part.first_turn)
    assert verdict.kind == "illegal"
    assert verdict.reasons[0] == reason
    assert verdict.plays


@few
@given(st.sampled_from([name for name in GAMES if name not in ("short", "tabla")]), seeds)
def test_an_unfinished_play_is_incomplete_or_not_full(name, seed):
    game, part = get_game(name), part_of(name, seed)
    if isinstance(part.dice, LeftOver) or part.dice[0] == part.dice[1] or len(part.play) < 2:
        return
    start = seen(name, part, part.before)
    for move in part.play:
        if start.points[move[0] - 1] > 0 and (move[1] == 0 or start.points[move[1] - 1] >= 0):
            half = after(start, move)
            verdict = game.judge(start, part.dice, half)
            assert not verdict
            assert Reason.NOT_FULL in verdict.reasons or Reason.BEAR_OFF_EARLY in verdict.reasons or verdict.reasons


def test_the_play_named_for_an_unfinished_double_goes_on_from_what_was_moved():
    begun = board("""
  .   .   .  w2   .  w2 |   .   .   .   .   . w11
b15   .   .   .   .   . |   .   .   .   .   .   .
""")
    verdict = get_game("long").judge(begun, (1, 1), after(begun, (16, 15), (16, 15)))
    assert (verdict.kind, verdict.reasons) == ("incomplete", (Reason.NOT_FULL,))
    assert [play.count((16, 15)) for play in verdict.plays] == [2]


def test_the_points_are_named_that_no_dice_explain():
    verdict = SHORT.judge(SHORT.start, (3, 1), after(SHORT.start, (8, 4), (6, 4)))
    assert (verdict.reasons, verdict.points) == ((Reason.NOT_THE_DICE,), (8, 6, 4))
    mad = get_game("mad")
    verdict = mad.judge(mad.start, (5, 5), after(mad.start, (24, 19), (19, 18)))
    assert (verdict.reasons, verdict.points) == ((Reason.NOT_THE_DICE,), (24, 18))


def test_the_three_nearest_plays_are_named_of_a_plain_roll():
    short = get_game("short")
    verdict = short.judge(short.start, (6, 5), after(short.start, (24, 16)))
    assert (verdict.kind, verdict.reasons) == ("illegal", (Reason.NOT_THE_DICE,))
    assert len(verdict.plays) == 3
    assert verdict.plays[0] == ((24, 18), (18, 13))
    # Of 8/4 6/4, the legal 8/4 leaves one checker on 6 too many; each of the next has two in wrong places.
    verdict = SHORT.judge(SHORT.start, (3, 1), after(SHORT.start, (8, 4), (6, 4)))
    assert verdict.plays == (((8, 5), (5, 4)), ((8, 5), (6, 5)), ((8, 7), (6, 3)))


def test_one_of_the_three_moves_that_a_double_allows_is_unfinished():
    begun = board("""
  .   .   .   .  w1   . |   .   .   .   .   .   .
  .   .   .   .   .   . |   . b15   .   .   .   .
""")
    long = get_game("long")
    assert long.judge(begun, (3, 3), after(begun, (17, 14))).kind == "incomplete"
    assert long.judge(begun, (3, 3), after(begun, (17, 8))).kind == "legal"


def test_a_bear_off_by_one_die_is_not_taken_for_two_moves_over_a_closed_point():
    begun = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |  w2  b1   .   .   .   .
bar w0 b0  off w13 b14""")
    verdict = get_game("long").judge(begun, (6, 1), after(begun, (6, 0)))
    assert (verdict.kind, verdict.plays) == ("legal", (((6, 0),),))
    begun = after(begun, (6, 3))
    verdict = get_game("long").judge(begun, (6, 1), after(begun, (6, 0)))
    assert (verdict.kind, verdict.reasons) == ("incomplete", (Reason.NOT_FULL,))


@pytest.mark.parametrize("name", GAMES)
def test_the_golden_game_is_played_as_it_was(name):
    """``python -m tests.rules.transcripts`` writes the files anew."""
    golden = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    played = transcript(name).splitlines()
    different = next((i for i, (a, b) in enumerate(zip(golden, played, strict=False)) if a != b), None)
    assert different is None, f"line {different + 1}: expected {golden[different]!r}, got {played[different]!r}"
    assert len(golden) == len(played)


def test_a_progression_with_too_many_ends_is_not_listed_but_judged(monkeypatch):
    mad = get_game("mad")
    spread = board("""
 w1  w1   .  w1   .  w1 |  w1   .  w1  w1   .  w8
b15   .   .   .   .   . |   .   .   .   .   .   .
""")
    cells = mad.cells(spread, "white")
    chain = mad.chain(cells, 1, False, False)
    for number in range(6):
        cells = full_plays(chain.task(number, cells)).cells[0]
    assert mad.judge(spread, (1, 1), from_cells(cells, 0))
    monkeypatch.setattr("companion.rules.turn.LISTED", 2000)
    with pytest.raises(TooManyPlays, match="judge one of them instead"):
        mad.plays(spread, (1, 1))


def test_moved_takes_the_opponents_off_the_point():
    cells = [0] * 26
    cells[10], cells[4] = 1, -2
    assert moved(tuple(cells), (10, 4))[4] == 1
