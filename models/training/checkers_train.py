"""Trains the checker networks on the cached arrays.

``python -m models.training.checkers_train --cache DIR --minutes 30``.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.vision.rectify import SLOT_PX, STRIP_H, STRIP_W
from models.training.checkers_net import BAR_MOST, CONTENTS, CheckersNet, SpanNet, span_of

CLASS = {content: i for i, content in enumerate(CONTENTS)}
COLUMNS = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28]
"""Columns of the strips that hold T0 … T11, B0 … B11."""


class Cache:
    """One file of cached samples."""

    def __init__(self, path: Path) -> None:
        self.strips = np.load(path.with_suffix(".strips.npy"), mmap_mode="r")
        self.arrays = dict(np.load(path))
        self.part = self.arrays["part"]
        self.rendered = path.name.startswith("rendered")

    def where(self, *parts: str) -> np.ndarray:
        """Indices of the samples of these parts."""
        return np.flatnonzero(np.isin(self.part, parts))


def classes(counts: np.ndarray) -> np.ndarray:
    """(…, 2) counts -> class of each, -100 where unknown or not among the classes."""
    flat = counts.reshape(-1, 2)
    return np.array([CLASS.get((int(a), int(b)), -100) for a, b in flat]).reshape(counts.shape[:-1])


class Batches:
    """Random batches with augmentation: mirrored boards, swapped rows, other colours, noise."""

    def __init__(self, caches: list[tuple[Cache, float]], seed: int) -> None:
        self.caches = caches
        self.rng = np.random.default_rng(seed)
        self.train = [c.where("train") for c, _ in caches]
        self.weights = [_weights(c.arrays, i) for (c, _), i in zip(caches, self.train, strict=True)]
        self.shares = np.array([share for _, share in caches]) / sum(share for _, share in caches)
        self.noise = self.rng.normal(0, 16, (STRIP_H * 2, STRIP_W * 2)).astype(np.int16)

    def draw(self, n: int) -> dict[str, Tensor]:
        """n samples as tensors."""
        rows = [self._one() for _ in range(n)]
        return {key: torch.from_numpy(np.stack([row[key] for row in rows])) for key in rows[0]}

    def _one(self) -> dict[str, np.ndarray]:
        which = int(self.rng.choice(len(self.caches), p=self.shares))
        cache = self.caches[which][0]
        i = int(self.train[which][np.searchsorted(self.weights[which], self.rng.random())])
        a = cache.arrays
        strips, counts, hidden = cache.strips[i], a["counts"][i].astype(np.int64), a["hidden"][i]
        tops = a["tops"][i].astype(np.float32)
        half = STRIP_W // 2
        if self.rng.random() < 0.5:
            strips = strips.reshape(STRIP_H, 2, half, 3)[:, :, ::-1].reshape(STRIP_H, STRIP_W, 3)
            counts, hidden = (
                counts.reshape(2, 12, 2)[:, ::-1].reshape(24, 2),
                hidden.reshape(2, 12)[:, ::-1].reshape(24),
            )
            right = tops[:, 0] >= half
            tops[:, 0] = np.where(tops[:, 2] >= 0, (half - tops[:, 0] % half) + right * half, -1)
        if self.rng.random() < 0.5:
            strips = np.roll(strips, half, axis=1)
            counts, hidden = np.roll(counts, 12, axis=0), np.roll(hidden, 12)
            tops[:, 0] = np.where(tops[:, 2] >= 0, (tops[:, 0] + half) % STRIP_W, -1)
        picture = self._recoloured(strips, permute=cache.rendered)
        return {
            "x": picture.transpose(2, 0, 1),
            "counts": classes(counts),
            "bar": np.clip(a["bar"][i], -1, BAR_MOST).astype(np.int64),
            "hidden": hidden.astype(np.float32),
            "hand": a["hand"][i],
            "tops": heat(tops),
        }

    def _recoloured(self, strips: np.ndarray, *, permute: bool) -> np.ndarray:
        rng = self.rng
        gain = np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.1, 3))
        steps = np.arange(256, dtype=np.float32)[:, None] / 255
        table = np.clip(255 * (steps ** rng.uniform(0.75, 1.35) * gain + rng.normal(0, 0.03)), 0, 255).astype(np.uint8)
        out = cv2.LUT(np.ascontiguousarray(strips), np.ascontiguousarray(table[:, None, :]))
        if permute and rng.random() < 0.3:
            out = np.ascontiguousarray(out[..., rng.permutation(3)])
        if rng.random() < 0.5:
            y, x = int(rng.integers(STRIP_H)), int(rng.integers(STRIP_W))
            noise = self.noise[y : y + STRIP_H, x : x + STRIP_W]
            out = cv2.addWeighted(out, 1.0, cv2.merge([noise] * 3), rng.uniform(0.05, 0.55), 0.0, dtype=cv2.CV_8U)
        return out


def _weights(arrays: dict[str, np.ndarray], indices: np.ndarray) -> np.ndarray:
    """Cumulated shares of samples; what is rare is drawn more often (long columns, shared points, hands, the bar)."""
    counts = arrays["counts"][indices]
    long = np.minimum((counts.sum(-1) >= 6).sum(1), 2)
    both = (counts > 0).all(-1).any(1)
    weights = np.cumsum(
        1 + 0.8 * long + 1.5 * both + 1.0 * (arrays["hand"][indices] == 1) + 0.7 * (arrays["bar"][indices] > 0).any(1)
    )
    return np.asarray(weights / weights[-1])


def heat(tops: np.ndarray) -> np.ndarray:
    """(30, 3) x, y, side in strip pixels -> (2, 48, 90) bumps around each top."""
    maps = np.zeros((2, 48, 90), np.float32)
    y, x = np.arange(48, dtype=np.float32) * 4 + 2, np.arange(90, dtype=np.float32) * 8 + 4
    for px, py, side in tops[tops[:, 2] >= 0]:
        bump = np.exp(-((y[:, None] - py) ** 2) / (2 * 2.5**2) - ((x[None] - px) ** 2) / (2 * (SLOT_PX / 5) ** 2))
        np.maximum(maps[int(side)], bump, out=maps[int(side)])
    return maps


def loss_of(outputs: tuple[Tensor, ...], batch: dict[str, Tensor]) -> Tensor:
    """Sum of the parts: contents, bar, hidden, tops."""
    contents, bar, hidden, tops = outputs
    loss = functional.cross_entropy(
        contents[:, :, 0, COLUMNS], batch["counts"], ignore_index=-100, label_smoothing=0.003
    )
    both = bar[:, :, 0, 7].reshape(-1, 2, BAR_MOST + 1)
    loss = loss + 0.3 * functional.cross_entropy(both.permute(0, 2, 1), batch["bar"], ignore_index=-1)
    cover = hidden[:, 0, 0, COLUMNS]
    known = (batch["hidden"] >= 0) & ((batch["hidden"] < 0.05) | (batch["hidden"] > 0.3))
    target = (batch["hidden"] > 0.3).float()
    loss = loss + 0.6 * (functional.binary_cross_entropy_with_logits(cover, target, reduction="none") * known).mean()
    some = batch["hand"] >= 0
    peak = cover.max(1).values
    loss = (
        loss
        + 0.05
        * (
            functional.binary_cross_entropy_with_logits(peak, batch["hand"].clamp(min=0), reduction="none") * some
        ).mean()
    )
    weight = 1 + 8 * batch["tops"]
    heat_loss = functional.binary_cross_entropy_with_logits(tops, batch["tops"], weight=weight)
    return loss + 1.0 * heat_loss


def train_checkers(
    net: CheckersNet, batches: Batches, minutes: float, out: Path, rate: float = 3e-3, size: int = 16
) -> None:
    """Trains for the time given (one cycle of the learning rate), saves the state every two minutes."""
    net = net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-2)
    start = saved = time.monotonic()
    step, shown = 0, []
    while (part := (time.monotonic() - start) / (minutes * 60)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * part)) + 1e-6
        batch = batches.draw(size)
        loss = loss_of(net(batch["x"].contiguous(memory_format=torch.channels_last).float()), batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        shown.append(float(loss.detach()))
        step += 1
        if step % 40 == 0:
            print(f"{time.monotonic() - start:6.0f} s  step {step}  loss {np.mean(shown[-40:]):.4f}", flush=True)
        if time.monotonic() - saved > 120:
            saved = time.monotonic()
            torch.save(net.state_dict(), out)
    torch.save(net.state_dict(), out)


def train_span(net: SpanNet, caches: list[tuple[Cache, float]], minutes: float, out: Path) -> None:
    """Trains the span network on the small pictures of the field."""
    rng = np.random.default_rng(5)
    fields = [c.arrays["field"][c.where("train")] for c, _ in caches]
    spans = [c.arrays["span"][c.where("train")] for c, _ in caches]
    optimiser = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=1e-2)
    start, step, shown = time.monotonic(), 0, []
    while (part := (time.monotonic() - start) / (minutes * 60)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = 3e-3 * (0.5 + 0.5 * np.cos(np.pi * part)) + 1e-6
        picked = [rng.integers(0, len(f), 16) for f in fields]
        x = np.concatenate([f[i] for f, i in zip(fields, picked, strict=True)]).astype(np.float32)
        y = np.concatenate([s[i] for s, i in zip(spans, picked, strict=True)])
        if rng.random() < 0.5:
            x, y = x[:, :, ::-1], 1 - y[:, ::-1]
        if rng.random() < 0.5:
            x = x[:, ::-1]
        x = x * np.exp(rng.normal(0, 0.25, (len(x), 1, 1, 1))) * np.exp(rng.normal(0, 0.1, (len(x), 1, 1, 3)))
        logits = net(torch.from_numpy(np.clip(x, 0, 255).astype(np.float32).transpose(0, 3, 1, 2)))
        target = torch.from_numpy(np.ascontiguousarray(y, np.float32))
        loss = 30 * (span_of(logits) - target).abs().mean() + _edge_loss(logits, target)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        shown.append(float(loss.detach()))
        step += 1
        if step % 100 == 0:
            print(f"{time.monotonic() - start:6.0f} s  step {step}  span loss {np.mean(shown[-100:]):.4f}", flush=True)
    torch.save(net.state_dict(), out)


def _edge_loss(logits: Tensor, target: Tensor) -> Tensor:
    place = (torch.arange(96) + 0.5) / 96
    soft = torch.exp(-((place[None, None] - target[..., None]) ** 2) / (2 * 0.006**2))
    soft = soft / soft.sum(-1, keepdim=True).clamp(min=1e-6)
    return -(soft * functional.log_softmax(logits[:, :, 0], -1)).sum(-1).mean()


def load_caches(folder: Path, rendered_share: float) -> list[tuple[Cache, float]]:
    """The rendered and the synthetic caches with their shares in a batch."""
    caches: list[tuple[Cache, float]] = []
    for kind, share in (("rendered", rendered_share), ("synthetic", 1 - rendered_share)):
        files = [Cache(path) for path in sorted(folder.glob(f"{kind}*.npz"))]
        total = sum(len(cache.part) for cache in files)
        caches += [(cache, share * len(cache.part) / total) for cache in files]
    return caches


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--span-minutes", type=float, default=4)
    parser.add_argument("--rendered-share", type=float, default=0.4)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--resume", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    cv2.setNumThreads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    caches = load_caches(arguments.cache, arguments.rendered_share)
    if arguments.span_minutes > 0:
        train_span(SpanNet(), caches, arguments.span_minutes, arguments.out / "bar.pt")
    if arguments.minutes > 0:
        net = CheckersNet()
        if arguments.resume and (arguments.out / "checkers.pt").exists():
            net.load_state_dict(torch.load(arguments.out / "checkers.pt"))
        train_checkers(
            net, Batches(caches, int(time.time())), arguments.minutes, arguments.out / "checkers.pt", arguments.rate
        )
    settings: dict[str, Any] = {key: str(value) for key, value in vars(arguments).items()}
    (arguments.out / "settings.json").write_text(json.dumps(settings))


if __name__ == "__main__":
    main()
