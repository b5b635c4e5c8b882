"""Export the finder, opset 11, batch norms folded.

``python -m models.training.finder.export CHECKPOINT models/finder.onnx``
"""

import argparse
from pathlib import Path

import onnx
import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from models.training.finder.data import VIEW
from models.training.finder.net import FinderNet


def folded(module: nn.Module) -> None:
    """Fold each batch norm into the convolution before it."""
    for child in module.children():
        folded(child)
    if isinstance(module, nn.Sequential):
        for i in range(len(module) - 1):
            if isinstance(module[i], nn.Conv2d) and isinstance(module[i + 1], nn.BatchNorm2d):
                module[i] = fuse_conv_bn_eval(module[i], module[i + 1])
                module[i + 1] = nn.Identity()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    net = FinderNet()
    net.load_state_dict(torch.load(options.checkpoint)["mean"])
    net.eval()
    folded(net)
    example = torch.zeros(1, 3, VIEW[1], VIEW[0])
    torch.onnx.export(
        net,
        (example,),
        str(options.out),
        opset_version=11,
        dynamo=False,
        input_names=["picture"],
        output_names=["cells"],
    )
    model = onnx.load(str(options.out))
    onnx.checker.check_model(model)
    print(options.out, options.out.stat().st_size, "bytes,", sorted({n.op_type for n in model.graph.node}))


if __name__ == "__main__":
    main()
