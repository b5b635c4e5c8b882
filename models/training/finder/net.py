"""The finder's network: for each 8 × 8 pixels whether it is field, where on the board it lies, how sure that is."""

import torch
from torch import nn


def block(inputs: int, outputs: int, stride: int | tuple[int, int] = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = block(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.relu(x + self.second(self.first(x)))


class FinderNet(nn.Module):
    """Input n × 3 × 128 × 160, BGR, 0 … 1. Output n × 4 × 16 × 20: mask logit, u, v, log of the error of u and v."""

    def __init__(self) -> None:
        super().__init__()
        self.down2 = block(3, 12, 2)
        self.down4 = block(12, 24, 2)
        self.down8 = nn.Sequential(block(24, 40, 2), Residual(40))
        self.down16 = nn.Sequential(block(40, 64, 2), Residual(64))
        self.down32 = nn.Sequential(block(64, 64, 2), Residual(64), Residual(64))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.mix16 = block(64 + 64, 64)
        self.mix8 = nn.Sequential(block(64 + 40, 48), block(48, 48))
        self.head = nn.Conv2d(48, 4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x8 = self.down8(self.down4(self.down2(x)))
        x16 = self.down16(x8)
        x32 = self.down32(x16)
        y = self.mix16(torch.cat([self.up(x32), x16], 1))
        y = self.mix8(torch.cat([self.up(y), x8], 1))
        return self.head(y)
