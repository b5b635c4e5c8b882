"""What ``companion doctor`` sees through the camera: a few pictures, and whether they are good enough to referee by."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from companion.config import Settings
from companion.errors import HardwareError
from companion.languages import _

if TYPE_CHECKING:
    from companion.frame import FrameSource, Image

Row = tuple[str, Literal["good", "look", "bad", "none"], str, str]

ADAPTED_S = 2.0
"""A camera needs so long for exposure and focus."""


def looked(device: str, settings: Settings, state: Path) -> list[Row]:
    """What the camera shows, as rows of check, state, words and advice; raises HardwareError when it is not there."""
    from companion.camera.sources import open_camera

    frames = open_camera(device)
    try:
        image = _picture(frames)
    finally:
        frames.close()
    size = f"{image.shape[1]}×{image.shape[0]}"
    words = _("{0} answers with pictures of {1} pixels").format(device, size)
    rows: list[Row] = [("camera", "good", words, "")]
    return rows + judged(image, settings, state)


def judged(image: "Image", settings: Settings, state: Path) -> list[Row]:
    """Board, focus and light of one picture (height × width × 3, uint8, BGR)."""
    from companion.vision.calibration import Calibration, lens_of, load_calibration
    from companion.vision.eyes import StillEyes
    from companion.vision.lens import View
    from companion.vision.survey import survey

    path = settings.camera.calibration or state / "calibration.json"
    known = load_calibration(path) if path.is_file() else Calibration()
    seen = StillEyes().with_rig(known).read(image)
    found = survey(image, seen, View(lens_of(known), (image.shape[1], image.shape[0]))).findings
    rows: list[Row] = [(f.what, "look" if f.level == "fair" else f.level, f.words, f.advice) for f in found]
    if not path.is_file():
        words = _("it has not been calibrated: the board is looked for at each start")
        rows.append(("camera", "look", words, "sudo companion calibrate"))
    return rows


def _picture(frames: "FrameSource") -> "Image":
    """The first picture after the camera has adapted to the light."""
    for frame in frames:
        if frame.t >= ADAPTED_S:
            return frame.image
    raise HardwareError(f"camera: expected pictures for {ADAPTED_S:.0f} s, got fewer")
