"""The cached training set of the checker networks.

Strips, pictures for the bar's span, and their labels as arrays.
"""

import argparse
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import cv2
import numpy as np

from companion.vision.rectify import SPAN_SIZE, STRIP_H, STRIP_W, Rectifier
from models.training import sources
from models.training.sources import Sample

MEN = 30


def columns_of(sample: Sample, rng: np.random.Generator, jitter: float) -> dict[str, np.ndarray]:
    """The arrays of one sample.

    Corners are moved by ``jitter`` of the board's width, as a finder would miss them.
    """
    size = float(np.linalg.norm(sample.corners[1] - sample.corners[0]))
    corners = sample.corners + rng.normal(0, 1, (4, 2)) * jitter * size
    span = np.array(sample.span) + rng.normal(0, 1, 2) * jitter * 1.2
    whole = Rectifier(tuple((float(x), float(y)) for x, y in corners), (float(span[0]), float(max(span[0], span[1]))))
    tops = np.full((MEN, 3), -1, np.float32)
    if len(sample.tops):
        top, bottom = whole.strip_points(sample.tops)
        at = np.where(sample.top_rows[:, None] == 1, bottom, top)
        tops[: len(at), :2], tops[: len(at), 2] = at[:MEN], sample.top_sides[:MEN]
    return {
        "strips": whole.strips(sample.picture),
        "field": whole.span_picture(sample.picture),
        "span": np.array(sample.span, np.float32),
        "counts": sample.counts.astype(np.int8),
        "bar": sample.bar.astype(np.int8),
        "tops": tops.astype(np.float16),
        "hidden": sample.hidden,
        "hand": np.float32(sample.hand),
        "name": np.array(sample.name, "U24"),
        "part": np.array(sample.part, "U10"),
        "still": np.array(sample.still),
    }


class Shard:
    """Arrays of many samples, grown in memory and saved as one file."""

    def __init__(self) -> None:
        self.rows: list[dict[str, np.ndarray]] = []

    def add(self, samples: Iterable[Sample], copies: int, jitter: float, seed: int) -> None:
        """Adds every sample, training ones several times with other corners, held-out ones once with exact
        corners.
        """
        rng = np.random.default_rng(seed)
        for sample in samples:
            n = copies if sample.part == "train" else 1
            for _ in range(n):
                self.rows.append(columns_of(sample, rng, jitter if sample.part == "train" else 0.0))

    def save(self, path: Path) -> None:
        """Writes the arrays; strips as a raw file that can be mapped into memory."""
        stacked = {key: np.stack([row[key] for row in self.rows]) for key in self.rows[0] if key != "strips"}
        strips = np.lib.format.open_memmap(
            path.with_suffix(".strips.npy"), "w+", np.uint8, (len(self.rows), STRIP_H, STRIP_W, 3)
        )
        for i, row in enumerate(self.rows):
            strips[i] = row["strips"]
        strips.flush()
        np.savez(path, **stacked)
        print(f"{path.name}: {len(self.rows)} samples, field {SPAN_SIZE}", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--synthetic", type=Path, nargs="*", default=[])
    parser.add_argument("--stills", type=Path, nargs="*", default=[], help="further folders of rendered scenes")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--only", choices=["rendered", "synthetic", "measure"], nargs="*", default=["rendered", "synthetic", "measure"]
    )
    parser.add_argument("--name", default="synthetic", help="name of the synthetic file")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    if "measure" in arguments.only:
        shard = Shard()
        games = sorted((arguments.data / "games").iterdir())
        shard.add(chain(*(sources.game(g) for g in games)), 1, 0, 1)
        shard.add(sources.photographs(arguments.data / "boards", measure=True), 1, 0, 1)
        shard.save(arguments.out / "measure.npz")
    if "rendered" in arguments.only:
        shard = Shard()
        folders = [arguments.data / "scenes", *arguments.stills]
        shard.add(chain(*(sources.rendered(f) for f in folders)), 4, 0.004, 2)
        shard.add(_as_training(sources.photographs(arguments.data / "boards", measure=False)), 8, 0.004, 3)
        shard.save(arguments.out / "rendered.npz")
    if "synthetic" in arguments.only:
        shard = Shard()
        shard.add(chain(*(sources.synthetic(f) for f in arguments.synthetic)), 1, 0.004, 4)
        shard.save(arguments.out / f"{arguments.name}.npz")


def _as_training(samples: Iterable[Sample]) -> Iterable[Sample]:
    for sample in samples:
        sample.part = "train"
        yield sample


if __name__ == "__main__":
    main()
