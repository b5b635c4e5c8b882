"""A course of training by the clock, that goes on where an earlier one stopped.

Kept beside the weights is their running mean, which is what is exported.
"""

import argparse
import copy
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

PEAK = 2e-3
"""The highest learning rate."""

TOLD_S = 30
REFRESH_S = 300


def arguments(description: str | None, minutes: float) -> argparse.ArgumentParser:
    """The command line of both networks."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--cache", type=Path, default=Path("build/finder"))
    parser.add_argument("--out", type=Path, default=Path("build/finder"))
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--share", type=float, default=0.5, help="share of pictures that are scenes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=PEAK)
    return parser


class Course:
    """Trains ``net``, whose state is kept in ``saved``."""

    def __init__(self, net: nn.Module, saved: Path, seed: int) -> None:
        torch.set_num_threads(1)
        cv2.setNumThreads(1)
        torch.manual_seed(seed)
        self.net = net.to(memory_format=torch.channels_last)  # a fifth faster on a processor
        self.mean, self.saved, self.step = copy.deepcopy(net), saved, 0
        self._best = torch.optim.AdamW(net.parameters(), lr=PEAK, weight_decay=1e-4)
        saved.parent.mkdir(parents=True, exist_ok=True)
        if saved.exists():
            state = torch.load(saved)
            self.net.load_state_dict(state["net"])
            self.mean.load_state_dict(state["mean"])
            self._best.load_state_dict(state["best"])
            self.step = state["step"]
        print(sum(p.numel() for p in net.parameters()), "weights, step", self.step)

    def run(
        self,
        minutes: float,
        rate: Callable[[float, int], float],
        losses: Callable[[], Sequence[Tensor]],
        refresh: Callable[[], None],
    ) -> None:
        """``losses`` makes one step's: the first is made smaller, the others are told. ``rate`` is the learning rate
        at a part (0 … 1) of the time and a step; ``refresh`` is called now and then, to look for new pictures.
        """
        begun = refreshed = told = time.time()
        shown: list[list[float]] = []
        while (done := (time.time() - begun) / 60 / minutes) < 1:
            for group in self._best.param_groups:
                group["lr"] = rate(done, self.step)
            shown.append(self._learn(losses))
            if time.time() - told > TOLD_S:
                told = time.time()
                print(f"{done:.2f} step {self.step}", *np.mean(shown, axis=0).round(4), flush=True)
                shown.clear()
                self.save()
            if time.time() - refreshed > REFRESH_S:
                refreshed = time.time()
                refresh()
        self.save()

    def save(self) -> None:
        """Replace the saved state as a whole."""
        parts = {"net": self.net, "mean": self.mean, "best": self._best}
        state = {name: part.state_dict() for name, part in parts.items()} | {"step": self.step}
        new = self.saved.with_suffix(".tmp")
        torch.save(state, new)
        new.replace(self.saved)

    def _learn(self, losses: Callable[[], Sequence[Tensor]]) -> list[float]:
        self.net.train()
        values = losses()
        self._best.zero_grad()
        values[0].backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self._best.step()
        self.step += 1
        self._average(min(0.995, 1 - 10 / (self.step + 10)))
        return [float(value.detach()) for value in values]

    @torch.no_grad()
    def _average(self, keep: float) -> None:
        for a, b in zip(self.mean.state_dict().values(), self.net.state_dict().values(), strict=True):
            if a.dtype.is_floating_point:
                a.mul_(keep).add_(b, alpha=1 - keep)
            else:
                a.copy_(b)
