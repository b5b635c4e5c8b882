"""What is known about a rig before the first frame: a JSON file that a person or ``companion calibrate``
wrote.

The schema is strict: an unknown key, a missing one or a wrong value is one line that says file, key, expected
and got. The presets of lenses and boards in the folder ``calibration/`` have schemas of their own here.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from companion.config import Strict, data_folder, validated
from companion.errors import ConfigError
from companion.layout import Corner, Shade
from companion.vision.geometry import Lens, is_board

Pair = tuple[float, float]


def _a_board(corners: tuple[Pair, Pair, Pair, Pair]) -> tuple[Pair, Pair, Pair, Pair]:
    if not is_board(corners):
        raise ValueError("expected the four corners clockwise: TL, TR, BR, BL")
    return corners


class Distortion(Strict):
    """A lens as it was measured: focal length in widths of the picture, radial distortion k1 and k2."""

    focal: Annotated[float, Field(gt=0)]
    k1: float = 0.0
    k2: float = 0.0


class Calibration(Strict):
    """One rig. ``corners`` TL, TR, BR, BL of the playing field in pixels of a picture of ``image_size``.

    ``home`` is the corner where the light player bears off; left out, it is read from the start position. ``lens``
    names a preset; ``distortion`` is what was measured, and wins.
    """

    version: Literal[1] = 1
    corners: Annotated[tuple[Pair, Pair, Pair, Pair], AfterValidator(_a_board)] | None = None
    image_size: tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]] | None = None
    home: Corner | None = None
    white: Shade = "light"
    game: str | None = None
    lens: str | None = None
    distortion: Distortion | None = None
    board: str | None = None
    note: str = ""


class LensPreset(Strict):
    """A camera with its lens: focal length in widths of the picture, ``shape`` (its height by its width), radial
    distortion, and where the figures are from."""

    title: str
    focal: Annotated[float, Field(gt=0)]
    shape: Annotated[float, Field(gt=0, le=1)] = 0.5625
    k1: float = 0.0
    k2: float = 0.0
    source: str = ""


class BoardPreset(Strict):
    """A kind of board: sizes in mm of the playing field, its bar, checkers and dice."""

    title: str
    field_mm: Pair
    bar_mm: float
    checker_mm: float
    die_mm: float


class LensPresets(Strict):
    """The file ``calibration/lenses.json``."""

    lenses: dict[str, LensPreset]


class BoardPresets(Strict):
    """The file ``calibration/boards.json``."""

    boards: dict[str, BoardPreset]


def load_calibration(path: Path) -> Calibration:
    """Read a calibration; a ConfigError says in one line what is wrong with it."""
    found = validated(Calibration, _json(path), str(path))
    if found.lens is not None:
        lens(found.lens)
    return found


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Write a calibration as JSON, without the keys that are not known."""
    text = json.dumps(calibration.model_dump(mode="json", exclude_none=True), indent=2)
    path.write_text(text + "\n", encoding="utf-8")


def corners_for(calibration: Calibration, size: tuple[int, int]) -> tuple[Pair, ...] | None:
    """The corners in a picture of ``size`` (width, height): scaled when the calibration was made on another
    size."""
    if calibration.corners is None or calibration.image_size is None:
        return calibration.corners
    across, down = size[0] / calibration.image_size[0], size[1] / calibration.image_size[1]
    if abs(across / down - 1) > 0.02:
        expected, got = calibration.image_size, size
        raise ConfigError(
            f"calibration: expected pictures of {expected[0]}×{expected[1]} pixels or of that shape, "
            f"got {got[0]}×{got[1]}"
        )
    return tuple(((x + 0.5) * across - 0.5, (y + 0.5) * down - 0.5) for x, y in calibration.corners)


def lens(name: str) -> Lens:
    """A lens preset by name."""
    path = data_folder("calibration") / "lenses.json"
    known = validated(LensPresets, _json(path), str(path)).lenses
    preset = _named(known, name, "lens")
    return Lens(focal=preset.focal, k1=preset.k1, k2=preset.k2)


def lens_of(calibration: Calibration | None) -> Lens | None:
    """The lens of a rig: as it was measured, else its preset, else None."""
    if calibration is None:
        return None
    if calibration.distortion is not None:
        measured = calibration.distortion
        return Lens(focal=measured.focal, k1=measured.k1, k2=measured.k2)
    return None if calibration.lens is None else lens(calibration.lens)


def board_preset(name: str) -> BoardPreset:
    """A board preset by name."""
    path = data_folder("calibration") / "boards.json"
    known = validated(BoardPresets, _json(path), str(path)).boards
    preset: BoardPreset = _named(known, name, "board")
    return preset


def parse_corners(text: str) -> tuple[Pair, ...]:
    """``"x,y x,y x,y x,y"`` (TL TR BR BL, in pixels) as four pairs; anything else is a ConfigError."""
    try:
        pairs = tuple((float(x), float(y)) for x, y in (pair.split(",") for pair in text.split()))
    except ValueError:
        pairs = ()
    if len(pairs) != 4:
        raise ConfigError(f'--corners: expected "x,y x,y x,y x,y" (TL TR BR BL, in pixels), got {text!r}')
    return checked_corners(pairs, "--corners")


def checked_corners(corners: Sequence[Pair], source: str) -> tuple[Pair, ...]:
    """The corners, when they can be a board: clockwise in the picture and not a point or a line."""
    if not is_board(corners):
        raise ConfigError(f"{source}: expected four corners clockwise (TL TR BR BL), got {list(corners)}")
    return tuple(corners)


def _named(known: dict[str, Any], name: str, what: str) -> Any:
    if name not in known:
        raise ConfigError(f"{what}: expected one of {', '.join(sorted(known))}, got {name!r}")
    return known[name]


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: expected a JSON file, found none") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: expected JSON, got {error}") from None
