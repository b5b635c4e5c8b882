"""What the service survives, each with a real process: signals, a full disk, a clock that jumps, missing devices."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.errors import RecordError
from companion.events import PUBLIC, Event, PlayMade, Status
from companion.records import Store
from tests.service.process import PLAYS

LONGEST_S = 300.0


class Service:
    """``companion run --simulate`` as a process of its own, and what it has written."""

    def __init__(self, folder: Path) -> None:
        self.state, self.events, self.said = folder / "state", folder / "events.jsonl", folder / "said"
        self.process: subprocess.Popen[bytes] | None = None

    def start(
        self, *arguments: str, more: Mapping[str, str] | None = None, before: Callable[[], None] | None = None
    ) -> None:
        live = "--camera" in arguments
        command = [sys.executable, "-m", "tests.service.process", "run", "--game", "long", "--home", "BR"]
        command += [] if live else ["--simulate", "--speed", "1000"]
        options = ["--game", "long", "--home", "BR", "--no-evidence", "--events", str(self.events)]
        environment = os.environ | {"STATE_DIRECTORY": str(self.state)} | dict(more or {})
        with self.said.open("ab") as said:
            self.process = subprocess.Popen([*command, *options], env=environment, stderr=said, preexec_fn=before)

    def stored(self) -> list[Event]:
        """What the record holds by now."""
        with contextlib.suppress(RecordError), Store.open(self.state, write=False) as store:
            return [event for recording in store.recordings() for event in store.events(recording.id)]
        return []

    def told(self) -> list[dict[str, object]]:
        """The events that were printed."""
        lines = self.events.read_text(encoding="utf-8").splitlines() if self.events.exists() else []
        return [json.loads(line) for line in lines if line.endswith("}")]

    def wait(self, until: Callable[[], bool]) -> None:
        """Wait for something that the service does."""
        assert self.process is not None
        limit = time.monotonic() + LONGEST_S
        while not until():
            assert self.process.poll() is None, self.said.read_text(encoding="utf-8")
            assert time.monotonic() < limit
            time.sleep(0.25)

    def plays(self, count: int) -> Callable[[], bool]:
        """So many plays are in the record."""
        return lambda: sum(isinstance(event, PlayMade) for event in self.stored()) >= count

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Send a signal; answers the exit code and how many seconds it took.

        The time for which the process was ready and a busy machine let it wait does not count (Linux's schedstat).
        """
        assert self.process is not None
        begun, waited = time.monotonic(), self._kept_waiting()
        self.process.send_signal(number)
        last = waited
        while self.process.poll() is None:
            last = max(last, self._kept_waiting())
            assert time.monotonic() - begun < LONGEST_S
            time.sleep(0.01)
        return self.process.returncode, time.monotonic() - begun - (last - waited)

    def _kept_waiting(self) -> float:
        assert self.process is not None
        with contextlib.suppress(OSError, IndexError):
            return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[1]) / 1e9
        return 0.0

    def lines(self) -> list[str]:
        """What was said to the person or the journal."""
        return self.said.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path)
    try:
        yield made
    finally:
        if made.process is not None and made.process.poll() is None:
            made.process.kill()
            made.process.wait()


def test_sigterm_turns_the_lamps_off_and_closes_the_record_within_two_seconds(service: Service) -> None:
    service.start()
    service.wait(service.plays(2))
    rc, seconds = service.stop()
    assert rc == 0
    assert seconds < 2.0
    assert "lamps: all dark" in service.lines()[-1]
    assert any("lamps: black" in line for line in service.lines())
    last = service.stored()[-1]
    assert isinstance(last, Status)
    assert last.message == "closed"
    kept = [event.to_json() for event in service.stored() if isinstance(event, PUBLIC)]
    told = service.told()
    assert told[0].pop("schema") == 1
    assert told == kept[: len(told)]
    assert len(kept) - len(told) <= 2  # the last step may have been stored and not printed any more


def test_killed_it_goes_on_with_the_same_game_and_nothing_is_lost_or_doubled(service: Service) -> None:
    for plays in (2, 5):
        service.start()
        service.wait(service.plays(plays))
        assert service.stop(signal.SIGKILL)[0] == -signal.SIGKILL
    service.start()
    service.wait(service.plays(8))
    service.stop()
    kept = service.stored()
    with Store.open(service.state, write=False) as store:
        assert len(store.recordings()) == 1
    plays_kept = [(e.player, e.play, e.verdict) for e in kept if isinstance(e, PlayMade)]
    texts = [" ".join(f"{a}/{b}" for a, b in moves) for moves in PLAYS]
    assert plays_kept == [(player, text, "legal") for text in texts for player in ("white", "black")]
    assert [e.t for e in kept] == sorted(e.t for e in kept)
    assert sum("going on with the game" in line for line in service.lines()) == 2


def test_a_full_disk_does_not_stop_the_referee_and_loses_nothing_that_was_stored(service: Service) -> None:
    service.start()
    service.wait(service.plays(2))
    service.stop(signal.SIGKILL)
    before = [event.to_json() for event in service.stored()]
    # No file may grow beyond what the record has now: every write to it fails, as on a full disk.
    full = max(path.stat().st_size for path in service.state.glob("record.sqlite*"))
    service.start(before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (full, full)))
    service.wait(lambda: any("kept in memory" in line for line in service.lines()))
    at = len(service.lines())
    service.wait(lambda: len(service.lines()) > at + 1)  # the lamps go on
    service.stop()
    assert [event.to_json() for event in service.stored()][: len(before)] == before


def test_a_clock_that_jumps_changes_nothing_but_the_date(service: Service) -> None:
    clock = service.state.parent / "clock"
    clock.write_text("0")
    service.start(more={"COMPANION_TEST_CLOCK": str(clock)})
    service.wait(service.plays(2))
    clock.write_text(str(400 * 86400))
    service.wait(service.plays(4))
    clock.write_text(str(-400 * 86400))
    service.wait(service.plays(7))
    rc, seconds = service.stop()
    assert rc == 0
    assert seconds < 2.0
    times = [event.t for event in service.stored()]
    assert times == sorted(times)
    assert times[-1] < 3600
    with Store.open(service.state, write=False) as store:
        began = datetime.fromisoformat(store.recording().meta["started"])
    assert abs(began - (datetime.now(UTC) - timedelta(days=400))) < timedelta(hours=1)  # as the clock says now
