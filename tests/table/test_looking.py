"""Where the table wants to look closer: at dice that lie still and cannot be read."""

from companion.rules import get_game
from tests.table.seeing import die, pair
from tests.table.story import Story

LONG = get_game("long")
UNSURE = {"sure": 0.6}


def regions(story: Story) -> list[tuple[float, float]]:
    """The middles of what is wanted."""
    return [(x + w / 2, y + h / 2) for x, y, w, h in story.table.attention().regions]


def opened() -> Story:
    story = Story()
    story.show(LONG.start)
    return story


def test_dice_that_cannot_be_read_are_looked_at_with_what_is_around_them() -> None:
    story = opened()
    story.show(LONG.start, pair((5, 2), **UNSURE))
    assert regions(story) == [(609.0, 409.0), (669.0, 409.0)]
    assert [box[2:] for box in story.table.attention().regions] == [(54.0, 54.0)] * 2


def test_only_the_one_that_is_not_sure_is_looked_at() -> None:
    story = opened()
    story.show(LONG.start, (die(6, 600.0), die(1, 660.0, **UNSURE)))
    assert regions(story) == [(669.0, 409.0)]


def test_nothing_is_wanted_of_dice_that_were_read_nor_of_a_roll_that_was_told() -> None:
    story = opened()
    story.show(LONG.start, pair((6, 1)))
    assert regions(story) == []
    assert "rolled" in story.said
    story.show(LONG.start, pair((6, 1), **UNSURE))
    assert regions(story) == []


def test_nothing_is_wanted_while_a_hand_is_there_or_before_the_game() -> None:
    story = opened()
    story.show(LONG.start, pair((5, 2), **UNSURE))
    story.hand(LONG.start)
    assert regions(story) == []
    early = Story()
    early.show(story.after(LONG.start, "white", (24, 18)), pair((5, 2), **UNSURE))
    assert regions(early) == []


def test_what_only_looks_like_a_die_is_not_looked_at() -> None:
    story = Story()
    story.show(LONG.start, (die(4, 300.0, 200.0, **UNSURE),))
    story.show(LONG.start)
    story.show(LONG.start, (die(4, 300.0, 200.0, **UNSURE),), seconds=0.5)
    assert story.table.state.clutter
    assert regions(story) == []


def test_a_roll_becomes_known_when_its_dice_are_read_at_last() -> None:
    story = opened()
    story.show(LONG.start, pair((5, 2), **UNSURE), seconds=1.5)
    assert "rolled" not in story.said
    story.show(LONG.start, pair((5, 2)), seconds=1.5)
    assert [(event.name, event.dice) for event in story.events if event.name == "rolled"] == [("rolled", (5, 2))]
