"""Train the finder; it resumes.

``python -m models.training.finder.train --scenes DIR … --cache DIR --out DIR --minutes N``
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from models.training.finder import boards, data
from models.training.finder.course import Course, arguments
from models.training.finder.net import FinderNet

BATCH = 24


class Pictures:
    """Everything in memory that may be learnt: scenes, the synthesis, drawn boards."""

    def __init__(self, cache: Path, folders: list[Path], share: float) -> None:
        self.cache, self.folders, self.share = cache, folders, share
        self.shards: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self.refresh()
        self.nothing = [self._nothing(np.random.default_rng(10**6 + i)) for i in range(120)]

    def refresh(self) -> None:
        for path in sorted(self.cache.glob("*_*.npz")):
            if path.name not in self.shards:
                try:
                    with np.load(path) as shard:
                        self.shards[path.name] = (shard["images"], shard["corners"])
                except (OSError, ValueError, EOFError, KeyError):
                    continue  # still being written
        self.images, self.corners, _ = data.scenes(self.folders)
        self.drawn = [shard for name, shard in self.shards.items() if name.startswith("drawn")]
        self.synthesis = [shard for name, shard in self.shards.items() if name.startswith("synthesis")]
        count = [sum(len(shard[0]) for shard in shards) for shards in (self.synthesis, self.drawn)]
        print(f"{len(self.images)} scenes, {count[0]} of the synthesis, {count[1]} drawn", flush=True)

    def _nothing(self, rng):
        out = boards.texture(rng, boards.PICTURE)
        boards.clutter(rng, out)
        boards.light(rng, out)
        if rng.random() < 0.3:
            boards.hand(rng, out)
        return np.clip(out, 0, 255).astype(np.uint8)

    def one(self, rng):
        if rng.random() < 0.03:
            picture = self.nothing[int(rng.integers(len(self.nothing)))]
            corners = np.array([[0, 0], [400, 0], [400, 300], [0, 300]], np.float32) + rng.uniform(0, 90)
            view, _, _ = data.view(rng, picture, corners)
            return view, np.zeros((3, data.VIEW[1] // data.STRIDE, data.VIEW[0] // data.STRIDE), np.float32)
        view, to_unit, _ = data.view(rng, *self.source(rng))
        return view, data.truth(to_unit)

    def source(self, rng):
        """A picture and the corners of its board."""
        if not self.shards or rng.random() < self.share:
            i = int(rng.integers(len(self.images)))
            return self.images[i], self.corners[i]
        shards = self.synthesis if not self.drawn or (self.synthesis and rng.random() < 0.6) else self.drawn
        images, quads = shards[int(rng.integers(len(shards)))]
        i = int(rng.integers(len(images)))
        return images[i], quads[i]

    def batch(self, rng):
        views, truths = zip(*(self.one(rng) for _ in range(BATCH)), strict=True)
        x = torch.from_numpy(np.stack(views)).permute(0, 3, 1, 2).float() / 255
        return x, torch.from_numpy(np.stack(truths))


def loss_of(out: torch.Tensor, truth: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The whole loss, and for reading: the mask's, and the mean error of u and v inside the field."""
    inside = truth[:, 2]
    mask = nn.functional.binary_cross_entropy_with_logits(out[:, 0], inside, reduction="none").mean((1, 2))
    b = out[:, 3].clamp(-6, 1)
    share = inside.sum((1, 2)).clamp(min=12)

    def laplace(u, v):
        error = (out[:, 1] - u).abs() + (out[:, 2] - v).abs()
        nll = ((error * torch.exp(-b) + 2 * b + 12 * error) * inside).sum((1, 2)) / share
        return nll, (error * inside).sum((1, 2)) / share

    # A board turned by half a turn is the same board: the nearer of the two is meant.
    upright, turned = laplace(truth[:, 0], truth[:, 1]), laplace(1 - truth[:, 0], 1 - truth[:, 1])
    other = turned[1] < upright[1]
    nll = torch.where(other, turned[0], upright[0])
    error = torch.minimum(turned[1], upright[1])
    return (4 * mask + nll).mean(), mask.mean(), error[share > 12].mean() / 2


def main() -> None:
    """The command line."""
    parser = arguments(__doc__, 40)
    parser.add_argument("--steady", action="store_true", help="do not lower the rate at the end: to be resumed")
    options = parser.parse_args()
    net = FinderNet()
    course = Course(net, options.out / "finder.pt", options.seed)
    pictures = Pictures(options.cache, options.scenes, options.share)
    rng = np.random.default_rng(options.seed * 1000 + course.step)

    def rate(done: float, step: int) -> float:
        warm = options.rate * min(1.0, (step + 1) / 200)
        return warm if options.steady else warm * (min(1.0, (1 - done) / 0.5) ** 1.2 + 0.005)

    def losses() -> Sequence[torch.Tensor]:
        views, truths = pictures.batch(rng)
        return loss_of(net(views.contiguous(memory_format=torch.channels_last)), truths)

    course.run(options.minutes, rate, losses, pictures.refresh)


if __name__ == "__main__":
    main()
