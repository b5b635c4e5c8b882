"""The Raspberry Pi's own cameras, by picamera2 (apt: python3-picamera2), which exists on Raspberry Pi OS only.

Three streams of one sensor: a small grey one, in which motion is seen at the pace of the sensor; the main one, which is
read; and, where it is wanted, a still in full resolution, cut to the regions that :class:`Attention` asks for.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import cv2
import numpy as np

from companion.attention import Attention, Box
from companion.camera.steadiness import SETTLE_S, wants_lock
from companion.errors import HardwareError
from companion.frame import Detail, Frame, Image

MAIN_WIDTH = 1640
"""Of the stream that is read: the binned picture of a Module 2, and no less than others have."""

SMALL_WIDTH = 320
"""Of the stream in which motion is seen."""

FRAME_US = 33_333
"""Time between frames, and the longest exposure; ``[camera] exposure_s`` says the same in seconds."""

AT_REST_EVERY_S = 0.2
"""So often a frame is handed out while nothing moves; while something does, every frame that is asked for."""

SILENT_S = 2.0
"""A camera that gives no frame for so long has been unplugged."""

PATIENCE_S = 10.0
"""So long the reader waits: a still stops the stream for a while."""

AGAIN_S = 10.0
"""A place that was shown in full resolution is so again when nobody asked for it for so long."""

CHANGED = 4.0
"""A cell of the small picture (10 × 10 pixels) that changes by so many grey levels has moved."""

CELL_PX = 10

# libcamera's numbers for AfMode; named in libcamera.controls.AfModeEnum, which tests do not have.
AF_MANUAL, AF_CONTINUOUS = 0, 2

LOST = (RuntimeError, OSError, TimeoutError, IndexError)
"""What picamera2 raises when a camera is not there, or not any more."""


def pi_cameras() -> list[str]:
    """The models of the Pi cameras that are connected, in their order; empty where there is no picamera2."""
    try:
        from picamera2 import Picamera2

        return [str(c.get("Model", "?")) for c in Picamera2.global_camera_info() if "/usb" not in str(c.get("Id"))]
    except (ImportError, *LOST):
        return []


class PiCamera:
    """A Pi camera by its number; a frame is made only when it is asked for, from the newest request.

    Exposure, white balance and focus adapt until a game begins, and are locked then (``camera.steadiness``). With
    ``stills``, and while they are locked, regions that are new in :meth:`attend` are taken once in full resolution (the
    stream stops for about a second) and come as ``details`` of the next frame. Raises HardwareError when there is no
    such camera; iterating raises it when the camera gives no more frames.
    """

    stills_work: ClassVar[bool] = True
    """After one that failed none is taken any more: a camera that is opened again would only fail again."""

    def __init__(self, number: int = 0, *, stills: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._start_s, self._stills = clock, clock(), stills and self.stills_work
        self._camera = _opened(number)
        self._main, self._still = _configurations(self._camera)
        self._ready = threading.Condition()
        self._newest: tuple[float, Any, int] | None = None
        self._moved, self._failed, self._open = True, "", True
        self._locked, self._lock_wanted = False, False
        self._kept: dict[str, Any] = {}
        self._wanted: tuple[Box, ...] = ()
        self._taken: list[tuple[Box, float]] = []
        self._details: tuple[Detail, ...] = ()
        self._cells: Image | None = None
        _begin(self._camera, self._main)
        self._thread = threading.Thread(target=self._capture, name="capture", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Frame]:
        while True:
            with self._ready:
                self._ready.wait_for(self._something_moved, AT_REST_EVERY_S)
                if not self._ready.wait_for(self._has_news, PATIENCE_S):
                    raise HardwareError(f"Pi camera: expected a frame in {PATIENCE_S:.0f} s, got none")
                if self._failed:
                    raise HardwareError(f"Pi camera: {self._failed}")
                if self._newest is None:
                    return
                frame = self._taken_out(*self._newest)
            yield frame

    def attend(self, attention: Attention) -> None:
        """Lock or unlock what adapts, and remember which regions are wanted in full resolution."""
        self._lock_wanted = wants_lock(attention.phase, self._lock_wanted)
        self._wanted = attention.regions if self._stills else ()

    def close(self) -> None:
        """Stop the thread and let go of the camera; may be called twice."""
        if not self._open:
            return
        self._open = False
        with self._ready:
            self._ready.notify_all()
        self._thread.join(timeout=SILENT_S + 1)
        self._drop()
        self._camera.stop()
        self._camera.close()

    # In the reader's thread

    def _has_news(self) -> bool:
        return self._newest is not None or bool(self._failed) or not self._open

    def _something_moved(self) -> bool:
        return self._has_news() and (self._moved or self._newest is None)

    def _taken_out(self, t: float, request: Any, number: int) -> Frame:
        """The newest frame as a picture of its own; its buffer goes back to the camera."""
        self._newest, self._moved = None, False
        details, self._details = self._details, ()
        try:
            return Frame(np.asarray(request.make_array("main"), np.uint8), t, number, details)
        finally:
            request.release()

    # In the capture thread

    def _capture(self) -> None:
        number = 0
        while self._open and not self._failed:
            try:
                self._adapt()
                self._take_still()
                request = self._camera.capture_request(wait=SILENT_S)
                moved = self._sees_motion(request)
            except Exception as error:  # whatever a driver raises: the reader must hear of it
                with self._ready:
                    self._failed = f"it gives no more frames: {error or type(error).__name__}"
                    self._ready.notify_all()
                return
            self._drop()
            with self._ready:
                self._newest = (self._clock() - self._start_s, request, number)
                self._moved |= moved
                self._ready.notify_all()
            number += 1

    def _drop(self) -> None:
        """A frame that nobody took is given back."""
        with self._ready:
            old, self._newest = self._newest, None
        if old is not None:
            old[1].release()

    def _sees_motion(self, request: Any) -> bool:
        """Whether the small stream changed since the frame before."""
        width, height = self._main["lores"]["size"]
        grey = np.asarray(request.make_array("lores"), np.uint8)[:height, :width]  # Y stands before U and V
        size = (width // CELL_PX, height // CELL_PX)
        cells = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
        last, self._cells = self._cells, cells
        return last is None or bool(cv2.absdiff(cells, last).max() >= CHANGED)

    def _adapt(self) -> None:
        """Lock exposure, white balance and focus as they are now, or let them adapt again."""
        if self._lock_wanted == self._locked or self._clock() - self._start_s < SETTLE_S:
            return
        self._locked = self._lock_wanted
        found = self._camera.capture_metadata(wait=SILENT_S) if self._locked else None
        self._kept = adapting(self._camera.camera_controls) if found is None else locked(found)
        self._camera.set_controls(self._kept)

    def _take_still(self) -> None:
        """Take the regions that are new in full resolution; the light of both pictures is the same."""
        now, asked = self._clock(), self._wanted
        known = [(box, now if _among(asked, box) else t) for box, t in self._taken]
        self._taken = [(box, t) for box, t in known if now - t < AGAIN_S]
        wanted = [box for box in asked if not _among([taken for taken, _ in self._taken], box)]
        if not wanted or not self._locked:
            return
        self._drop()  # its buffer belongs to the mode that is being left
        picture = self._full_picture()
        details = [cut(picture, self._main["main"]["size"][0], box) for box in wanted]
        with self._ready:
            self._taken += [(box, self._clock()) for box in wanted]
            self._details, self._moved = tuple(detail for detail in details if detail[1].size), True

    def _full_picture(self) -> Image:
        """One picture in full resolution. Each mode begins with the controls of its configuration, and those are the
        ones that are kept: a stream that adapted again would look as if the table had changed.
        """
        try:
            self._camera.switch_mode(_with(self._still, self._kept), wait=SILENT_S)
            picture = self._camera.capture_array("main", wait=SILENT_S)
            self._camera.switch_mode(_with(self._main, self._kept), wait=SILENT_S)
        except Exception:
            PiCamera.stills_work = False
            raise
        return np.asarray(picture, np.uint8)


def cut(picture: Image, width_px: int, box: Sequence[float]) -> Detail:
    """What a picture (height × width × 3, uint8, BGR) shows of a box in the pixels of the same picture in
    ``width_px``: the part that lies in the picture, in whole pixels of it.
    """
    scale = picture.shape[1] / width_px
    x, y, width, height = (value * scale for value in box)
    left, top = max(0, round(x)), max(0, round(y))
    right, bottom = min(picture.shape[1], round(x + width)), min(picture.shape[0], round(y + height))
    part = picture[top : max(top, bottom), left : max(left, right)].copy()
    return (left / scale, top / scale, part.shape[1] / scale, part.shape[0] / scale), part


def _among(boxes: Sequence[Box], box: Box) -> bool:
    """Whether one of the boxes shows the same thing: what is asked for again trembles by parts of a pixel."""
    return any(_same_place(box, other) for other in boxes)


def _same_place(box: Box, other: Box) -> bool:
    across, down = box[0] + box[2] / 2 - other[0] - other[2] / 2, box[1] + box[3] / 2 - other[1] - other[3] / 2
    return max(abs(across), abs(down)) < 0.1 * max(box[2], other[2])


def _with(configuration: dict[str, Any], controls: dict[str, Any]) -> dict[str, Any]:
    return configuration | {"controls": configuration["controls"] | controls}


def adapting(controls: Any) -> dict[str, Any]:
    """Everything automatic; focus too, where the camera has a motor for it (Module 3)."""
    focus = {"AfMode": AF_CONTINUOUS} if "AfMode" in controls else {}
    return {"AeEnable": True, "AwbEnable": True} | focus


def locked(found: Any) -> dict[str, Any]:
    """Exposure, white balance and focus as the metadata of a frame say they are."""
    kept: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    kept |= {name: found[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in found}
    if "LensPosition" in found:
        kept |= {"AfMode": AF_MANUAL, "LensPosition": found["LensPosition"]}
    return kept


def _opened(number: int) -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise HardwareError(
            f"Pi camera: picamera2 cannot be loaded (sudo apt install python3-picamera2): {error}"
        ) from None
    try:
        return Picamera2(number)
    except LOST as error:
        raise HardwareError(f"Pi camera {number}: expected a camera that answers, found none: {error}") from None


def _configurations(camera: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two modes: for the stream, in the shape of the whole sensor, and for a still in full resolution."""
    across, down = camera.camera_properties["PixelArraySize"]
    controls = adapting(camera.camera_controls) | {"FrameDurationLimits": (FRAME_US, FRAME_US)}
    main = camera.create_video_configuration(
        # libcamera names the order of a word: RGB888 has blue first in memory, as OpenCV wants it.
        main={"format": "RGB888", "size": _even(MAIN_WIDTH, down / across)},
        lores={"format": "YUV420", "size": _even(SMALL_WIDTH, down / across)},
        buffer_count=4,
        controls=controls,
    )
    still = camera.create_still_configuration(main={"format": "RGB888", "size": (across, down)}, buffer_count=1)
    return main, still


def _even(width: int, shape: float) -> tuple[int, int]:
    return width, round(width * shape / 2) * 2


def _begin(camera: Any, configuration: dict[str, Any]) -> None:
    try:
        camera.configure(configuration)
        camera.start()
    except LOST as error:
        camera.close()
        raise HardwareError(f"Pi camera: it does not start: {error}") from None
