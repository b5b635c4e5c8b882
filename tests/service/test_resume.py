"""Which record is gone on with, and what the table then remembers."""

from pathlib import Path

import pytest

from companion import events as ev
from companion.cli.resume import Left, MemoryFile, closing, go_on, left_open, remembered, same_roll
from companion.events import Event
from companion.layout import Layout
from companion.records import Recorder, Store
from companion.rules import get_game
from companion.table import Table
from companion.table.phases import Phase
from companion.table.state import TableState
from tests.signals.happening import START, played, rolled, started, won

META = {
    "source": "0",
    "game": "long",
    "options": {},
    "layout": {"home": "BR"},
    "players": {"white": None, "black": None},
}
PLAYED = [started(), rolled(1), played(2), rolled(3, "black")]


def left(folder: Path, events: list[Event], meta: dict[str, object] = META) -> bool:
    """Whether a record of these events is one to go on with."""
    with Store.open(folder / "record.sqlite") as store:
        Recorder.start(store, META).append(events)
        return left_open(store, meta) is not None


@pytest.mark.parametrize(
    ("events", "goes_on"),
    [
        (PLAYED, True),
        ([*PLAYED, won(5)], True),
        ([*PLAYED, closing(9)], False),
        ([*PLAYED, won(5), ev.MatchWon(t=5, winner="white", score={"white": 3, "black": 0})], False),
        ([started(), rolled(1)], False),
        ([], False),
    ],
)
def test_only_what_was_left_by_accident_is_gone_on_with(tmp_path: Path, events: list[Event], goes_on: bool) -> None:
    assert left(tmp_path, events) is goes_on


def test_another_table_or_an_older_recording_is_not_gone_on_with(tmp_path: Path) -> None:
    assert not left(tmp_path, PLAYED, META | {"game": "short"})
    with Store.open(tmp_path / "record.sqlite") as store:
        Recorder.start(store, META | {"source": "1"}).append(PLAYED)
        assert left_open(store, META) is None


def memory(events: list[Event]) -> TableState:
    game = get_game("long")
    return remembered(events, TableState(Phase.SETUP, Layout("BR", same_way=True), game.start))


def test_position_turn_and_cube_are_remembered() -> None:
    board = START | {"points": [1] + [0] * 10 + [-15] + [0] * 11 + [14]}
    taken = ev.CubeAction(t=4, player="black", action="take", value=2, owner="black")
    state = memory([started(), rolled(1), played(2, board=board), taken])
    assert state.position.to_json()["points"] == board["points"]
    assert (state.phase, state.turn, state.played) == (Phase.WAITING_FOR_ROLL, "black", {"white"})
    assert (state.cube.value, state.cube.owner) == (2, "black")


def test_a_match_goes_on_with_its_score_and_a_gap_leaves_the_turn_open() -> None:
    state = memory([*PLAYED, won(5)])
    assert (state.phase, state.score, state.cube.value) == (Phase.GAME_OVER, {"white": 2, "black": 0}, 1)
    following = ev.GameStarted(t=9, game="long", board=START, number=2, score={"white": 2, "black": 0}, player="white")
    state = memory([*PLAYED, won(5), following])
    assert (state.phase, state.turn, state.number, state.score["white"]) == (Phase.WAITING_FOR_ROLL, "white", 2, 2)
    state = memory([*PLAYED, ev.Gap(t=6, board=START)])
    assert (state.turn, state.trusted, state.played) == (None, False, {"white", "black"})
    assert memory([started()]).phase is Phase.OPENING


def test_the_roll_that_still_lies_is_not_told_twice() -> None:
    open_roll = Left(1, 3.0, tuple(PLAYED))
    assert same_roll(rolled(9, "black", (1, 6)), open_roll)
    assert not same_roll(rolled(9, "black", (1, 5)), open_roll)
    assert not same_roll(rolled(9, "white", (1, 6)), open_roll)
    assert not same_roll(rolled(9, "black"), Left(1, 4.0, (*PLAYED, played(4, "black"))))


def test_the_whole_memory_is_given_back_when_it_belongs_to_the_end_of_the_record(tmp_path: Path) -> None:
    table = Table(get_game("long"), home="BR")
    table.state = memory(PLAYED)
    MemoryFile(tmp_path / "memory.json", 3, 10).keep(table, 4)
    fresh = Table(get_game("long"), home="BR")
    assert MemoryFile(tmp_path / "memory.json", 3, 14).recall(fresh)
    assert fresh.state == table.state
    for recording, events in ((2, 14), (3, 15)):
        other = Table(get_game("long"), home="BR")
        assert not MemoryFile(tmp_path / "memory.json", recording, events).recall(other)
        go_on(other, Left(3, 4.0, tuple(PLAYED)), Layout("BR", same_way=True), MemoryFile(tmp_path / "x", 3, 1))
        assert other.state.turn == "black"


def test_a_damaged_memory_is_as_good_as_none(tmp_path: Path) -> None:
    table = Table(get_game("long"), home="BR")
    for text in ("", "[]", "{}", '{"recording": 1, "events": 2, "memory": {"state": 5}}'):
        (tmp_path / "memory.json").write_text(text)
        assert not MemoryFile(tmp_path / "memory.json", 1, 2).recall(table)
