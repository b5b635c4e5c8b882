"""``companion calibrate``: find the board, say whether the referee can work with what is seen, write it down."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from companion.errors import ConfigError, PictureError
from companion.languages import _
from companion.layout import Corner, Layout

if TYPE_CHECKING:
    from companion.frame import Image
    from companion.observation import Observation
    from companion.vision.calibration import Calibration
    from companion.vision.survey import Survey

LOOKED_AT = 8
"""So many frames of a video, a folder or a camera are looked at, unless one before them is good in everything."""
APART_S = 0.5
FILE = "calibration.json"

Source = Annotated[
    Path | None,
    typer.Argument(help="A picture, a folder of pictures or a video (default: the camera)."),
]
CornersText = Annotated[
    str | None,
    typer.Option("--corners", help='The playing field\'s outer corners in pixels, "x,y x,y x,y x,y": TL TR BR BL.'),
]
LensName = Annotated[str | None, typer.Option("--lens", help="A lens preset (calibration/lenses.json).")]
BoardName = Annotated[str | None, typer.Option("--board", help="A board preset (calibration/boards.json).")]
Out = Annotated[
    Path | None, typer.Option("--out", help="Where to write (default: calibration.json in the state folder).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
Draw = Annotated[Path | None, typer.Option("--draw", help="Draw what was found over the picture.")]
GameName = Annotated[str, typer.Option("--game", help="Whose start position may be set up: long, short …")]
HomeCorner = Annotated[
    str | None, typer.Option("--home", help="The corner where the light player bears off: BR BL TR TL.")
]


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("calibrate", epilog="Example: companion calibrate table.jpg --lens pi-camera-3 --out rig.json")(
        calibrate
    )


@dataclass(frozen=True)
class _Looked:
    """One frame that was looked at."""

    image: "Image"
    known: "Calibration"
    seen: "Observation"
    survey: "Survey"


def calibrate(
    source: Source = None,
    camera: Annotated[str, typer.Option("--camera", help="The camera: auto, pi, its number or device file.")] = "auto",
    corners: CornersText = None,
    lens: LensName = None,
    board: BoardName = None,
    game: GameName = "long",
    home: HomeCorner = None,
    out: Out = None,
    draw: Draw = None,
    as_json: AsJson = False,
) -> None:
    """Find the board, say in words whether the referee can work with the picture, and write the calibration."""
    from companion.config import state_folder

    wanted = _wanted(corners, lens, board, game, home)
    with ExitStack() as stack:
        best = _best(_frames(stack, source, camera), wanted)
    known = _with_home(best, game)
    target = out or state_folder() / FILE
    written = known.corners is not None and (best.survey.go or out is not None)
    if written:
        _write(known, target)
    if draw is not None:
        _draw(best, draw)
    _report(best, known, target if written else None, as_json)
    if not best.survey.go:
        raise typer.Exit(1)


def _wanted(corners: str | None, lens: str | None, board: str | None, game: str, home: str | None) -> "Calibration":
    """What the command line says, checked before anything is looked at."""
    from companion.rules import get_game
    from companion.vision.calibration import Calibration, board_preset, parse_corners
    from companion.vision.calibration import lens as lens_preset

    get_game(game)
    if lens is not None:
        lens_preset(lens)
    if board is not None:
        board_preset(board)
    if home is not None and home.upper() not in get_args(Corner):
        raise ConfigError(f"--home: expected {', '.join(get_args(Corner))}, got {home!r}")
    fields: dict[str, Any] = {"lens": lens, "board": board, "game": game, "home": home and home.upper()}
    if corners is not None:
        fields["corners"] = parse_corners(corners)
    return Calibration(**fields)


def _frames(stack: ExitStack, source: Path | None, camera: str) -> Iterator["Image"]:
    """The pictures to choose from, some time apart."""
    from companion.camera.pictures import read_picture
    from companion.camera.sources import open_camera, open_source

    if source is not None and source.is_file() and _is_picture(source):
        yield read_picture(source)
        return
    frames = open_camera(camera) if source is None else open_source(source)
    stack.callback(frames.close)
    last, given = float("-inf"), 0
    for frame in frames:
        if frame.t - last >= APART_S:
            last, given = frame.t, given + 1
            yield frame.image
        if given >= LOOKED_AT:
            return


def _is_picture(path: Path) -> bool:
    from companion.camera.folder import PICTURES

    return path.suffix.lower() in (*PICTURES, ".tif", ".tiff", ".jp2")


def _best(images: Iterator["Image"], wanted: "Calibration") -> _Looked:
    """The frame with the fewest complaints; one without any is taken at once."""
    from companion.vision.eyes import StillEyes
    from companion.vision.finder import BoardFinder

    finder = BoardFinder()
    readers = StillEyes(finder=finder)
    best: _Looked | None = None
    for image in images:
        looked = _looked(image, wanted, readers)
        if best is None or looked.survey.score < best.survey.score:
            best = looked
        if best.survey.score == (0, 0):
            break
    if best is None:
        raise PictureError("calibrate: expected at least one picture, got none")
    return best


def _looked(image: "Image", wanted: "Calibration", eyes: Any) -> _Looked:
    """Find the board in one picture, measure the lens where no preset tells it, read, and judge."""
    from companion.vision.calibration import Distortion, lens_of
    from companion.vision.geometry import as_corners
    from companion.vision.lens import View, measured_lens
    from companion.vision.survey import survey

    size = (image.shape[1], image.shape[0])
    known = wanted.model_copy(update={"image_size": size})
    seen = eyes.with_rig(known).read(image)
    if seen.board.corners is not None and wanted.lens is None:
        measured = measured_lens(image, as_corners(seen.board.corners))
        if measured is not None:
            bend = Distortion(focal=round(measured.focal, 4), k1=round(measured.k1, 4))
            known = known.model_copy(update={"distortion": bend})
            seen = eyes.with_rig(known).read(image)
    if wanted.corners is None and seen.board.corners is not None:
        found = tuple((round(x, 2), round(y, 2)) for x, y in seen.board.corners)
        known = known.model_copy(update={"corners": found})
    return _Looked(image, known, seen, survey(image, seen, View(lens_of(known), size)))


def _with_home(best: _Looked, game: str) -> "Calibration":
    """The calibration with the corner where light bears off, where the start position of the game shows it."""
    from companion.rules import get_game
    from companion.table.settings import TableSettings
    from companion.table.start import layouts, recognised

    known = best.known
    if known.home is not None or not best.seen.slots:
        return known
    rules, white = get_game(game), known.white
    layout: Layout | None = recognised(
        best.seen, rules.start, layouts(None, rules.same_way, white), TableSettings().start
    )
    return known if layout is None else known.model_copy(update={"home": layout.home})


def _write(known: "Calibration", target: Path) -> None:
    from companion.vision.calibration import save_calibration

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        save_calibration(known, target)
    except OSError as error:
        raise ConfigError(f"{target}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def _draw(best: _Looked, out: Path) -> None:
    from companion.vision.draw import drawn, save_picture

    if not save_picture(out, drawn(best.image, best.seen)):
        raise PictureError(f"{out}: the drawing could not be written")


def _report(best: _Looked, known: "Calibration", target: Path | None, as_json: bool) -> None:
    from companion.cli.checks import named

    written = None if target is None else str(target)
    if as_json:
        rig = known.model_dump(mode="json", exclude_none=True)
        print(json.dumps(best.survey.to_json() | {"calibration": rig, "written": written}, ensure_ascii=False))
        return
    for finding in best.survey.findings:
        mark = {"good": "+", "fair": "~", "bad": "-"}[finding.level]
        advice = f": {finding.advice}" if finding.advice else ""
        print(f"{mark} {named(finding.what):<11}{finding.words}{advice}")
    print(f"{'+' if known.home else '~'} {named('home'):<11}{_home(known)}")
    go, no_go = _("GO: the referee can work with this."), _("NO GO: see the lines that begin with -.")
    print(go if best.survey.go else no_go)
    print(_("Written to {0}").format(written) if written else _("Nothing was written."))


def _home(known: "Calibration") -> str:
    if known.home is None:
        words = _("not known: set up the start position, or say {0} (the corner where light bears off)")
        return words.format("--home")
    return _("light bears off at {0}").format(known.home)
