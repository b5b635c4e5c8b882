"""Ways cut into moves: what is laid cleverly is what trying every move says."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.position import HEAD
from companion.rules.tiling import Tiles, can_be_counted

few = settings(max_examples=150, deadline=None, derandomize=True, database=None)


def cut(way, left, start, heads):
    """Whether the moves ``left`` (pips, how many) make up the way, when at most ``heads`` of each leave the head."""
    begin = max((boundary + 1 for boundary, passed in enumerate(way) if passed), default=0)
    if not begin:
        return not any(count for _, count in left)
    for index, (die, count) in enumerate(left):
        end = begin - die
        if not count or end < 1 or start[end] < 0 or start[begin] < 0 or min(way[end:begin]) < 1:
            continue
        if begin == HEAD and not heads[index]:
            continue
        rest = [n - (end <= boundary < begin) for boundary, n in enumerate(way)]
        fewer = [(d, n - (i == index)) for i, (d, n) in enumerate(left)]
        if cut(rest, fewer, start, [h - (i == index and begin == HEAD) for i, h in enumerate(heads)]):
            return True
    return False


def some_way(rng, start, doubles):
    """The way of random moves of the doubles; now and then one boundary is passed once more."""
    way = [0] * 26
    for die in (die for double in doubles for die in double):
        ends = [end for end in range(1, HEAD + 1 - die) if start[end] >= 0 and start[end + die] >= 0]
        end = rng.choice(ends or [1])
        for boundary in range(end, end + die):
            way[boundary] += 1
    if rng.random() < 0.4:
        way[rng.randrange(1, HEAD)] += 1
    return way


@few
@given(st.integers(0, 10_000))
def test_a_way_is_cut_exactly_when_some_moves_make_it_up(seed):
    rng = Random(seed)
    start = tuple(rng.choice((0, 0, 1, -1, -2)) for _ in range(26))
    doubles = tuple((die,) * rng.randint(1, 3) for die in rng.sample(range(1, 7), rng.randint(1, 3)))
    heads = tuple(rng.choice((0, 1, 15)) for _ in doubles)
    tiles = Tiles(start, tuple(sorted(doubles)), heads)
    for number in (len(doubles), rng.randint(1, len(doubles))):
        way = some_way(rng, start, sorted(doubles)[:number])
        left = [(double[0], len(double)) for double in sorted(doubles)[:number]]
        assert tiles.can_be_cut(way, number) == cut(way, left, start, heads)


@few
@given(st.integers(0, 10_000))
def test_what_moves_make_up_passes_the_count(seed):
    rng = Random(seed)
    doubles = tuple((die,) * 4 for die in range(rng.randint(1, 6), 7))
    way = [0] * 26
    for die in (die for double in doubles for die in double):
        end = rng.randrange(1, HEAD + 1 - die)
        for boundary in range(end, end + die):
            way[boundary] += 1
    assert can_be_counted(way, doubles)


def test_the_count_refuses_what_no_moves_make_up():
    twos = ((2,) * 4,)
    assert can_be_counted([0, *[4] * 2, *[0] * 23], twos)
    assert not can_be_counted([0, 5, 3, *[0] * 23], twos)  # a two passes one odd and one even boundary
    assert not can_be_counted([0, *[3] * 2, *[0] * 23], twos)
    assert not can_be_counted([0, *[5] * 2, *[0] * 23], twos)
    threes = ((3,) * 4,)
    assert can_be_counted([0, *[4] * 3, *[0] * 22], threes)
    assert not can_be_counted([0, 4, 3, 5, *[0] * 22], threes)
    assert not can_be_counted([0, 8, 2, 2, *[0] * 22], threes)


def test_opponents_close_points_and_heads_are_counted():
    open_points = (0,) * 26
    way = [*[0] * 18, *[1] * 6, 0, 0]  # one checker from the head to 18
    assert Tiles(open_points, ((3, 3),), (1,)).can_be_cut(way, 1)
    assert not Tiles(open_points, ((3, 3),), (0,)).can_be_cut(way, 1)
    one_black = (*open_points[:21], -1, *open_points[22:])
    assert not Tiles(one_black, ((3, 3),), (1,)).can_be_cut(way, 1)
    assert not Tiles(open_points, ((3, 3, 3),), (1,)).can_be_cut(way, 1)
