"""How the eyes err, as the simulator draws it: ``python -m tests.bench.measure_noise DATA`` writes
tests/simulator/noise.json.

Read are the rendered scenes that no network was trained with (photographs were trained with, or may be measured only
and leave no trace in the repository); corners are given. Every reading is kept as it came, relative to the truth: how
many checkers more or fewer, and how probable. The pictures are put into groups of like difficulty, because errors come
in sets: a board that is hard to read is so all evening.

A die is looked for as it would be in play, where its arrival proposes the place (``Eyes``): the places of the truth are
given to the reader, a little beside, beside what it finds by itself.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from companion.observation import Content, Observation, Reading, SeenDie
from companion.vision.checkers import CheckerReader
from companion.vision.dice import DiceReader
from companion.vision.eyes import read_board, seen_board
from tests.bench.vision import Labelled, _overlap, scenes

OUT = Path(__file__).parents[1] / "simulator" / "noise.json"
BOARDS, DICE = 5, 3
"""Groups of like difficulty for checkers, and for dice."""
KEPT = 4
LEAST = 0.002
ASIDE = 0.15
"""How far, in sides of a die, the proposed place is beside the true one."""


@dataclass
class Picture:
    """The readings of one picture, relative to its truth."""

    slots: list[tuple[str, list[list[float]]]] = field(default_factory=list)
    dice: list[dict[str, Any]] = field(default_factory=list)
    false_dice: list[dict[str, Any]] = field(default_factory=list)
    whole: bool = True

    @property
    def difficulty(self) -> float:
        """The mean of the nats that the true contents lack."""
        lacking = [-math.log(max(_of_truth(reading), 1e-4)) for _, reading in self.slots]
        return sum(lacking) / max(1, len(lacking))

    @property
    def dice_difficulty(self) -> float:
        """The mean of what the true values lack; a die that was not found lacks all."""
        return sum(1.0 - d.get("values", [0.0])[0] * d.get("presence", 0.0) for d in self.dice) / max(1, len(self.dice))


def _of_truth(reading: Sequence[Sequence[float]]) -> float:
    return next((p for own, other, p in reading if own == 0 and other == 0), 0.0)


def kind_of(truth: Content) -> str:
    """The class of a content: its height, the tall ones together; ``mixed`` holds both colours."""
    light, dark = truth
    height = light + dark
    if light and dark:
        return "mixed"
    return str(height) if height <= 5 else "6-8" if height <= 8 else "9-11" if height <= 11 else "12-15"


def relative(reading: Reading, truth: Content) -> list[list[float]]:
    """``[[own, other, probability]]``: the owner's and the other checkers beyond the truth, most probable first."""
    swap = truth[1] > truth[0]
    own, other = truth[::-1] if swap else truth
    rows = []
    for (light, dark), p in sorted(reading.probabilities.items(), key=lambda item: -item[1])[:KEPT]:
        a, b = (dark, light) if swap else (light, dark)
        if p >= LEAST:
            rows.append([a - own, b - other, round(p, 4)])
    return rows


def read_one(label: Labelled, seen: Observation, bar: Content) -> Picture:
    """What was read of one picture."""
    picture = Picture()
    if not label.hand:
        for truth, reading in zip(label.points, (seen.slots.get(s) for s in seen.slots), strict=True):
            if truth is not None and reading is not None:
                picture.slots.append((kind_of(truth), relative(reading, truth)))
        if seen.bar is not None:
            picture.slots.append((f"bar-{'empty' if bar == (0, 0) else 'held'}", relative(seen.bar, bar)))
    free = list(seen.dice)
    for die in label.dice:
        hit = max(free, key=lambda d: _overlap(d.box, die["bbox"]), default=None)
        found = hit is not None and _overlap(hit.box, die["bbox"]) >= 0.2
        if found and hit is not None:
            free.remove(hit)
        picture.dice.append({"cocked": bool(die["cocked"])} | (_die(hit, die["value"]) if found and hit else {}))
    picture.whole = label.dice_complete
    if label.dice_complete:
        spare = [d for d in free if all(_overlap(d.box, t["bbox"]) < 0.1 for t in label.ignored_dice)]
        picture.false_dice = [_die(d, d.value) | {"place": d.place} for d in spare]
    return picture


def _die(die: SeenDie, value: int) -> dict[str, Any]:
    """The probabilities of the true value and of the others, the greatest first; presence, cocked, on a checker."""
    others = sorted((p for v, p in enumerate(die.values, 1) if v != value), reverse=True)
    return {
        "values": [round(p, 4) for p in (die.values[value - 1], *others)],
        "presence": round(die.presence, 4),
        "leans": round(die.cocked, 4),
        "on_checker": round(die.on_checker, 4),
    }


def held_out(data: Path) -> Iterator[tuple[Labelled, Content]]:
    """The pictures that the readers of checkers and dice never saw in training, with the content of the bar."""
    for label in scenes(data / "scenes"):
        if label.reader_source != "scenes, trained":
            bar = json.loads(label.path.with_suffix(".json").read_text())["bar"]
            yield label, (bar["light"], bar["dark"])


def proposed(label: Labelled, chance: random.Random) -> list[tuple[float, float, float, float]]:
    """Where a die has arrived: its centre, a little beside, and its size."""
    places = []
    for die in label.dice:
        x0, y0, x1, y1 = die["bbox"]
        side = max(x1 - x0, y1 - y0)
        places.append(
            ((x0 + x1) / 2 + chance.gauss(0, ASIDE) * side, (y0 + y1) / 2 + chance.gauss(0, ASIDE) * side, side, 0.5)
        )
    return places


def grouped(pictures: Sequence[Picture], count: int, key: str) -> list[list[Picture]]:
    """Groups of the same size, the easy pictures first."""
    ranked = sorted(pictures, key=lambda p: float(getattr(p, key)))
    return [ranked[i * len(ranked) // count : (i + 1) * len(ranked) // count] for i in range(count)]


def figures(pictures: Sequence[Picture], hands: Sequence[bool]) -> dict[str, Any]:
    """What the simulator draws from, and a summary for people."""
    boards, dice = [], []
    for group in grouped([p for p in pictures if p.slots], BOARDS, "difficulty"):
        by_kind: dict[str, list[Any]] = {}
        for kind, reading in (each for p in group for each in p.slots):
            by_kind.setdefault(kind, []).append(reading)
        boards.append({kind: sorted(readings) for kind, readings in sorted(by_kind.items())})
    for group in grouped([p for p in pictures if p.dice], DICE, "dice_difficulty"):
        flat = [d for p in group for d in p.dice if not d["cocked"]]
        dice.append({"flat": flat, "cocked": [d for p in group for d in p.dice if d["cocked"]]})
    whole = [p for p in pictures if p.whole]
    false = [d for p in whole for d in p.false_dice]
    return {
        "summary": summary(pictures),
        "hand_seen": round(sum(hands) / max(1, len(hands)), 3),
        "false_dice_per_picture": round(len(false) / max(1, len(whole)), 4),
        "false_dice": false,
        "boards": boards,
        "dice": dice,
    }


def summary(pictures: Sequence[Picture]) -> dict[str, Any]:
    """Shares by content: read right, and the truth believed with less than a tenth."""
    kinds: dict[str, list[float]] = {}
    for kind, reading in (each for p in pictures for each in p.slots):
        kinds.setdefault(kind, []).append(_of_truth(reading))
    flat = [d for p in pictures for d in p.dice if not d["cocked"]]
    found = [d for d in flat if "values" in d]
    return {
        "pictures": len(pictures),
        "slots": {
            kind: {
                "read": len(p),
                "right": round(sum(v > 0.5 for v in p) / len(p), 4),
                "denied": round(sum(v < 0.1 for v in p) / len(p), 4),
            }
            for kind, p in sorted(kinds.items())
        },
        "flat_dice": {
            "shown": len(flat),
            "found": round(len(found) / max(1, len(flat)), 4),
            "value_right": round(sum(d["values"][0] == max(d["values"]) for d in found) / max(1, len(found)), 4),
            "sure": round(sum(d["values"][0] * d["presence"] >= 0.9 for d in found) / max(1, len(found)), 4),
        },
    }


def main() -> None:
    """Read every held-out picture and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    readers, pictures, hands = (CheckerReader(), DiceReader()), [], []
    begun, chance = time.perf_counter(), random.Random(0)
    for label, bar in held_out(options.data):
        seen = read_board(
            cv2.imread(str(label.path)), seen_board(label.corners, "given", 1.0), *readers, also=proposed(label, chance)
        )
        if label.hand:
            hands.append(seen.hand > 0.5)
        pictures.append(read_one(label, seen, bar))
    data = figures(pictures, hands)
    options.out.write_text(_text(data), encoding="utf-8")
    print(json.dumps(data["summary"], indent=1))
    print(f"hand seen {data['hand_seen']}, false dice per picture {data['false_dice_per_picture']}")
    print(f"{len(pictures)} pictures in {time.perf_counter() - begun:.0f} s → {options.out}")


def _text(data: dict[str, Any]) -> str:
    """JSON with one reading list to a line, so that a change can be read."""
    lines = []
    for key, value in data.items():
        if key in ("boards", "dice"):
            groups = [
                "  {\n" + ",\n".join(f"   {json.dumps(k)}: {json.dumps(v)}" for k, v in group.items()) + "\n  }"
                for group in value
            ]
            lines.append(f" {json.dumps(key)}: [\n" + ",\n".join(groups) + "\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main()
