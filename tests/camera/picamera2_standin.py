"""What stands in for picamera2 where there is none: what ``companion.camera.pi`` uses of it, with the real signatures
(test_pi.py compares them with the source of picamera2), over a sensor that shows whatever a test puts into it.
"""
# ruff: noqa: B006  the defaults are those of the real one

import threading
import time
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
FRAME_S = 0.004


class CompletedRequest:
    def __init__(self, request: Any, picam2: "Picamera2") -> None:
        self.picture, self.camera = request, picam2
        self.released = 0

    def make_array(self, name: str) -> Picture:
        assert not self.released, "a buffer was read after it was given back"
        config = self.camera.configuration[name]
        width, height = config["size"]
        if config["format"] == "YUV420":
            grey = sampled(self.picture, width, height).mean(axis=2).astype(np.uint8)
            return np.vstack([grey, np.full((height // 2, width), 128, np.uint8)])
        assert config["format"] == "RGB888"
        self.camera.made.append(name)
        return sampled(self.picture, width, height)

    def release(self) -> None:
        assert not self.released, "a buffer was given back twice"
        self.released += 1
        self.camera.out.remove(self)


class Picamera2:
    """One camera; ``sensor`` is what it looks at, in full resolution."""

    connected: ClassVar[list[dict[str, Any]]] = []
    latest: ClassVar["Picamera2 | None"] = None
    motor = True

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return Picamera2.connected

    def __init__(
        self, camera_num: Any = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        if camera_num >= len(self.connected):
            raise IndexError("list index out of range")
        Picamera2.latest = self
        self.sensor: Picture = np.full((616, 820, 3), 90, np.uint8)
        self.plugged, self.can_switch, self.started, self.closed = True, True, False, 0
        self.configuration: dict[str, Any] = {}
        self.out: list[CompletedRequest] = []
        self.made: list[str] = []
        self.controls: list[dict[str, Any]] = []
        self.stills = self.captured = 0
        self.lock = threading.Lock()

    @property
    def camera_properties(self) -> dict[str, Any]:
        height, width = self.sensor.shape[:2]
        return {"PixelArraySize": (width, height)}

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return {"AeEnable": (False, True, None)} | ({"AfMode": (0, 2, 0)} if self.motor else {})

    def create_video_configuration(
        self, main: Any = {}, lores: Any = None, raw: Any = {}, transform: Any = None, colour_space: Any = None,
        buffer_count: Any = 6, controls: Any = {}, display: Any = "main", encode: Any = "main", queue: Any = True,
        sensor: Any = {}, use_case: Any = "video",
    ) -> dict[str, Any]:  # fmt: skip
        return {"main": main, "lores": lores, "buffer_count": buffer_count, "controls": controls}

    def create_still_configuration(
        self, main: Any = {}, lores: Any = None, raw: Any = {}, transform: Any = None, colour_space: Any = None,
        buffer_count: Any = 1, controls: Any = {}, display: Any = None, encode: Any = None, queue: Any = True,
        sensor: Any = {}, use_case: Any = "still",
    ) -> dict[str, Any]:  # fmt: skip
        return {"main": main, "lores": lores, "buffer_count": buffer_count, "controls": {"Quality": 1} | controls}

    def configure(self, camera_config: Any = None) -> None:
        assert not self.started, "configured while it ran"
        self.configuration = camera_config
        self.controls.append(dict(camera_config["controls"]))

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        self.started = True

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        assert not self.out, "closed while buffers were out"
        self.closed += 1

    def set_controls(self, controls: Any) -> None:
        self.controls.append(dict(controls))

    def capture_request(self, wait: Any = None, signal_function: Any = None, flush: Any = None) -> CompletedRequest:
        assert self.started
        time.sleep(FRAME_S)
        if not self.plugged:
            raise TimeoutError
        self.captured += 1
        request = CompletedRequest(self.sensor, self)
        self.out.append(request)
        assert len(self.out) < self.configuration["buffer_count"], "the camera has no buffer left"
        return request

    def capture_metadata(self, wait: Any = None, signal_function: Any = None) -> dict[str, Any]:
        found = {"ExposureTime": 8000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.9), "SensorTimestamp": 1}
        return found | ({"LensPosition": 1.25} if self.motor else {})

    def switch_mode(self, camera_config: Any, wait: Any = None, signal_function: Any = None) -> None:
        assert self.started
        assert not self.out, "the mode was changed while buffers were out"
        if not self.can_switch:
            raise RuntimeError("Configuration failed")
        self.started = False
        self.configure(camera_config)
        self.started = True

    def capture_array(self, name: Any = "main", wait: Any = None, signal_function: Any = None) -> Picture:
        assert self.started
        self.stills += 1
        width, height = self.configuration[name]["size"]
        return sampled(self.sensor, width, height)


def sampled(picture: Picture, width: int, height: int) -> Picture:
    rows = np.arange(height) * picture.shape[0] // height
    columns = np.arange(width) * picture.shape[1] // width
    return picture[rows][:, columns]
