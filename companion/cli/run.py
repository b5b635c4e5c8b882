"""``companion run``: the live referee, which systemd starts; with ``--simulate`` the same without any hardware."""

import signal
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli.options import KeepOptions, RigOptions, spread

Recording = Annotated[
    Path | None,
    typer.Argument(help="With --simulate: the recording in place of the camera (default: the bundled game)."),
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("run", epilog="Example: companion run --game long --record evening")(run)


@spread
def run(
    wishes: RigOptions,
    keeping: KeepOptions,
    recording: Recording = None,
    camera: Annotated[
        str | None, typer.Option("--camera", help="auto, pi, a number, a device file or an address (default: auto).")
    ] = None,
    record: Annotated[Path | None, typer.Option("--record", help="A new folder for every whole frame.")] = None,
    simulate: Annotated[
        bool,
        typer.Option("--simulate", help="Pins and display in memory, and without --camera a recording in its place."),
    ] = False,
    speed: Annotated[
        float, typer.Option("--speed", min=0.1, max=1000, help="With --simulate: so many times faster.")
    ] = 1.0,
) -> None:
    """Referee at the table, with lamps and display; Ctrl-C (or SIGTERM) ends it and closes the record."""
    if recording is not None and not simulate:
        raise typer.BadParameter(f"a recording in place of the camera needs --simulate, got {recording} alone")
    if recording is not None and camera is not None:
        raise typer.BadParameter(f"expected a recording or --camera, got {recording} and {camera}")
    signal.signal(signal.SIGTERM, _stop)
    from companion.cli.page import CALIBRATION, SetUp, config_for, served
    from companion.cli.rig import settings_for
    from companion.cli.service import Place, Service
    from companion.config import state_folder
    from companion.records.store import FILE_NAME

    place = Place(camera=camera, simulate=simulate, recording=recording, speed=speed, filmed_to=record)
    settings = settings_for(wishes)
    usual = state_folder() / CALIBRATION  # what `companion calibrate` wrote
    if wishes.calibration is None and settings.camera.calibration is None and not simulate and usual.is_file():
        wishes = replace(wishes, calibration=usual)
    kept_in = state_folder() / "simulate" if simulate else state_folder()  # a film is not the table
    set_up = SetUp(wishes, keeping, settings, kept_in)
    with ExitStack() as whole:
        web = config_for(wishes, settings)
        desk = None if web is None else served(whole, web, state_folder() / FILE_NAME, set_up.begin, settings)
        following: tuple[RigOptions, KeepOptions] | None = set_up.first() if desk else (wishes, keeping)
        for number in count(1):
            if following is None:
                break
            with ExitStack() as stack:
                film = replace(place, filmed_to=_numbered(record, number))
                Service.open(stack, *following, film, desk).run(lambda: set_up.waiting)
            following = set_up.take()


def _numbered(folder: Path | None, number: int) -> Path | None:
    """A folder for the film of each match that is begun on the page: evening, evening-2 …"""
    return folder if folder is None or number == 1 else folder.with_name(f"{folder.name}-{number}")


def _stop(number: int, frame: Any) -> None:
    raise SystemExit(0)
