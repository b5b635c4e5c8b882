"""Corrections: a turn is changed, the rest is played again, and where it cannot be, likely corrections are offered."""

from dataclasses import replace

import pytest

from companion import events as ev
from companion.cli.weigh import badness
from companion.errors import RecordError
from companion.layout import Layout
from companion.records.fix import Conflict, Edit, corrected
from companion.records.likely import MOST, Correction, likely
from companion.records.transcript import house_of, moved
from companion.rules import Position, format_play, parse_play
from companion.rules.match import other
from tests.records.games import meta, play_game, plays_of
from tests.table.seeing import observe

SHORT, LONG = meta("short"), meta("long")


def fixed(game: dict[str, object], events: list[ev.Event], *edits: Edit) -> list[ev.Event]:
    result = corrected(game, events, edits)
    assert not isinstance(result, Conflict), result
    return result


def conflict(game: dict[str, object], events: list[ev.Event], *edits: Edit) -> Conflict:
    result = corrected(game, events, edits)
    assert isinstance(result, Conflict)
    return result


def other_plays(game: dict[str, object], events: list[ev.Event], turn: int) -> list[str]:
    """The legal plays of a turn that end elsewhere."""
    house = house_of(game)
    plays = plays_of(events)
    before = Position.from_json(plays[turn - 2].board) if turn > 1 else house.start
    made = plays[turn - 1]
    assert made.dice is not None
    assert made.player is not None
    legal = house.plays(before, made.dice, player=made.player)
    seen = house.seen(before, made.player)
    return [format_play(p[0], seen) for end, p in legal.results.items() if end.to_json() != made.board]


@pytest.mark.parametrize("name", ["short", "long", "tabla", "fevga", "khachapuri"])
def test_a_record_that_nothing_is_wrong_with_stays_as_it_is(name: str) -> None:
    for seed in range(3):
        events = play_game(seed, name)
        assert fixed(meta(name), events) == events
        first = plays_of(events)[0]
        assert fixed(meta(name), events, Edit(1, roll=first.dice)) == events


def test_a_changed_play_changes_the_boards_after_it_and_can_be_changed_back() -> None:
    tried = 0
    for seed in range(12):
        turn = 5 + seed
        events = play_game(seed, "long", turns=turn + 2)
        for text in other_plays(LONG, events, turn)[:3]:
            result = corrected(LONG, events, [Edit(turn, play=text)])
            if isinstance(result, Conflict):
                assert result.turn > turn
                continue
            tried += 1
            assert plays_of(result)[turn - 1].play == text
            assert plays_of(result)[turn - 2] == plays_of(events)[turn - 2]
            assert [p.dice for p in plays_of(result)] == [p.dice for p in plays_of(events)]
            true = plays_of(events)[turn - 1].play
            back = fixed(LONG, result, Edit(turn, play=true))
            assert [p.board for p in plays_of(back)] == [p.board for p in plays_of(events)]
    assert tried > 5


def test_a_changed_roll_changes_the_roll_and_the_play_with_it() -> None:
    events = play_game(4, "short", turns=1)
    play = plays_of(events)[0]
    assert play.dice is not None
    result = fixed(SHORT, events, Edit(1, roll=(play.dice[1], play.dice[0])))
    assert plays_of(result)[0].dice == (play.dice[1], play.dice[0])
    assert [e.dice for e in result if isinstance(e, ev.Rolled)] == [(play.dice[1], play.dice[0])]
    missed = conflict(SHORT, events, Edit(1, roll=(6, 6) if play.dice != (6, 6) else (5, 5)))
    assert "not legal with" in missed.why


def test_where_a_later_play_cannot_be_the_true_one_is_among_the_first_four() -> None:
    """A turn was read wrongly, and so was the next: the dice of it are right, and the board after it was seen."""
    found = 0
    for seed in range(10):
        events = play_game(seed, "short", turns=30)
        turn = 4 + seed
        true = plays_of(events)[turn - 1]
        texts = other_plays(SHORT, events, turn)
        if not texts:
            continue
        assert true.player is not None
        missed = corrected(SHORT, events, [Edit(turn, play="24/1")])
        assert isinstance(missed, Conflict)
        offered = likely(house_of(SHORT), missed)
        assert 1 <= len(offered) <= MOST
        assert [c.cost for c in offered] == sorted(c.cost for c in offered)
        assert any(c.edit.play == true.play or "stood" in c.words for c in offered)
        best = corrected(SHORT, events, [Edit(turn, play="24/1"), offered[0].edit])
        found += not isinstance(best, Conflict) and plays_of(best)[turn - 1].board == true.board
    assert found >= 8


def misread(sure: tuple[float, float], others: tuple[ev.Reading, ...] = ()) -> tuple[Conflict, list[Correction]]:
    """White played 8/5 6/5 with 3-1; the turn was recorded as 24/22 23/22, which no 3-1 allows."""
    house = house_of(SHORT)
    start, board = house.start.to_json(), moved(house, house.start, "white", ((24, 22), (24, 23))).to_json()
    events: list[ev.Event] = [
        ev.GameStarted(t=0.0, game="short", board=start, score={"white": 0, "black": 0}),
        ev.Rolled(t=1.0, player="white", dice=(3, 1)),
        ev.TurnSeen(t=2.0, player="white", dice=(3, 1), sure=sure, others=others),
        ev.PlayMade(t=2.0, player="white", dice=(3, 1), play="24/22 24/23", verdict="legal", board=board),
    ]
    missed = conflict(SHORT, events, Edit(1, player="white"))
    assert "not legal with 3-1" in missed.why
    return missed, likely(house, missed)


def test_a_die_that_was_hardly_read_is_likelier_wrong_than_one_that_was_read_well() -> None:
    rolls = {}
    for sure in ((0.55, 0.999), (0.999, 0.55), (0.9999, 0.9999)):
        _, offered = misread(sure)
        rolls[sure] = offered[0].edit.roll
        assert [c.cost for c in offered] == sorted(c.cost for c in offered)
    assert rolls[0.55, 0.999] == (2, 1)  # 24/22 24/23 with the die that was doubtful
    assert rolls[0.999, 0.55] != (2, 1)


def test_dice_that_a_person_has_said_are_not_doubted() -> None:
    events = play_game(3, "short", turns=8)
    true = plays_of(events)[3]
    assert true.dice is not None
    said = (true.dice[0] % 6 + 1, true.dice[1])
    missed = conflict(SHORT, events, Edit(4, roll=said))
    rolls = {c.edit.roll for c in likely(house_of(SHORT), missed) if c.edit.roll}
    assert rolls == {said}


def test_what_the_table_had_thought_likely_comes_first_the_likelier_the_sooner() -> None:
    others: tuple[ev.Reading, ...] = (("white", 3, 1, "8/5 6/5", 0.5), ("white", 1, 3, "13/10 24/23", 3.0))
    _, offered = misread((0.9999, 0.9999), others)
    first, second = offered[:2]
    assert (first.edit.roll, second.edit.roll) == ((3, 1), (3, 1))
    house = house_of(SHORT)
    ends = [moved(house, house.start, "white", parse_play(c.edit.play or "")) for c in (first, second)]
    wanted = [moved(house, house.start, "white", parse_play(play)) for play in ("8/5 6/5", "13/10 24/23")]
    assert ends == wanted
    assert misread((0.9999, 0.9999))[1][0].edit != first.edit


def test_where_a_picture_is_kept_it_decides_the_order() -> None:
    missed, plain = misread((0.99, 0.99))
    house = house_of(SHORT)
    shown = moved(house, house.start, "white", ((13, 10), (6, 5)))

    def weigh(play: ev.PlayMade, position: Position) -> float:
        return 0.0 if position == shown else 3.0

    first = likely(house, missed, weigh)[0]
    assert first.edit.roll == (3, 1)
    assert moved(house, house.start, "white", parse_play(first.edit.play or "")) == shown
    assert first.edit != plain[0].edit


def test_a_picture_is_worse_by_a_checker_where_one_stands_elsewhere() -> None:
    house, layout = house_of(SHORT), Layout("BR", same_way=False)
    one = moved(house, house.start, "white", ((13, 10),))
    two = moved(house, one, "white", ((6, 5),))
    seen = observe(0.0, house.start, layout, sure=0.999)
    assert badness(seen, house.start, layout) == 0.0
    assert 0.5 < badness(seen, one, layout) < badness(seen, two, layout)


def test_a_turn_that_never_was_is_deleted_and_one_that_was_missed_is_inserted() -> None:
    events = play_game(7, "long", turns=20)
    missing = plays_of(events)[9]
    board = plays_of(events)[8].board
    assert missing.player is not None
    assert missing.dice is not None
    dropped = [e for e in events if e is not missing and not (isinstance(e, ev.Rolled) and e.t == missing.t - 5)]
    edit = Edit(10, "insert", player=missing.player, roll=missing.dice, play=missing.play)
    result = fixed(LONG, dropped, edit)
    assert [p.board for p in plays_of(result)] == [p.board for p in plays_of(events)]
    doubled = [*events]
    at = doubled.index(missing)
    ghost = replace(missing, player=other(missing.player), dice=(1, 2), play="", board=board)
    doubled[at - 1 : at - 1] = [ev.Rolled(t=missing.t - 6, player=ghost.player, dice=(1, 2)), ghost]
    assert plays_of(fixed(LONG, doubled, Edit(10, "delete"))) == plays_of(events)


def test_the_same_player_twice_is_a_conflict_with_the_other_player_or_a_gap_offered() -> None:
    events = play_game(8, "long", turns=12)
    missed = conflict(LONG, events, Edit(6, "delete"))
    assert "has just played" in missed.why
    words = [c.words for c in likely(house_of(LONG), missed)]
    assert 1 <= len(words) <= MOST


def test_a_gap_goes_on_from_the_board_that_was_seen() -> None:
    events = play_game(9, "short", turns=20)
    result = fixed(SHORT, events, Edit(8, "gap"))
    gap = next(e for e in result if isinstance(e, ev.Gap))
    assert gap.board == plays_of(events)[7].board
    assert plays_of(result) == [p for i, p in enumerate(plays_of(events)) if i != 7]


def test_a_play_that_was_called_illegal_by_a_wrong_roll_is_cleared() -> None:
    events = play_game(10, "short", turns=10)
    play = plays_of(events)[5]
    assert play.dice is not None
    read = (play.dice[0] % 6 + 1, play.dice[1])
    at = events.index(play)
    reproach = ev.IllegalPlay(t=play.t - 1, player=play.player, dice=read, reasons=("not-the-dice",))
    wrong = replace(play, dice=read, verdict="illegal", reasons=("not-the-dice",))
    record = [*events[: at - 1], replace(events[at - 1], dice=read), reproach, wrong, *events[at + 1 :]]
    assert fixed(SHORT, record, Edit(6, roll=play.dice)) == events


def test_a_play_can_be_said_to_have_broken_a_rule_and_stood() -> None:
    events = play_game(11, "long", turns=3)
    edit = Edit(3, play="24/18 24/19", roll=(6, 5), stood=True)
    result = fixed(LONG, events, edit)
    play = plays_of(result)[2]
    assert (play.verdict, play.reasons) == ("illegal", ("head",))
    assert isinstance(result[-2], ev.IllegalPlay)
    assert fixed(LONG, result, Edit(1, roll=plays_of(events)[0].dice)) == result


def test_the_result_and_the_score_follow() -> None:
    events = play_game(12, "short", length=5)
    won = next(e for e in events if isinstance(e, ev.GameWon))
    second = ev.GameStarted(t=9999.0, game="short", board=house_of(SHORT).start.to_json(), number=2, score=won.score)
    record = [*events, second]
    game = meta("short", length=5)
    result = fixed(game, record, Edit(2, cube=("double", "take")))
    doubled = next(e for e in result if isinstance(e, ev.GameWon))
    assert doubled.points == 2 * won.points
    assert result[-1] == replace(second, score=doubled.score)
    actions = [(e.action, e.value, e.owner) for e in result if isinstance(e, ev.CubeAction)]
    taker = other(plays_of(events)[1].player or "white")
    assert actions == [("double", 2, None), ("take", 2, taker)]
    assert fixed(game, result, Edit(2, cube=())) == record


def test_the_owner_of_the_cube_is_changed_with_who_doubled() -> None:
    events = fixed(meta("short", length=0), play_game(13, "short", length=0), Edit(2, cube=("double", "take")))
    game = meta("short", length=0)
    owner = next(e.owner for e in events if isinstance(e, ev.CubeAction) and e.action == "take")
    assert owner is not None
    missed = conflict(game, events, Edit(2, owner=other(owner)))
    assert "turn" in missed.why
    middle = fixed(game, events, Edit(4, owner="middle"))
    assert not [e for e in middle if isinstance(e, ev.CubeAction)]


def test_a_drop_ends_the_game_and_what_follows_is_a_conflict() -> None:
    events = play_game(14, "short", turns=12)
    missed = conflict(SHORT, events, Edit(5, cube=("double", "drop")))
    assert missed.turn == 5
    assert "the game is over before it" in missed.why
    ended = fixed(SHORT, play_game(14, "short", turns=5), Edit(5, cube=("double", "drop")), Edit(5, "delete"))
    assert isinstance(ended[-1], ev.GameWon)
    assert (ended[-1].outcome, ended[-1].points) == ("drop", 1)


def test_a_cube_action_that_cannot_be_is_a_conflict() -> None:
    events = play_game(15, "short", turns=8)
    missed = conflict(SHORT, events, Edit(4, cube=("take",)))
    assert "nobody has offered" in missed.why
    (only,) = likely(house_of(SHORT), missed)
    assert fixed(SHORT, events, Edit(4, cube=("take",)), only.edit) == events


def test_a_left_over_and_an_extra_roll_are_followed() -> None:
    events = play_game(16, "gulbar", turns=2)
    assert fixed(meta("gulbar"), events) == events


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Edit(99, roll=(1, 2)), "--turn: expected a turn from 1 to 5, got 99"),
        (Edit(2, "insert", play="24/18"), "--insert: expected who played"),
        (Edit(2, cube=("sing",)), "--cube: expected none"),
        (Edit(2, owner="white"), "--owner: expected a double before turn 2"),
    ],
)
def test_an_edit_that_says_nothing_possible_is_refused(edit: Edit, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        corrected(SHORT, play_game(1, "short", turns=5), [edit])


def test_only_the_given_is_stored_of_an_edit() -> None:
    assert Edit(3, roll=(6, 1)).to_json() == {"turn": 3, "what": "change", "roll": [6, 1]}
    assert Edit(3, cube=()).to_json() == {"turn": 3, "what": "change", "cube": []}
