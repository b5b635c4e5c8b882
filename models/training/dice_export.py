"""Calibrates the dice reader on held-out dice and writes both networks.

``python -m models.training.dice_export``.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.vision.dice import CANVAS, READ_PX, READ_SIDES
from models.training.dice_data import CROP, CROP_SIDES
from models.training.dice_net import FindNet, ReadNet
from models.training.export import MODELS, export


class Calibrated(nn.Module):
    """The reader with its temperature."""

    def __init__(self, net: ReadNet, temperature: float) -> None:
        super().__init__()
        self.net, self.scale = net, 1 / temperature

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x) * self.scale


def middle(crops: np.ndarray) -> np.ndarray:
    """Cached crops -> what the reader sees, as float32 (N, 3, 48, 48)."""
    side = round(CROP * READ_SIDES / CROP_SIDES)
    low = (CROP - side) // 2
    part = torch.from_numpy(crops[:, low : low + side, low : low + side].transpose(0, 3, 1, 2).astype(np.float32))
    return functional.interpolate(part, size=(READ_PX, READ_PX), mode="bilinear", antialias=True).numpy()


def temperature_of(net: ReadNet, caches: list[Path]) -> float:
    """The temperature that makes held-out dice most probable."""
    logits, values = [], []
    for path in caches:
        data = np.load(path)
        keep = np.flatnonzero(~np.isin(data["part"], ["train", "game"]) & (data["value"] > 0))
        if len(keep):
            with torch.no_grad():
                logits.append(net(torch.from_numpy(middle(data["crop"][keep]))))
            values.append(torch.from_numpy(data["value"][keep] - 1))
    grid = np.geomspace(0.6, 3, 40)
    losses = [float(functional.cross_entropy(torch.cat(logits)[:, :7] / t, torch.cat(values))) for t in grid]
    return float(grid[int(np.argmin(losses))])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=MODELS)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    find, read = FindNet(), ReadNet()
    find.load_state_dict(torch.load(arguments.state / "dice-find.pt"))
    read.load_state_dict(torch.load(arguments.state / "dice-read.pt"))
    read.eval()
    caches = [p for name in ("rendered", "photos") if (p := arguments.cache / f"dice-{name}.npz").exists()]
    temperature = temperature_of(read, caches)
    print(f"temperature {temperature:.2f}")
    what = "Where dice may be: score, dx, dy, log(side/16) for each of 2×2 cells of 4 px in a cell of 8 px."
    export(find, "dice-find", (CANVAS, CANVAS), ["maps"], {"what": what, "classes": ["die"]}, arguments.out)
    what = f"The upmost face of the die in the middle of a crop that covers {READ_SIDES} times its box."
    card = {
        "what": what,
        "classes": ["1", "2", "3", "4", "5", "6", "not a die", "cocked"],
        "temperature": round(temperature, 3),
    }
    export(Calibrated(read, temperature), "dice-read", (READ_PX, READ_PX), ["logits"], card, arguments.out)


if __name__ == "__main__":
    main()
