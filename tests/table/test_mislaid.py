"""Checkers put on the wrong tray, or on the bar: understood as they were meant, told once, and nobody is accused."""

from dataclasses import replace

import pytest

from companion.events import PlayMade
from companion.rules import Position, get_game
from tests.table.seeing import pair
from tests.table.story import Story

SHORT, LONG = get_game("short"), get_game("long")


def aside(position: Position, player: str, to_tray: int) -> Position:
    """As it lies when so many checkers of the player were put on the tray in place of the bar (below zero: reverse)."""
    bar, off, me = list(position.bar), list(position.off), 0 if player == "white" else 1
    bar[me], off[me] = bar[me] - to_tray, off[me] + to_tray
    return replace(position, bar=(bar[0], bar[1]), off=(off[0], off[1]))


def turn(story: Story, lies: tuple[Position, Position], dice: tuple[int, int], hurried: bool = False) -> None:
    """A turn, from and to what lies on the table."""
    story.show(lies[0], pair(dice))
    story.hand(lies[0], pair(dice))
    story.show(lies[1], pair(dice))
    story.hand(lies[1])
    if not hurried:
        story.show(lies[1], seconds=2.0)


def told(story: Story) -> int:
    return [status.message for status in story.statuses].count("mislaid")


def plays(story: Story) -> list[tuple[str | None, str, str]]:
    return [(e.player, e.play, e.verdict) for e in story.events if isinstance(e, PlayMade)]


def hit(story: Story) -> tuple[Position, Position]:
    """Black leaves a blot on White's 5 (its own 20), and White hits it: the position, and how it lies on the table."""
    story.show(SHORT.start)
    blot = story.after(SHORT.start, "black", (24, 20), (24, 23))
    turn(story, (SHORT.start, blot), (4, 1))
    after = story.after(blot, "white", (8, 5), (6, 5))
    points = list(after.points)
    points[4] = 2  # not one white beside one black
    after = Position(tuple(points), (0, 1), (0, 0))
    lies = aside(after, "black", 1)
    turn(story, (blot, lies), (3, 1))
    return after, lies


@pytest.mark.parametrize("off_seen", [False, True])
def test_a_hit_checker_on_the_tray_is_on_the_bar_and_enters_from_there(off_seen: bool) -> None:
    story = Story("short", off_seen=off_seen)
    after, lies = hit(story)
    assert plays(story)[-1] == ("white", "8/5* 6/5", "legal")
    assert story.table.state.position == after
    assert told(story) == 1
    entered = story.after(after, "black", (25, 22), (23, 21))
    turn(story, (lies, entered), (3, 2))
    assert plays(story)[-1] == ("black", "bar/22 23/21", "legal")
    assert "illegal-play" not in story.said
    assert "gap" not in story.said
    assert told(story) == 1


@pytest.mark.parametrize("off_seen", [False, True])
def test_who_moves_another_checker_while_the_hit_one_lies_on_the_tray_is_told_to_enter(off_seen: bool) -> None:
    story = Story("short", off_seen=off_seen)
    _, lies = hit(story)
    turn(story, (lies, story.after(lies, "black", (13, 10), (13, 11))), (3, 2))
    noticed = story.events[-1].to_json()
    assert noticed["event"] == "illegal-play"
    assert noticed["reasons"][0] == "bar-first"


def home(game: str, white: int) -> Position:
    """White has so many checkers left at home, Black waits far away."""
    points = [0] * 24
    points[0], points[1] = white - 2, 2
    points[12 if game == "long" else 21] = -14
    return Position(tuple(points), (0, 0), (15 - white, 1))


@pytest.mark.parametrize("off_seen", [False, True])
@pytest.mark.parametrize("game", ["short", "long"])
def test_checkers_that_are_borne_off_onto_the_bar_are_off(game: str, off_seen: bool) -> None:
    board = home(game, 8)
    story = Story(game, start=board, off_seen=off_seen)
    story.show(board)
    after = story.after(board, "white", (2, 0), (1, 0))
    turn(story, (board, aside(after, "white", -2)), (2, 1))
    assert plays(story) == [("white", "2/off 1/off", "legal")]
    assert story.table.state.position == after
    assert told(story) == 1
    story.show(after, seconds=1.0)  # they are put where they belong
    assert not story.table.state.mislaid
    assert "illegal-play" not in story.said


def test_a_checker_that_lies_where_it_belongs_is_nothing_to_tell() -> None:
    story = Story("short")
    story.show(SHORT.start)
    blot = story.after(SHORT.start, "black", (24, 20), (24, 23))
    turn(story, (SHORT.start, blot), (4, 1))
    points = list(story.after(blot, "white", (8, 5), (6, 5)).points)
    points[4] = 2
    turn(story, (blot, Position(tuple(points), (0, 1), (0, 0))), (3, 1))
    assert plays(story)[-1][1:] == ("8/5* 6/5", "legal")
    assert told(story) == 0
