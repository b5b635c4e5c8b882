"""Train the edge network; it resumes.

``python -m models.training.finder.train_edges --scenes DIR … --cache DIR --out DIR --minutes N``
"""

from collections.abc import Sequence

import cv2
import numpy as np
import torch

from companion.vision.edges import BEYOND, COLUMNS, ROWS, STRIP, strip_to_picture
from models.training.finder import data
from models.training.finder.course import Course, arguments
from models.training.finder.edge_net import EdgeNet
from models.training.finder.train import Pictures

BOARDS = 10


def wrong(rng, corners):
    """The corners as the first looks may have them."""
    width = np.linalg.norm(corners[1] - corners[0])
    height = np.linalg.norm(corners[3] - corners[0])
    along, down = (corners[1] - corners[0]) / width, (corners[3] - corners[0]) / height
    amount = 0.022 if rng.random() < 0.3 else 0.011
    size = (width + height) / 2
    common = rng.normal(0, amount, 2)
    each = rng.normal(0, amount, (4, 2)) + common
    return corners + size * (each[:, :1] * along + each[:, 1:] * down)


def strips(rng, image, corners):
    """The four strips of one board (each 48 × 128 × 3), where the edge runs in each column, and which columns count."""
    believed = wrong(rng, corners)
    size = np.linalg.norm(believed[1] - believed[0]) * (1 + 2 * BEYOND) / STRIP[0] / 2.4
    level = max(0, round(float(np.log2(max(size, 1.0)))))
    for _ in range(level):
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    factor = 0.5**level
    views, offsets, counts = [], [], []
    limits = np.array([image.shape[1], image.shape[0]]) / factor
    for side, matrix in enumerate(strip_to_picture(believed)):
        down = np.diag([factor, factor, 1.0])
        down[:2, 2] = (factor - 1) / 2
        view = cv2.warpPerspective(image, down @ matrix, STRIP, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        ends = data.apply(np.linalg.inv(matrix), corners[[side, (side + 1) % 4]])
        x = (np.arange(COLUMNS) + 0.5) * (STRIP[0] / COLUMNS) - 0.5
        y = ends[0, 1] + (ends[1, 1] - ends[0, 1]) * (x - ends[0, 0]) / (ends[1, 0] - ends[0, 0])
        at = data.apply(matrix, np.column_stack([x, y]))
        inside = (at > 0).all(axis=1) & (at < limits - 1).all(axis=1)
        within = (x > ends[0, 0]) & (x < ends[1, 0]) & (y > 1) & (y < STRIP[1] - 2)
        if rng.random() < 0.5:
            view, y, inside, within = view[:, ::-1], y[::-1], inside[::-1], within[::-1]
        views.append(view)
        offsets.append((y + 0.5) / (STRIP[1] / ROWS) - 0.5)
        counts.append(inside & within)
    together = data.colours(rng, np.ascontiguousarray(np.vstack(views)))
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(1, 5))):
            centre = tuple((rng.uniform(0, 1, 2) * [STRIP[0], 4 * STRIP[1]]).tolist())
            box = (centre, tuple(rng.uniform(4, 40, 2).tolist()), float(rng.uniform(0, 180)))
            cv2.fillConvexPoly(together, cv2.boxPoints(box).astype(np.int32), rng.integers(0, 255, 3).tolist())
    return together.reshape(4, STRIP[1], STRIP[0], 3), np.array(offsets), np.array(counts)


def batch(pictures: Pictures, rng):
    made = [strips(rng, *pictures.source(rng)) for _ in range(BOARDS)]
    x = torch.from_numpy(np.concatenate([m[0] for m in made])).permute(0, 3, 1, 2).float() / 255
    offsets = torch.from_numpy(np.concatenate([m[1] for m in made])).float()
    counts = torch.from_numpy(np.concatenate([m[2] for m in made])).float()
    return x, offsets, counts


def loss_of(out: torch.Tensor, offsets: torch.Tensor, counts: torch.Tensor):
    """Cross entropy against a narrow hill around the true row, and for reading the mean error in rows."""
    rows = torch.arange(ROWS, dtype=torch.float32)[None, :, None]
    hill = torch.exp(-0.5 * ((rows - offsets[:, None, :]) / 0.7) ** 2)
    hill = hill / hill.sum(1, keepdim=True).clamp(min=1e-6)
    log = torch.log_softmax(out[:, 0], 1)
    entropy = -(hill * log).sum(1)
    error = ((log.exp() * rows).sum(1) - offsets).abs()
    total = counts.sum().clamp(min=1)
    return ((entropy + 0.2 * error) * counts).sum() / total, (error * counts).sum() / total


def main() -> None:
    """The command line."""
    options = arguments(__doc__, 20).parse_args()
    net = EdgeNet()
    course = Course(net, options.out / "edges.pt", options.seed)
    pictures = Pictures(options.cache, options.scenes, options.share)
    rng = np.random.default_rng(options.seed * 1000 + course.step)

    def rate(done: float, step: int) -> float:
        return options.rate * min(1.0, (step + 1) / 100) * (min(1.0, (1 - done) / 0.5) ** 1.2 + 0.005)

    def losses() -> Sequence[torch.Tensor]:
        x, offsets, counts = batch(pictures, rng)
        return loss_of(net(x.contiguous(memory_format=torch.channels_last)), offsets, counts)

    course.run(options.minutes, rate, losses, pictures.refresh)


if __name__ == "__main__":
    main()
