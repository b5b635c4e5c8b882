"""Opening a recording, whatever it is."""

from pathlib import Path

from companion.camera.folder import FolderSource
from companion.camera.video import VideoSource
from companion.errors import RecordingError
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


def open_camera(device: str) -> FrameSource:
    """Open a camera by its number, its device file or the address of its stream; raises HardwareError."""
    from companion.camera.live import LiveCamera

    return LiveCamera(device)
