"""A game clock (delay and bank) on the end-of-turn buttons: whose time runs, and when a flag falls."""

import json

import pytest

from companion.events import ClockRuns, Event, FlagFell
from companion.inputs import InputKind
from companion.rules import Position, get_game
from companion.table import Phase, Table, TableSettings
from companion.table.settings import ClockSettings, Policy
from tests.table.seeing import pair
from tests.table.story import Story

LONG = get_game("long")


class Timed(Story):
    """A story that keeps what the clock says apart from the events of the game."""

    def __init__(self, bank_s: float = 60.0, delay_s: float = 0.0, policy: Policy = "legal") -> None:
        super().__init__("long", settings=TableSettings(policy=policy, clock=ClockSettings(bank_s, delay_s)))
        self.show(LONG.start)

    @property
    def runs(self) -> list[ClockRuns]:
        return [event for event in self.events if isinstance(event, ClockRuns)]

    @property
    def whose(self) -> str | None:
        return self.runs[-1].player if self.runs else None

    def left(self, player: str) -> float:
        """What is left of a bank when the clock was read last."""
        return self.runs[-1].left[player]

    def whole_turn(
        self, before: Position, dice: tuple[int, int], player: str, *moves: tuple[int, int], seconds: float = 2.0
    ) -> Position:
        """Rolled, played, and ended by lifting the dice after ``seconds`` of looking at them."""
        after = self.after(before, player, *moves)
        self.show(before, pair(dice))
        self.show(after, pair(dice), seconds=seconds)
        self.show(after)
        return after


def first_turn(story: Timed) -> Position:
    """White starts; from now on it is Black's turn and time."""
    return story.whole_turn(LONG.start, (6, 1), "white", (24, 18), (18, 17))


def test_without_a_clock_nobodys_time_is_counted() -> None:
    story = Story("long")
    story.show(LONG.start, seconds=60.0)
    assert story.said == ["start"]
    assert story.table.state.clock is None


def test_the_time_of_whoever_is_on_turn_runs_and_nobodys_before_it_is_known_who_starts() -> None:
    story = Timed()
    story.show(LONG.start, seconds=20.0)
    assert story.runs == []
    board = first_turn(story)
    assert (story.whose, story.left("white"), story.left("black")) == ("black", 60.0, 60.0)
    story.show(board, seconds=7.0)
    story.whole_turn(board, (5, 2), "black", (24, 19), (19, 17), seconds=2.0)
    assert story.whose == "white"
    assert story.left("black") == pytest.approx(60.0 - 7.0 - 0.8 - 2.0 - 0.6, abs=0.5)


def test_the_button_passes_the_time_on_at_the_moment_of_the_press() -> None:
    story = Timed()
    board = first_turn(story)
    began = story.runs[-1].t
    lying = pair((5, 2))
    after = story.after(board, "black", (24, 19), (19, 17))
    story.show(board, lying, seconds=3.0)
    story.show(after, lying, seconds=1.0)
    pressed = story.t
    story.press(InputKind.END_TURN, "black")
    story.show(after, lying, seconds=1.0)
    assert story.whose == "white"
    assert story.left("black") == pytest.approx(60.0 - (pressed - began))
    assert [run.player for run in story.runs] == ["black", "white"]  # the play that was final then changed nothing


def test_the_delay_of_each_turn_costs_nothing() -> None:
    story = Timed(delay_s=6.0)
    board = first_turn(story)
    board = story.whole_turn(board, (5, 2), "black", (24, 19), (19, 17))
    assert story.left("black") == 60.0
    board = story.whole_turn(board, (5, 2), "white", (24, 19), (19, 17), seconds=10.0)
    assert story.left("white") == pytest.approx(60.0 - (10.0 + 2 * 0.8 + 0.1 - 6.0), abs=0.5)
    assert story.runs[-1].delay_s == 6.0


def test_a_delay_that_was_interrupted_is_not_given_again() -> None:
    story = Timed(delay_s=6.0)
    board = first_turn(story)
    began = story.runs[-1].t
    story.show(board, seconds=4.0)
    pressed = story.t
    story.press(InputKind.ADJUST)
    story.show(board, seconds=30.0)
    assert story.whose is None
    story.press(InputKind.ADJUST)
    story.show(board, seconds=0.3)
    assert story.whose == "black"
    assert story.runs[-1].delay_s == pytest.approx(6.0 - (pressed - began))
    assert story.left("black") == 60.0


def test_the_flag_falls_once_and_the_game_goes_on() -> None:
    story = Timed(bank_s=5.0)
    board = first_turn(story)
    story.show(board, seconds=9.0)
    fallen = [event for event in story.events if isinstance(event, FlagFell)]
    assert [event.player for event in fallen] == ["black"]
    assert fallen[0].t == pytest.approx(story.runs[-1].t + 5.0, abs=0.15)
    story.whole_turn(board, (5, 2), "black", (24, 19), (19, 17), seconds=9.0)
    assert story.said.count("flag") == 1
    assert story.said[-2:] == ["play", "clock"]
    assert story.left("black") == 0.0


def test_an_offered_double_is_answered_in_the_time_of_who_is_asked() -> None:
    story = Timed()
    board = story.whole_turn(first_turn(story), (6, 1), "black", (24, 18), (18, 17))
    story.press(InputKind.DOUBLE, "white")
    story.show(board, seconds=5.0)
    assert story.whose == "black"
    story.press(InputKind.TAKE, "black")
    story.show(board, seconds=0.5)
    assert story.whose == "white"
    assert story.left("black") < 56.0


@pytest.mark.parametrize(("policy", "whose"), [("legal", "white"), ("responsible", None), ("demand", None)])
def test_an_illegal_play_is_put_right_in_the_own_time_only_where_it_must_be(policy: Policy, whose: str | None) -> None:
    story = Timed(policy=policy)
    board = story.whole_turn(first_turn(story), (6, 1), "black", (24, 18), (18, 17))
    story.whole_turn(board, (5, 2), "white", (24, 19), (24, 22))
    assert story.table.state.phase is Phase.ILLEGAL
    assert story.whose == whose


def test_a_hand_that_covers_the_board_does_not_stop_the_time_and_a_camera_that_is_away_does() -> None:
    story = Timed()
    board = first_turn(story)
    began = story.runs[-1].t
    story.hand(board, seconds=10.0)
    story._n += 600  # a minute without a single frame
    story.show(board)
    story.press(InputKind.ADJUST)
    story.show(board)
    assert story.left("black") == pytest.approx(60.0 - (story.t - 0.8 - began - 60.0), abs=0.3)


def test_the_banks_last_for_the_whole_match() -> None:
    story = Timed()
    first_turn(story)
    story.show(LONG.start, seconds=5.0)
    before = story.table.state.clock
    story.press(InputKind.RESIGN, "black")
    story.press(InputKind.ACCEPT, "white")
    story.show(LONG.start, seconds=1.0)
    assert story.said[-1] == "start"
    assert story.whose is None
    assert before is not None
    assert story.left("black") < 60.0
    assert story.left("white") == 60.0


def test_after_a_power_cut_the_banks_are_what_they_were() -> None:
    story = Timed()
    board = first_turn(story)
    story.show(board, seconds=3.0)
    again = Table(LONG, story.table.settings)
    again.recall(json.loads(json.dumps(story.table.remembered())))
    began = story.runs[-1].t
    story.table = again
    story._n += 6000  # ten minutes without power
    story.show(board, seconds=2.0)
    story.press(InputKind.ADJUST)
    story.show(board, seconds=0.2)
    assert story.left("black") == pytest.approx(60.0 - (story.t - 0.2 - began - 600.0), abs=0.3)


def test_a_clock_that_is_switched_on_or_off_between_two_starts_is_as_it_is_now_wanted() -> None:
    story = Timed()
    first_turn(story)
    memory = json.loads(json.dumps(story.table.remembered()))
    without = Table(LONG)
    without.recall(memory)
    assert without.state.clock is None
    del memory["state"]["clock"]  # as an older version remembered it
    anew = Table(LONG, TableSettings(clock=ClockSettings(30.0)))
    anew.recall(memory)
    assert anew.state.clock is not None
    assert anew.state.clock.left == (30.0, 30.0)


def test_the_events_of_the_game_are_the_same_with_and_without_a_clock() -> None:
    def told(story: Story) -> list[Event]:
        if not story.events:
            story.show(LONG.start)
        for before, player in ((LONG.start, "white"),):
            after = story.after(before, player, (24, 18), (18, 17))
            story.show(before, pair((6, 1)))
            story.show(after, pair((6, 1)))
            story.show(after)
        return [event for event in story.events if not isinstance(event, ClockRuns)]

    assert told(Timed()) == told(Story("long"))
