"""``companion read``: single pictures, one JSON line each."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.errors import CompanionError, ConfigError, PictureError

if TYPE_CHECKING:
    from companion.frame import Image
    from companion.observation import Observation
    from companion.vision.eyes import ReadsDice

Images = Annotated[list[str], typer.Argument(metavar="IMAGE…", help="Pictures (JPEG, PNG …).")]
DiceOnly = Annotated[bool, typer.Option("--dice-only", help="Read dice only; no board is needed.")]
CornersText = Annotated[
    str | None,
    typer.Option("--corners", help='The playing field\'s outer corners in pixels, "x,y x,y x,y x,y": TL TR BR BL.'),
]
CalibrationFile = Annotated[Path | None, typer.Option("--calibration", help="A calibration file.")]
Draw = Annotated[
    Path | None,
    typer.Option("--draw", help="Draw what was read: a picture file, or a folder when there are several pictures."),
]
_PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("read", epilog='Example: companion read table.jpg --corners "156,146 837,127 818,620 202,647"')(read)


def read(
    images: Images,
    dice_only: DiceOnly = False,
    corners: CornersText = None,
    calibration: CalibrationFile = None,
    draw: Draw = None,
) -> None:
    """Read single pictures: board, checkers and dice, one JSON line for each picture."""
    reader = _Reader(dice_only, corners, calibration)
    into = None if draw is None else _Drawings(draw, images)
    failed = False
    for name in _with_progress(images):
        try:
            line = _one(reader, into, name)
        except CompanionError as error:
            failed, line = True, {"image": name, "error": str(error)}
        print(json.dumps(line, ensure_ascii=False), flush=True)
    if failed:
        raise typer.Exit(1)


def _one(reader: "_Reader", into: "_Drawings | None", name: str) -> dict[str, Any]:
    from companion.camera.pictures import read_picture

    image = read_picture(Path(name))
    seen = reader.read(image)
    if into is not None:
        into.save(name, image, seen)
    return {"image": name} | seen.to_read_json()


class _Reader:
    """The eyes, made once for all pictures."""

    def __init__(self, dice_only: bool, corners: str | None, calibration: Path | None) -> None:
        from companion.vision.calibration import checked_corners, load_calibration, parse_corners
        from companion.vision.eyes import StillEyes

        known = None if calibration is None else load_calibration(calibration)
        self._corners = None if corners is None else checked_corners(parse_corners(corners), "--corners")
        self._eyes = None if dice_only else StillEyes(calibration=known)
        self._dice: ReadsDice | None = None
        if dice_only:
            from companion.vision.dice import DiceReader

            self._dice = DiceReader()

    def read(self, image: "Image") -> "Observation":
        from companion.observation import Observation, SeenBoard

        if self._dice is not None:
            return Observation(t=0.0, board=SeenBoard(None, "none"), dice=self._dice.read(image, None))
        assert self._eyes is not None
        return self._eyes.read(image, self._corners)


class _Drawings:
    """Where drawn pictures go: one file for one picture, else a folder with a picture of the same name for
    each."""

    def __init__(self, out: Path, images: Sequence[str]) -> None:
        self._file = len(images) == 1 and out.suffix.lower() in _PICTURE_SUFFIXES and not out.is_dir()
        self._out = out
        if not self._file and out.suffix and not out.is_dir():
            raise ConfigError(f"--draw: expected a folder for {len(images)} pictures, got {out}")
        folder = out.parent if self._file else out
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"--draw: {folder}: {(error.strerror or str(error)).lower()}") from None

    def save(self, name: str, image: "Image", seen: "Observation") -> None:
        from companion.vision.draw import drawn, save_picture

        out = self._out if self._file else self._out / f"{Path(name).stem}.png"
        if not save_picture(out, drawn(image, seen)):
            raise PictureError(f"{out}: the drawing could not be written")


def _with_progress(images: Sequence[str]) -> Iterator[str]:
    """The names, with a bar on the terminal when there are many and the lines go elsewhere."""
    if len(images) < 4 or not sys.stderr.isatty() or sys.stdout.isatty():
        yield from images
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(images, description="reading", console=Console(stderr=True))
