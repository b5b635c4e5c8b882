"""A damaged record: kept aside, and what can be read of it goes on, up to the last good play."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import RecordError
from companion.events import Event, Gap, PlayMade, Rolled
from companion.inputs import Input, InputKind
from companion.records import Recorder, Store
from companion.records.health import damage, open_checked
from companion.records.pages import read_pages
from tests.signals.happening import START

META = {"source": "game.mp4", "game": "long", "players": {"white": "Анна", "black": "Boris"}}
PAGE = 4096


def turn(number: int) -> list[Event]:
    player = "white" if number % 2 == 0 else "black"
    dice = (number % 6 + 1, number % 5 + 1)
    # One body is longer than what fits on a page, so that it has pages of its own.
    reasons = tuple(f"reason-{i}" for i in range(300 if number == 70 else 1))
    play = PlayMade(
        t=number + 0.5, player=player, dice=dice, play="24/18", verdict="illegal", board=START, reasons=reasons
    )
    return [Rolled(t=float(number), player=player, dice=dice), play]


def written(path: Path, turns: int = 100) -> list[list[Event]]:
    """A record with three recordings, one of them corrected; closed, so that everything is in the one file."""
    everything = []
    with Store.open(path) as store:
        for recording in range(3):
            number = store.begin(META | {"number": recording})
            events = [event for n in range(turns) for event in turn(n + recording)]
            for at in range(0, len(events), 20):
                store.append(number, events[at : at + 20], [Input(float(at), InputKind.END_TURN, "white")])
            everything.append(events)
        store.correct(1, everything[0][:10], {"turn": 5})
        store.witness(1, 3, "roll", 2.5, "ab" * 32)
    return everything


def is_beginning(events: list[Event], of: list[Event]) -> bool:
    """Whether the events are those of the recording in order, with gaps where some are missing."""
    following = 0
    for event in events:
        if isinstance(event, Gap):
            continue
        at = of.index(event, following)
        if at != following and not any(isinstance(e, Gap) for e in events):
            return False
        following = at + 1
    return True


def recovered(path: Path) -> tuple[list[list[Event]], str]:
    """What is there as recorded after the record was opened, and what was said."""
    said: list[str] = []
    with open_checked(path, said.append) as store:
        kept = [store.events(recording.id, 1) for recording in store.recordings()]
        store.append(store.begin(META), turn(1))
    assert len(said) == 1
    assert "\n" not in said[0]
    assert len(list(path.parent.glob("*.damaged-*.sqlite"))) == 1
    assert damage(path, thorough=True) is None
    return kept, said[0]


def test_every_row_is_read_without_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    written(path)
    raw = sqlite3.connect(path)
    for table, length in (("events", 3), ("inputs", 3), ("versions", 6), ("corrected", 4), ("evidence", 5)):
        expected = set(raw.execute(f"SELECT * FROM {table}"))
        got = {row for number, row in read_pages(path).rows() if number is None and len(row) == length}
        assert expected <= got, table
    metas = {(number, row[1]) for number, row in read_pages(path).rows() if number is not None and len(row) == 2}
    assert set(raw.execute("SELECT * FROM recordings")) <= metas
    raw.close()


def test_what_is_only_in_the_log_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    with Store.open(path) as store:
        store.append(store.begin(META), [event for n in range(20) for event in turn(n)])
        expected = {(1, seq, body) for seq, body in enumerate(store.bodies("events", 1))}
        (tmp_path / "cut").mkdir()
        shutil.copy(path, tmp_path / "cut")
        log = Path(f"{path}-wal").read_bytes()
        (tmp_path / "cut" / "record.sqlite-wal").write_bytes(log + b"\x07" * 3000)  # a frame that was not finished
        got = {row for _, row in read_pages(tmp_path / "cut" / "record.sqlite").rows()}
        assert expected <= got
        (tmp_path / "cut" / "record.sqlite-wal").write_bytes(log[:-10])
        assert not expected <= {row for _, row in read_pages(tmp_path / "cut" / "record.sqlite").rows()}


def torn_last_page(data: bytes) -> bytes:
    return data[: -PAGE + 700]


def truncated(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def garbage_in_the_middle(data: bytes) -> bytes:
    at = len(data) // PAGE // 2 * PAGE
    return data[:at] + random.Random(5).randbytes(3 * PAGE) + data[at + 3 * PAGE :]


def header_gone(data: bytes) -> bytes:
    return bytes(PAGE) + data[PAGE:]


@pytest.mark.parametrize("spoil", [torn_last_page, truncated, garbage_in_the_middle, header_gone])
def test_a_damaged_record_goes_on_with_its_good_plays(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "record.sqlite"
    everything = written(path)
    path.write_bytes(spoil(path.read_bytes()))
    damaged = path.read_bytes()
    kept, said = recovered(path)
    assert len(kept) == 3
    assert all(map(is_beginning, kept, everything))
    assert sum(map(len, kept)) > sum(map(len, everything)) // 3
    assert "recordings with" in said
    aside = next(tmp_path.glob("*.damaged-*.sqlite"))
    assert aside.read_bytes() == damaged
    with Store.open(path, write=False) as store:
        assert store.recordings()[0].meta["players"]["white"] == "Анна"


def test_a_correction_that_is_whole_is_recovered(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    everything = written(path)
    path.write_bytes(header_gone(path.read_bytes()))
    recovered(path)
    with Store.open(path) as store:
        assert [v.edit for v in store.versions(1)] == [{}, {"turn": 5}]
        assert store.events(1) == everything[0][:10]


def test_a_recording_with_holes_is_not_gone_on_with_and_a_whole_one_is(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    written(path)
    path.write_bytes(truncated(path.read_bytes()))
    recovered(path)
    with Store.open(path) as store:
        holes = [r for r in store.recordings() if "recovered" in r.meta]
        assert holes
        for recording in holes:
            assert any(isinstance(event, Gap) for event in store.events(recording.id, 1))
            assert Recorder.resume(store, META | {"source": "game.mp4"}).recording != recording.id


def test_random_damage_never_invents_anything(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    everything = written(path, turns=40)
    whole = path.read_bytes()
    moments = random.Random(11)
    refused: list[str] = []
    for number in range(16):
        folder = tmp_path / str(number)
        folder.mkdir()
        spoilt = bytearray(whole)
        at, length = moments.randrange(len(whole)), moments.choice((512, PAGE, 5 * PAGE))
        spoilt[at : at + length] = moments.randbytes(length) if number % 2 else b""
        (folder / path.name).write_bytes(spoilt)
        said: list[str] = []
        try:
            with open_checked(folder / path.name, said.append) as store:
                kept = {r.id: store.events(r.id, 1) for r in store.recordings()}
        except RecordError as error:  # a byte inside a line that is JSON all the same
            refused.append(str(error))
            continue
        if said:
            assert all(is_beginning(events, everything[n - 1]) for n, events in kept.items() if n <= 3)
    assert len(refused) < 4
    assert all("damaged" in line or "expected" in line for line in refused)


def test_nothing_to_recover_is_said_and_the_game_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    path.write_bytes(b"all is lost " * 4000)
    kept, said = recovered(path)
    assert kept == []
    assert "nothing could be recovered" in said


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    raw = sqlite3.connect(path)
    raw.execute("CREATE TABLE songs (title TEXT)")
    raw.close()
    before = path.read_bytes()
    with pytest.raises(RecordError, match="another SQLite file"):
        open_checked(path, lambda line: None)
    assert path.read_bytes() == before


def test_a_whole_record_is_opened_without_a_word(tmp_path: Path) -> None:
    everything = written(tmp_path / "record.sqlite", turns=5)
    said: list[str] = []
    with open_checked(tmp_path, said.append) as store:
        assert store.events(2) == everything[1]
    assert said == []


def everything_of(path: Path) -> list[list[Event]]:
    """Read as it is, without mending."""
    with Store.open(path, write=False) as store:
        return [store.events(recording.id, 1) for recording in store.recordings()]


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"recording INTEGER NOT NULL", b"recording INTEGER NOT N\xb1LL"), (b'"verdict":', b'\n\xffe\x00dict":')],
)
def test_damage_that_sqlite_cannot_even_quote_is_mended_and_said_in_one_line(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    path = tmp_path / "record.sqlite"
    everything = written(path, turns=20)
    data = path.read_bytes()
    assert len(old) == len(new)
    at = data.index(old)
    path.write_bytes(data[:at] + new + data[at + len(old) :])
    with pytest.raises(RecordError) as refused:
        everything_of(path)
    assert str(refused.value).isprintable()
    kept, said = recovered(path)
    assert said.isprintable()
    assert all(map(is_beginning, kept, everything))


def test_a_line_that_is_no_text_any_more_is_found_and_mended(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    everything = written(path, turns=20)
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA writable_schema = ON")
    raw.execute("UPDATE sqlite_schema SET sql = replace(sql, 'body TEXT NOT NULL', 'body TEXT')")
    raw.commit()
    raw.close()
    raw = sqlite3.connect(path)
    raw.execute("INSERT INTO events VALUES (1, 9999, NULL)")
    raw.commit()
    raw.close()
    with pytest.raises(RecordError, match="expected a line of text, got None"):
        everything_of(path)
    assert "is not whole" in str(damage(path))
    kept, _ = recovered(path)
    assert all(map(is_beginning, kept, everything))


def test_a_changed_byte_inside_a_play_is_found(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    written(path, turns=5)
    data = path.read_bytes()
    assert data.count(b'"verdict":"illegal"') > 0
    path.write_bytes(data.replace(b'"verdict":"illegal"', b'"verdict";"illegal"', 1))
    assert "is not whole" in str(damage(path))
    path.write_bytes(data.replace(b'"verdict":"illegal"', b'"verdikt":"illegal"', 1))
    assert damage(path) is None
    assert "damaged" in str(damage(path, thorough=True))


def test_a_large_record_that_was_closed_well_is_only_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.records.health.LARGE", 10_000)
    path = tmp_path / "record.sqlite"
    everything = written(path, turns=40)
    with open_checked(path, lambda line: pytest.fail(line)) as store:
        assert store.events(3) == everything[2]
    whole = path.read_bytes()
    path.write_bytes(torn_last_page(whole))
    kept, said = recovered(path)
    assert len(kept) == 3
    assert "bytes expected" in said


def test_a_large_record_that_was_not_closed_is_read_from_end_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.records.health.LARGE", 10_000)
    path = tmp_path / "record.sqlite"
    written(path, turns=40)
    path.write_bytes(garbage_in_the_middle(path.read_bytes()))
    Path(f"{path}-wal").write_bytes(b"")
    recovered(path)
