"""Measures the exported networks, by source, through the code that ships: ``python -m
models.training.evaluate --data DIR``.

Corners are given. ``seen`` and ``unseen`` are held-out rendered scenes of known and of unknown styles and
palettes; games and dice photographs of the unseen sources were never trained on.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import cv2
import numpy as np

from companion.config import data_folder
from companion.layout import SLOTS
from companion.vision.checkers import CheckerReader
from companion.vision.dice import DiceReader
from models.training import sources
from models.training.dice_data import dice_photographs, is_cocked, square
from models.training.sources import Sample

Tally = defaultdict[str, list[float]]


def measure_checkers(reader: CheckerReader, sample: Sample, tally: Tally, *, show: bool) -> None:
    """Slots and whole boards of one sample."""
    if sample.corners is None or sample.hand != 0 or not sample.still:
        tally["hand called"] += (
            [float(reader.read(sample.picture, sample.corners).hand > 0.5)] if sample.hand == 1 else []
        )
        return
    got = reader.read(sample.picture, sample.corners)
    whole = True
    for slot, truth in zip(SLOTS, sample.counts, strict=True):
        if truth[0] < 0:
            continue
        reading = got.slots[slot]
        right = reading.best == (int(truth[0]), int(truth[1]))
        whole &= right
        tally["slots"].append(float(right))
        tally["nats"].append(-reading.log_likelihood((int(truth[0]), int(truth[1]))))
        tally["slots held"] += [float(right)] if truth.sum() else []
        tally["sure wrong"].append(float(not right and reading.confidence > 0.9))
        tally["gap"].append(reading.confidence - float(right))
        if show and not right:
            print(f"   {sample.name} {slot}: {tuple(truth)} read {reading.best} {reading.confidence:.2f}")
    tally["boards"].append(float(whole))
    tally["hand false"].append(float(got.hand > 0.5))
    if sample.part != "photo":
        tally["span"].append(max(abs(got.span[0] - sample.span[0]), abs(got.span[1] - sample.span[1])))
    if sample.bar[0] >= 0 and got.bar is not None:
        tally["bar"].append(float(got.bar.best == tuple(int(v) for v in sample.bar)))


def measure_dice(reader: DiceReader, sample: Sample, tally: Tally, *, show: bool) -> None:
    """Dice found, read, and invented in one sample."""
    corners = None if sample.corners is None else sample.corners.tolist()
    got = list(reader.read(sample.picture, corners))
    real = [d for d in sample.dice if d.get("in_frame", True) and d.get("visible", 1.0) > 0.5]
    for die in sample.dice:
        x, y, side = square(die["bbox_px"])
        match = min(got, key=lambda g: _distance(g.box, x, y), default=None)
        found = match is not None and _distance(match.box, x, y) < 0.5 * side
        if found and match is not None:
            got.remove(match)
        if not any(die is d for d in real):
            continue
        size = "found" if die.get("face_px", 99) >= 13 else "found small"
        tally[size].append(float(found))
        if show and not found:
            print(f"   {sample.name}: die {die['value']} at {x:.0f},{y:.0f} not found, face {die.get('face_px')}")
        if not found or match is None:
            continue
        if not is_cocked(die):
            if size == "found":
                tally["flat sure"].append(float(match.confidence >= 0.9))
                tally["flat right"].append(float(match.value == die["value"]))
                tally["flat sure right"] += [float(match.value == die["value"])] if match.confidence >= 0.9 else []
            tally["flat called cocked"].append(float(match.cocked > 0.5))
        else:
            tally["cocked called"].append(float(match.cocked > 0.5))
        if show and match.value != die["value"]:
            how = f"read {match.value} {match.confidence:.2f}, face {die.get('face_px')}, cocked {is_cocked(die)}"
            print(f"   {sample.name}: die {die['value']} {how}")
    if sample.dice_complete:
        tally["false dice"].append(float(len(got)))
        if show:
            for g in got:
                print(f"   {sample.name}: false die {g.value} {g.confidence:.2f} at {tuple(round(v) for v in g.box)}")


def _distance(box: tuple[float, ...], x: float, y: float) -> float:
    return float(np.hypot(box[0] + box[2] / 2 - x, box[1] + box[3] / 2 - y))


def measure(
    samples: Iterable[Sample], checkers: CheckerReader | None, dice: DiceReader | None, *, show: bool
) -> dict[str, Tally]:
    """Tallies by part (games by name)."""
    tallies: dict[str, Tally] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        part = sample.name.rsplit("-", 1)[0] if sample.part == "game" else sample.part
        if part == "train":
            continue
        if checkers is not None and sample.corners is not None:
            measure_checkers(checkers, sample, tallies[part], show=show)
        if dice is not None and sample.still and (sample.hand <= 0):
            measure_dice(dice, sample, tallies[part], show=show)
    return tallies


def write_cards(figures: dict[str, dict[str, list[float]]]) -> None:
    """Puts [mean, number] of each measure and source into the cards of the networks that it measures."""
    for name in ("bar", "checkers", "dice-find", "dice-read"):
        path = data_folder("models") / f"{name}.json"
        card = json.loads(path.read_text())
        mine = {part: {k: v for k, v in measures.items() if _about(k) == name} for part, measures in figures.items()}
        card["accuracy"] = {part: measures for part, measures in mine.items() if measures}
        path.write_text(json.dumps(card, indent=2) + "\n")


def _about(measure: str) -> str:
    """The network that a measure tells about."""
    if measure == "span":
        return "bar"
    if measure.startswith(("found", "false dice")):
        return "dice-find"
    return "dice-read" if measure.startswith(("flat", "cocked")) else "checkers"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--stills", type=Path, nargs="*", default=[])
    parser.add_argument(
        "--only",
        choices=["scenes", "games", "boards", "dice"],
        nargs="*",
        default=["scenes", "games", "boards", "dice"],
    )
    parser.add_argument("--networks", choices=["checkers", "dice"], nargs="*", default=["checkers", "dice"])
    parser.add_argument("--show", action="store_true", help="print every error")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--cards", action="store_true", help="write the figures into the networks' cards")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    groups: dict[str, Iterable[Sample]] = {
        "scenes": chain(*(sources.rendered(f) for f in (arguments.data / "scenes", *arguments.stills))),
        "games": chain(*(sources.game(g) for g in sorted((arguments.data / "games").iterdir()))),
        "boards": sources.photographs(arguments.data / "boards", measure=True),
        "dice": dice_photographs(arguments.data / "dice"),
    }
    checkers = CheckerReader() if "checkers" in arguments.networks else None
    dice = DiceReader() if "dice" in arguments.networks else None
    figures = {}
    for name in arguments.only:
        for part, tally in sorted(measure(groups[name], checkers, dice, show=arguments.show).items()):
            figures[part] = {k: [round(float(np.mean(v)), 4), len(v)] for k, v in sorted(tally.items()) if v}
            print(part)
            for key, (mean, n) in figures[part].items():
                print(f"   {key:20} {mean:8.4f}   of {n}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1))
    if arguments.cards:
        write_cards(figures)


if __name__ == "__main__":
    main()
