"""Boards and films into files, for ``show``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion import events as ev
from companion.errors import RecordError
from companion.layout import Layout
from companion.records import Recording
from companion.records.pictures import Pictures, pictures_file
from companion.rules import Position


def position_after(events: Sequence[ev.Event]) -> Position:
    """Where the checkers stand after these events; raises RecordError when no position is known."""
    for event in reversed(events):
        if isinstance(event, ev.PlayMade | ev.Gap | ev.GameStarted) and event.board is not None:
            return Position.from_json(event.board)
    raise RecordError("expected a recording with a position, got none")


def is_clockwise(meta: Mapping[str, Any]) -> bool:
    """Whether White goes clockwise on this board."""
    from companion.cli.board import layout_for

    known = meta.get("layout") or {}
    layout: Layout = layout_for(str(meta.get("game") or "long"), known.get("home"), known.get("white") or "light")
    return layout.direction == "clockwise"


def write_svg(path: Path, meta: Mapping[str, Any], events: Sequence[ev.Event]) -> None:
    """The board as SVG."""
    from companion.rules.svg import draw

    path.write_text(draw(position_after(events), clockwise=is_clockwise(meta)), encoding="utf-8")


def write_png(path: Path, meta: Mapping[str, Any], events: Sequence[ev.Event]) -> None:
    """The board as PNG."""
    from companion.records.draw import board_picture
    from companion.signals.display import FONT

    board_picture(position_after(events), clockwise=is_clockwise(meta), font=FONT).save(path, format="PNG")


def write_films(
    gif: Path | None, mp4: Path | None, recording: Recording, events: Sequence[ev.Event], record: Path
) -> None:
    """All of it as an animated GIF, and as an MP4, with the kept pictures beside the board."""
    import numpy as np

    from companion.camera.film import write_mp4
    from companion.records.film import scenes, write_gif
    from companion.signals.display import FONT

    kept: dict[int, bytes] = {}
    if pictures_file(record).is_file():
        with Pictures.open(record) as pictures:
            kept = {picture.turn: picture.jpeg for picture in pictures.of_recording(recording.id)}
    shown = list(scenes(events, recording.meta, pictures=kept, clockwise=is_clockwise(recording.meta), font=FONT))
    if gif is not None:
        write_gif(gif, shown)
    if mp4 is not None:
        write_mp4(mp4, [(np.asarray(scene.picture, np.uint8)[:, :, ::-1], scene.seconds) for scene in shown])
