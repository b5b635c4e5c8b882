"""How high a camera must hang for the usual boards: from the lens and the size of the board (``doctor --mounting``)."""

import json
from dataclasses import dataclass

from companion.config import data_folder, validated
from companion.vision.calibration import BoardPreset, BoardPresets, LensPreset, LensPresets

AROUND = 0.10
"""So much must be seen beyond the field on each side, in parts of it: rim, trays, and dice that fall off."""

GOOD_DIE_PX = 20

PICTURE_PX = {"webcam": 1280, "pi": 1640}
"""Widths of the pictures that are read, by the kind of camera (``companion.camera``)."""


@dataclass(frozen=True)
class Mounting:
    """One lens above one board: ``lowest_cm`` is the least height at which the whole board is seen, ``highest_cm`` the
    greatest at which a die still has 20 pixels; ``die_px`` is its width at the lowest.
    """

    lens: str
    board: str
    lowest_cm: int
    highest_cm: int
    die_px: float

    @property
    def possible(self) -> bool:
        """Whether there is a height at which the board is seen and the dice are large enough."""
        return self.lowest_cm <= self.highest_cm


def mounted(lens: LensPreset, board: BoardPreset, names: tuple[str, str]) -> Mounting:
    """The heights of the lens above the board, looking straight down on its middle; the picture is as wide as the rows.

    At a distance d a lens of focal length f (in widths of the picture) shows d / f across.
    """
    across_mm, down_mm = (side * (1 + 2 * AROUND) for side in board.field_mm)
    lowest_mm = lens.focal * max(across_mm, down_mm / lens.shape)
    width_px = PICTURE_PX["webcam" if names[0].startswith("webcam") else "pi"]
    die_px = board.die_mm * width_px * lens.focal / lowest_mm
    return Mounting(*names, -int(-lowest_mm // 10), int(lowest_mm * die_px / GOOD_DIE_PX // 10), round(die_px, 1))


def mountings() -> list[Mounting]:
    """Every lens of ``calibration/lenses.json`` above every board of ``calibration/boards.json``."""
    folder = data_folder("calibration")
    lenses = validated(LensPresets, json.loads((folder / "lenses.json").read_text("utf-8")), "lenses.json").lenses
    boards = validated(BoardPresets, json.loads((folder / "boards.json").read_text("utf-8")), "boards.json").boards
    return [mounted(lens, board, (name, kind)) for name, lens in lenses.items() for kind, board in boards.items()]


def table(found: list[Mounting]) -> str:
    """The heights as a table of Markdown, which a person can read as it is: a row for each lens."""
    boards = list(dict.fromkeys(m.board for m in found))
    width = max(len(m.lens) for m in found)
    rows = [["camera".ljust(width), *(board.ljust(17) for board in boards)]]
    rows.append(["-" * width, *("-" * 17 for _ in boards)])
    for lens in dict.fromkeys(m.lens for m in found):
        cells = {m.board: m for m in found if m.lens == lens}
        rows.append([lens.ljust(width), *(_cell(cells[board]).ljust(17) for board in boards)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(mounting: Mounting) -> str:
    if not mounting.possible:
        return f"{mounting.lowest_cm} cm, {mounting.die_px:.0f} px"
    return f"{mounting.lowest_cm}–{mounting.highest_cm} cm, {mounting.die_px:.0f} px"
