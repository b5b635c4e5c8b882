"""What becomes of an illegal play that was noticed: put right, chosen by the opponent, or open until accepted."""

import pytest

from companion.events import Gap, IllegalPlay, PlayMade
from companion.inputs import InputKind
from companion.rules import Position, get_game
from companion.table import Phase, TableSettings
from companion.table.settings import Policy
from tests.table.seeing import pair
from tests.table.story import Story

LONG = get_game("long")
POLICIES: tuple[Policy, ...] = ("legal", "responsible", "demand")


def noticed(policy: Policy) -> tuple[Story, Position, Position]:
    """White took two checkers from the head with 5-2, and lifted the dice; the positions before and after."""
    story = Story("long", settings=TableSettings(policy=policy))
    story.show(LONG.start)
    board = story.turn(LONG.start, (6, 1), "white", (24, 18), (18, 17))
    board = story.turn(board, (6, 1), "black", (24, 18), (18, 17))
    wrong = story.turn(board, (5, 2), "white", (24, 19), (24, 22))
    assert story.said[-1] == "illegal-play"
    return story, board, wrong


def stood(story: Story) -> bool:
    """Whether the illegal play was accepted."""
    return any(isinstance(event, PlayMade) and event.verdict == "illegal" for event in story.events)


@pytest.mark.parametrize("kind", [InputKind.ACCEPT, InputKind.END_TURN])
@pytest.mark.parametrize("side", ["black", None])
def test_the_button_accepts_an_illegal_play_only_where_it_need_not_be_put_right(
    kind: InputKind, side: str | None
) -> None:
    accepted = {}
    for policy in POLICIES:
        story, _, wrong = noticed(policy)
        story.press(kind, side)
        story.show(wrong, seconds=0.5)
        accepted[policy] = stood(story)
        assert ("must-correct" in [status.message for status in story.statuses]) == (policy == "legal")
    assert accepted == {"legal": False, "responsible": True, "demand": True}


@pytest.mark.parametrize("policy", POLICIES)
def test_who_made_an_illegal_play_cannot_accept_it(policy: Policy) -> None:
    story, _, wrong = noticed(policy)
    story.press(InputKind.ACCEPT, "white")
    story.press(InputKind.END_TURN, "white")
    story.show(wrong, seconds=1.0)
    assert not stood(story)
    assert story.table.state.phase is Phase.ILLEGAL


def test_the_roll_of_the_opponent_accepts_unless_only_the_button_does() -> None:
    accepted = {}
    for policy in POLICIES:
        story, _, wrong = noticed(policy)
        story.show(wrong, pair((3, 1), x=300.0))
        accepted[policy] = stood(story)
    assert accepted == {"legal": True, "responsible": True, "demand": False}


def test_so_does_the_double_of_the_opponent() -> None:
    accepted = {}
    for policy in POLICIES:
        story, _, wrong = noticed(policy)
        story.press(InputKind.DOUBLE, "black")
        story.show(wrong, seconds=0.5)
        accepted[policy] = stood(story)
    assert accepted == {"legal": True, "responsible": True, "demand": False}


@pytest.mark.parametrize("policy", POLICIES)
def test_it_can_be_put_right_under_every_policy(policy: Policy) -> None:
    story, before, wrong = noticed(policy)
    right = story.after(before, "white", (24, 19), (19, 17))
    story.hand(wrong)
    story.show(right, seconds=1.0)
    assert not stood(story)
    last = story.events[-1]
    assert isinstance(last, PlayMade)
    assert (last.verdict, last.board) == ("legal", right.to_json())


@pytest.mark.parametrize("policy", ["legal", "responsible"])
def test_what_was_put_right_while_the_dice_lay_does_not_stand_when_the_opponent_rolls(policy: Policy) -> None:
    story, before, wrong = noticed(policy)
    right = story.after(before, "white", (24, 19), (19, 17))
    story.show(wrong, pair((5, 2)))
    story.show(right, pair((5, 2)))
    story.show(right, pair((3, 1), x=300.0))
    assert not stood(story)
    assert story.said[-2:] == ["play", "rolled"]


def test_an_illegal_play_that_a_button_ended_is_put_right_while_the_dice_still_lie() -> None:
    story = Story("long")
    story.show(LONG.start)
    board = story.turn(LONG.start, (6, 1), "white", (24, 18), (18, 17))
    board = story.turn(board, (6, 1), "black", (24, 18), (18, 17))
    wrong = story.after(board, "white", (24, 19), (24, 22))
    right = story.after(board, "white", (24, 19), (19, 17))
    story.show(board, pair((5, 2)))
    story.show(wrong, pair((5, 2)))
    story.press(InputKind.END_TURN, "white")
    story.show(wrong, pair((5, 2)), seconds=1.0)
    assert story.said[-1] == "illegal-play"
    story.show(right, pair((5, 2)), seconds=1.0)
    assert story.said[-1] == "play"
    assert not stood(story)
    story.show(right, pair((3, 1), x=300.0))
    assert story.said[-1] == "rolled"


def test_where_only_the_button_accepts_and_the_opponent_plays_on_without_it_the_position_is_asked_for() -> None:
    story, _, wrong = noticed("demand")
    lying = pair((3, 1), x=300.0)
    after = story.after(wrong, "black", (24, 21), (21, 20))
    story.show(wrong, lying)
    story.show(after, lying)
    story.show(after, seconds=6.0)
    assert story.table.state.phase is Phase.LOST
    story.turn(after, (6, 2), "white", (17, 11), (17, 15))
    assert sum(isinstance(event, Gap) for event in story.events) == 1
    assert not stood(story)
    assert sum(isinstance(event, IllegalPlay) for event in story.events) == 1
