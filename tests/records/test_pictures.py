"""Evidence pictures: bounded, thinned out oldest first, never those of a doubtful turn, and none for ever."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.cli.keeping import keep, limits_of
from companion.config import Settings, validated
from companion.errors import ConfigError, RecordError
from companion.events import Event, Gap, PlayMade, VoidRoll
from companion.records import Store
from companion.records.pictures import Album, Limits, Picture, Pictures, open_or_renew
from tests.signals.happening import illegal, played, rolled

NOW = 1_800_000_000.0
DAY = 86400.0


class Clock:
    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def picture(turn: int, kind: str = "after", size: int = 1000, recording: int = 1) -> Picture:
    return Picture(recording, turn, kind, float(turn), f"{turn:064x}", bytes([turn % 256]) * size)


def turns(pictures: Pictures, recording: int = 1) -> list[int]:
    return [p.turn for p in pictures.of_recording(recording)]


def test_the_oldest_go_first_when_the_quota_is_reached(tmp_path: Path) -> None:
    with Pictures.open(tmp_path, Limits(quota_mb=0.01), Clock()) as pictures:
        for turn in range(15):
            assert pictures.keep(picture(turn))
        assert turns(pictures) == list(range(5, 15))
        assert pictures.total == 10_000


def test_a_flagged_turn_is_never_thinned_out(tmp_path: Path) -> None:
    with Pictures.open(tmp_path, Limits(quota_mb=0.01), Clock()) as pictures:
        pictures.keep(picture(0))
        pictures.flag(1, 0)  # what is kept already
        pictures.flag(1, 3)  # what will come
        for turn in range(1, 30):
            pictures.keep(picture(turn))
        assert turns(pictures) == [0, 3, *range(22, 30)]


def test_the_quota_holds_also_when_everything_is_flagged(tmp_path: Path) -> None:
    with Pictures.open(tmp_path, Limits(quota_mb=0.005), Clock()) as pictures:
        for turn in range(9):
            pictures.flag(1, turn)
            assert pictures.keep(picture(turn)) is (turn < 5)
        assert pictures.total == 5000


def test_pictures_older_than_the_limit_are_deleted_flagged_or_not(tmp_path: Path) -> None:
    clock = Clock()
    with Pictures.open(tmp_path, Limits(age_days=30), clock) as pictures:
        pictures.keep(picture(1))
        pictures.flag(1, 1)
        clock.now += 20 * DAY
        pictures.keep(picture(2))
        clock.now += 11 * DAY
        assert pictures.expire() == 1
        assert turns(pictures) == [2]
    with Pictures.open(tmp_path, Limits(age_days=30), Clock(NOW + 90 * DAY)) as pictures:
        assert turns(pictures) == []


def test_pictures_are_deleted_while_the_table_runs_for_months(tmp_path: Path) -> None:
    clock = Clock()
    with Pictures.open(tmp_path, Limits(age_days=30), clock) as pictures:
        for day in range(40):
            clock.now = NOW + day * 1.1 * DAY
            pictures.keep(picture(day))
        assert turns(pictures) == list(range(12, 40))


def test_who_only_looks_deletes_nothing(tmp_path: Path) -> None:
    with Pictures.open(tmp_path, Limits(age_days=1000), Clock()) as pictures:
        pictures.keep(picture(1))
    with Pictures.open(tmp_path, now=Clock(NOW + 200 * DAY)) as pictures:
        assert turns(pictures) == [1]


def test_quota_and_age_are_as_the_settings_say(tmp_path: Path) -> None:
    settings = validated(Settings, {"evidence": {"quota_mb": 2, "age_days": 1000}}, "companion.toml")
    with ExitStack() as stack:
        kept = keep(stack, tmp_path / "record.sqlite", {"game": "long"}, evidence=True, limits=limits_of(settings))
        assert kept.album is not None
        assert kept.album.limits == Limits(quota_mb=2.0, age_days=1000.0)
    with pytest.raises(ConfigError, match=r"evidence\.age_days: input should be greater than 0, got 0"):
        validated(Settings, {"evidence": {"age_days": 0}}, "companion.toml")


def test_a_clock_that_is_set_late_deletes_nothing(tmp_path: Path) -> None:
    clock = Clock(100.0)  # a Pi without network thinks that it is 1970
    with Pictures.open(tmp_path, Limits(age_days=30), clock) as pictures:
        pictures.keep(picture(1))
        clock.now = NOW
        assert pictures.expire() == 0
        clock.now += 31 * DAY
        assert pictures.expire() == 1


def test_a_picture_is_kept_once(tmp_path: Path) -> None:
    with Pictures.open(tmp_path, now=Clock()) as pictures:
        assert pictures.keep(picture(1))
        assert not pictures.keep(picture(1))
        assert pictures.total == 1000


def test_nothing_of_a_forgotten_picture_is_left_in_the_file(tmp_path: Path) -> None:
    with Pictures.open(tmp_path, now=Clock()) as pictures:
        pictures.keep(Picture(1, 1, "after", 1.0, "a", b"secret one " * 500))
        pictures.keep(Picture(2, 1, "after", 1.0, "b", b"secret two " * 500))
        assert pictures.forget([1]) == 1
        assert turns(pictures, 2) == [1]
        assert pictures.forget() == 1
    for path in tmp_path.iterdir():
        assert b"secret" not in path.read_bytes()


def take(kind: str) -> bytes | None:
    return kind.encode() * 100


@pytest.fixture
def album(tmp_path: Path) -> Iterator[Album]:
    with Store.open(tmp_path) as store, Pictures.open(tmp_path, now=Clock()) as pictures:
        yield Album(pictures, store, store.begin({"game": "long"}), lambda line: None)


def kinds(album: Album, turn: int) -> list[str]:
    return [p.kind for p in album._pictures.of_turn(1, turn)]


def test_a_turn_has_its_roll_and_the_board_before_and_after(album: Album) -> None:
    for t, events in ((1.0, [rolled(1)]), (5.0, [played(5)]), (6.0, [rolled(6, "black"), played(6, "black")])):
        album.see(events, t, take)
    assert kinds(album, 1) == ["roll", "before", "after"]
    assert kinds(album, 2) == ["roll", "after"]  # the play was made before the dice were read
    with Store.open(album._store.path, write=False) as store:
        hashes = store._connection.execute("SELECT turn, kind, length(sha256) FROM evidence ORDER BY t").fetchall()
    assert set(hashes) == {(1, "roll", 64), (1, "before", 64), (1, "after", 64), (2, "roll", 64), (2, "after", 64)}


@pytest.mark.parametrize(
    ("doubtful", "flagged"),
    [
        (illegal(2), 1),
        (VoidRoll(t=2, player="white", dice=(1, 2), why="cocked"), 1),
        (Gap(t=2), 1),
        (played(2, verdict="illegal", reasons=("head",)), 1),
        (played(2, confidence=0.6), 1),
        (played(2, confidence=0.99), 0),
    ],
)
def test_what_is_doubtful_flags_its_turn(album: Album, doubtful: Event, flagged: int) -> None:
    album.see([rolled(1)], 1.0, take)
    album.see([doubtful], 2.0, take)
    rows = album._pictures._connection.execute("SELECT DISTINCT turn, flagged FROM pictures").fetchall()
    assert rows == [(1, flagged)]
    assert isinstance(doubtful, PlayMade) or album._turn == 1


def test_where_nothing_can_be_seen_nothing_is_kept(album: Album) -> None:
    album.see([rolled(1)], 1.0, lambda kind: None)
    assert album._pictures.total == 0


def test_a_quota_of_doubtful_turns_is_said_once(tmp_path: Path) -> None:
    said: list[str] = []
    with Store.open(tmp_path) as store, Pictures.open(tmp_path, Limits(quota_mb=0.001), Clock()) as pictures:
        album = Album(pictures, store, store.begin({}), said.append)
        for number in range(9):
            album.see([illegal(number), played(number, verdict="illegal")], number, take)
        assert len(said) == 1
        assert "quota" in said[0]
        assert pictures.total <= 1000


def test_a_damaged_file_of_pictures_does_not_stop_the_game(tmp_path: Path) -> None:
    (tmp_path / "pictures.sqlite").write_bytes(b"what is this " * 1000)
    said: list[str] = []
    pictures = open_or_renew(tmp_path, said.append)
    assert pictures is not None
    assert pictures.keep(picture(1))
    pictures.close()
    assert "the record is whole" in said[0]


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    raw = sqlite3.connect(tmp_path / "pictures.sqlite")
    raw.execute("CREATE TABLE songs (title TEXT)")
    raw.close()
    said: list[str] = []
    assert open_or_renew(tmp_path, said.append) is None
    assert "no pictures are kept" in said[0]
    with pytest.raises(RecordError, match="another SQLite file"):
        Pictures.open(tmp_path)
