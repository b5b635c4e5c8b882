"""A record of the first version, as it was written before there were corrections, opens and goes on."""

import json
import sqlite3
from pathlib import Path

import pytest

from companion.errors import RecordError
from companion.events import Event
from companion.records import Recorder, Store
from companion.records.health import damage, open_checked
from companion.records.schema import VERSION
from companion.records.summaries import history
from tests.signals.happening import illegal, played, rolled, started, won

FIRST = """
CREATE TABLE recordings (id INTEGER PRIMARY KEY, meta TEXT NOT NULL) STRICT;
CREATE TABLE events (recording INTEGER NOT NULL REFERENCES recordings (id), seq INTEGER NOT NULL, body TEXT NOT NULL,
 PRIMARY KEY (recording, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE inputs (recording INTEGER NOT NULL REFERENCES recordings (id), seq INTEGER NOT NULL, body TEXT NOT NULL,
 PRIMARY KEY (recording, seq)) STRICT, WITHOUT ROWID;
CREATE TRIGGER no_update_of_recordings BEFORE update ON recordings BEGIN SELECT RAISE(ABORT, 'a record only grows');
 END;
CREATE TRIGGER no_delete_of_recordings BEFORE delete ON recordings BEGIN SELECT RAISE(ABORT, 'a record only grows');
 END;
CREATE TRIGGER no_update_of_events BEFORE update ON events BEGIN SELECT RAISE(ABORT, 'a record only grows'); END;
CREATE TRIGGER no_delete_of_events BEFORE delete ON events BEGIN SELECT RAISE(ABORT, 'a record only grows'); END;
CREATE TRIGGER no_update_of_inputs BEFORE update ON inputs BEGIN SELECT RAISE(ABORT, 'a record only grows'); END;
CREATE TRIGGER no_delete_of_inputs BEFORE delete ON inputs BEGIN SELECT RAISE(ABORT, 'a record only grows'); END;
PRAGMA application_id = 1851880036;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
"""
META = {"source": "game.mp4", "game": "long", "started": "2026-11-29T19:00:00+00:00"}
GAME: list[Event] = [started(), rolled(1), played(3), rolled(5, "black"), illegal(7, "black"), won(12)]


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A record of version 1 with one recording."""
    path = tmp_path / "record.sqlite"
    raw = sqlite3.connect(path)
    raw.executescript(FIRST)
    raw.execute("INSERT INTO recordings VALUES (1, ?)", [json.dumps(META, separators=(",", ":"), sort_keys=True)])
    for seq, event in enumerate(GAME):
        body = json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        raw.execute("INSERT INTO events VALUES (1, ?, ?)", [seq, body])
    raw.commit()
    raw.close()
    return path


def test_it_is_brought_to_the_newest_version_and_keeps_everything(first: Path) -> None:
    with open_checked(first, lambda line: pytest.fail(line)) as store:
        assert store.schema == VERSION
        assert store.events(1) == GAME
        assert store.recordings()[0].meta == META
        recorder = Recorder.resume(store, META)
        recorder.append(GAME)
        recorder.append([rolled(20)])
        assert store.events(1) == [*GAME, rolled(20)]
        store.correct(1, GAME[:3], {"turn": 1})
        assert store.events(1) == GAME[:3]
        assert store.events(1, 1) == [*GAME, rolled(20)]
    assert damage(first, thorough=True) is None


def test_it_is_read_without_being_changed(first: Path) -> None:
    with Store.open(first, write=False) as store:
        assert store.schema == 1
        assert store.events(1) == GAME
        assert [v.number for v in store.versions(1)] == [1]
        (line,) = history(store)
        assert (line.plays, line.illegal, line.white_score, line.state) == (1, 1, 2, "game over")
    raw = sqlite3.connect(first)
    assert raw.execute("PRAGMA user_version").fetchone() == (1,)
    raw.close()


def test_what_is_kept_is_still_protected_after_the_migration(first: Path) -> None:
    Store.open(first).close()
    raw = sqlite3.connect(first)
    for statement in ("DELETE FROM events", "UPDATE recordings SET meta = '{}'"):
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            raw.execute(statement)
    raw.close()


def test_a_migration_that_is_cut_off_leaves_the_old_version(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.records import schema

    monkeypatch.setattr(schema, "_STEPS", (*schema._STEPS[:1], (*schema._STEPS[1], "CREATE NONSENSE")))
    with pytest.raises(RecordError):
        Store.open(first)
    monkeypatch.undo()
    with Store.open(first, write=False) as store:
        assert store.schema == 1
        assert store.events(1) == GAME
