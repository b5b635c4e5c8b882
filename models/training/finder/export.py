"""Write both networks of the finder with their cards.

``python -m models.training.finder.export FOLDER_OF_CHECKPOINTS [models] [--report measured.json]``
"""

import argparse
import json
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from models.training.export import MODELS
from models.training.export import export as write_onnx
from models.training.finder.data import HELD_OUT_STYLE, STRIDE, VIEW
from models.training.finder.edge_net import EdgeNet
from models.training.finder.net import FinderNet

HELD_OUT = (
    f"board style {HELD_OUT_STYLE}; every seventh picture of the other styles; all photographs; all recorded games"
)
TRAINED_ON = [
    {"what": "drawn pictures", "by": "models/training/finder/boards.py", "licence": "Apache-2.0"},
    {"what": "path-traced scenes, made for this project", "licence": "free"},
]


def folded(module: nn.Module) -> None:
    """Fold each batch norm into the convolution before it."""
    for child in module.children():
        folded(child)
    if isinstance(module, nn.Sequential):
        for i in range(len(module) - 1):
            if isinstance(module[i], nn.Conv2d) and isinstance(module[i + 1], nn.BatchNorm2d):
                module[i] = fuse_conv_bn_eval(module[i], module[i + 1])
                module[i + 1] = nn.Identity()


def prepared(net: nn.Module, checkpoint: Path, first: nn.Sequential) -> nn.Module:
    """The trained network ready to be written: norms folded, and pixels 0 … 255 taken as they come."""
    net.load_state_dict(torch.load(checkpoint)["mean"])
    net.eval()
    folded(net)
    with torch.no_grad():
        first[0].weight.div_(255.0)
    return net


def write(net: nn.Module, name: str, shape: tuple[int, int], output: str, card: dict[str, Any], out: Path) -> None:
    """The ONNX file and its card; what it was trained on is not what the other networks were trained on."""
    write_onnx(net, name, shape, [output], card, out)
    path = out / f"{name}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"training_data": TRAINED_ON}, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path)
    parser.add_argument("out", type=Path, nargs="?", default=MODELS)
    parser.add_argument("--report", type=Path, help="JSON with the measured accuracy, for the cards")
    options = parser.parse_args()
    accuracy = json.loads(options.report.read_text()) if options.report else {}
    finder = FinderNet()
    prepared(finder, options.checkpoints / "finder.pt", finder.down2)
    card = {
        "does": "whether 8 × 8 pixels are playing field, where on the board (u, v) they lie, log of that error",
        "output_shape": [4, VIEW[1] // STRIDE, VIEW[0] // STRIDE],
        "held_out": HELD_OUT,
        "accuracy": accuracy,
    }
    write(finder, "finder", (VIEW[1], VIEW[0]), "cells", card, options.out)
    edges = EdgeNet()
    prepared(edges, options.checkpoints / "edges.pt", edges.body[0])
    card = {
        "does": "in which row of a strip along a side of the field the edge of the points runs, for each of 16 columns",
        "output_shape": [1, 24, 16],
        "held_out": HELD_OUT,
        "accuracy": accuracy,
    }
    write(edges, "edges", (48, 128), "rows", card, options.out)


if __name__ == "__main__":
    main()
