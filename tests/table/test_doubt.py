"""What is misread, or not seen at all, is no accusation and costs no more than one turn."""

from companion.events import Gap, IllegalPlay, PlayMade, Rolled
from companion.observation import Reading
from companion.rules import Position, get_game
from tests.table.seeing import pair
from tests.table.story import Story

LONG = get_game("long")


def after_two_turns() -> tuple[Story, Position]:
    """Long nardy after one play of each; White is on turn."""
    story = Story("long")
    board = LONG.start
    story.show(board)
    for player in ("white", "black"):
        after = story.after(board, player, (24, 18), (18, 17))
        story.show(board, pair((6, 1)))
        story.show(after, pair((6, 1)))
        story.show(after)
        board = after
    return story, board


def last_play(story: Story) -> PlayMade:
    return [event for event in story.events if isinstance(event, PlayMade)][-1]


def test_what_a_play_has_told_of_the_eyes_counts_for_the_roll_that_lies_there_already() -> None:
    story, board = after_two_turns()
    after = story.after(board, "white", (24, 19), (19, 17))
    head = {24: Reading({(4, 0): 0.3, (8, 0): 0.27, (7, 0): 0.16, (6, 0): 0.13})}
    story.show(board, pair((5, 2)))
    story.show(after, pair((4, 3), x=300.0), misread=head)
    assert story.said[-3:] == ["rolled", "play", "rolled"]
    assert last_play(story).board == after.to_json()
    assert story.events[-1].player == "black"


def test_who_can_play_has_played_unless_it_is_clearly_seen_that_nothing_moved() -> None:
    story, board = after_two_turns()
    after = story.after(board, "white", (24, 20), (20, 19))
    unsure = {19: Reading({(0, 0): 0.93, (1, 0): 0.06}), 24: Reading({(14, 0): 0.5, (13, 0): 0.45})}
    story.show(board, pair((4, 1)))
    story.show(after, pair((4, 1)), misread=unsure)
    story.show(after, pair((6, 5), x=300.0), misread=unsure)
    assert last_play(story).board == after.to_json()
    assert "gap" not in story.said
    assert story.events[-1].player == "black"


def test_a_turn_whose_dice_nobody_saw_is_a_gap_from_which_the_game_goes_on() -> None:
    story, board = after_two_turns()
    after = story.after(board, "white", (24, 20), (20, 19))
    story.show(board, seconds=1.0)
    story.hand(board)
    story.show(after, seconds=1.0)
    lying = pair((5, 2), x=300.0)
    story.show(after, lying)
    gap, rolled = story.events[-2:]
    assert isinstance(gap, Gap)
    assert gap.board == after.to_json()
    assert isinstance(rolled, Rolled)
    assert rolled.player is None  # nobody knows how many turns were missed
    then = story.after(after, "black", (24, 19), (19, 17))
    story.show(then, lying)
    story.show(then)
    assert (last_play(story).player, last_play(story).verdict, last_play(story).board) == (
        "black", "legal", then.to_json(),
    )  # fmt: skip


def test_dice_that_were_hardly_read_accuse_nobody_of_a_play_that_looks_misread() -> None:
    for sure, accused in ((0.999, 1), (0.6, 0)):
        story, board = after_two_turns()
        backwards = story.after(board, "white", (17, 22))
        story.show(board, pair((5, 2), sure=sure))
        story.show(backwards, pair((5, 2), sure=sure))
        story.show(backwards, seconds=2.0)
        assert sum(isinstance(event, IllegalPlay) for event in story.events) == accused


def test_dice_by_which_the_opponent_has_moved_were_the_opponents() -> None:
    story, board = after_two_turns()
    both = story.after(story.after(board, "white", (24, 23), (17, 13)), "black", (24, 20), (17, 14))
    lying = pair((4, 3))
    story.show(board, lying)  # Black has thrown: what White did meanwhile was behind a hand
    story.show(both, lying)
    story.show(both, seconds=2.0)
    assert "illegal-play" not in story.said
