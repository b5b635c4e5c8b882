"""Fit how sure the finder is, on pictures that its networks never saw, and write that into its card.

``python -m models.training.finder.calibrate models --scenes DIR …``: held-out scenes of the styles that are learnt, and
freshly drawn boards.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import cv2
import numpy as np

from companion.vision.finder import BoardFinder, first_views, halves
from companion.vision.geometry import UNIT_SQUARE, board_to_picture, is_board, transform
from models.training.finder.boards import picture
from models.training.finder.data import HELD_OUT_STYLE, held_out

FIRST_FRESH = 900_000
WITHIN = 0.02
TRAY = (0.04, 0.15)
"""How wide trays are, in parts of the field."""


def pictures(
    folders: list[Path], unseen: list[Path], synthesis: Path | None, drawn: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pictures and their corners; the style that stands for boards nobody has seen is kept for measuring."""
    for folder, every in [(each, False) for each in folders] + [(each, True) for each in unseen]:
        for path in sorted(folder.glob("*.json")):
            scene = json.loads(path.read_text())
            style = scene["board"]["style"]
            if style != HELD_OUT_STYLE and (every or held_out(path.stem, style)):
                yield read(path, scene)
    if synthesis is not None:  # the newest are in no shard yet, or in one that was made after the training
        for path in sorted(synthesis.glob("*.json"))[-drawn:]:
            yield read(path, json.loads(path.read_text()))
    for seed in range(FIRST_FRESH, FIRST_FRESH + drawn):
        yield picture(seed)


def read(path: Path, scene: dict) -> tuple[np.ndarray, np.ndarray]:
    corners = [scene["board"]["inner_corners_px"][k] for k in ("TL", "TR", "BR", "BL")]
    return cv2.imread(str(path.with_suffix(".jpg"))), np.array(corners)


def error(found: np.ndarray, truth: np.ndarray) -> float:
    width = (np.linalg.norm(truth[1] - truth[0]) + np.linalg.norm(truth[2] - truth[3])) / 2
    return min(np.linalg.norm(np.roll(found, k, axis=0) - truth, axis=1).mean() for k in (0, 2)) / width


def logistic(x: np.ndarray, y: np.ndarray, decay: float = 0.3) -> tuple[np.ndarray, float]:
    """Weights and bias by Newton's method, with a little decay of the weights (features are standardised for it)."""
    middle, size = x.mean(axis=0), x.std(axis=0) + 1e-6
    a = np.column_stack([(x - middle) / size, np.ones(len(x))])
    w = np.zeros(a.shape[1])
    ridge = np.diag([decay] * x.shape[1] + [1e-6])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(a @ w, -30, 30)))
        gradient = a.T @ (p - y) + ridge @ w
        w -= np.linalg.solve((a * (p * (1 - p))[:, None]).T @ a + ridge + 1e-6 * np.eye(len(w)), gradient)
    weights = w[:-1] / size
    return weights, float(w[-1] - weights @ middle)


def level(scores: np.ndarray, y: np.ndarray) -> float:
    """The bias with which as many are expected to be right as are."""
    low, high = -500.0, 500.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        too_many = (1 / (1 + np.exp(-np.clip(scores + middle, -30, 30)))).mean() > y.mean()
        low, high = (low, middle) if too_many else (middle, high)
    return low


def looks(finder: BoardFinder, image: np.ndarray, corners: np.ndarray) -> Iterator[tuple[np.ndarray, bool]]:
    """The features of what some first looks lead to, and whether it is right."""
    pyramid = halves(image)
    for view in first_views(image.shape[1], image.shape[0])[:2]:
        followed = finder.follow(pyramid, view)
        if followed is not None:
            yield followed[1], bool(error(followed[0], corners) <= WITHIN)


def senses(
    rng: np.random.Generator, finder: BoardFinder, image: np.ndarray, corners: np.ndarray
) -> Iterator[tuple[np.ndarray, bool]]:
    """Whether a board makes sense where it is, and where a short side lies in or beyond a tray.

    The networks do not err so on boards like those they learnt; on others they do.
    """
    yield finder.sense(image, corners), True
    for side, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
        moved = UNIT_SQUARE.copy()
        moved[[1, 2] if side else [0, 3], 0] += sign * rng.uniform(*TRAY)
        wrong = transform(board_to_picture(corners), moved)
        if is_board(wrong):
            yield finder.sense(image, wrong), False


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--unseen", type=Path, nargs="*", default=[], help="scenes none of which were learnt")
    parser.add_argument("--synthesis", type=Path)
    parser.add_argument("--drawn", type=int, default=60)
    options = parser.parse_args()
    path = options.models / "finder.json"
    card = json.loads(path.read_text())
    card.pop("confidence", None)  # it may be of a finder with other features
    path.write_text(json.dumps(card, indent=2) + "\n")
    finder, rng = BoardFinder(options.models), np.random.default_rng(1)
    scenes = list(pictures(options.scenes, options.unseen, None, 0))
    rows = [
        row
        for picture in chain(scenes, pictures([], [], options.synthesis, options.drawn))
        for row in looks(finder, *picture)
    ]
    sensed = [row for picture in scenes for row in senses(rng, finder, *picture)]
    x, y = np.array([row for row, _ in rows]), np.array([right for _, right in rows], float)
    shape, _ = logistic(x[:, :-2], y)
    sense, _ = logistic(*(np.array(part, float) for part in zip(*sensed, strict=True)))
    weights = np.concatenate([shape, sense])
    bias = level(x @ weights, y)
    p = 1 / (1 + np.exp(-(x @ weights + bias)))
    print(f"{len(y)} looks, {y.mean():.3f} right; sense {sense.round(1)}")
    for least in (0.5, 0.9):
        given = p >= least
        print(f"p >= {least}: {given.mean():.3f} of the looks, of them right {y[given].mean():.3f}")
    card["confidence"] = {"weights": [round(float(w), 4) for w in weights], "bias": round(bias, 4), "looks": len(y)}
    path.write_text(json.dumps(card, indent=2) + "\n")


if __name__ == "__main__":
    main()
