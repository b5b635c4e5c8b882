"""The networks of the dice: one finds them, one reads them."""

from torch import Tensor, nn

from models.training.checkers_net import Block, Residual


class FindNet(nn.Module):
    """Picture (N, 3, h, w), BGR 0 … 255 -> (N, 16, h/8, w/8).

    Score, dx, dy, log(side/16) for each of 2×2 cells of 4 px.
    """

    def __init__(self, channels: int = 24) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Block(3, 8, stride=2),
            Block(8, 16, stride=2),
            Block(16, channels, stride=2),
            Residual(channels),
            Residual(channels, dilation=2),
            Block(channels, channels),
        )
        self.head = nn.Conv2d(channels, 16, 1)
        nn.init.constant_(self.head.bias[:4], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.body(x * (1 / 128) - 1))


class ReadNet(nn.Module):
    """Crop (N, 3, 48, 48), BGR 0 … 255 -> (N, 8): values 1 … 6, not a die, cocked (logits)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Block(3, 16),
            Block(16, 24, stride=2),
            Residual(24),
            Block(24, 40, stride=2),
            Residual(40),
            Block(40, 64, stride=2),
        )
        self.head = nn.Sequential(nn.Conv2d(64, 64, 6), nn.ReLU(inplace=True), nn.Conv2d(64, 8, 1), nn.Flatten(1))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.body(x * (1 / 128) - 1))
