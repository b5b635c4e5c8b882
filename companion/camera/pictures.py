"""Reading one picture file, and saying in one line why it cannot be read."""

from pathlib import Path

import cv2
import numpy as np

from companion.errors import PictureError
from companion.frame import Image

MAX_PIXELS = 100_000_000
_JPEG_START, _JPEG_END = b"\xff\xd8", b"\xff\xd9"


def read_picture(path: Path) -> Image:
    """Read a picture as height × width × 3, uint8, BGR.

    A JPEG without its end is refused: the decoder would fill the missing part with grey, and grey is no evidence.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path}: expected a picture, got: {(error.strerror or str(error)).lower()}") from None
    if not data:
        raise PictureError(f"{path}: expected a picture, got an empty file (0 bytes)")
    if data.startswith(_JPEG_START) and _JPEG_END not in data[-2048:]:
        raise PictureError(f"{path}: expected a whole picture, got a truncated JPEG ({len(data)} bytes)")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise PictureError(f"{path}: expected a picture (JPEG, PNG …), got {len(data)} bytes of something else")
    if image.shape[0] * image.shape[1] > MAX_PIXELS:
        raise PictureError(f"{path}: expected at most {MAX_PIXELS} pixels, got {image.shape[1]}×{image.shape[0]}")
    return np.asarray(image, np.uint8)
