"""How well pictures are read, by source: ``python -m tests.bench.vision DATA [MORE_SCENES…]`` prints Markdown
tables.

Truth is read here only to be compared with what the eyes said. Pictures that a network was trained with are
reported apart from those that it never saw: for checkers and dice ``models/training/sources.py`` says which,
for the finder ``models/training/finder/data.py``; no game and, for the finder, no photograph was trained
with.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.layout import SLOTS
from companion.observation import Observation, SeenDie
from companion.vision.eyes import StillEyes
from companion.vision.finder import BoardFinder
from companion.vision.geometry import as_corners, board_width
from models.training.finder.data import HELD_OUT_STYLE
from models.training.finder.data import held_out as finder_never_saw
from models.training.sources import part_of

ORDER = ("TL", "TR", "BR", "BL")
LEAST_FACE_PX = 13
SURE = 0.9
COCKED = ("leaning_checker", "leaning_rim", "on_checker")
"""Dice that lie flat on the bar, the rim or the table are void too, but not cocked: their place says so."""


@dataclass(frozen=True)
class Labelled:
    """One picture with its truth; ``points`` has None where the label is unsure, ``dice`` those that must be
    found."""

    path: Path
    corners: Any
    tolerance: float
    points: tuple[tuple[int, int] | None, ...]
    dice: tuple[dict[str, Any], ...]
    ignored_dice: tuple[dict[str, Any], ...]
    dice_complete: bool
    hand: bool
    finder_source: str
    reader_source: str
    image: Any = None


@dataclass
class Corners:
    """How well boards are found in one source."""

    pictures: int = 0
    within: int = 0
    none: int = 0
    wrong_and_sure: int = 0
    errors: list[float] = field(default_factory=list)


@dataclass
class Reads:
    """How well checkers and dice are read in one source, corners given."""

    pictures: int = 0
    points: int = 0
    points_right: int = 0
    points_null: int = 0
    points_wrong: int = 0
    boards: int = 0
    boards_right: int = 0
    dice: int = 0
    found: int = 0
    flat: int = 0
    sure: int = 0
    sure_right: int = 0
    cocked: int = 0
    cocked_called: int = 0
    flat_called_cocked: int = 0
    false: int = 0
    counted_for_false: int = 0
    seconds: float = 0.0


def scenes(folder: Path) -> Iterator[Labelled]:
    """Path-traced pictures with their full truth."""
    for index, path in enumerate(sorted(folder.glob("*.json"))):
        truth = json.loads(path.read_text())
        if "board" not in truth or not path.with_suffix(".jpg").exists():
            continue
        style = truth["board"]["style"]
        known = "trained" if not finder_never_saw(path.stem, style) else "known styles, not trained"
        finder = "unseen style" if style == HELD_OUT_STYLE else known
        part = {"train": "trained", "seen": "known styles, not trained"}.get(part_of(truth, index), "unseen style")
        yield from_truth(truth, path.with_suffix(".jpg"), f"scenes, {finder}", f"scenes, {part}")


def from_truth(truth: dict[str, Any], path: Path, finder: str, reader: str, image: Any = None) -> Labelled:
    """One scene or frame of a game."""
    slots = {p["slot"]: (p["light"], p["dark"]) for p in truth["points"]}
    dice = [d | {"bbox": d["bbox_px"], "cocked": d["reason"] in COCKED} for d in truth["dice"]]
    clear = [d for d in dice if d["in_frame"] and d["visible"] > 0.6 and d["face_px"] >= LEAST_FACE_PX]
    return Labelled(
        path=path,
        corners=as_corners([truth["board"]["inner_corners_px"][c] for c in ORDER]),
        tolerance=0.0,
        points=tuple(slots[s] for s in SLOTS),
        dice=tuple(clear),
        ignored_dice=tuple(d for d in dice if d not in clear),
        dice_complete=True,
        hand=bool(truth["hand"]["present"]),
        finder_source=finder,
        reader_source=reader,
        image=image,
    )


def photographs(folder: Path) -> Iterator[Labelled]:
    """Real boards, by what they may be used for; exports stretched to a square apart."""
    for line in (folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        stretched = label["width"] == label["height"]
        use = "photographs, measure only" if label["use"] == "measure" else "photographs, use train"
        source = f"{use}{', stretched 640×640' if stretched else ''}"
        points = label["points"]["top_row"] + label["points"]["bottom_row"]
        dice = tuple(d | {"bbox": _corner_box(d["bbox"]), "cocked": d.get("state") == "cocked"} for d in label["dice"])
        yield Labelled(
            path=folder / label["file"],
            corners=as_corners(label["corners"]),
            tolerance=float(label["corner_tol_px"]),
            points=tuple(_content(entry) for entry in points),
            dice=tuple(d for d in dice if d.get("value")),
            ignored_dice=tuple(d for d in dice if not d.get("value")),
            dice_complete=str(label.get("dice_status", "")).startswith("complete"),
            hand=False,
            finder_source=source,
            reader_source=source,
        )


def games(folder: Path) -> Iterator[Labelled]:
    """One still frame for each truth line of a recorded game: the middle of each stretch without change."""
    lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    frames = _frames(folder / "video.mp4")
    small = [cv2.resize(f, (240, 180), interpolation=cv2.INTER_AREA).astype(np.float32) for f in frames]
    change = np.array([np.sort(np.abs(a - b).max(2).ravel())[-25] for a, b in pairwise(small)])
    cuts = np.sort(np.argsort(change)[::-1][: len(lines) - 1]) + 1
    bounds = zip([0, *cuts], [*cuts, len(frames)], strict=True)
    for truth, (start, end) in zip(lines, bounds, strict=True):
        if truth.get("still", True):
            name = f"games, {folder.name}"
            yield from_truth(truth, folder / "video.mp4", name, name, frames[(start + end) // 2])


def _frames(video: Path) -> list[Any]:
    capture, frames = cv2.VideoCapture(str(video)), []
    while True:
        ok, frame = capture.read()
        if not ok:
            return frames
        frames.append(frame)


def _corner_box(box: Sequence[float]) -> list[float]:
    x, y, width, height = box
    return [x, y, x + width, y + height]


def _content(entry: Any) -> tuple[int, int] | None:
    if entry is None or entry[0] not in ("l", "d", ""):
        return None
    return {"l": (entry[1], 0), "d": (0, entry[1]), "": (0, 0)}[entry[0]]


def corner_error(found: Any, truth: Any) -> float:
    """Mean distance of the corners in parts of the board's width; a board turned by half a turn is the same
    board."""
    distance = min(float(np.linalg.norm(np.roll(found, turn, axis=0) - truth, axis=1).mean()) for turn in (0, 2))
    return distance / board_width(truth)


def count_corners(into: Corners, finder: BoardFinder, image: Any, label: Labelled) -> None:
    """Look for the board in one picture and count how it came out."""
    into.pictures += 1
    found = finder.find(image)
    if found is None:
        into.none += 1
        return
    error = corner_error(found.corners, label.corners)
    limit = max(0.01, label.tolerance / board_width(label.corners))
    into.errors.append(error)
    into.within += error <= limit
    into.wrong_and_sure += error > max(0.03, 2 * limit)


def count_reads(into: Reads, seen: Observation, label: Labelled) -> None:
    """Compare one read with the truth."""
    into.pictures += 1
    if not label.hand:
        _count_points(into, seen, label)
    count_dice(into, seen.dice, label)


def _count_points(into: Reads, seen: Observation, label: Labelled) -> None:
    whole, known = True, 0
    for slot, truth in zip(SLOTS, label.points, strict=True):
        if truth is None:
            continue
        known += 1
        reading = seen.slots.get(slot)
        unknown = reading is None or reading.confidence < 0.5
        right = reading is not None and not unknown and reading.best == truth
        into.points_null += unknown
        into.points_right += right
        into.points_wrong += not unknown and not right
        whole &= right
    into.points += known
    if known == len(SLOTS):
        into.boards += 1
        into.boards_right += whole


def count_dice(into: Reads, dice: Sequence[SeenDie], label: Labelled) -> None:
    """Compare the dice of one picture with the truth."""
    free = list(dice)
    for truth in label.dice:
        hit = max(free, key=lambda die: _overlap(die.box, truth["bbox"]), default=None)
        into.dice += 1
        flat = not truth["cocked"]
        into.flat += flat
        into.cocked += not flat
        if hit is None or _overlap(hit.box, truth["bbox"]) < 0.2:
            continue
        free.remove(hit)
        into.found += 1
        into.flat_called_cocked += flat and hit.state == "cocked"
        into.cocked_called += not flat and hit.state == "cocked"
        if flat and hit.confidence >= SURE:
            into.sure += 1
            into.sure_right += hit.value == truth["value"]
    if label.dice_complete:
        into.counted_for_false += 1
        spare = [die for die in free if die.presence >= 0.5]
        into.false += sum(all(_overlap(d.box, t["bbox"]) < 0.1 for t in label.ignored_dice) for d in spare)


def _overlap(box: Sequence[float], truth: Sequence[float]) -> float:
    """Intersection over union of x, y, w, h with x0, y0, x1, y1."""
    x, y, width, height = box
    across = max(0.0, min(x + width, truth[2]) - max(x, truth[0]))
    down = max(0.0, min(y + height, truth[3]) - max(y, truth[1]))
    both = width * height + (truth[2] - truth[0]) * (truth[3] - truth[1]) - across * down
    return across * down / both if both > 0 else 0.0


def corners_table(rows: dict[str, Corners]) -> str:
    """The Markdown table of boards found without help."""
    lines = [
        "| source | pictures | within 1 % of the width | median error | found none | wrong (> 3 %) and given |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in sorted(rows.items()):
        median = f"{100 * float(np.median(row.errors)):.2f} %" if row.errors else "—"
        lines.append(
            f"| {name} | {row.pictures} | {share(row.within, row.pictures)} | {median} | {row.none} "
            f"| {row.wrong_and_sure} |"
        )
    return "\n".join(lines)


def reads_table(rows: dict[str, Reads]) -> str:
    """The Markdown table of checkers and dice, corners given."""
    lines = [
        "| source | pictures | points exact | points null | whole boards | dice found | sure and right | sure of flat "
        "| cocked called | flat called cocked | false dice per picture | ms per picture |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, row in sorted(rows.items()):
        cells = [
            name,
            str(row.pictures),
            share(row.points_right, row.points),
            share(row.points_null, row.points),
            share(row.boards_right, row.boards),
            share(row.found, row.dice),
            share(row.sure_right, row.sure),
            share(row.sure, row.flat),
            share(row.cocked_called, row.cocked),
            share(row.flat_called_cocked, row.flat),
            f"{row.false / row.counted_for_false:.3f}" if row.counted_for_false else "—",
            f"{1000 * row.seconds / row.pictures:.0f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def share(part: int, whole: int) -> str:
    """A share in percent, with its two numbers."""
    return f"{100 * part / whole:.1f} % ({part}/{whole})" if whole else "—"


def sources(data: Path, more: Sequence[Path]) -> Iterator[Labelled]:
    """Every labelled picture."""
    for folder in [data / "scenes", *more]:
        yield from scenes(folder)
    yield from photographs(data / "boards")
    for folder in sorted((data / "games").iterdir()):
        yield from games(folder)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("more", type=Path, nargs="*", help="more folders of path-traced scenes")
    parser.add_argument("--only", choices=["corners", "reads"])
    options = parser.parse_args()
    finding: dict[str, Corners] = {}
    reading: dict[str, Reads] = {}
    finder = BoardFinder() if options.only != "reads" else None
    readers = StillEyes() if options.only != "corners" else None
    for label in sources(options.data, options.more):
        image = label.image if label.image is not None else cv2.imread(str(label.path))
        if finder is not None:
            count_corners(finding.setdefault(label.finder_source, Corners()), finder, image, label)
        if readers is not None:
            into = reading.setdefault(label.reader_source, Reads())
            begun = time.perf_counter()
            seen = readers.read(image, label.corners)
            into.seconds += time.perf_counter() - begun
            count_reads(into, seen, label)
    if finding:
        print(f"Boards found without help\n\n{corners_table(finding)}\n")
    if reading:
        print(f"Checkers and dice, corners given\n\n{reads_table(reading)}\n")


if __name__ == "__main__":
    main()
