"""The history and the statistics are always those of the events, whatever happened in between."""

from pathlib import Path

import pytest

from companion.errors import RecordError
from companion.events import Event
from companion.layout import Player
from companion.records import Store
from companion.records.summaries import Wanted, day, history, totals
from tests.signals.happening import illegal, played, rolled, started, won

ANNA = {"white": "Анна", "black": "Boris"}


def meta(day: str = "2026-11-29", game: str = "long", players: object = ANNA) -> dict[str, object]:
    return {"source": "a.mp4", "game": game, "started": f"{day}T19:00:00+00:00", "players": players}


def game(winner: Player = "white") -> list[Event]:
    return [
        started(),
        rolled(2, "white", (6, 6)),
        played(4, "white", dice=(6, 6)),
        rolled(6, "black", (2, 1)),
        illegal(8, "black"),
        played(9, "black", dice=(2, 1), verdict="illegal", reasons=("head",)),
        rolled(11, "white", (1, 6)),
        played(12.5, "white", dice=(1, 6), play=""),
        won(14, winner),
    ]


def test_a_player_is_counted_on_either_side(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.append(store.begin(meta()), game())
        store.append(store.begin(meta(players={"white": "Boris", "black": "анна"})), game())
        anna = totals(store, Wanted(player=" АННА"))
        assert anna["dice:66"] == 1
        assert anna["dice:21"] == 1
        assert anna["dice:61"] == 1
        assert anna["plays"] == 3
        assert anna["passes"] == 1
        assert (anna["games"], anna["won mars"], anna["lost mars"], anna["points"]) == (2, 1, 1, 2)
        assert (anna["illegal"], anna["illegal head"], anna["stood"]) == (1, 1, 1)
        assert (anna["starts"], anna["starts won"]) == (1, 1)
        assert (anna["first rolls"], anna["first pips"]) == (2, 24 + 3)
        assert (anna["turns timed"], anna["milliseconds"]) == (3, 4000 + 3500 + 5000)
        everybody = totals(store)
        assert everybody["plays"] == 6
        assert totals(store, Wanted(player="nobody")) == {}


def test_what_was_counted_is_counted_again_when_the_recording_goes_on(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        number = store.begin(meta())
        store.append(number, game()[:3])
        assert totals(store, Wanted(player="Анна"))["plays"] == 1
        assert history(store)[0].state == "open"
        store.append(number, game()[3:])
        assert totals(store, Wanted(player="Анна"))["plays"] == 2
        (line,) = history(store)
        assert (line.plays, line.illegal, line.white_score, line.state) == (3, 1, 2, "game over")
        store.correct(number, game()[:3], {"turn": 2})
        assert totals(store, Wanted(player="Анна"))["plays"] == 1
        assert totals(store, Wanted(player="Boris")) == {}
        assert history(store)[0].corrections == 1


def test_sums_by_month_and_tallies_by_day_agree(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for number in range(1, 29):
            store.append(store.begin(meta(f"2026-{number % 3 + 9:02}-{number:02}")), game())
        whole = totals(store, Wanted(player="Анна"))
        assert whole["games"] == 28
        assert totals(store, Wanted(player="Анна", since="2026-09-01", until="2026-11-30")) == whole
        october = totals(store, Wanted(player="Анна", since="2026-10", until="2026-10"))
        assert october == totals(store, Wanted(player="Анна", since="2026-10-01", until="2026-10-31"))
        assert october["games"] == 10
        assert totals(store, Wanted(since="2026-10-04", until="2026-10-04"))["games"] == 2
        assert totals(store, Wanted(player="Анна", game="short")) == {}


def test_the_history_is_filtered(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for number, (date, name, players) in enumerate(
            [("2026-09-30", "long", ANNA), ("2026-10-01", "short", ANNA), ("2026-11-02", "long", None)], 1
        ):
            assert store.begin(meta(date, name, players)) == number

        def found(**wanted: str) -> list[int]:
            return [line.recording for line in history(store, Wanted(**wanted))]

        for _ in range(2):  # counted just now, and kept
            assert found() == [1, 2, 3]
            assert found(player="boris") == [1, 2]
            assert found(game="long") == [1, 3]
            assert found(since="2026-10-01") == [2, 3]
            assert found(until="2026-09") == [1]
            assert found(player="анна", game="short", since="2026", until="2026") == [2]


def test_somebody_who_may_only_read_gets_the_same(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.append(store.begin(meta()), game())
    with Store.open(tmp_path, write=False) as store:
        first, tally = history(store), totals(store, Wanted(player="boris", since="2026-11-29"))
    with Store.open(tmp_path) as store:
        assert history(store) == first
        assert totals(store, Wanted(player="boris", since="2026-11-29")) == tally


def test_a_day_that_is_none_is_refused() -> None:
    assert [day(text, "--since") for text in ("2026", "2026-02", "2026-02-09")] == ["2026", "2026-02", "2026-02-09"]
    with pytest.raises(RecordError, match=r"--since: expected a date such as 2026-11-29.*, got 'yesterday'"):
        day("yesterday", "--since")
