"""Which rolls must be thrown again, and why, under each house rule (D1)."""

from collections.abc import Sequence

import pytest

from companion.events import PlayMade, Rolled, VoidRoll
from companion.layout import Layout, Player
from companion.observation import SeenDie
from companion.rules import Position, get_game
from companion.table.dice import void_because
from tests.table.seeing import die, pair
from tests.table.story import Story

LONG = get_game("long")
LAYOUT = Layout("BR", same_way=True)


def thrown(what: str) -> tuple[SeenDie, SeenDie]:
    """Two dice on the right half, but for what is said of one of them."""
    good = die(5)
    bad = {
        "cocked": die(2, 660.0, cocked=0.9),
        "on-checker": die(2, 660.0, cocked=0.9, on_checker=0.9),
        "rim": die(2, 660.0, place="rim"),
        "bar": die(2, 660.0, place="bar"),
        "outside": die(2, 660.0, place="outside"),
        "split": die(2, 300.0, place="left"),
        "flat": die(2, 660.0),
    }
    return good, bad[what]


def why(dice: Sequence[SeenDie], player: Player | None = "white", **options: str) -> str | None:
    return void_because(dice, get_game("long", options).options, LAYOUT, player)


STRICT = {"cocked": "cocked", "on-checker": "on-checker", "rim": "rim", "bar": "rim", "outside": "outside",
          "split": "split", "flat": None}  # fmt: skip


@pytest.mark.parametrize("what", STRICT)
def test_a_void_roll_tells_why_as_far_as_the_house_rule_goes(what: str) -> None:
    dice = thrown(what)
    assert why(dice) == STRICT[what]
    assert why(dice, void_rolls="cocked") == (what if what in ("cocked", "on-checker") else None)
    assert why(dice, void_rolls="off") is None


@pytest.mark.parametrize("what", ["split", "flat"])
def test_where_any_half_will_do_the_dice_may_lie_in_two(what: str) -> None:
    assert why(thrown(what), roll_area="any") is None


def test_where_the_own_right_half_was_agreed_upon_the_other_one_is_outside() -> None:
    right, left = pair((5, 2)), pair((5, 2), x=200.0, place="left")
    for player, good, bad in (("white", right, left), ("black", left, right)):
        assert why(good, player, roll_area="own-right") is None  # type: ignore[arg-type]
        assert why(bad, player, roll_area="own-right") == "outside"  # type: ignore[arg-type]
    assert why(thrown("split"), roll_area="own-right") == "split"
    assert why(left, None, roll_area="own-right") is None  # nobody knows yet whose right it is


def started(**options: str) -> tuple[Story, Position]:
    """A game in which White has played."""
    story = Story("long", options=options)
    story.show(LONG.start)
    after = story.after(LONG.start, "white", (24, 18), (18, 17))
    story.show(LONG.start, pair((6, 1)))
    story.show(after, pair((6, 1)))
    story.show(after)
    return story, after


@pytest.mark.parametrize("what", ["cocked", "on-checker", "rim", "outside", "split"])
def test_a_void_roll_is_told_with_its_reason_and_thrown_again(what: str) -> None:
    story, board = started()
    story.show(board, thrown(what))
    story.hand(board)
    story.show(board)
    story.show(board, pair((4, 3), x=200.0))
    void, rolled = story.events[-2:]
    assert isinstance(void, VoidRoll)
    assert (void.why, void.player, sorted(void.dice or ())) == (what, "black", [2, 5])
    assert isinstance(rolled, Rolled)
    assert (rolled.player, sorted(rolled.dice or ())) == ("black", [3, 4])


@pytest.mark.parametrize("what", ["rim", "outside", "split"])
def test_in_friendly_games_it_counts(what: str) -> None:
    story, board = started(void_rolls="cocked")
    after = story.after(board, "black", (24, 19), (19, 17))
    for position, dice in ((board, thrown(what)), (after, thrown(what)), (after, ())):
        story.show(position, dice)
    assert story.said[-2:] == ["rolled", "play"]
    last = story.events[-1]
    assert isinstance(last, PlayMade)
    assert (last.player, last.verdict) == ("black", "legal")
