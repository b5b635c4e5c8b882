"""Pictures over the wire: ours as JPEG, a visitor's decoded with bounds before anything is believed."""

import io
import threading
import warnings

import numpy as np
from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from companion.errors import PictureError
from companion.frame import Image

MOST_PIXELS = 25_000_000
LONGEST_SIDE = 1920
"""A photograph is made smaller to this before it is looked at."""


def to_jpeg(image: Image, quality: int = 80) -> bytes:
    """A picture (height × width × 3, uint8, BGR) as JPEG."""
    out = io.BytesIO()
    Pillow.fromarray(np.ascontiguousarray(image[..., ::-1])).save(out, "JPEG", quality=quality)
    return out.getvalue()


_one_at_a_time = threading.Lock()


def from_upload(data: bytes) -> Image:
    """A visitor's photograph (JPEG or PNG) as a picture (height × width × 3, uint8, BGR), turned as it was held.

    Raises PictureError for anything else, and for pictures of more than ``MOST_PIXELS``, before they are unpacked.
    One is unpacked at a time: many at once would fill the memory too.
    """
    try:
        with _one_at_a_time, warnings.catch_warnings():
            warnings.simplefilter("error")
            with Pillow.open(io.BytesIO(data), formats=("JPEG", "PNG")) as opened:
                return _decoded(opened)
    except PictureError:
        raise
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        Warning,
        MemoryError,
        Pillow.DecompressionBombError,
    ):
        raise PictureError("expected a photograph (JPEG or PNG)") from None


def _decoded(opened: Pillow.Image) -> Image:
    from PIL import ImageOps

    if opened.width * opened.height > MOST_PIXELS or min(opened.size) < 16:
        raise PictureError(
            f"expected 16 pixels to {MOST_PIXELS // 10**6} megapixels, got {opened.width}×{opened.height}"
        )
    opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    upright = ImageOps.exif_transpose(opened).convert("RGB")
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return np.ascontiguousarray(np.asarray(upright, dtype=np.uint8)[..., ::-1])
