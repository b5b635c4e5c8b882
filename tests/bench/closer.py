"""What stills in full resolution are worth: ``python -m tests.bench.closer DATA`` prints Markdown tables.

Pictures and recorded games are made smaller, as a stream of a camera is; what is wanted in full resolution comes as
the picture was. Beside it stand the same without stills, and the dice of the pictures as they were.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from companion.attention import Box
from companion.camera import open_source
from companion.camera.pi import cut
from companion.events import PlayMade, Rolled
from companion.observation import SeenDie
from companion.pipeline import Rig, build, replay
from companion.rules import get_game
from companion.table.dice import unread
from companion.table.settings import TableSettings
from companion.vision.dice import DiceReader
from companion.vision.geometry import as_corners
from tests.bench.games import compare, turns_of
from tests.bench.vision import ORDER, Labelled, Reads, count_dice, scenes, share
from tests.camera.two_sizes import TwoSizes, smaller


def scaled(label: Labelled, times: float) -> Labelled:
    """The truth of the picture so many times smaller."""
    dice, ignored = (
        tuple(die | {"bbox": [value / times for value in die["bbox"]]} for die in kind)
        for kind in (label.dice, label.ignored_dice)
    )
    return replace(label, corners=(label.corners + 0.5) / times - 0.5, dice=dice, ignored_dice=ignored)


def read_twice(reader: DiceReader, image: Any, corners: Any, times: float) -> list[tuple[SeenDie, ...]]:
    """The dice of a smaller picture, without stills and with what the table would ask for."""
    small = smaller(image, times)
    without = reader.read(small, corners)
    wanted: Sequence[Box] = unread(without, (), TableSettings().sure_die)
    details = [cut(image, small.shape[1], box) for box in wanted]
    return [without, reader.read(small, corners, details=details) if details else without]


def pictures(data: Path, times: Sequence[float]) -> dict[tuple[str, str], Reads]:
    """How the dice come out in all scenes that no network was trained with."""
    reader = DiceReader()
    rows: dict[tuple[str, str], Reads] = {}
    for label in scenes(data / "scenes"):
        if label.reader_source == "scenes, trained":
            continue
        image = cv2.imread(str(label.path))
        count_dice(
            rows.setdefault((label.reader_source, "as it is"), Reads()), reader.read(image, label.corners), label
        )
        for each in times:
            truth = scaled(label, each)
            for name, dice in zip(("", ", stills"), read_twice(reader, image, truth.corners, each), strict=True):
                count_dice(rows.setdefault((label.reader_source, f"1/{each:g}{name}"), Reads()), dice, truth)
    return rows


def pictures_table(rows: dict[tuple[str, str], Reads]) -> str:
    """The Markdown table of dice by source and size."""
    lines = ["| source | size | found | sure of flat | sure and right | false |", "|---|---|---|---|---|---|"]
    for (source, size), row in sorted(rows.items()):
        found, sure = share(row.found, row.dice), share(row.sure, row.flat)
        lines.append(f"| {source} | {size} | {found} | {sure} | {share(row.sure_right, row.sure)} | {row.false} |")
    return "\n".join(lines)


def refereed(folder: Path, times: float, *, stills: bool) -> str:
    """A recorded game in a smaller size, its corners given: a row of the table."""
    first = json.loads((folder / "truth.jsonl").open().readline())
    inner = as_corners([first["board"]["inner_corners_px"][corner] for corner in ORDER])
    corners = tuple((float(x), float(y)) for x, y in (inner + 0.5) / times - 0.5)
    rig = Rig(game=get_game("long" if first["variant"] == "long_nardy" else "short", {}), corners=corners)
    source = TwoSizes(open_source(folder / "video.mp4"), times, stills=stills)
    events = [event for step in replay(build(rig), source) for event in step.events]
    source.close()
    told = {event.t for event in events if isinstance(event, Rolled)}
    late = sum(event.t in told for event in events if isinstance(event, PlayMade))
    outcome = compare(folder.name, turns_of(folder), events)
    cells = (folder.name, f"1/{times:g}{', stills' if stills else ''}", outcome.turns, len(told) - late, outcome.dice)
    more = (outcome.exact, outcome.false_accusations, source.shown)
    return f"| {' | '.join(map(str, (*cells, *more)))} |"


GAMES = """| game | size | turns | rolls known as they lay | right dice | exact | false accusations | stills |
|---|---|---|---|---|---|---|---|"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with games/ and scenes/")
    parser.add_argument("--times", type=float, nargs="+", default=[2.0, 3.0], help="so many times smaller")
    parser.add_argument("--only", choices=["pictures", "games"])
    wanted = parser.parse_args()
    if wanted.only != "games":
        print(pictures_table(pictures(wanted.data, wanted.times)), flush=True)
    if wanted.only != "pictures":
        print(f"\n{GAMES}")
        for folder in sorted(path.parent for path in (wanted.data / "games").glob("*/video.mp4")):
            for times in wanted.times:
                for stills in (False, True):
                    print(refereed(folder, times, stills=stills), flush=True)


if __name__ == "__main__":
    main()
