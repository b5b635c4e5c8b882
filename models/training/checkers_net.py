"""The networks of the checkers: one finds the span of the bar, one reads the strips."""

import torch
from torch import Tensor, nn
from torch.nn import functional

MIXED = (
    tuple((1, n) for n in range(1, 16))
    + tuple((n, 1) for n in range(2, 16))
    + ((2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (4, 2), (5, 2))
)
"""Contents with both colours, which illegal plays leave: (light, dark)."""
CONTENTS = ((0, 0), *((n, 0) for n in range(1, 16)), *((0, n) for n in range(1, 16)), *MIXED)
"""The classes of a slot, in the order of the network's output."""
BAR_MOST = 7
"""The bar's output: 0 … 7 light, then 0 … 7 dark checkers."""


class Block(nn.Sequential):
    """Convolution, normalisation, ReLU."""

    def __init__(
        self,
        before: int,
        after: int,
        kernel: int = 3,
        stride: int | tuple[int, int] = 1,
        dilation: int | tuple[int, int] = 1,
    ):
        pad = tuple((kernel // 2) * d for d in (dilation if isinstance(dilation, tuple) else (dilation, dilation)))
        super().__init__(
            nn.Conv2d(before, after, kernel, stride, pad, dilation, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(inplace=True),
        )


class Residual(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, channels: int, dilation: int | tuple[int, int] = 1):
        super().__init__()
        self.first = Block(channels, channels, dilation=dilation)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class CheckersNet(nn.Module):
    """Strips (N, 3, 192, 720), BGR 0 … 255 -> contents (N, 67, 1, 30), bar (N, 16, 1, 15), hidden (N, 1, 1,
    30), tops.

    Column 1 … 6 and 8 … 13 of the contents are T0 … T11, 16 … 21 and 23 … 28 B0 … B11; the bar is column
    7 of its output. ``tops`` (N, 2, 48, 90) are heat maps of the middles of light and dark tops; they
    help training and feed the counting.
    """

    def __init__(self, narrow: int = 24, wide: int = 32, feature: int = 80):
        super().__init__()
        patches = nn.Sequential(
            nn.Conv2d(3, narrow, 6, 4, 1, bias=False), nn.BatchNorm2d(narrow), nn.ReLU(inplace=True)
        )
        self.stem = nn.Sequential(patches, Block(narrow, wide, stride=(1, 2)))
        self.body = nn.Sequential(Residual(wide), Residual(wide, dilation=(2, 1)))
        self.tops = nn.Conv2d(wide, 2, 1)
        self.collapse = nn.Sequential(
            nn.Conv2d(wide + 2, feature, (48, 3), (1, 3), bias=False), nn.BatchNorm2d(feature), nn.ReLU(inplace=True)
        )
        self.whole = nn.Sequential(nn.Conv2d(feature, 48, 1), nn.ReLU(inplace=True))
        self.mix = nn.Sequential(nn.Conv2d(feature + 48, 128, 1), nn.ReLU(inplace=True))
        self.contents = nn.Conv2d(128, len(CONTENTS), 1)
        self.bar = nn.Conv2d(128, 2 * (BAR_MOST + 1), (1, 2), dilation=(1, 15))
        self.hidden = nn.Conv2d(128, 1, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = self.body(self.stem(x * (1 / 128) - 1))
        tops = self.tops(x)
        column = self.collapse(torch.cat([x, torch.sigmoid(tops)], 1))
        whole = self.whole(functional.avg_pool2d(column, (1, 30)))
        whole = functional.interpolate(whole, size=(1, 30), mode="nearest")
        mixed = self.mix(torch.cat([column, whole], 1))
        return self.contents(mixed), self.bar(mixed), self.hidden(mixed), tops


class SpanNet(nn.Module):
    """Field picture (N, 3, 48, 192), BGR 0 … 255 -> (N, 2, 1, 96).

    Where the bar begins and ends, logits over 96 places.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Block(3, 12, stride=2),
            Block(12, 24, stride=(2, 1)),
            Residual(24, dilation=(1, 2)),
            Block(24, 24, stride=(2, 1)),
            Residual(24, dilation=(1, 4)),
        )
        self.head = nn.Sequential(nn.Conv2d(24, 32, (6, 1)), nn.ReLU(inplace=True), nn.Conv2d(32, 2, 3, padding=1))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.body(x * (1 / 128) - 1))


def span_of(logits: Tensor) -> Tensor:
    """(N, 2, 1, 96) -> (N, 2): the expected place of each edge, 0 … 1."""
    place = (torch.arange(96, device=logits.device) + 0.5) / 96
    return (functional.softmax(logits[:, :, 0], dim=-1) * place).sum(-1)
