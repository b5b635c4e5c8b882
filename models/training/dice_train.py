"""Trains the dice networks on the cached patches and crops.

``python -m models.training.dice_train --cache DIR``.
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.vision.dice import CELL, READ_PX, READ_SIDES
from models.training.dice_data import CROP, CROP_SIDES, PATCH
from models.training.dice_net import FindNet, ReadNet

SHARES = {"rendered": 0.55, "synthetic": 0.12, "close": 0.25, "photos": 0.15, "mined": 0.25}
"""How often a batch draws from each kind of file: ``dice-KIND.npz``, ``dice-KIND-….npz``."""


def load(folder: Path) -> list[tuple[dict[str, np.ndarray], float]]:
    """The cached files that are there, each with its share of a batch (files of a kind share by their sizes)."""
    found = []
    for kind, share in SHARES.items():
        files = [dict(np.load(path)) for path in sorted(folder.glob(f"dice-{kind}*.npz"))]
        total = sum(len(data["value"]) for data in files)
        found += [(data, share * len(data["value"]) / total) for data in files]
    return found


def recoloured(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """Other exposure, white balance, contrast and colours."""
    gain = np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.1, 3))
    steps = np.arange(256, dtype=np.float32)[:, None] / 255
    table = (255 * np.clip(steps ** rng.uniform(0.7, 1.4) * gain + rng.normal(0, 0.04), 0, 1)).astype(np.uint8)
    out = cv2.LUT(picture, np.ascontiguousarray(table[:, None, :]))
    if rng.random() < 0.3:
        out = out[..., rng.permutation(3)]
    if rng.random() < 0.05:
        out = 255 - out
    if rng.random() < 0.08:
        out = np.repeat(out[..., 1:2], 3, 2)
    if rng.random() < 0.18:
        out = veiled(rng, out)
    return np.ascontiguousarray(out)


def veiled(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """A lamp reflected by a glossy board: a soft patch in which everything goes towards white."""
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    a, size = rng.uniform(0, np.pi), rng.uniform(0.25, 1.2) * w
    dx, dy = x - rng.uniform(0, w), y - rng.uniform(0, h)
    u, v = dx * np.cos(a) + dy * np.sin(a), (dy * np.cos(a) - dx * np.sin(a)) * rng.uniform(1, 3)
    white = rng.uniform(0.3, 0.95) * np.exp(-(((u * u + v * v) / (size * size)) ** rng.uniform(0.7, 3)))
    return (picture + (255 - picture) * white[..., None]).astype(np.uint8)


def crop_for_reading(rng: np.random.Generator, crop: np.ndarray, *, turned: bool, small: float) -> np.ndarray:
    """A cached crop as the finder would give it.

    A little off, turned, blurred; ``small`` is the least resolution kept.
    """
    scale = READ_PX / READ_SIDES / (CROP / CROP_SIDES) * float(np.exp(rng.normal(0, 0.14)))
    angle = rng.uniform(0, 2 * np.pi) if turned else rng.normal(0, 0.12)
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    mirror = rng.choice([-1, 1])
    m = np.array([[c * mirror, -s], [s * mirror, c]])
    shift = rng.normal(0, 0.06, 2) * READ_PX / READ_SIDES
    offset = READ_PX / 2 + shift - m @ [CROP / 2, CROP / 2]
    if rng.random() < 0.55:
        factor = rng.uniform(min(small, 1.0), 1.0)
        size = max(8, int(CROP * factor))
        crop = cv2.resize(
            cv2.resize(crop, (size, size), interpolation=cv2.INTER_AREA), (CROP, CROP), interpolation=cv2.INTER_LINEAR
        )
    out = cv2.warpAffine(crop, np.column_stack([m, offset]), (READ_PX, READ_PX), borderMode=cv2.BORDER_REPLICATE)
    out = recoloured(rng, out)
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 0.9))
    noise = rng.normal(0, rng.uniform(0, 7), out.shape)
    return np.clip(out + noise, 0, 255).astype(np.float32)


class Crops:
    """Random batches for the reader."""

    def __init__(self, files: list[tuple[dict[str, np.ndarray], float]], seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.data = [data for data, _ in files]
        self.die = [np.flatnonzero((d["part"] == "train") & (d["value"] > 0)) for d in self.data]
        self.odd = [np.flatnonzero((d["part"] == "train") & (d["cocked"] > 0)) for d in self.data]
        self.none = [np.flatnonzero((d["part"] == "train") & (d["value"] == 0)) for d in self.data]
        share = np.array([share for _, share in files])
        self.share = share / share.sum()

    def draw(self, n: int) -> tuple[Tensor, Tensor, Tensor]:
        """Pictures, class (0 … 5 values, 6 none), cocked (-1 unknown)."""
        x, y, z = [], [], []
        for _ in range(n):
            k = int(self.rng.choice(len(self.data), p=self.share))
            d = self.data[k]
            which = self.rng.random()
            pool = self.none[k] if which < 0.25 else self.odd[k] if which < 0.38 else self.die[k]
            if len(pool) == 0:
                pool = self.die[k] if len(self.die[k]) else self.none[k]
            i = int(self.rng.choice(pool))
            small = 13.0 / (CROP / CROP_SIDES)
            x.append(crop_for_reading(self.rng, d["crop"][i], turned=bool(d["turned"][i]), small=small))
            value = int(d["value"][i])
            y.append(value - 1 if value else 6)
            z.append(-1 if value == 0 else int(d["cocked"][i]))
        pictures = torch.from_numpy(np.stack(x).transpose(0, 3, 1, 2).copy())
        return pictures, torch.tensor(y), torch.tensor(z)


class Patches:
    """Random batches for the finder."""

    def __init__(self, files: list[tuple[dict[str, np.ndarray], float]], seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        named = [(data, share) for data, share in files if "patch" in data]
        self.data = [data for data, _ in named]
        self.use = [np.flatnonzero(d["patch_part"] == "train") for d in self.data]
        share = np.array([share for _, share in named])
        self.share = share / share.sum()

    def draw(self, n: int) -> tuple[Tensor, Tensor]:
        """Pictures and targets (N, 5, 56, 56): score, dx, dy, log side, weight of the score."""
        xs, ys = [], []
        for _ in range(n):
            k = int(self.rng.choice(len(self.data), p=self.share))
            i = int(self.rng.choice(self.use[k]))
            patch, boxes = self.data[k]["patch"][i], self.data[k]["boxes"][i].copy()
            for axis in (0, 1):
                if self.rng.random() < 0.5:
                    patch = np.flip(patch, 1 - axis)
                    boxes[:, axis] = np.where(boxes[:, 2] > 0, PATCH - boxes[:, axis], boxes[:, axis])
            if self.rng.random() < 0.5:
                patch, boxes = patch.transpose(1, 0, 2), boxes[:, [1, 0, 2, 3]]
            picture = recoloured(self.rng, np.ascontiguousarray(patch)).astype(np.float32)
            picture += self.rng.normal(0, self.rng.uniform(0, 6), picture.shape[:2])[..., None]
            xs.append(picture.astype(np.float32).transpose(2, 0, 1))
            ys.append(target(boxes))
        return torch.from_numpy(np.stack(xs)), torch.from_numpy(np.stack(ys))


def target(boxes: np.ndarray) -> np.ndarray:
    """Boxes x, y, side, real in pixels of a patch -> what the finder should give."""
    n = PATCH // CELL
    out = np.zeros((5, n, n), np.float32)
    out[4] = 1
    cells = np.arange(n) + 0.5
    for x, y, side, real in boxes[boxes[:, 2] > 0]:
        cx, cy, spread = x / CELL, y / CELL, max(side / CELL * 0.16, 0.55)
        bump = np.exp(-((cells[None] - cx) ** 2 + (cells[:, None] - cy) ** 2) / (2 * spread**2))
        if real < 0.5:
            out[4][bump > 0.05] = 0
            continue
        col, row = int(cx), int(cy)
        if 0 <= col < n and 0 <= row < n:
            bump[row, col] = 1
        np.maximum(out[0], bump, out=out[0])
        near = bump > 0.4
        out[1][near] = (cx - cells[None].repeat(n, 0))[near]
        out[2][near] = (cy - cells[:, None].repeat(n, 1))[near]
        out[3][near] = np.log(side / 16)
    return out


def find_loss(maps: Tensor, want: Tensor) -> Tensor:
    """Focal loss of the score, and the box where there is a die."""
    n, _, h, w = maps.shape
    fine = maps.reshape(n, 4, 2, 2, h, w).permute(0, 1, 4, 2, 5, 3).reshape(n, 4, 2 * h, 2 * w)
    p = torch.sigmoid(fine[:, 0]).clamp(1e-5, 1 - 1e-5)
    goal, weight = want[:, 0], want[:, 4]
    peak = goal > 0.999
    loss = torch.where(peak, -((1 - p) ** 2) * torch.log(p), -((1 - goal) ** 4) * p**2 * torch.log(1 - p)) * weight
    near = (goal > 0.4).float()
    box = ((fine[:, 1:4] - want[:, 1:4]).abs() * near[:, None]).sum() / near.sum().clamp(min=1)
    return loss.sum() / peak.sum().clamp(min=1) + 1.0 * box


def run(net: nn.Module, minutes: float, rate: float, step_loss, out: Path, name: str) -> None:  # type: ignore[no-untyped-def]
    """One cycle of training by the clock."""
    net = net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-2)
    start = saved = time.monotonic()
    step, shown = 0, []
    while (part := (time.monotonic() - start) / (minutes * 60)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * part)) + 1e-6
        loss = step_loss()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        shown.append(float(loss.detach()))
        step += 1
        if step % 100 == 0:
            print(
                f"{time.monotonic() - start:6.0f} s  {name} step {step}  loss {np.mean(shown[-100:]):.4f}", flush=True
            )
        if time.monotonic() - saved > 120:
            saved = time.monotonic()
            torch.save(net.state_dict(), out)
    torch.save(net.state_dict(), out)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--find-minutes", type=float, default=20)
    parser.add_argument("--read-minutes", type=float, default=15)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--resume", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(2)
    cv2.setNumThreads(1)
    arguments.out.mkdir(parents=True, exist_ok=True)
    data = load(arguments.cache)
    seed = int(time.time())
    if arguments.find_minutes > 0:
        find, patches = FindNet(), Patches(data, seed)
        if arguments.resume and (arguments.out / "dice-find.pt").exists():
            find.load_state_dict(torch.load(arguments.out / "dice-find.pt"))

        def find_step() -> Tensor:
            x, want = patches.draw(16)
            return find_loss(find(x.contiguous(memory_format=torch.channels_last)), want)

        run(find, arguments.find_minutes, arguments.rate, find_step, arguments.out / "dice-find.pt", "find")
    if arguments.read_minutes > 0:
        read, crops = ReadNet(), Crops(data, seed)
        if arguments.resume and (arguments.out / "dice-read.pt").exists():
            read.load_state_dict(torch.load(arguments.out / "dice-read.pt"))

        def read_step() -> Tensor:
            x, y, cocked = crops.draw(64)
            logits = read(x.contiguous(memory_format=torch.channels_last))
            loss = functional.cross_entropy(logits[:, :7], y, label_smoothing=0.003)
            known = cocked >= 0
            lean = functional.binary_cross_entropy_with_logits(
                logits[:, 7], cocked.clamp(min=0).float(), reduction="none"
            )
            return loss + 0.5 * (lean * known).mean()

        run(read, arguments.read_minutes, arguments.rate, read_step, arguments.out / "dice-read.pt", "read")


if __name__ == "__main__":
    main()
