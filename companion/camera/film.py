"""Films out: pictures with their lengths as an MP4 file.

With ``ffmpeg`` on the machine it is H.264, which everything plays; else OpenCV's own MPEG-4, which players on a
computer play and browsers do not.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.errors import PictureError
from companion.frame import Image

FPS = 4


def write_mp4(path: Path, pictures: Sequence[tuple[Image, float]]) -> None:
    """Write pictures (height × width × 3, uint8, BGR, all of one even size), each shown for its seconds.

    Raises PictureError when there is none, or the file cannot be written.
    """
    if not pictures:
        raise PictureError(f"{path}: expected pictures for a film, got none")
    ffmpeg = shutil.which("ffmpeg")
    done = _by_ffmpeg(ffmpeg, path, pictures) if ffmpeg else _by_opencv(path, pictures)
    if not done:
        raise PictureError(f"{path}: the film cannot be written")


def _times(seconds: float) -> int:
    return max(1, round(seconds * FPS))


def _by_ffmpeg(ffmpeg: str, path: Path, pictures: Sequence[tuple[Image, float]]) -> bool:
    height, width = pictures[0][0].shape[:2]
    source = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}", "-r", str(FPS), "-i", "-"]
    target = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", str(path)]
    command = [ffmpeg, "-y", "-loglevel", "error", *source, *target]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        try:
            for picture, seconds in pictures:
                for _ in range(_times(seconds)):
                    process.stdin.write(np.ascontiguousarray(picture).tobytes())
            process.stdin.close()
        except BrokenPipeError:
            return False
        return process.wait() == 0 or _by_opencv(path, pictures)  # an ffmpeg without H.264


def _by_opencv(path: Path, pictures: Sequence[tuple[Image, float]]) -> bool:
    height, width = pictures[0][0].shape[:2]
    if not path.parent.is_dir():
        return False
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, (width, height))
    try:
        if not writer.isOpened():
            return False
        for picture, seconds in pictures:
            for _ in range(_times(seconds)):
                writer.write(picture)
    finally:
        writer.release()
    return path.is_file() and path.stat().st_size > 0
