"""The JSON forms of the nouns that flow: what is written is read back as it was."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import events as ev
from companion.attention import Attention
from companion.errors import RecordingError
from companion.inputs import Input, InputKind, InputQueue
from companion.layout import CORNERS, SLOTS, Layout

BOARD: ev.Board = {
    "points": [0] * 11 + [-15] + [0] * 11 + [15],
    "bar": {"white": 0, "black": 0},
    "off": {"white": 0, "black": 0},
}
SCORE = {"white": 2, "black": 1}
EVERY_EVENT: list[ev.Event] = [
    ev.GameStarted(t=0.0, game="long", board=BOARD, score=SCORE, number=2, player="white"),
    ev.Status(t=0.1, phase="MOVING", provisional="legal", message="uncertain", details=("a", "b")),
    ev.Rolled(t=1.0, dice=(6, 1)),
    ev.Rolled(t=1.0, player="black", dice=(6, 1), part="extra"),
    ev.VoidRoll(t=1.5, player="white", dice=(5, 3), why="on-checker"),
    ev.PlayMade(
        t=2.0, player="white", dice=(6, 1), play="24/18 24/23", verdict="illegal", board=BOARD, reasons=("head",)
    ),
    ev.PlayMade(
        t=2.0, player="black", dice=(2, 2), play="", verdict="legal", board=BOARD, part="left-over", confidence=0.9
    ),
    ev.IllegalPlay(t=3.0, player="white", dice=(6, 1), reasons=("head", "not-full"), points=(24, 23), play="24/18"),
    ev.TakenBack(t=3.5, player="white"),
    ev.CubeAction(t=4.0, player="white", action="double", value=2, owner=None, flagged=True),
    ev.Resigned(t=5.0, player="white", outcome="mars"),
    ev.GameWon(t=6.0, winner="black", outcome="koks", points=3, score=SCORE),
    ev.MatchWon(t=7.0, winner="black", score=SCORE),
    ev.Gap(t=8.0),
    ev.Gap(t=8.0, board=BOARD),
    ev.BoardMoved(t=9.0, residual_px=12.5),
    ev.FlagFell(t=9.5, player="white"),
    ev.ClockRuns(t=9.5, player="black", left={"white": 0.0, "black": 12.5}, delay_s=3.0),
    ev.Unfinished(t=10.0, player="black", dice=(3, 1)),
]


@pytest.mark.parametrize("event", EVERY_EVENT, ids=lambda e: e.name)
def test_an_event_is_read_back_as_it_was(event: ev.Event) -> None:
    data = json.loads(json.dumps(event.to_json()))
    assert ev.Event.from_json(data) == event
    assert ev.Event.from_json({"schema": ev.SCHEMA} | data) == event
    assert list(data)[:4] == ["t", "event", "player", "dice"]


def test_every_kind_of_event_is_tried_here() -> None:
    kinds = {type(event) for event in EVERY_EVENT}
    assert kinds == {*ev.PUBLIC, ev.GameStarted, ev.Status, ev.ClockRuns}


@pytest.mark.parametrize(
    "data", [{}, {"event": "sung", "t": 1}, {"event": "rolled"}, {"event": "rolled", "t": 1, "song": 2}]
)
def test_what_is_no_event_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="event"):
        ev.Event.from_json(data)


@given(
    st.floats(min_value=0, max_value=1e6), st.sampled_from(list(InputKind)), st.sampled_from(["white", "black", None])
)
def test_an_input_is_read_back_as_it_was(t: float, kind: InputKind, side: Any) -> None:
    pressed = Input(t, kind, side)
    assert Input.from_json(json.loads(json.dumps(pressed.to_json()))) == pressed


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "expected"),
        ({"t": "1", "input": "take"}, "key t"),
        ({"t": True, "input": "take"}, "key t"),
        ({"t": float("inf"), "input": "take"}, "key t"),
        ({"t": 1, "input": "sing"}, "key input"),
        ({"t": 1, "input": "take", "side": "red"}, "key side"),
    ],
)
def test_what_is_no_input_is_refused(data: Any, said: str) -> None:
    with pytest.raises(RecordingError, match=said):
        Input.from_json(data)


def test_the_queue_gives_what_is_due_in_order_of_time_and_keeps_the_rest() -> None:
    queue = InputQueue()
    early, late, later = (Input(t, InputKind.CONFIRM) for t in (1.0, 2.0, 5.0))
    for item in (later, late, early):
        queue.put(item)
    assert queue.drain(2.0) == [early, late]
    assert queue.drain(2.0) == []
    assert queue.drain(9.0) == [later]


def test_attention_says_null_when_every_frame_is_evidence() -> None:
    assert Attention().to_json()["not_evidence_until_s"] is None
    full = Attention("MOVING", {"T0": (1, 0)}, ((1.0, 2.0, 3.0, 4.0),), 2.5)
    assert json.loads(json.dumps(full.to_json())) == {
        "phase": "MOVING",
        "expected": {"T0": [1, 0]},
        "regions": [[1.0, 2.0, 3.0, 4.0]],
        "not_evidence_until_s": 2.5,
    }


@pytest.mark.parametrize("home", CORNERS)
@pytest.mark.parametrize("same_way", [True, False])
@pytest.mark.parametrize("white", ["light", "dark"])
def test_a_layout_gives_every_slot_a_point_and_back(home: Any, same_way: bool, white: Any) -> None:
    layout = Layout(home, same_way, white)
    for player in ("white", "black"):
        points = [layout.point(slot, player) for slot in SLOTS]  # type: ignore[arg-type]
        assert sorted(points) == list(range(1, 25))
        assert [layout.slot(point, player) for point in points] == list(SLOTS)  # type: ignore[arg-type]


def test_the_layout_of_the_rules_default_is_the_picture_of_rule_b4() -> None:
    long, short = Layout("BR", same_way=True), Layout("BR", same_way=False)
    assert [long.point(slot, "white") for slot in SLOTS[:12]] == list(range(13, 25))
    assert [long.point(slot, "white") for slot in SLOTS[12:]] == list(range(12, 0, -1))
    assert (long.point("T11", "black"), short.point("T11", "black")) == (12, 1)
    assert (long.direction, Layout("BL", same_way=True).direction) == ("counter-clockwise", "clockwise")
