"""Fits how much the clues of a die weigh, on held-out scenes: ``python -m models.training.dice_belief --data DIR``.

Prints the numbers for ``BELIEF`` in ``companion/vision/dice.py``.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from companion.vision.checkers import softmax
from companion.vision.dice import DiceReader, clues
from models.training import sources
from models.training.dice_data import square


def rows_of(reader: DiceReader, sample: sources.Sample) -> list[tuple[np.ndarray, float]]:
    """The clues of every candidate in a sample, and whether it is a die."""
    width = float(np.linalg.norm(sample.corners[1] - sample.corners[0]))
    rows = []
    found, logits = reader.candidates(sample.picture, sample.corners.tolist())
    for peak, row in zip(found, logits, strict=True):
        boxes = [square(d["bbox_px"]) for d in sample.dice]
        real = any(np.hypot(peak[0] - x, peak[1] - y) < 0.5 * side for x, y, side in boxes)
        rows.append((clues(peak, softmax(row[:7]), width), float(real)))
    return rows


def fit(x: np.ndarray, y: np.ndarray, ridge: float = 0.5) -> np.ndarray:
    """Logistic regression by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - y) + ridge * w
        w -= np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(w)), gradient)
    return w


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    reader = DiceReader()
    rows = []
    for sample in sources.rendered(arguments.data / "scenes"):
        if sample.part in ("seen", "unseen") and sample.hand <= 0:
            rows += rows_of(reader, sample)
    x, y = np.stack([r[0] for r in rows]), np.array([r[1] for r in rows])
    print(f"{int(y.sum())} dice, {int((1 - y).sum())} others; BELIEF = {tuple(np.round(fit(x, y), 2).tolist())}")


if __name__ == "__main__":
    main()
