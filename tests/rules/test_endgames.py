"""Progressions and left-over moves where checkers are borne off: the judge says what the list of all plays says."""

from random import Random

import pytest

from companion.rules import Game, LeftOver, Position, Reason, get_game
from companion.rules.retrace import reachable
from tests.rules.boards import after, board

CHAINED = ("mad", "mad-gulbar", "mad-fevga", "gulbar", "khachapuri")


def endgame(rng: Random) -> Position:
    """Up to eight of White's checkers near home, up to six of Black's anywhere."""
    points = [0] * 24
    for _ in range(rng.randint(1, 8)):
        points[rng.randrange(rng.choice((3, 6, 8, 12)))] += 1
    for _ in range(rng.randint(0, 6)):
        points[rng.choice([i for i, n in enumerate(points) if n <= 0])] -= 1
    white, black = (sum(max(sign * n, 0) for n in points) for sign in (1, -1))
    return Position(tuple(points), (0, 0), (15 - white, 15 - black))


def some_left_over(game: Game, rng: Random) -> LeftOver:
    die = rng.randint(3, 6)
    then = tuple(range(die + 1, 7)) if game.law.progression else ()
    return LeftOver(die, rng.randint(1, 4), then[: rng.randint(0, 3)])


@pytest.mark.parametrize("name", CHAINED)
def test_a_thrown_double_ends_where_the_list_says(name):
    game, rng = get_game(name), Random(1)
    for _ in range(25):
        position, dice = endgame(rng), (rng.randint(3, 6),) * 2
        legal, others = game.plays(position, dice), game.plays(position, (6, 5))
        for end in rng.sample(list(legal.results), min(3, len(legal.results))):
            verdict = game.judge(position, dice, end)
            assert (verdict.kind, set(verdict.endings)) == ("legal", set(legal.endings[end])), (position, dice, end)
        for end in [end for end in others.results if end not in legal.results][:2]:
            assert not game.judge(position, dice, end), (position, dice, end)


@pytest.mark.parametrize("name", CHAINED)
def test_what_is_named_instead_is_legal(name):
    game, rng = get_game(name), Random(3)
    for _ in range(25):
        position, dice, left = endgame(rng), (rng.randint(1, 6),) * 2, some_left_over(game, rng)
        for play in game.judge(position, dice, position).plays:
            assert game.judge(position, dice, after(position, *play)), (position, dice, play)
        for play in game.judge_left_over(position, left, position).plays:
            assert game.judge_left_over(position, left, after(position, *play)), (position, left, play)


@pytest.mark.parametrize("name", [name for name in CHAINED if name != "mad"])
def test_left_over_moves_end_where_the_list_says(name):
    game, rng = get_game(name), Random(2)
    for _ in range(25):
        position, left = endgame(rng), some_left_over(game, rng)
        legal = game.left_over_plays(position, left)
        for end in rng.sample(list(legal.results), min(3, len(legal.results))):
            verdict = game.judge_left_over(position, left, end)
            assert (verdict.kind, set(verdict.endings)) == ("legal", set(legal.endings[end])), (position, left, end)


def test_left_over_moves_that_win_before_their_last_double_are_legal():  # X7 "they may bear off, and win"
    last = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
b12   .   .   .   .   . |   .   .   .  w1   .   .
bar w0 b0  off w14 b3""")
    won = Position((*last.points[:2], 0, *last.points[3:]), (0, 0), (15, 3))
    verdict = get_game("mad-gulbar").judge_left_over(last, LeftOver(4, 1, (5, 6)), won)
    assert (verdict.kind, verdict.plays) == ("legal", (((3, 0),),))
    assert [ending.to_json() for ending in verdict.endings] == [[1, None]]


def test_many_ways_to_bear_off_all_eight_are_no_burden():
    eight = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .  w1   .  w1  w1   . |  w1   .  w1   .  w2  w1
bar w0 b0  off w7 b15""")
    won = Position((0,) * 24, (0, 0), (15, 15))
    verdict = get_game("mad-gulbar").judge_left_over(eight, LeftOver(3, 4, (4, 5, 6)), won)
    assert verdict.kind == "legal"
    assert {ending.played for ending in verdict.endings} == {14, 15, 16}


def test_where_the_search_back_gives_up_it_is_told_what_can_be_reached():
    """The last comes home while three are borne off: so many ways back that 40,000 positions were not enough."""
    compact = board("""
 w1   .   .   .   .   . |   .   .   .   .   .   .
 w1  w1  w1  w1  w2  w1 |  w1  w1  w1  w1   .  w1
bar w0 b0  off w2 b15""")
    end = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |   .  w1  w2  w3  w2  w2
bar w0 b0  off w5 b15""")
    verdict = get_game("mad-gulbar").judge(compact, (3, 3), end)
    assert verdict.kind == "legal"
    assert sum(start - max(to, 0) for start, to in verdict.plays[0]) == 97 - 28


def test_a_progression_that_has_begun_to_bear_off_is_unfinished():  # X9
    thrown = board("""
b10  b1   .   .  w1  w1 |   .   .   .   .  b1  b2
  .   .   .   .   .  w1 |   .  b1  w1  w2  w5  w4
""")
    begun = board("""
b10  b1   .   .   .   . |   .   .   .   .  b1  b2
  .   .   .   .   .   . |   .  b1   .  w1  w6  w5
bar w0 b0  off w3 b0""")
    verdict = get_game("mad-gulbar").judge(thrown, (2, 2), begun)
    assert (verdict.kind, verdict.reasons) == ("incomplete", (Reason.NOT_FULL,))


@pytest.mark.parametrize(("limit", "found"), [(4, True), (3, False)])
def test_what_can_be_reached_is_listed_up_to_a_limit(monkeypatch, limit, found):
    alone = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
b15   .  w1   .   .   . |   .   .   .   .   .   .
""")
    game = get_game("gulbar")
    cells, end = (game.cells(position, "white") for position in (alone, after(alone, (10, 6))))
    monkeypatch.setattr("companion.rules.retrace.REACHABLE", limit)
    # One position after each of the four moves.
    begins = reachable(game.left_over_chain(cells, LeftOver(1, 4)), cells, end)
    assert begins == ([frozenset({cells}), frozenset({end})] if found else None)
