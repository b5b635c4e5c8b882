"""An interrupted recording goes on: nothing is lost and nothing doubled, whenever the program dies."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.errors import RecordError
from companion.events import Event, Rolled
from companion.inputs import Input, InputKind
from companion.records import Recorder, Store

META = {"source": "game.mp4", "game": "long", "started": "now"}

# A stand-in for a replay: many steps, each with some events, always the same.
WRITER = """
import sys
from pathlib import Path
from companion.records import Recorder, Store
from tests.records.test_resume import META, STEPS, step
with Store.open(Path(sys.argv[1])) as store:
    recorder = Recorder.resume(store, META)
    print("open", flush=True)
    for number in range(STEPS):
        recorder.append(*step(number))
    recorder.finish()
"""
STEPS = 400


def step(number: int) -> tuple[list[Event], list[Input]]:
    """0 to 3 events and sometimes an input; the same for the same number."""
    events: list[Event] = [
        Rolled(t=number + part / 10, player="white", dice=(number % 6 + 1, part + 1)) for part in range(number % 4)
    ]
    return events, [Input(float(number), InputKind.END_TURN, "black")] if number % 5 == 0 else []


def everything() -> tuple[list[Event], list[Input]]:
    steps = [step(number) for number in range(STEPS)]
    return [e for events, _ in steps for e in events], [i for _, inputs in steps for i in inputs]


def run_until_killed(folder: Path, after_s: float) -> bool:
    """Start the writer, kill it after some time, and tell whether it had ended by itself."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(after_s)
    process.send_signal(signal.SIGKILL)
    process.stdout.close()
    return process.wait() == 0


def test_killed_at_any_moment_it_loses_and_doubles_nothing(tmp_path: Path) -> None:
    moments = random.Random(7)
    lengths = []
    for _ in range(12):
        ended = run_until_killed(tmp_path, moments.uniform(0.0, 0.15))
        with Store.open(tmp_path, write=False) as store:
            events, inputs = store.events(1), store.inputs(1)
        assert events == everything()[0][: len(events)]
        assert inputs == everything()[1][: len(inputs)]
        lengths.append(len(events))
        if ended:
            break
    assert lengths == sorted(lengths)
    subprocess.run([sys.executable, "-c", WRITER, str(tmp_path)], check=True, capture_output=True)
    with Store.open(tmp_path, write=False) as store:
        assert [r.id for r in store.recordings()] == [1]
        assert (store.events(1), store.inputs(1)) == everything()


def test_each_step_is_there_whole_after_a_kill(tmp_path: Path) -> None:
    ends = [0]
    for number in range(STEPS):
        ends.append(ends[-1] + len(step(number)[0]))
    run_until_killed(tmp_path, 0.05)
    with Store.open(tmp_path, write=False) as store:
        assert len(store.events(1)) in ends


def test_resuming_adds_only_what_is_past_the_end(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        first = Recorder.start(store, META)
        first.append(*step(3))
        again = Recorder.resume(store, META | {"started": "later"})
        assert again.recording == first.recording
        again.append(*step(3))
        again.append(*step(5))
        again.finish()
        assert store.events(first.recording) == step(3)[0] + step(5)[0]
        assert store.inputs(first.recording) == step(5)[1]


def test_without_resume_each_recording_is_its_own(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert Recorder.start(store, META).recording != Recorder.start(store, META).recording


def test_another_source_is_not_gone_on_with(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        first = Recorder.start(store, META)
        assert Recorder.resume(store, META | {"source": "b.mp4"}).recording != first.recording


def test_a_recording_that_went_another_way_is_refused(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        Recorder.start(store, META).append(*step(3))
        again = Recorder.resume(store, META)
        with pytest.raises(RecordError, match=r"events expected .*, got "):
            again.append(*step(2))


def test_a_source_that_ends_too_early_is_refused(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        Recorder.start(store, META).append(*step(3))
        with pytest.raises(RecordError, match="got the end"):
            Recorder.resume(store, META).finish()
