"""Opening a recording, whatever it is."""

import sys
from pathlib import Path

from companion.camera.folder import FolderSource
from companion.camera.video import VideoSource
from companion.errors import HardwareError, RecordingError
from companion.frame import FrameSource


def open_source(path: Path, fps: float = 2.0) -> FrameSource:
    """Open a recorded folder, a folder of pictures (``fps`` gives their times) or a video file.

    Raises RecordingError or PictureError in one line that says what is wrong.
    """
    if not path.exists():
        raise RecordingError(f"{path}: expected a video file or a folder of pictures, found nothing there")
    if path.is_dir():
        return FolderSource(path, fps)
    return VideoSource(path)


def open_camera(device: str, *, stills: bool = True) -> FrameSource:
    """Open a camera; ``stills``: a Pi camera shows in full resolution what is asked for. Raises HardwareError.

    ``auto`` is the Pi camera, and where there is none the first USB camera; ``pi`` and ``pi:1`` are Pi cameras by their
    number; a number, a device file or the address of a stream is a camera that OpenCV knows.
    """
    from companion.camera.live import LiveCamera, usb_cameras
    from companion.camera.pi import PiCamera, pi_cameras

    kind, _, number = device.partition(":")
    if kind == "pi" and (number.isdigit() or not number):
        return PiCamera(int(number or 0), stills=stills)
    if device != "auto":
        return LiveCamera(device)
    if pi_cameras():
        return PiCamera(stills=stills)
    found = usb_cameras() if sys.platform == "linux" else ["0"]
    if not found:
        raise HardwareError("camera: expected a Pi camera or a USB camera, found none: look at its cable")
    return LiveCamera(found[0])
