"""What the table says to stories that happen at real tables (design.md §3–4)."""

import json

import pytest

from companion.events import CubeAction, Event, GameWon, Gap, IllegalPlay, PlayMade, Rolled, VoidRoll
from companion.inputs import InputKind
from companion.layout import CORNERS
from companion.rules import Position, get_game
from companion.table import TRANSITIONS, Phase, TableSettings
from tests.table.seeing import pair
from tests.table.story import Story

LONG, SHORT = get_game("long"), get_game("short")


def opened(game: str = "long", **more: object) -> Story:
    """A story whose start position has been seen."""
    story = Story(game, **more)  # type: ignore[arg-type]
    story.show(story.game.start, seconds=0.8)
    return story


def turn(story: Story, before: Position, dice: tuple[int, int], player: str, *moves: tuple[int, int]) -> Position:
    """A whole turn: rolled, played while a hand is over the board, dice lifted."""
    lying = pair(dice)
    story.show(before, lying)
    after = story.after(before, player, *moves)
    story.hand(before, lying)
    story.show(after, lying)
    story.hand(after)
    story.show(after)
    return after


def test_the_start_position_tells_which_way_round_the_board_is_used() -> None:
    for game in ("long", "short"):
        for home in CORNERS:
            story = opened(game, home=home, known=False)
            assert story.said == ["start"]
            assert story.table.layout == story.layout


def test_a_board_that_is_no_start_position_starts_nothing() -> None:
    story = Story("long", known=False)
    story.show(story.after(LONG.start, "white", (24, 18)), seconds=2.0)
    assert story.said == []
    assert story.table.state.phase is Phase.SETUP


def test_who_moves_first_is_the_starter_and_then_the_turns_alternate() -> None:
    story = opened()
    board = turn(story, LONG.start, (6, 1), "black", (24, 18), (18, 17))
    turn(story, board, (5, 2), "white", (24, 19), (19, 17))
    rolls = [e for e in story.events if isinstance(e, Rolled)]
    plays = [e for e in story.events if isinstance(e, PlayMade)]
    assert [roll.player for roll in rolls] == [None, "white"]
    assert [(p.player, p.play, p.verdict) for p in plays] == [
        ("black", "24/18 18/17", "legal"),
        ("white", "24/19 19/17", "legal"),
    ]
    assert plays[1].board["points"][16] == 1


def test_nothing_is_said_of_an_illegal_position_while_the_dice_lie() -> None:
    story = opened()
    board = turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    board = turn(story, board, (6, 1), "black", (24, 18), (18, 17))
    lying = pair((5, 2))
    story.show(board, lying)
    story.show(story.after(board, "white", (24, 19), (24, 22)), lying, seconds=3.0)
    story.show(board, lying)
    story.show(story.after(board, "white", (24, 19), (19, 17)), lying)
    story.show(story.after(board, "white", (24, 19), (19, 17)))
    assert story.said == ["start", "rolled", "play", "rolled", "play", "rolled", "play"]
    assert all(e.verdict == "legal" for e in story.events if isinstance(e, PlayMade))


def two_from_the_head(story: Story) -> tuple[Position, Position]:
    """White, on the second turn, takes two checkers from the head and lifts the dice."""
    board = turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    board = turn(story, board, (6, 1), "black", (24, 18), (18, 17))
    return board, turn(story, board, (5, 2), "white", (24, 19), (24, 22))


def test_how_a_turn_was_seen_is_kept_with_its_play() -> None:
    story = opened(sure=0.9)
    story.show(LONG.start, pair((6, 1), sure=0.9), seconds=2.0)
    after = story.after(LONG.start, "white", (24, 18), (18, 17))
    story.show(after, pair((6, 1), sure=0.9), seconds=2.0)
    lifted_at = story.t
    story.show(after, seconds=2.0)
    (seen,) = story.turns
    play = next(e for e in story.events if isinstance(e, PlayMade))
    assert (seen.player, seen.dice, seen.by) == (play.player, play.dice, "dice")
    assert seen.sure[0] == pytest.approx(0.9 * 0.99, abs=1e-3)
    assert seen.rolled_s is not None
    assert seen.moved_s is not None
    assert seen.lifted_s is not None
    assert 0 < seen.rolled_s < seen.moved_s < lifted_at < seen.lifted_s <= seen.t
    behind = [reading[-1] for reading in seen.others]
    assert 0 < len(behind) <= 4
    assert behind == sorted(behind)
    assert all(b >= 0 for b in behind)
    assert Event.from_json(json.loads(json.dumps(seen.to_json()))) == seen


def test_what_made_a_turn_final_is_kept_with_it() -> None:
    story = opened(settings=TableSettings(policy="demand"))
    _, illegal = two_from_the_head(story)
    story.press(InputKind.ACCEPT, "black")
    story.show(illegal, pair((3, 1)))
    assert [seen.by for seen in story.turns] == ["dice", "dice", "button"]


def test_an_illegal_play_is_noticed_once_when_the_dice_are_lifted() -> None:
    story = opened()
    two_from_the_head(story)
    noticed = [e for e in story.events if isinstance(e, IllegalPlay)]
    assert len(noticed) == 1
    assert noticed[0].player == "white"
    assert noticed[0].reasons[0] == "head"
    assert 24 in noticed[0].points
    assert story.table.state.phase is Phase.ILLEGAL


def test_an_illegal_play_that_is_taken_back_with_the_dice_put_back_is_played_anew() -> None:
    story = opened()
    before, _ = two_from_the_head(story)
    story.hand(before, pair((5, 2)))
    turn(story, before, (5, 2), "white", (24, 19), (19, 17))
    assert story.said[-3:] == ["illegal-play", "taken-back", "play"]
    last = story.events[-1]
    assert isinstance(last, PlayMade)
    assert (last.play, last.verdict) == ("24/19 19/17", "legal")


def test_an_illegal_play_is_corrected_without_the_dice() -> None:
    story = opened()
    before, _ = two_from_the_head(story)
    story.hand(before)
    story.show(before, seconds=2.0)
    story.show(story.after(before, "white", (24, 19), (19, 17)), seconds=1.0)
    assert story.said[-3:] == ["illegal-play", "taken-back", "play"]


def test_an_illegal_play_stands_when_the_opponent_rolls() -> None:
    story = opened()
    _, illegal = two_from_the_head(story)
    story.show(illegal, pair((3, 1)))
    stood = [e for e in story.events if isinstance(e, PlayMade)][-1]
    assert (stood.player, stood.verdict, stood.dice) == ("white", "illegal", (5, 2))
    assert stood.reasons[0] == "head"
    assert stood.board == illegal.to_json()
    assert story.said[-1] == "rolled"
    assert story.events[-1].player == "black"


def test_where_only_the_button_accepts_the_roll_that_lies_counts_once_it_is_pressed() -> None:
    story = opened(settings=TableSettings(policy="demand"))
    _, illegal = two_from_the_head(story)
    story.show(illegal, pair((3, 1)))
    assert story.said[-1] == "illegal-play"
    story.press(InputKind.ACCEPT, "black")
    story.show(illegal, pair((3, 1)))
    assert story.said[-2:] == ["play", "rolled"]


def test_dice_of_the_same_values_are_the_opponents_when_the_opponent_plays_them() -> None:
    story = opened()
    _, illegal = two_from_the_head(story)
    turn(story, illegal, (5, 2), "black", (24, 19), (19, 17))
    plays = [(e.player, e.verdict) for e in story.events if isinstance(e, PlayMade)]
    assert plays[-2:] == [("white", "illegal"), ("black", "legal")]


def test_a_checker_on_a_closed_point_is_seen_as_two_colours_and_called_a_blocked_point() -> None:
    story = opened()
    board = turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    lying = pair((6, 6), x=300.0)
    story.show(board, lying)
    held = story.after(board, "black", (24, 18))
    story.show(held, lying)
    # Black's 24 is White's 12; onto White's head (Black's 12) with a 6-6 that can only go twelve points
    mixed = {24: (14, 1)}
    landed = story.after(board, "black", (24, 18))
    without = Position(tuple(n + (1 if i == 5 else 0) for i, n in enumerate(landed.points)), (0, 0), (0, 0))
    story.show(without, lying, mixed=mixed)
    story.hand(without)
    story.show(without, mixed=mixed, seconds=1.0)
    noticed = [e for e in story.events if isinstance(e, IllegalPlay)]
    assert noticed
    assert noticed[0].reasons[0] == "blocked-point"
    assert noticed[0].points == (12,)


def test_a_cocked_roll_is_void_and_thrown_again_without_an_accusation() -> None:
    story = opened()
    story.show(LONG.start, pair((4, 2), cocked=0.95))
    story.hand(LONG.start)
    story.show(LONG.start)
    turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    assert story.said == ["start", "void-roll", "rolled", "play"]
    void = story.events[1]
    assert isinstance(void, VoidRoll)
    assert (void.why, sorted(void.dice or ())) == ("cocked", [2, 4])


def test_a_void_roll_that_both_play_on_counts() -> None:
    story = opened()
    board = turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    split = (*pair((5, 2))[:1], *pair((5, 2), place="left")[1:])
    story.show(board, split)
    after = story.after(board, "black", (24, 19), (19, 17))
    story.show(after, split)
    story.hand(after)
    story.show(after)
    assert story.said[3:] == ["void-roll", "rolled", "play"]


def test_dice_in_both_halves_are_an_opening_throw_before_anybody_has_played() -> None:
    story = opened("short")
    story.show(SHORT.start, (*pair((5, 2))[:1], *pair((5, 2), place="left")[1:]))
    assert story.said == ["start", "rolled"]


def test_a_turn_without_a_legal_move_passes() -> None:
    # White's last checkers wait on the bar before six closed points.
    points = [0] * 24
    points[18:24] = [-2] * 6
    points[0:3] = [5, 5, 3]
    points[12] = -3
    board = Position(tuple(points), (2, 0), (0, 0))
    story = Story("short", start=board)
    story.show(board)
    # a start in the middle does not say whose turn it is; Black moves first
    after = turn(story, board, (2, 1), "black", (12, 10), (10, 9))
    lying = pair((6, 5))
    story.show(after, lying)
    story.hand(after)
    story.show(after)
    last = story.events[-1]
    assert isinstance(last, PlayMade)
    assert (last.player, last.play, last.verdict) == ("white", "", "legal")


def test_a_nudge_that_leaves_every_checker_on_its_point_is_nothing() -> None:
    story = opened()
    story.hand(LONG.start)
    story.show(LONG.start)
    assert story.said == ["start"]


def test_passing_although_a_move_was_possible_is_noticed_but_not_at_once() -> None:
    story, board = after_two_turns()
    said = [*story.said, "rolled"]
    story.show(board, pair((6, 1)))
    story.hand(board)
    story.show(board, seconds=0.7)
    assert story.said == said
    story.show(board, seconds=1.5)
    noticed = story.events[-1]
    assert isinstance(noticed, IllegalPlay)
    assert noticed.reasons[0] == "passed-but-could-move"


def test_dice_thrown_for_the_start_and_lifted_again_are_no_pass() -> None:
    story = opened("long")
    each = (*pair((5, 2))[:1], *pair((5, 2), place="left")[1:])
    story.show(LONG.start, each)
    story.hand(LONG.start)
    story.show(LONG.start, seconds=3.0)
    assert story.said == ["start"]
    turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    assert story.said == ["start", "rolled", "play"]


def test_a_tie_for_the_start_of_a_short_game_is_no_roll() -> None:
    story = opened("short")
    story.show(SHORT.start, (*pair((4, 4))[:1], *pair((4, 4), place="left")[1:]))
    story.hand(SHORT.start)
    story.show(SHORT.start, seconds=2.0)
    story.show(SHORT.start, (*pair((5, 2))[:1], *pair((5, 2), place="left")[1:]))
    assert story.said == ["start", "rolled"]


def test_dice_put_back_after_a_turn_was_left_unplayed_are_the_old_roll() -> None:
    story, board = after_two_turns()
    story.show(board, pair((6, 2)))
    story.hand(board)
    story.show(board, seconds=2.5)
    assert story.said[-1] == "illegal-play"
    turn(story, board, (6, 2), "white", (24, 18), (18, 16))
    assert story.said[-2:] == ["taken-back", "play"]


def test_two_turns_that_nobody_saw_after_an_illegal_play_are_a_gap_and_no_accusation() -> None:
    story = opened()
    _, wrong = two_from_the_head(story)
    said = len(story.said)
    moved = story.after(story.after(wrong, "black", (17, 12), (12, 9)), "white", (22, 16), (19, 14))
    story.hand(wrong, seconds=6.0)
    story.show(moved, seconds=6.0)
    story.show(moved, pair((3, 1), x=300.0))
    assert "illegal-play" not in story.said[said:]
    assert story.said[-2:] == ["gap", "rolled"]


def test_the_opponent_who_moves_before_a_picture_without_dice_does_not_make_the_play_illegal() -> None:
    story, board = after_two_turns()
    lying = pair((5, 2))
    story.show(board, lying)
    after = story.after(board, "white", (24, 19), (19, 17))
    story.show(after, lying)
    story.hand(after)
    story.show(story.after(after, "black", (24, 20)), seconds=1.0)
    last = story.events[-1]
    assert isinstance(last, PlayMade)
    assert (last.player, last.verdict, last.board) == ("white", "legal", after.to_json())


def test_the_button_ends_a_turn_while_the_dice_still_lie_and_they_are_not_a_new_roll() -> None:
    story = opened()
    lying = pair((6, 1))
    story.show(LONG.start, lying)
    after = story.after(LONG.start, "white", (24, 18), (18, 17))
    story.show(after, lying)
    story.press(InputKind.END_TURN, "white")
    story.show(after, lying, seconds=2.0)
    assert story.said == ["start", "rolled", "play"]
    story.show(after, pair((4, 3), x=300.0))
    assert story.said == ["start", "rolled", "play", "rolled"]


def test_fast_players_who_never_leave_the_board_without_dice_are_followed() -> None:
    story = opened()
    after = story.after(LONG.start, "white", (24, 18), (18, 17))
    story.show(LONG.start, pair((6, 1)))
    story.show(after, pair((6, 1)))
    story.show(after, pair((4, 3), x=300.0))
    assert story.said == ["start", "rolled", "play", "rolled"]
    assert story.events[-1].player == "black"


def test_the_winner_of_a_game_gets_its_points_and_the_next_game_begins() -> None:
    points = [0] * 24
    points[0], points[23] = 1, -14
    board = Position(tuple(points), (0, 0), (14, 1))
    story = Story("short", start=board)
    story.show(board)
    turn(story, board, (2, 1), "white", (1, 0))
    won = story.events[-1]
    assert isinstance(won, GameWon)
    assert (won.winner, won.outcome, won.points, won.score) == ("white", "single", 1, {"white": 1, "black": 0})
    story.show(SHORT.start)
    assert story.said[-1] == "start"
    assert story.events[-1].to_json()["number"] == 2


def test_a_board_that_changes_without_dice_is_lost_and_confirmed_by_the_button_with_a_gap() -> None:
    story = opened()
    board = turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    strange = story.after(board, "black", (24, 20), (24, 15))
    story.show(strange, seconds=6.0)
    assert story.table.state.phase is Phase.LOST
    assert "gap" not in story.said
    story.press(InputKind.CONFIRM)
    story.show(strange, seconds=0.5)
    gap = story.events[-1]
    assert isinstance(gap, Gap)
    assert gap.board == strange.to_json()
    assert story.table.state.phase is Phase.WAITING_FOR_ROLL


def test_a_lost_table_goes_on_by_itself_when_the_next_dice_lie() -> None:
    story = opened()
    board = turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    strange = story.after(board, "black", (24, 20), (20, 18))
    story.show(strange, seconds=6.0)
    turn(story, strange, (5, 2), "white", (24, 19), (19, 17))
    assert story.said[-3:] == ["gap", "rolled", "play"]


def test_a_hand_that_stays_over_the_board_makes_the_table_blind_until_it_leaves() -> None:
    story = opened()
    story.show(LONG.start, pair((6, 1)))
    story.hand(LONG.start, seconds=7.0)
    assert story.table.state.phase is Phase.BLIND
    story.show(story.after(LONG.start, "white", (24, 18), (18, 17)))
    assert story.said == ["start", "rolled", "play"]


def test_a_slot_that_is_always_misread_leads_to_no_accusation() -> None:
    # The head with fifteen checkers looks like thirteen, from the first picture to the last.
    story = Story("long")
    head = {24: (13, 0)}
    story.show(LONG.start, mixed=head)
    story.show(LONG.start, pair((6, 1)), mixed=head)
    after = story.after(LONG.start, "black", (24, 18), (18, 17))
    story.show(after, pair((6, 1)), mixed=head)
    story.show(after, mixed=head, seconds=2.0)
    assert story.said == ["start", "rolled", "play"]


def test_a_bumped_board_is_reported_once() -> None:
    story = opened()
    story.show(LONG.start, residual_px=9.0)
    assert [e.to_json()["residual_px"] for e in story.events if e.name == "board-moved"] == [9.0]


def after_two_turns() -> tuple[Story, Position]:
    """Long nardy after one play of each; White is on turn."""
    story = opened()
    board = turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    board = turn(story, board, (6, 1), "black", (24, 18), (18, 17))
    return story, board


def cube_of(story: Story) -> list[tuple[str, str, int, str | None]]:
    return [(e.player or "", e.action, e.value, e.owner) for e in story.events if isinstance(e, CubeAction)]


def test_a_double_is_offered_and_taken_with_the_buttons() -> None:
    story, board = after_two_turns()
    story.press(InputKind.DOUBLE, "white")
    story.show(board, seconds=0.5)
    assert story.table.state.phase is Phase.CUBE_OFFERED
    story.press(InputKind.TAKE, "black")
    story.show(board, seconds=0.5)
    assert cube_of(story) == [("white", "double", 2, None), ("black", "take", 2, "black")]
    assert story.table.state.phase is Phase.WAITING_FOR_ROLL


def test_a_dropped_double_ends_the_game_for_the_value_before_it() -> None:
    story, board = after_two_turns()
    story.press(InputKind.DOUBLE, "white")
    story.show(board, seconds=0.3)
    story.press(InputKind.DROP, "black")
    story.show(board, seconds=0.3)
    won = story.events[-1]
    assert isinstance(won, GameWon)
    assert (won.winner, won.points, won.score) == ("white", 1, {"white": 1, "black": 0})


def test_a_roll_of_the_offerer_is_a_take_and_flagged() -> None:
    story, board = after_two_turns()
    story.press(InputKind.DOUBLE, "white")
    story.show(board, seconds=0.5)
    story.show(board, pair((5, 2)))
    taken = [e for e in story.events if isinstance(e, CubeAction)][-1]
    assert (taken.player, taken.action, taken.flagged) == ("black", "take", True)
    assert story.said[-1] == "rolled"


def test_who_is_not_on_turn_or_has_rolled_cannot_double() -> None:
    story, board = after_two_turns()
    story.press(InputKind.DOUBLE, "black")
    story.show(board, pair((5, 2)))
    story.press(InputKind.DOUBLE, "white")
    story.show(board, pair((5, 2)), seconds=0.3)
    assert cube_of(story) == []


def test_the_opponent_who_doubles_accepts_an_illegal_play() -> None:
    story = opened()
    _, wrong = two_from_the_head(story)
    story.press(InputKind.DOUBLE, "black")
    story.show(wrong, seconds=0.5)
    assert story.said[-2:] == ["play", "cube"]
    assert story.table.state.phase is Phase.CUBE_OFFERED


def test_a_play_upon_which_the_next_roll_was_played_at_once_is_told_apart_from_it() -> None:
    story, board = after_two_turns()
    story.show(board, pair((5, 2)))
    first = story.after(board, "white", (24, 19), (19, 17))
    second = story.after(first, "black", (24, 20), (20, 17))
    story.hand(board, pair((5, 2)))
    story.show(second, pair((4, 3), x=300.0))
    story.hand(second)
    story.show(second)
    plays = [(e.player, sorted(e.dice or ()), e.verdict, e.board) for e in story.events if isinstance(e, PlayMade)]
    assert plays[-2:] == [
        ("white", [2, 5], "legal", first.to_json()),
        ("black", [3, 4], "legal", second.to_json()),
    ]
    assert "gap" not in story.said


def test_a_valid_roll_that_is_thrown_again_is_a_gap_and_no_invented_reason() -> None:
    story, board = after_two_turns()
    story.show(board, pair((5, 2)))
    story.show(board, pair((6, 3), x=300.0))
    after = story.after(board, "white", (24, 18), (18, 15))
    story.show(after, pair((6, 3), x=300.0))
    story.hand(after)
    story.show(after)
    assert story.said[-4:] == ["rolled", "rolled", "gap", "play"]


def test_a_resignation_that_is_accepted_ends_the_game() -> None:
    story, board = after_two_turns()
    story.press(InputKind.RESIGN, "white")
    story.show(board, seconds=0.3)
    story.press(InputKind.ACCEPT, "black")
    story.show(board, seconds=0.3)
    won = story.events[-1]
    assert isinstance(won, GameWon)
    assert (won.winner, won.outcome, won.points) == ("black", "oin", 1)


def test_after_a_gap_nobody_is_accused_until_a_legal_play_has_confirmed_the_position() -> None:
    story = opened()
    board = turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    strange = story.after(board, "black", (24, 20), (20, 18))
    story.show(strange, seconds=6.0)
    wrong = turn(story, strange, (5, 2), "white", (24, 19), (24, 22))
    assert story.said[-3:] == ["gap", "rolled", "gap"]
    board = turn(story, wrong, (6, 1), "black", (24, 18), (18, 17))
    turn(story, board, (5, 2), "white", (24, 19), (24, 22))
    assert story.said[-3:] == ["play", "rolled", "illegal-play"]


def test_one_die_that_is_found_and_a_legal_play_tell_the_other() -> None:
    story = opened()
    board = turn(story, LONG.start, (6, 1), "white", (24, 18), (18, 17))
    seen = pair((5, 2))[:1]
    story.show(board, seen)
    after = story.after(board, "black", (24, 19), (19, 17))
    story.show(after, seen)
    story.hand(after)
    story.show(after)
    last = story.events[-1]
    assert isinstance(last, PlayMade)
    assert (sorted(last.dice or ()), last.verdict) == ([2, 5], "legal")


def test_a_roll_that_is_still_open_at_the_end_is_unfinished() -> None:
    story = opened()
    story.show(LONG.start, pair((6, 1)))
    story.end()
    assert story.said == ["start", "rolled", "unfinished"]


def test_while_checkers_are_being_put_straight_nothing_is_a_play() -> None:
    story = opened()
    story.show(LONG.start, pair((6, 1)))
    story.press(InputKind.ADJUST)
    story.show(story.after(LONG.start, "white", (24, 20)), seconds=3.0)
    story.press(InputKind.ADJUST)
    story.show(LONG.start, pair((6, 1)))
    assert story.said == ["start", "rolled"]


def test_the_same_story_gives_the_same_events_to_the_byte() -> None:
    def told() -> list[object]:
        story = opened()
        two_from_the_head(story)
        return [event.to_json() for event in story.events]

    assert told() == told()


def test_every_phase_has_its_transitions_and_none_leads_out_of_the_table() -> None:
    assert set(TRANSITIONS) == set(Phase)
    assert all(following <= set(Phase) for following in TRANSITIONS.values())
