"""Calibrates the checker network on held-out styles and writes both networks.

``python -m models.training.checkers_export``.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.vision.rectify import SPAN_SIZE, STRIP_H, STRIP_W
from models.training.checkers_net import CONTENTS, CheckersNet, SpanNet
from models.training.checkers_train import COLUMNS, Cache, classes
from models.training.export import MODELS, export


class Calibrated(nn.Module):
    """The checker network with its temperature."""

    def __init__(self, net: CheckersNet, temperature: float) -> None:
        super().__init__()
        self.net, self.scale = net, 1 / temperature

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        contents, bar, hidden, tops = self.net(x)
        return contents * self.scale, bar, hidden, tops


def logits_of(net: CheckersNet, cache: Cache, indices: np.ndarray) -> Tensor:
    """(N, 67, 24) logits of cached samples."""
    rows = []
    with torch.no_grad():
        for start in range(0, len(indices), 16):
            x = torch.from_numpy(cache.strips[indices[start : start + 16]].transpose(0, 3, 1, 2).astype(np.float32))
            rows.append(net(x)[0][:, :, 0, COLUMNS])
    return torch.cat(rows)


def temperature_of(net: CheckersNet, cache: Cache) -> float:
    """The temperature that makes held-out scenes (seen and unseen styles, no hand) most probable."""
    keep = cache.where("unseen", "seen")
    keep = keep[cache.arrays["hand"][keep] == 0]
    logits, target = (
        logits_of(net, cache, keep),
        torch.from_numpy(classes(cache.arrays["counts"][keep].astype(np.int64))),
    )
    grid = np.geomspace(0.6, 3, 40)
    losses = [float(functional.cross_entropy(logits / t, target, ignore_index=-100)) for t in grid]
    return float(grid[int(np.argmin(losses))])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=MODELS)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    net, span = CheckersNet(), SpanNet()
    net.load_state_dict(torch.load(arguments.state / "checkers.pt"))
    span.load_state_dict(torch.load(arguments.state / "bar.pt"))
    net.eval()
    temperature = temperature_of(net, Cache(arguments.cache / "rendered.npz"))
    print(f"temperature {temperature:.2f}")
    classes_card = {"contents": [list(c) for c in CONTENTS], "columns": COLUMNS, "temperature": round(temperature, 3)}
    what = "Contents of the 24 slots, the bar, and what is hidden, from the strips of companion/vision/rectify.py."
    export(
        Calibrated(net, temperature),
        "checkers",
        (STRIP_H, STRIP_W),
        ["contents", "bar", "hidden", "tops"],
        {"what": what, "classes": classes_card},
        arguments.out,
    )
    what = "Where the bar begins and ends: logits over 96 places across the field, for each edge."
    export(
        span, "bar", (SPAN_SIZE[1], SPAN_SIZE[0]), ["span"], {"what": what, "classes": {"places": 96}}, arguments.out
    )


if __name__ == "__main__":
    main()
