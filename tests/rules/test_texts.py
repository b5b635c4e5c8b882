"""Text forms and their exact round trips: positions, plays, rolls."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import (
    Position,
    UnreadableError,
    format_play,
    format_roll,
    get_game,
    parse_play,
    parse_roll,
)
from companion.rules.diagram import format_diagram, parse_diagram
from companion.rules.ids import (
    Snapshot,
    format_gnuid,
    format_long_id,
    format_xgid,
    parse_gnuid,
    parse_long_id,
    parse_xgid,
)
from companion.rules.notation import read_play
from tests.rules.boards import board, part_of
from tests.rules.test_plays import few, games, seeds

SHORT = get_game("short")


@few
@given(games, seeds)
def test_diagrams_are_exact(name, seed):
    position = part_of(name, seed).after
    assert parse_diagram(format_diagram(position)) == position


@few
@given(st.sampled_from(["long", "mad", "khachapuri", "fevga"]), seeds)
def test_long_ids_are_exact(name, seed):
    position = part_of(name, seed).after
    text = format_long_id(position)
    assert len(text) == 17
    assert parse_long_id(text) == position
    assert format_long_id(parse_long_id(text)) == text


players = st.sampled_from(["white", "black"])
dice = st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6))


@few
@given(
    seeds, players, dice, st.integers(0, 6), st.sampled_from([None, "white", "black"]), st.integers(0, 9), st.booleans()
)
def test_xgid_and_gnu_id_are_exact(seed, turn, rolled, log, owner, score, money):
    position = part_of("short", seed).after
    length = 0 if money else 11
    snapshot = Snapshot(
        position=position, turn=turn, dice=rolled, cube=2**log, owner=owner, score=(score, 3), length=length,
        crawford=bool(length and score % 2), jacoby=not length and bool(seed % 2), beaver=not length and bool(seed % 3),
    )  # fmt: skip
    assert parse_xgid(format_xgid(snapshot)) == snapshot
    known = parse_gnuid(format_gnuid(snapshot))
    assert known.position == position
    assert format_gnuid(known) == format_gnuid(snapshot)


@pytest.mark.parametrize(
    ("xgid", "gnuid"),
    [  # as GNU Backgammon 1.07.001 shows them
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10", "4HPwATDgc/ABMA:cInlABAAEAAE"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:2:1:0:7:10", "4HPwATDgc/ABMA:MIHqABAAEAAE"),
        ("XGID=aBa-B-C-A---eE---c-e----A-:1:1:1:00:2:3:0:7:10", "4HPwAUhjTvABEA:UQngADAAEAAE"),
        ("XGID=-b----E-C---eE---c-e----B-:2:-1:-1:00:0:0:0:9:10", "4HPwATDgc/ABMA:AgEgAQAAAAAE"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:6:1:1:7:10", "4HPwATDgc/ABMA:8InlABAAMAAE"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10", "4HPwATDgc/ABMA:cIkFAAAAAAAA"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "4HPwATDgc/ABMA:cIkFAAAAAAAE"),
    ],
)
def test_xgid_and_gnu_id_name_the_same(xgid, gnuid):
    assert format_xgid(parse_xgid(xgid)) == xgid
    assert format_gnuid(parse_xgid(xgid)) == gnuid
    assert parse_gnuid(gnuid) == parse_xgid(xgid)


@pytest.mark.parametrize(
    ("fields", "crawford", "jacoby", "beaver"),
    [
        ("0:0", False, False, False),
        ("1:0", False, True, False),
        ("2:0", False, False, True),
        ("3:0", False, True, True),
        ("0:7", False, False, False),
        ("1:7", True, False, False),
        ("2:7", False, False, False),
    ],
)
def test_the_rules_of_an_xgid_are_those_of_a_match_or_of_money(fields, crawford, jacoby, beaver):
    snapshot = parse_xgid(f"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:{fields}:10")
    assert (snapshot.crawford, snapshot.jacoby, snapshot.beaver) == (crawford, jacoby, beaver)


def test_a_position_alone_is_money_play_without_house_rules():
    assert format_xgid(Snapshot(position=SHORT.start)) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


def test_an_offered_double_has_its_letter():
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:3:0:10"
    snapshot = parse_xgid(text)
    assert (snapshot.offer, snapshot.dice, snapshot.jacoby, snapshot.beaver) == ("D", None, True, True)
    assert format_xgid(snapshot) == text
    assert parse_gnuid(format_gnuid(snapshot)).offer == "D"
    assert parse_gnuid(format_gnuid(snapshot)).turn == "white"
    black = parse_gnuid(format_gnuid(parse_xgid(text.replace(":1:D:", ":-1:D:"))))
    assert (black.offer, black.turn) == ("D", "black")
    # The bit of the player who decides is that of the one to whom it was offered.
    assert format_gnuid(snapshot) == "4HPwATDgc/ABMA:cBEAAAAAAAAA"
    assert format_gnuid(parse_xgid(text.replace(":1:D:", ":-1:D:"))) == "4HPwATDgc/ABMA:MBkAAAAAAAAA"


@pytest.mark.parametrize(
    ("read", "text", "says"),
    [
        (parse_xgid, "XGID=-b----E", "XGID: expected 26 letters and nine fields"),
        (parse_xgid, "XGID=Ab----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10", "expected the top player on bar 0"),
        (parse_xgid, "XGID=-b----E-C---eE---c-e----Bb:0:0:1:31:2:1:0:7:10", "and the bottom player on bar 25"),
        (parse_xgid, "XGID=-bO---E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10", "at most 15 checkers each, got 30 and 15"),
        (parse_xgid, "XGID=-bo---E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10", "at most 15 checkers each, got 15 and 30"),
        (parse_xgid, "XGID=-b----E-C---eE---c-e----B-:999999999:0:1:31:2:1:0:7:10", "expected 26 letters and nine"),
        (parse_xgid, "XGID=-b----E-C---eE---c-e----B-:0:0:1:71:2:1:0:7:10", "expected 26 letters and nine"),
        (parse_xgid, "XGID=-b----E-C---eE---c-e----B-:0:0:1:06:2:1:0:7:10", "expected 26 letters and nine"),
        (parse_xgid, "XGID=-b----E-C---eE---c-e----B-:٣:0:1:31:2:1:0:7:10", "expected 26 letters and nine"),
        (parse_gnuid, "4HPwATDgc/ABMA:cIn/ABAAEAAE", "GNU ID: expected dice from 1 to 6, got 7 and 7"),
        (parse_gnuid, "4HPwATDgc/ABMA:cAnsABAAEAAE", "expected dice from 1 to 6, got 0 and 3"),
        (parse_gnuid, "4HPwATDgc/ABMA:cInhABAAEAAE", "expected dice from 1 to 6, got 3 and 0"),
        (parse_gnuid, "4HPwATDgc/ABMA", "GNU ID: expected 14 letters, a colon and 12 letters"),
        (parse_gnuid, "//////////////:cInlABAAEAAE", "expected the checkers of 50 points, got something else"),
        (parse_gnuid, "//////8fAAAAAA:cInlABAAEAAE", "expected the checkers of 50 points"),  # 45 on one, 35 points
        (parse_long_id, "4HPwATDgc_ABMA", "long id: expected LN: and 14 letters"),
        (parse_long_id, "LN:4HPw", "long id: expected LN: and 14 letters"),
        (parse_long_id, "LN:______________", "expected the checkers of 48 points"),
        (parse_long_id, "LN:AACA_z8A_P8BAA", "both players stand on White's point 24"),
        (parse_diagram, "w5 . .", "diagram: expected two rows of 12 points such as w5 or ., got 0"),
        (parse_diagram, "\n".join([". . . . . . | . . . . . ."] * 3), "expected two rows of 12 points .*, got 3"),
        (parse_diagram, ". . . . . . | . . . . . .\n. . . . . . | . . . . . .\nbar w1", "expected a line such as 'bar"),
        (
            parse_diagram,
            "\n".join([". . . . . . | . . . . . ."] * 2) + "\nbar w0 b0  off w0 b1234",
            "a line such as 'bar",
        ),
        (parse_diagram, "w1234 . . . . . | . . . . . .\n. . . . . . | . . . . . .", "two rows of 12 points .*, got 1"),
        (parse_play, "24-18", "play: expected moves forward .*, got '24-18'"),
        (parse_play, "18/24", "got '18/24'"),
        (parse_play, "24/18 26/20", "got '26/20' in '24/18 26/20'"),
        (parse_play, "8/4(7)", r"got '8/4\(7\)'"),
        (parse_play, "8/8", "got '8/8'"),
        (parse_roll, "7-1", "roll: expected two dice such as 6-4, got '7-1'"),
        (parse_roll, "6-", "got '6-'"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(read, text, says):
    with pytest.raises(UnreadableError, match=says) as error:
        read(text)
    assert "\n" not in repr(str(error.value)).replace("\\n", "")


def test_checkers_on_the_bar_and_off_are_counted_together():
    assert Position((0,) * 23 + (13,), (1, 0), (1, 15)).counts() == (15, 15)
    assert Position((-5,) + (0,) * 22 + (7,), (3, 3), (3, 8)).counts() == (13, 16)


@few
@given(games, seeds)
def test_plays_are_exact(name, seed):
    game, part = get_game(name), part_of(name, seed)
    start = part.before if part.player == "white" else game.turned(part.before)
    text = format_play(part.play, start)
    assert parse_play(text) == part.play
    assert parse_play(format_play(part.play, start, grouped=True)) == part.play


def test_a_play_is_written_from_the_rearmost_with_the_first_hit_marked():
    position = board("""
 w5   .   .   .  b3   . |  b5   .   .   .   .  w2
 b4   .   .   .  w3   . |  w5   .   .   .  b1   .
""")
    assert format_play(((6, 2), (8, 2)), position) == "8/2* 6/2"
    assert format_play(((6, 5), (6, 5), (25, 24), (1, 0))) == "bar/24 6/5 6/5 1/off"
    assert format_play(((6, 5), (6, 5), (8, 7)), grouped=True) == "8/7 6/5(2)"
    assert format_play(()) == ""
    assert parse_play("") == ()


def test_shortened_plays_are_read():
    assert parse_play("8/4(2)") == ((8, 4), (8, 4))
    assert parse_play("24/18/14*") == ((24, 18), (18, 14))
    assert parse_play("BAR/22, 6/Off") == ((25, 22), (6, 0))
    assert parse_play("25/22 6/0") == ((25, 22), (6, 0))
    assert read_play("24/14", SHORT, SHORT.start, (6, 4)) in (((24, 18), (18, 14)), ((24, 20), (20, 14)))
    assert read_play("24/14", SHORT, SHORT.start, (6, 4), player="black")
    assert read_play("13/3(2)", SHORT, SHORT.start, (5, 5)) == ((13, 8), (13, 8), (8, 3), (8, 3))
    with pytest.raises(UnreadableError, match="expected a legal play of 6-4"):
        read_play("24/13", SHORT, SHORT.start, (6, 4))


def test_the_marked_hits_choose_between_two_ways():
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
 w1  b1   .   .   .   . |   .   .   .   .   .   .
bar w0 b0  off w14 b14""")
    assert read_play("12/9", SHORT, position, (1, 2)) == ((12, 10), (10, 9))
    assert read_play("12/11*/9", SHORT, position, (1, 2)) == ((12, 11), (11, 9))
    # Wherever the mark stands, and whoever has hit.
    assert read_play("12/9*", SHORT, position, (1, 2)) == ((12, 11), (11, 9))
    turned = SHORT.turned(position)
    assert read_play("12/9", SHORT, turned, (1, 2), player="black") == ((12, 10), (10, 9))
    assert read_play("12/9*", SHORT, turned, (1, 2), player="black") == ((12, 11), (11, 9))


def test_rolls():
    assert format_roll((4, 6)) == "6-4"
    assert [parse_roll(text) for text in ("6-4", "64", "4 6", "6:4")] == [(6, 4), (6, 4), (4, 6), (6, 4)]


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(
    st.dictionaries(st.sampled_from(["points", "bar", "off", "x"]), st.integers() | st.lists(st.integers()) | st.none())
)
def test_a_board_that_is_none_is_refused(data):
    with pytest.raises(UnreadableError, match="board"):
        Position.from_json(data)


def test_what_is_too_long_to_be_shown_is_cut():
    for length, shown in ((80, 80), (81, 80)):
        with pytest.raises(UnreadableError) as error:
            Position.from_json("x" * (length - 2))
        got = str(error.value).partition("got ")[2]
        assert len(got) == shown
        assert got.endswith("..." if length > shown else "x'")
