"""The network of ``companion/vision/edges.py``: for each column of a strip, where the edge of the points runs."""

import torch
from torch import nn

from models.training.finder.net import block


class Around(nn.Module):
    """A residual block that looks farther along the strip than across."""

    def __init__(self, width: int, reach: int) -> None:
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, (reach, reach), dilation=reach, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
        )
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.relu(x + self.second(self.first(x)))


class EdgeNet(nn.Module):
    """Input n × 3 × 48 × 128, BGR, 0 … 1, the outside at the top. Output n × 1 × 24 × 16 logits over the rows."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(3, 16, 2),
            block(16, 24, (1, 2)),
            Around(24, 1),
            block(24, 32, (1, 2)),
            Around(32, 2),
            Around(32, 3),
        )
        self.head = nn.Conv2d(32, 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x))
