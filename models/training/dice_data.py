"""The cached training set of the dice networks.

Patches for finding, crops for reading, from scenes and photographs.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import cv2
import numpy as np

from companion.vision.dice import CANVAS, cut, region_of
from models.training import sources
from models.training.sources import Sample

PATCH = 224
CROP = 84
"""Cached crops cover ``CROP_SIDES`` times the die's box."""
CROP_SIDES = 3.0
BOXES = 40
DIE_PX = (8.0, 26.0)
"""Pictures from near by are shrunk until their dice have such sides, as in the picture in which they are looked for."""
PIPS_ONLY_PX = 66
"""Side of the dice in the source whose boxes enclose the pips only."""
UNSEEN_PHOTOS = ("DamianTab/DiceDetection", "skovy/tensorflow-dice-model")
"""Sources of dice photographs that training never sees."""


def square(box: list[float]) -> tuple[float, float, float]:
    """x0, y0, x1, y1 -> centre x, centre y, side."""
    x0, y0, x1, y1 = box
    return (x0 + x1) / 2, (y0 + y1) / 2, max(x1 - x0, y1 - y0)


def is_cocked(die: dict[str, object]) -> bool:
    """A die that leans, or stands on a checker (lying flat elsewhere is a matter of place)."""
    return die.get("reason") in ("leaning_checker", "leaning_rim", "on_checker")


class Shard:
    """Crops and patches of many pictures."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.crops: list[tuple[np.ndarray, int, int, int, str, str, float]] = []
        self.patches: list[tuple[np.ndarray, np.ndarray, str]] = []

    def add(self, samples: Iterable[Sample], patches: int, *, close: bool = False) -> None:
        """Adds crops of every die, crops of what is none, and patches; ``close``: of pictures from near by."""
        for sample in samples:
            dice = [d for d in sample.dice if d.get("in_frame", True) and d.get("visible", 1.0) > 0.5]
            for die in dice:
                x, y, side = square(die["bbox_px"])
                turned = int(sample.corners is None or _from_above(sample))
                crop = cut(sample.picture, x, y, side * CROP_SIDES, CROP)
                self.crops.append(
                    (
                        crop,
                        int(die["value"]),
                        int(is_cocked(die)),
                        turned,
                        sample.part,
                        sample.name,
                        die.get("face_px", side * 0.8),
                    )
                )
            hidden = [d for d in sample.dice if d not in dice]
            self._nothing(sample, dice + hidden)
            if sample.part != "game":
                self._patches(sample, dice, hidden, patches, close=close)

    def _nothing(self, sample: Sample, dice: list[dict[str, object]]) -> None:
        """Crops of checkers, the cube and random places."""
        if not sample.dice_complete:
            return
        sides = [square(d["bbox_px"])[2] for d in dice] or [
            float(np.linalg.norm(sample.corners[1] - sample.corners[0])) * 0.04
        ]
        h, w = sample.picture.shape[:2]
        places = [tuple(p) for p in sample.tops[self.rng.permutation(len(sample.tops))[:2]]]
        places += [(self.rng.uniform(0, w), self.rng.uniform(0, h)) for _ in range(2)]
        if sample.cube is not None:
            x, y, side = square(sample.cube)
            self._nothing_at(sample, x, y, side, dice)
        for x, y in places:
            self._nothing_at(sample, x, y, float(self.rng.choice(sides)) * self.rng.uniform(0.7, 1.4), dice)

    def _nothing_at(self, sample: Sample, x: float, y: float, side: float, dice: list[dict[str, object]]) -> None:
        for die in dice:
            dx, dy, ds = square(die["bbox_px"])
            if max(abs(dx - x), abs(dy - y)) < 0.6 * (ds + side):
                return
        self.crops.append((cut(sample.picture, x, y, side * CROP_SIDES, CROP), 0, 0, 1, sample.part, sample.name, side))

    def _patches(
        self, sample: Sample, dice: list[dict[str, object]], hidden: list[dict[str, object]], n: int, *, close: bool
    ) -> None:
        box = region_of(sample.picture.shape[:2], None if sample.corners is None else sample.corners.tolist())
        h, w = sample.picture.shape[:2]
        for k in range(n):
            scale = CANVAS / max(box[2], box[3]) * float(np.exp(self.rng.uniform(-0.35, 0.35)))
            if close and dice:
                sides = [square(d["bbox_px"])[2] for d in dice]
                scale = float(np.exp(self.rng.uniform(*np.log(DIE_PX)))) / float(np.median(sides))
            span = PATCH / scale
            if dice and k % 2 == 0:
                x, y, _ = square(dice[int(self.rng.integers(len(dice)))]["bbox_px"])
                x, y = x + self.rng.uniform(-0.4, 0.4) * span, y + self.rng.uniform(-0.4, 0.4) * span
            elif not sample.dice_complete:
                continue
            else:
                x, y = self.rng.uniform(0.1, 0.9) * w, self.rng.uniform(0.1, 0.9) * h
            boxes = np.full((BOXES, 4), -1, np.float32)
            rows = [(d, 1.0) for d in dice] + [(d, 0.0) for d in hidden]
            kept = 0
            for die, real in rows:
                dx, dy, ds = square(die["bbox_px"])
                px, py = (dx - x) * scale + PATCH / 2, (dy - y) * scale + PATCH / 2
                if -10 < px < PATCH + 10 and -10 < py < PATCH + 10 and kept < BOXES:
                    boxes[kept] = px, py, ds * scale, real
                    kept += 1
            self.patches.append((cut(sample.picture, x, y, span, PATCH), boxes, sample.part))

    def save(self, path: Path) -> None:
        """Writes the arrays."""
        crops = {
            "crop": np.stack([c[0] for c in self.crops]),
            "value": np.array([c[1] for c in self.crops]),
            "cocked": np.array([c[2] for c in self.crops]),
            "turned": np.array([c[3] for c in self.crops]),
            "part": np.array([c[4] for c in self.crops]),
            "name": np.array([c[5] for c in self.crops]),
            "face": np.array([c[6] for c in self.crops], np.float32),
        }
        if self.patches:
            crops |= {
                "patch": np.stack([p[0] for p in self.patches]),
                "boxes": np.stack([p[1] for p in self.patches]),
                "patch_part": np.array([p[2] for p in self.patches]),
            }
        np.savez(path, **crops)
        print(f"{path.name}: {len(self.crops)} crops, {len(self.patches)} patches", flush=True)


def _from_above(sample: Sample) -> bool:
    """Seen nearly from above: opposite sides of the field are about equally long."""
    sides = np.linalg.norm(np.roll(sample.corners, -1, axis=0) - sample.corners, axis=1)
    return bool(max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1]) < 1.1)


def dice_photographs(folder: Path) -> Iterator[Sample]:
    """The photographs of dice; whole sources are held out."""
    for index, line in enumerate((folder / "labels.jsonl").read_text().splitlines()):
        label = json.loads(line)
        picture = cv2.imread(str(folder / label["file"]))
        dice = []
        for die in label["dice"]:
            x, y, w, h = die["bbox"]
            if label.get("bbox_kind") == "pips":
                cx, cy, s = x + w / 2, y + h / 2, PIPS_ONLY_PX / 2
                dice.append(die | {"bbox_px": [cx - s, cy - s, cx + s, cy + s]})
            else:
                dice.append(die | {"bbox_px": [x, y, x + w, y + h]})
        part = "unseen-photo" if label["source"] in UNSEEN_PHOTOS else "seen-photo" if index % 8 == 5 else "train"
        none = np.zeros(0, np.int64)
        yield Sample(
            label["file"],
            picture,
            None,
            (0.5, 0.5),
            none,
            none,
            np.zeros((0, 2)),
            none,
            none,
            none,
            0.0,
            part,
            dice,
            label["complete"] and max(picture.shape[:2]) > 200,
        )  # type: ignore[arg-type]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--synthetic", type=Path, nargs="*", default=[])
    parser.add_argument("--close", type=Path, nargs="*", default=[], help="synthetic pictures with many dice")
    parser.add_argument("--stills", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--only",
        choices=["rendered", "synthetic", "close", "photos", "measure"],
        nargs="*",
        default=["rendered", "synthetic", "close", "photos", "measure"],
    )
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    groups: dict[str, tuple[Iterable[Sample], int]] = {
        "rendered": (chain(*(sources.rendered(f) for f in (arguments.data / "scenes", *arguments.stills))), 6),
        "synthetic": (chain(*(sources.synthetic(f) for f in arguments.synthetic)), 2),
        "close": (chain(*(sources.synthetic(f) for f in arguments.close)), 4),
        "photos": (
            chain(
                dice_photographs(arguments.data / "dice"), sources.photographs(arguments.data / "boards", measure=False)
            ),
            4,
        ),
        "measure": (chain(*(sources.game(g) for g in sorted((arguments.data / "games").iterdir()))), 0),
    }
    for seed, (name, (samples, patches)) in enumerate(groups.items()):
        if name in arguments.only and (name != "close" or arguments.close):
            shard = Shard(seed)
            shard.add(samples, patches, close=name == "close")
            shard.save(arguments.out / f"dice-{name}.npz")


if __name__ == "__main__":
    main()
