"""The record: what is appended stays, and what is wrong is said in one line."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import RecordError
from companion.events import Event, GameStarted, PlayMade, Rolled, Status
from companion.inputs import Input, InputKind
from companion.records import Store
from companion.records.health import open_checked

BOARD = {
    "points": [0] * 11 + [-15] + [0] * 11 + [15],
    "bar": {"white": 0, "black": 0},
    "off": {"white": 0, "black": 0},
}
EVENTS: list[Event] = [
    GameStarted(t=0.0, game="long", board=BOARD, score={"white": 0, "black": 0}),
    Status(t=0.0, phase="OPENING"),
    Rolled(t=1.5, dice=(6, 1)),
    PlayMade(
        t=4.25, player="white", dice=(6, 1), play="24/18 24/23", verdict="illegal", board=BOARD, reasons=("head",)
    ),
]
META = {"source": "game.mp4", "game": "long", "options": {"block": "ahead"}, "layout": {"home": "BR"}}


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    pressed = Input(3.0, InputKind.END_TURN, "white")
    with Store.open(tmp_path) as store:
        first, second = store.begin(META), store.begin(META | {"source": "other.mp4"})
        store.append(first, EVENTS[:2])
        store.append(second, EVENTS[:1])
        store.append(first, EVENTS[2:], [pressed])
    with Store.open(tmp_path, write=False) as store:
        assert store.events(first) == EVENTS
        assert store.inputs(first) == [pressed]
        assert store.events(second) == EVENTS[:1]
        assert [r.id for r in store.recordings()] == [first, second]
        assert store.recordings()[0].meta == META


def test_the_latest_recording_that_fits_is_found(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin(META)
        latest = store.begin(META)
        store.begin(META | {"game": "short"})
        found = store.find(source="game.mp4", game="long", options={"block": "ahead"})
        assert found is not None
        assert found.id == latest
        assert store.find(source="nothing.mp4") is None
        assert store.find(unknown=None) is None


def test_a_step_is_stored_whole_or_not_at_all(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        recording = store.begin(META)
        with pytest.raises(RecordError):
            store.append_bodies(recording, ["{}", "{}"], [None])  # type: ignore[list-item]
        assert store.events(recording) == []
        store.append(recording, EVENTS)
        assert store.events(recording) == EVENTS


def test_events_of_a_recording_that_was_not_begun_are_refused(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store, pytest.raises(RecordError):
        store.append(7, EVENTS)


@pytest.mark.parametrize(
    "statement",
    ["DELETE FROM events", "UPDATE events SET body = '{}'", "DELETE FROM recordings", "UPDATE inputs SET seq = 9"],
)
def test_nothing_stored_can_be_changed_or_deleted(tmp_path: Path, statement: str) -> None:
    with Store.open(tmp_path) as store:
        store.append(store.begin(META), EVENTS, [Input(0.0, InputKind.ADJUST)])
    raw = sqlite3.connect(tmp_path / "record.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="only grows"):
        raw.execute(statement)
    raw.close()


def test_a_commit_is_on_the_disk_before_append_returns(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_second_program_reads_while_the_first_writes(tmp_path: Path) -> None:
    with Store.open(tmp_path) as writer:
        recording = writer.begin(META)
        with Store.open(tmp_path, write=False) as reader:
            writer.append(recording, EVENTS[:1])
            assert reader.events(recording) == EVENTS[:1]
            writer.append(recording, EVENTS[1:])
            assert reader.events(recording) == EVENTS


def test_a_file_that_was_begun_when_the_power_went_is_an_empty_record(tmp_path: Path) -> None:
    raw = sqlite3.connect(tmp_path / "record.sqlite")
    raw.execute("PRAGMA journal_mode = WAL")
    raw.close()
    with Store.open(tmp_path, write=False) as store:
        assert store.recordings() == []
    with open_checked(tmp_path, lambda line: pytest.fail(line)) as store:
        assert store.begin(META) == 1


def test_a_store_may_be_closed_twice(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.close()
    store.close()


def _text(path: Path) -> None:
    path.write_text("not a record, but long enough to hold a header" * 50)


def _torn(path: Path) -> None:
    with Store.open(path) as store:
        recording = store.begin(META)
        for _ in range(200):
            store.append(recording, EVENTS)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))


def _newer(path: Path) -> None:
    Store.open(path).close()
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 99")
    raw.close()


def _foreign(path: Path) -> None:
    raw = sqlite3.connect(path)
    raw.execute("CREATE TABLE songs (title TEXT)")
    raw.commit()
    raw.close()


def _nonsense(path: Path) -> None:
    with Store.open(path) as store:
        store.append_bodies(store.begin(META), ['{"event": "sung", "t": 1}'])


def _missing(path: Path) -> None:
    pass


def read_all(path: Path) -> None:
    with Store.open(path, write=False) as store:
        for recording in store.recordings():
            store.events(recording.id)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_text, "not a record"),
        (_torn, "damaged"),
        (_newer, "update companion"),
        (_foreign, "another SQLite file"),
        (_nonsense, "damaged"),
        (_missing, "no such file"),
    ],
)
def test_what_is_no_readable_record_is_said_in_one_line(
    tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    path = tmp_path / "record.sqlite"
    spoil(path)
    with pytest.raises(RecordError, match=said) as caught:
        read_all(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_locked_record_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.records.files.BUSY_S", 0.05)
    with Store.open(tmp_path) as store:
        recording = store.begin(META)
        other = sqlite3.connect(tmp_path / "record.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordError, match="another program is writing"):
            store.append(recording, EVENTS)
        other.execute("ROLLBACK")
        other.close()
        store.append(recording, EVENTS)
        assert store.events(recording) == EVENTS
