"""When the disk is full the referee goes on, says so once, and nothing is missing when there is room again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import RecordError, RecordUnwritable
from companion.events import Event
from companion.records import Recorder, Store
from companion.records.recorder import Steady
from tests.signals.happening import played, rolled

META = {"source": "game.mp4", "game": "long"}


def turn(number: int) -> list[Event]:
    return [rolled(2.0 * number), played(2.0 * number + 1)]


def fill(store: Store) -> Callable[[], None]:
    """Leave no room for another page; what is returned makes room again."""
    most = store._connection.execute("PRAGMA max_page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {store._connection.execute('PRAGMA page_count').fetchone()[0]}")
    return lambda: store._connection.execute(f"PRAGMA max_page_count = {most}") and None


def test_a_full_disk_is_said_once_and_what_happened_meanwhile_is_written_later(tmp_path: Path) -> None:
    said: list[str] = []
    with Store.open(tmp_path) as store:
        steady = Steady(Recorder.start(store, META), said.append)
        steady.append(turn(0))
        make_room = fill(store)
        for number in range(1, 200):
            steady.append(turn(number))
        assert not steady.stored
        assert steady.waiting > 0
        assert len(said) == 1
        assert "the disk is full" in said[0]
        kept = store.events(1)
        assert kept == [event for n in range(200) for event in turn(n)][: len(kept)]
        make_room()
        steady.append(turn(200))
        assert steady.stored
        assert len(said) == 2
        steady.finish()
        assert store.events(1) == [event for n in range(201) for event in turn(n)]


def test_what_is_never_written_is_counted_at_the_end(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        steady = Steady(Recorder.start(store, META), lambda line: None)
        fill(store)
        for number in range(50):
            steady.append(turn(number))
        with pytest.raises(RecordUnwritable, match=rf"the last {steady.waiting} plays are not in the record"):
            steady.close()


def test_a_recording_that_went_another_way_is_still_an_error(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        Recorder.start(store, META).append(turn(1))
        steady = Steady(Recorder.resume(store, META), lambda line: None)
        with pytest.raises(RecordError, match="cannot go on"):
            steady.append(turn(2))


def test_resuming_on_a_full_disk_is_exact_too(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        Recorder.start(store, META).append(turn(0))
        make_room = fill(store)
        steady = Steady(Recorder.resume(store, META), lambda line: None)
        for number in range(100):
            steady.append(turn(number))
        make_room()
        steady.finish()
        assert store.events(1) == [event for n in range(100) for event in turn(n)]
