"""A camera that vanishes: opened again at growing intervals, and the time goes on."""

from collections.abc import Iterator

import numpy as np
import pytest

from companion.attention import Attention
from companion.camera.steady import SteadyCamera
from companion.errors import HardwareError
from companion.frame import Frame

PICTURE = np.zeros((4, 4, 3), np.uint8)


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.t = 1000.0

    def __call__(self) -> float:
        return self.t

    def sleep(self, seconds: float) -> None:
        self.t += seconds


class Cable:
    """A camera whose cable is out between two times; it gives a picture every half second, for 5 s."""

    def __init__(self, clock: Clock, out_s: float, in_s: float) -> None:
        self.clock, self.out_s, self.in_s = clock, clock() + out_s, clock() + in_s
        self.tries: list[float] = []
        self.attended = 0

    def open(self) -> "Cable":
        self.tries.append(round(self.clock() - 1000.0, 2))
        if self.out_s <= self.clock() < self.in_s:
            raise HardwareError("camera: none")
        return self

    def __iter__(self) -> Iterator[Frame]:
        begun = self.clock()
        for number in range(10):
            self.clock.sleep(0.5)
            if self.out_s <= self.clock() < self.in_s:
                raise HardwareError("camera: no picture")
            yield Frame(PICTURE, self.clock() - begun, number)

    def attend(self, attention: Attention) -> None:
        self.attended += 1

    def close(self) -> None:
        pass


def watched(out_s: float, in_s: float, frames: int) -> tuple[Cable, list[Frame], list[tuple[bool, float]], list[float]]:
    clock = Clock()
    cable = Cable(clock, out_s, in_s)
    told: list[tuple[bool, float]] = []
    idle: list[float] = []
    steady = SteadyCamera(
        cable.open, lambda lost, t: told.append((lost, round(t, 2))), begin_s=100.0, idle=idle.append, clock=clock,
        sleep=clock.sleep,
    )  # fmt: skip
    seen: list[Frame] = []
    for frame in steady:
        seen.append(frame)
        if len(seen) == frames:
            steady.close()
    return cable, seen, told, idle


def test_unplugged_for_a_minute_it_is_tried_ever_more_rarely_and_goes_on_when_it_is_back() -> None:
    cable, seen, told, idle = watched(2.0, 62.0, 6)
    assert [round(b - a, 1) for a, b in zip(cable.tries[1:], cable.tries[2:], strict=False)][:4] == [1.0, 2.0, 4.0, 8.0]
    assert max(b - a for a, b in zip(cable.tries, cable.tries[1:], strict=False)) <= 8.01
    assert [lost for lost, _ in told] == [True, False]
    assert [round(frame.t, 1) for frame in seen[:3]] == [100.5, 101.0, 101.5]
    assert 162.0 <= seen[3].t <= 171.0
    assert [frame.number for frame in seen] == list(range(6))
    assert len(idle) > 100


def test_times_never_go_back_and_count_from_where_it_was_told_to_begin() -> None:
    _, seen, _, _ = watched(2.0, 3.0, 30)
    times = [frame.t for frame in seen]
    assert times == sorted(times)
    assert times[0] == pytest.approx(100.5)


def test_the_first_opening_must_succeed() -> None:
    clock = Clock()
    cable = Cable(clock, 0.0, 9.0)
    with pytest.raises(HardwareError, match="camera: none"):
        SteadyCamera(cable.open, lambda lost, t: None, clock=clock, sleep=clock.sleep)
