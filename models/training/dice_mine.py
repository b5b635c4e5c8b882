"""Collects what the finder takes for dice and is none, for the reader to learn from.

``python -m models.training.dice_mine --cache DIR`` writes ``dice-mined.npz`` from training pictures only.
"""

import argparse
from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path

import cv2
import numpy as np

from companion.vision.dice import DiceReader, cut
from models.training import sources
from models.training.dice_data import CROP, CROP_SIDES, dice_photographs, square
from models.training.sources import Sample


def mined(reader: DiceReader, samples: Iterable[Sample], most: int) -> tuple[list[np.ndarray], list[str]]:
    """Crops of false peaks (at most ``most`` of each picture), and the names of their pictures."""
    crops, names = [], []
    for sample in samples:
        if sample.part != "train" or not sample.dice_complete:
            continue
        corners = None if sample.corners is None else sample.corners.tolist()
        taken = 0
        for x, y, side, _ in reader.find(sample.picture, corners):
            real = any(
                np.hypot(x - dx, y - dy) < 0.75 * ds for dx, dy, ds in (square(d["bbox_px"]) for d in sample.dice)
            )
            if not real and taken < most:
                crops.append(cut(sample.picture, x, y, side * CROP_SIDES, CROP))
                names.append(sample.name)
                taken += 1
    return crops, names


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--synthetic", type=Path, nargs="*", default=[])
    parser.add_argument("--stills", type=Path, nargs="*", default=[])
    parser.add_argument("--most-synthetic", type=int, default=500)
    parser.add_argument("--cache", type=Path, required=True)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    samples = chain(
        chain(*(sources.rendered(f) for f in (arguments.data / "scenes", *arguments.stills))),
        dice_photographs(arguments.data / "dice"),
        islice(chain(*(sources.synthetic(f) for f in arguments.synthetic)), arguments.most_synthetic),
    )
    crops, names = mined(DiceReader(), samples, 4)
    n = len(crops)
    np.savez(
        arguments.cache / "dice-mined.npz",
        crop=np.stack(crops),
        value=np.zeros(n, np.int64),
        cocked=np.zeros(n, np.int64),
        turned=np.ones(n, np.int64),
        part=np.full(n, "train"),
        name=np.array(names),
        face=np.zeros(n, np.float32),
    )
    print(f"dice-mined.npz: {n} crops")


if __name__ == "__main__":
    main()
