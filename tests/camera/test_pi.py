"""The Pi camera, against a stand-in for picamera2 whose signatures are compared with the real source."""

import ast
import inspect
import subprocess
import sys
import tarfile
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.attention import Attention, Box
from companion.camera import pi
from companion.camera.sources import open_camera
from companion.errors import HardwareError
from companion.frame import Frame
from tests.camera import picamera2_standin as standin
from tests.camera.picamera2_standin import Picamera2

MODULE_3 = {"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}
WEBCAM = {"Model": "UVC Camera", "Id": "/base/scb/pcie/usb@1/1-1.2", "Num": 1}


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(Picamera2, "connected", [MODULE_3, WEBCAM])
    monkeypatch.setattr(Picamera2, "motor", True)
    monkeypatch.setattr(pi, "SETTLE_S", 0.0)
    monkeypatch.setattr(pi, "PATIENCE_S", 60.0)
    monkeypatch.setattr(pi, "MAIN_WIDTH", 410)


@pytest.fixture
def camera() -> Iterator[pi.PiCamera]:
    opened = pi.PiCamera()
    yield opened
    opened.close()
    assert device().closed == 1
    assert device().out == []


def device() -> Picamera2:
    assert Picamera2.latest is not None
    return Picamera2.latest


def until(met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60.0
    while not met():
        assert time.monotonic() < deadline, "this never came true"
        time.sleep(0.005)


def further(frames: int) -> None:
    """Until the camera has taken so many more."""
    now = device().captured
    until(lambda: device().captured >= now + frames)


def framed(frames: Iterator[Frame], wanted: Callable[[Frame], bool]) -> Frame:
    """The first of the next frames for which this is so."""
    return next(frame for _, frame in zip(range(100), frames, strict=False) if wanted(frame))


def test_a_frame_is_the_whole_sensor_blue_first_in_the_size_that_is_read(camera: pi.PiCamera) -> None:
    device().sensor[:] = (200, 60, 20)
    frame = framed(iter(camera), lambda f: f.image[0, 0, 0] == 200)
    assert frame.image.shape == (308, 410, 3)
    assert frame.image.dtype == np.uint8
    assert frame.image[150, 200].tolist() == [200, 60, 20]


def test_only_the_newest_frame_is_handed_out_and_made_a_picture(camera: pi.PiCamera) -> None:
    frames = iter(camera)
    first = next(frames)
    further(8)
    device().sensor = np.full_like(device().sensor, 180)
    further(2)
    second = next(frames)
    assert second.number > first.number + 5
    assert second.image.max() == 180
    assert device().made == ["main", "main"]
    assert second.t > first.t


def test_frames_come_seldom_while_nothing_moves(camera: pi.PiCamera) -> None:
    frames = iter(camera)
    next(frames)
    next(frames)
    begun = time.monotonic()
    next(frames)
    assert time.monotonic() - begun > 0.5 * pi.AT_REST_EVERY_S


def test_a_frame_comes_at_once_when_something_moves(camera: pi.PiCamera, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = iter(camera)
    next(frames)
    monkeypatch.setattr(pi, "AT_REST_EVERY_S", 3600.0)
    changed = device().sensor.copy()
    changed[300:330, 300:330] = 250  # a die
    device().sensor = changed
    assert next(frames).image.max() == 250


def test_exposure_white_balance_and_focus_are_kept_while_a_game_is_played(camera: pi.PiCamera) -> None:
    assert device().controls[0] == {
        "AeEnable": True,
        "AwbEnable": True,
        "AfMode": pi.AF_CONTINUOUS,
        "FrameDurationLimits": (33_333, 33_333),
    }
    camera.attend(Attention(phase="WAITING_FOR_ROLL"))
    until(lambda: len(device().controls) == 2)
    assert device().controls[1] == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 8000,
        "AnalogueGain": 2.0,
        "ColourGains": (1.5, 1.9),
        "AfMode": pi.AF_MANUAL,
        "LensPosition": 1.25,
    }
    camera.attend(Attention(phase="BLIND"))  # a hand over the board must not make it brighter
    further(3)
    assert len(device().controls) == 2
    camera.attend(Attention(phase="GAME_OVER"))
    until(lambda: len(device().controls) == 3)
    assert device().controls[2] == {"AeEnable": True, "AwbEnable": True, "AfMode": pi.AF_CONTINUOUS}


def test_a_camera_without_a_motor_is_told_nothing_about_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Picamera2, "motor", False)
    camera = pi.PiCamera()
    camera.attend(Attention(phase="MOVING"))
    until(lambda: len(device().controls) == 2)
    camera.close()
    assert not [c for c in device().controls if "AfMode" in c or "LensPosition" in c]


WANTED = (125.0, 50.0, 25.0, 25.0)


def asked_for(*regions: Box) -> Attention:
    return Attention(phase="MOVING", regions=regions)


def test_dice_come_once_in_full_resolution_when_they_are_wanted(camera: pi.PiCamera) -> None:
    shown = device().sensor.copy()
    shown[100:150, 250:300] = (0, 255, 0)
    device().sensor = shown
    frames = iter(camera)
    next(frames)
    camera.attend(asked_for(WANTED))
    ((box, picture),) = framed(frames, lambda f: bool(f.details)).details
    assert box == WANTED
    assert picture.shape == (50, 50, 3)
    assert (picture == (0, 255, 0)).all()
    camera.attend(asked_for((126.0, 49.4, 25.0, 25.0)))  # the same die, read again
    further(4)
    assert not next(frames).details
    camera.attend(Attention(phase="MOVING"))
    further(2)
    camera.attend(asked_for(WANTED))
    further(4)
    assert device().stills == 1
    camera.attend(asked_for(WANTED, (300.0, 50.0, 25.0, 25.0)))
    ((box, _),) = framed(frames, lambda f: bool(f.details)).details
    assert box[0] == 300.0


def test_a_place_is_shown_again_when_it_was_not_asked_for_for_some_time(
    camera: pi.PiCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [time.monotonic()]
    monkeypatch.setattr(camera, "_clock", lambda: now[0])
    for expected, attention in ((1, asked_for(WANTED)), (1, asked_for()), (2, asked_for(WANTED))):
        camera.attend(attention)
        for _ in range(4):
            further(4)
            now[0] += pi.AGAIN_S / 3
        assert device().stills == expected


def test_what_is_shown_of_a_region_at_the_edge_is_the_part_that_there_is(camera: pi.PiCamera) -> None:
    camera.attend(asked_for((-10.0, 290.0, 40.0, 40.0), (500.0, 10.0, 30.0, 30.0)))
    ((box, picture),) = framed(iter(camera), lambda f: bool(f.details)).details
    assert box == (0.0, 290.0, 30.0, 18.0)
    assert picture.shape == (36, 60, 3)


def test_the_light_stays_as_it_was_kept_in_the_still_and_after_it(camera: pi.PiCamera) -> None:
    camera.attend(asked_for(WANTED))
    until(lambda: device().stills == 1 and len(device().controls) == 4)
    _, kept, still, stream = device().controls
    assert kept["AeEnable"] is False
    assert still == {"Quality": 1} | kept
    assert stream == {"FrameDurationLimits": (33_333, 33_333)} | kept
    assert device().configuration["main"]["size"] == (410, 308)


def test_no_still_is_taken_while_the_camera_adapts(camera: pi.PiCamera) -> None:
    camera.attend(Attention(phase="SETUP", regions=(WANTED,)))
    further(8)
    assert device().stills == 0


def test_a_camera_that_cannot_take_stills_is_opened_again_and_asked_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi.PiCamera, "stills_work", True)
    for failing in (True, False):
        camera = pi.PiCamera()
        device().can_switch = False
        camera.attend(asked_for(WANTED))
        if failing:
            with pytest.raises(HardwareError, match="Configuration failed"):
                framed(iter(camera), lambda _: False)
        else:
            further(8)
            assert not framed(iter(camera), lambda _: True).details
        camera.close()


def test_a_camera_that_is_pulled_out_is_an_error_of_one_line(camera: pi.PiCamera) -> None:
    frames = iter(camera)
    next(frames)
    device().plugged = False
    with pytest.raises(HardwareError, match=r"^Pi camera: it gives no more frames"):
        for _ in frames:
            pass


def test_closing_ends_the_frames_and_may_be_done_twice(camera: pi.PiCamera) -> None:
    frames = iter(camera)
    next(frames)
    camera.close()
    camera.close()
    assert list(frames) == []


def test_auto_is_the_pi_camera_where_there_is_one_and_webcams_are_none() -> None:
    assert pi.pi_cameras() == ["imx708"]
    camera = open_camera("auto")
    assert isinstance(camera, pi.PiCamera)
    camera.close()


def test_a_missing_camera_and_a_missing_library_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HardwareError, match="Pi camera 7: expected a camera that answers"):
        open_camera("pi:7")
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert pi.pi_cameras() == []
    with pytest.raises(HardwareError, match="sudo apt install python3-picamera2"):
        open_camera("pi")


# ---- the stand-in against the real one ----


@pytest.fixture(scope="module")
def source(request: pytest.FixtureRequest) -> Callable[[str], ast.ClassDef]:
    """The classes of picamera2 as they stand in its source, which is read and never run."""
    folder = Path(request.config.cache.mkdir("picamera2"))
    if not list(folder.glob("picamera2-*.tar.gz")):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "picamera2"]
        done = subprocess.run([*command, "--dest", str(folder)], capture_output=True, text=True)
        assert done.returncode == 0, f"the source of picamera2 could not be downloaded: {done.stderr}"
    (package,) = folder.glob("picamera2-*.tar.gz")
    with tarfile.open(package) as archive:
        texts = {
            Path(member.name).name: file.read().decode()
            for member in archive.getmembers()
            if member.name.endswith(("/picamera2.py", "/request.py")) and (file := archive.extractfile(member))
        }

    def of(name: str) -> ast.ClassDef:
        nodes = [node for text in texts.values() for node in ast.parse(text).body]
        return next(node for node in nodes if isinstance(node, ast.ClassDef) and node.name == name)

    return of


def parameters(node: ast.FunctionDef) -> list[tuple[str, bool]]:
    """Each parameter by name, and whether it may be left out."""
    names = [argument.arg for argument in node.args.args]
    needed = len(names) - len(node.args.defaults)
    return [(name, index >= needed) for index, name in enumerate(names)]


@pytest.mark.parametrize("kind", [standin.Picamera2, standin.CompletedRequest])
def test_the_stand_in_has_the_signatures_of_the_real_one(kind: type, source: Callable[[str], ast.ClassDef]) -> None:
    real = {node.name: node for node in source(kind.__name__).body if isinstance(node, ast.FunctionDef)}
    for name, member in vars(kind).items():
        method = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not inspect.isfunction(method):
            continue
        assert name in real, f"picamera2 has no {kind.__name__}.{name}"
        empty = inspect.Parameter.empty
        ours = [(p.name, p.default is not empty) for p in inspect.signature(method).parameters.values()]
        assert ours == parameters(real[name]), f"{kind.__name__}.{name}"


def test_nothing_is_used_that_the_stand_in_does_not_have() -> None:
    tree = ast.parse(inspect.getsource(pi))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self._camera", "camera", "Picamera2")
    }
    assert {"capture_request", "create_video_configuration", "close"} <= used
    assert used <= set(dir(Picamera2))
