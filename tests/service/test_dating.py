"""When a recording began, on a machine that learns the date late; switching off from the table."""

import configparser
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.cli.dating import AGAIN_S, Dating
from companion.cli.poweroff import ASKED, switch_off
from companion.errors import RecordUnwritable
from companion.events import DATED, Status
from companion.records import Recorder, Store
from companion.records.tally import add_up
from companion.rules import get_game
from tests.service.conftest import BUTTONS, Table
from tests.service.film import Film
from tests.signals.happening import rolled

TODAY = datetime(2026, 5, 4, 19, 30, tzinfo=UTC)
UNSET = datetime(1970, 1, 1, 0, 0, 20, tzinfo=UTC)


class Machine:
    """A machine whose clock is set while a recording runs; ``said`` are the dates that the record was told."""

    def __init__(self, shows: datetime, started: datetime | None = None, left_s: float | None = None) -> None:
        self.shows, self.passed_s = shows, 100.0
        self.said: list[str] = []
        self.full = False
        began = (started or shows).isoformat(timespec="seconds")
        self.dating = Dating(
            began, self.tell, left_s, wall=lambda: self.shows.timestamp(), steady=lambda: self.passed_s
        )

    def tell(self, began: str) -> None:
        if self.full:
            raise RecordUnwritable("no room")
        self.said.append(began)

    def wait(self, seconds: float) -> None:
        self.shows += timedelta(seconds=seconds)
        self.passed_s += seconds
        self.dating.look()

    def learns(self, date: datetime) -> None:
        self.shows = date
        self.dating.look()


def test_a_match_begun_in_1970_gets_its_date_when_the_network_tells_it() -> None:
    machine = Machine(UNSET)
    machine.wait(600)
    assert machine.said == []
    machine.learns(TODAY)
    machine.wait(600)
    assert machine.said == [(TODAY - timedelta(seconds=600)).isoformat()]


def test_a_clock_that_is_nudged_changes_nothing() -> None:
    machine = Machine(TODAY)
    machine.learns(TODAY + timedelta(seconds=40))
    machine.wait(3600)
    assert machine.said == []


def test_a_clock_that_stood_where_it_was_switched_off_is_corrected_too_and_again() -> None:
    machine = Machine(TODAY - timedelta(days=3))
    machine.learns(TODAY)
    machine.learns(TODAY - timedelta(days=1))
    assert machine.said == [TODAY.isoformat(), (TODAY - timedelta(days=1)).isoformat()]


def test_a_game_that_is_gone_on_with_keeps_the_date_that_was_known_before_the_power_went() -> None:
    machine = Machine(UNSET, started=TODAY, left_s=1800)
    machine.wait(60)
    machine.learns(TODAY + timedelta(hours=1))
    assert machine.said == []


def test_a_game_that_is_gone_on_with_and_was_never_dated_is_dated_by_the_seconds_played() -> None:
    machine = Machine(UNSET, started=UNSET, left_s=1800)
    machine.wait(60)
    machine.learns(TODAY)
    machine.wait(60)
    assert machine.said == [(TODAY - timedelta(seconds=1860)).isoformat()]


def test_a_date_that_cannot_be_written_is_tried_again() -> None:
    machine = Machine(UNSET)
    machine.full = True
    machine.learns(TODAY)
    machine.full = False
    machine.wait(AGAIN_S / 2)
    assert machine.said == []
    machine.wait(AGAIN_S)
    assert machine.said == [TODAY.isoformat()]


def test_a_long_press_asks_systemd_to_switch_off_and_the_display_says_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = table.folder / "run"
    run.mkdir()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(run))
    monkeypatch.setattr("companion.signals.buttons.OFF_S", 0.2)
    settings = table.folder / "companion.toml"
    settings.write_text(
        f'hardware = "none"\n[buttons]\nhold_s = 0.1\n[buttons.off]\npin = {BUTTONS["confirm"]}\nhold = "poweroff"\n',
        encoding="utf-8",
    )
    pin = table.pins.pin
    film = Film()
    film.show(get_game("long").start, seconds=1.0)
    film.act(lambda: pin(BUTTONS["confirm"]).drive_low())
    film.act(lambda: pin(BUTTONS["confirm"]).drive_high())  # a short press is nothing
    film.show(get_game("long").start, seconds=1.0)
    asked_before: list[bool] = []
    film.act(lambda: asked_before.append((run / ASKED).exists()))
    film.act(lambda: pin(BUTTONS["confirm"]).drive_low())
    film.show(get_game("long").start, seconds=100.0)
    shown = table.run(film)
    assert asked_before == [False]
    assert (run / ASKED).exists()
    assert shown.bodies[-1] == "Switching off"


def test_what_the_button_makes_is_what_systemd_waits_for() -> None:
    units = Path(__file__).parents[2] / "systemd"
    path, service, off = (configparser.RawConfigParser(strict=False) for _ in range(3))
    path.read(units / "companion-poweroff.path")
    service.read(units / "companion.service")
    off.read(units / "companion-poweroff.service")
    assert path["Path"]["PathExists"] == f"/run/{service['Service']['RuntimeDirectory']}/{ASKED}"
    assert off["Unit"]["SuccessAction"] == "poweroff"
    assert path["Path"]["PathExists"] in off["Service"]["ExecStart"]  # or it would switch off again and again


def test_where_there_is_no_box_nothing_is_switched_off(tmp_path: Path) -> None:
    assert not switch_off({})
    assert not switch_off({"RUNTIME_DIRECTORY": str(tmp_path / "not there")})
    assert switch_off({"RUNTIME_DIRECTORY": f"{tmp_path}:/run/other"})
    assert (tmp_path / ASKED).exists()


def test_the_record_and_the_history_know_the_date_that_was_told_last(tmp_path: Path) -> None:
    with Store.open(tmp_path / "record.sqlite") as store:
        recorder = Recorder.start(store, {"source": "0", "game": "long", "started": UNSET.isoformat()})
        recorder.append([rolled(1)])
        for date in (TODAY - timedelta(days=1), TODAY):
            recorder.append([Status(t=2, phase="MOVING", details=(DATED, date.isoformat()))])
        assert recorder.started == store.recording().meta["started"] == TODAY.isoformat()
        line, _ = add_up(recorder.recording, {"started": UNSET.isoformat()}, store.events(recorder.recording))
        assert line.started == TODAY.isoformat()
