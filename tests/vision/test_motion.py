import time

import cv2
import numpy as np
import pytest

from companion.vision.motion import MotionGate
from tests.vision.tables import CORNERS, noisy, table, with_hand


def gate_after(first):
    gate = MotionGate()
    gate.watch(CORNERS)
    gate.motion(first)
    return gate


def with_die(picture, at=(300, 250), side=16):
    out = picture.copy()
    cv2.rectangle(out, at, (at[0] + side, at[1] + side), (240, 240, 240), -1)
    return out


def test_the_first_frame_has_no_motion():
    assert MotionGate().motion(table()) == 0.0


@pytest.mark.parametrize("sigma", [0, 3, 8])
def test_noise_is_no_motion(sigma):
    gate = gate_after(noisy(table(), sigma, 1))
    assert gate.motion(noisy(table(), sigma, 2)) < 0.2


@pytest.mark.parametrize("sigma", [0, 3, 8])
def test_a_die_that_appears_is_motion(sigma):
    gate = gate_after(noisy(table(), sigma, 1))
    assert gate.motion(noisy(with_die(table()), sigma, 2)) > 0.5


@pytest.mark.parametrize("gain", [0.7, 1.25])
def test_a_jump_of_the_exposure_is_no_motion(gain):
    gate = gate_after(noisy(table(), 3, 1))
    assert gate.motion(noisy(np.clip(table() * gain, 0, 255), 3, 2)) < 0.3


def test_the_light_of_a_lamp_is_no_motion_but_a_hand_is():
    y, x = np.mgrid[0:480, 0:640]
    glow = 40 * np.exp(-((x - 320) ** 2 + (y - 240) ** 2) / (2 * 120.0**2))
    lit = np.clip(table() + glow[..., None] * [0.2, 0.5, 1.0], 0, 255)
    gate = gate_after(noisy(table(), 3, 1))
    assert gate.motion(noisy(lit, 3, 2)) < 0.5
    assert gate.motion(with_hand(noisy(lit, 3, 3))) > 0.9


def test_what_moves_beside_the_board_does_not_count():
    gate = gate_after(table())
    assert gate.motion(with_die(table(), at=(10, 10), side=60)) < 0.5
    everywhere = MotionGate()
    everywhere.motion(table())
    assert everywhere.motion(with_die(table(), at=(10, 10), side=60)) > 0.5


def test_a_frame_of_another_size_is_motion():
    gate = gate_after(table())
    assert gate.motion(cv2.resize(table(), (320, 240))) == 1.0


def test_it_is_cheap():
    frame = cv2.resize(table(), (1280, 960))
    gate = MotionGate()
    times = []
    for _ in range(30):
        begun = time.perf_counter()
        gate.motion(frame)
        times.append(time.perf_counter() - begun)
    assert min(times) < 0.002
