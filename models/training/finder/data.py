"""Pictures to learn from, made once and cached; and the random views of them that are learnt.

Sources: drawn boards (``boards.py``), path-traced scenes. Board style ``ornate`` is never learnt (it stands for boards
that nobody has seen), nor is every seventh picture of the other styles, nor any photograph, nor any game.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from models.training.finder.boards import picture

VIEW = (160, 128)
"""Width and height of what the network sees."""

STRIDE = 8
HELD_OUT_STYLE = "ornate"
SHARD = 250


def held_out(name: str, style: str) -> bool:
    """Whether a scene is kept for measuring."""
    digits = "".join(c for c in name if c.isdigit())
    return style == HELD_OUT_STYLE or int(digits) % 7 == 0


def draw(cache: Path, count: int, first: int) -> None:
    """Draw ``count`` boards into shards of the cache; shards that exist are kept."""
    for start in range(first, first + count, SHARD):
        out = cache / f"drawn_{start:06d}.npz"
        if out.exists():
            continue
        made = [picture(seed) for seed in range(start, start + SHARD)]
        np.savez(out, images=np.stack([m[0] for m in made]), corners=np.stack([m[1] for m in made]))


def synthesis(cache: Path, folder: Path) -> None:
    """Put pictures of ``models/training/synthesis`` into shards, 640 × 480; shards that exist are kept."""
    paths = sorted(folder.glob("*.json"))
    for start in range(0, len(paths) - SHARD + 1, SHARD):
        out = cache / f"synthesis_{folder.name}_{start:06d}.npz"
        if out.exists():
            continue
        read = [_scene(path) for path in paths[start : start + SHARD]]
        images, corners = zip(*(r for r in read if r is not None), strict=True)
        np.savez(out, images=np.stack(images), corners=np.stack(corners))


def _scene(truth: Path) -> tuple[np.ndarray, np.ndarray] | None:
    """A scene shrunk to 640 × 480 and its corners."""
    scene = json.loads(truth.read_text())
    image = cv2.imread(str(truth.with_suffix(".jpg")))
    if image is None:
        return None
    quad = np.array([scene["board"]["inner_corners_px"][k] for k in ("TL", "TR", "BR", "BL")], np.float32)
    scale = np.array([640 / image.shape[1], 480 / image.shape[0]], np.float32)
    small = cv2.resize(image, (640, 480), interpolation=cv2.INTER_AREA)
    return small, ((quad + 0.5) * scale - 0.5).astype(np.float32)


def scenes(folders: list[Path]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Path-traced scenes that may be learnt, shrunk to 640 × 480: pictures, corners, names."""
    images, corners, names = [], [], []
    for folder in folders:
        for truth in sorted(folder.glob("*.json")):
            scene = json.loads(truth.read_text())
            if held_out(truth.stem, scene["board"]["style"]):
                continue
            read = _scene(truth)
            if read is None:
                continue
            images.append(read[0])
            corners.append(read[1])
            names.append(truth.stem)
    return np.stack(images), np.stack(corners).astype(np.float32), names


def first_row_up(quad: np.ndarray) -> np.ndarray:
    return quad if quad[:2, 1].mean() <= quad[2:, 1].mean() else np.roll(quad, 2, axis=0)


def apply(h: np.ndarray, points: np.ndarray) -> np.ndarray:
    at = np.column_stack([points, np.ones(len(points))]) @ h.T
    return (at[:, :2] / at[:, 2:]).astype(np.float32)


def wild(rng, quad, size):
    """A homography for a view as a camera gives it: crop, zoom, turn, stretch, mirror of the picture."""
    width, height = size
    out = np.array(VIEW, np.float64)
    centre = np.eye(3)
    at = quad.mean(axis=0) * 0.6 + np.array([width, height]) * 0.2
    centre[:2, 2] = -at
    angle = np.radians(rng.normal(0, 12) if rng.random() < 0.7 else rng.uniform(-180, 180))
    c, s = np.cos(angle), np.sin(angle)
    base = out[0] / width
    zoom = base * np.exp(rng.uniform(-0.25, 0.75))
    stretch = np.exp(rng.normal(0, 0.1))
    linear = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    flip = -1.0 if rng.random() < 0.5 else 1.0
    scale = np.diag([zoom * stretch * flip, zoom / stretch, 1.0])
    bend = np.eye(3)
    bend[2, :2] = rng.normal(0, 0.25, 2) / max(size)
    back = np.eye(3)
    back[:2, 2] = out / 2 + rng.uniform(-0.14, 0.14, 2) * out
    return back @ scale @ linear @ bend @ centre


def straight(rng, quad):
    """A homography for a view straightened by corners that are somewhat wrong, as in the second look."""
    margin = np.array([0.12, 0.12]) * rng.uniform(0.9, 1.1)
    goal = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (1 - 2 * margin) + margin
    goal = (goal * np.array(VIEW) - 0.5).astype(np.float32)
    amount = 0.06 if rng.random() < 0.3 else 0.018
    size = np.array(VIEW) * (1 - 2 * margin)
    common = rng.normal(0, amount, 2) * size
    wrong = goal + common.astype(np.float32) + (rng.normal(0, amount, (4, 2)) * size).astype(np.float32)
    if rng.random() < 0.2:  # a tray taken for a part of the field, or a part of the field left out
        wide = rng.uniform(0.05, 0.2) * size[0] * (1 if rng.random() < 0.7 else -0.7)
        if rng.random() < 0.5:
            wrong[[1, 2], 0] -= wide
        else:
            wrong[[0, 3], 0] += wide
    if rng.random() < 0.5:
        quad = quad[[1, 0, 3, 2]]  # mirrored: left and right are alike
    return cv2.getPerspectiveTransform(quad.astype(np.float32), wrong.astype(np.float32)).astype(np.float64)


def colours(rng, view):
    """Other cameras and lights: white balance, gamma, contrast, blur, noise, compression."""
    level = np.arange(256, dtype=np.float32)[:, None] / 255
    level = np.clip(level * np.exp(rng.normal(0, 0.12, 3)), 0, 1) ** np.exp(rng.normal(0, 0.35))
    level = (level - 0.5) * np.exp(rng.normal(0, 0.2)) + 0.5 + rng.normal(0, 0.045)
    out = cv2.LUT(view, np.clip(level * 255, 0, 255).astype(np.uint8)[:, None, :])
    if rng.random() < 0.15:
        out = np.ascontiguousarray(out[..., rng.permutation(3)])
    if rng.random() < 0.15:
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        out = cv2.addWeighted(out, share := rng.uniform(0, 0.7), grey, 1 - share, 0)
    if rng.random() < 0.35:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.6))
    if rng.random() < 0.6:
        grain = cv2.randn(np.empty(out.shape, np.int16), 0, rng.uniform(1, 12))
        out = cv2.add(out, grain, dtype=cv2.CV_8U)
    if rng.random() < 0.2:
        _, code = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])
        out = cv2.imdecode(code, cv2.IMREAD_COLOR)
    return out


def occlude(rng, view):
    """Now and then something lies in the way."""
    if rng.random() < 0.25:
        for _ in range(int(rng.integers(1, 4))):
            c = rng.uniform(0, 1, 2) * VIEW
            box = (tuple(c.tolist()), tuple(rng.uniform(8, 70, 2).tolist()), float(rng.uniform(0, 180)))
            cv2.fillConvexPoly(view, cv2.boxPoints(box).astype(np.int32), rng.integers(0, 255, 3).tolist(), cv2.LINE_AA)
    return view


def shrink(image, h, corners, quad, border, fill):
    """The picture through the homography, halved first as often as needed: no aliasing."""
    while np.ptp(corners, axis=0).max() < 0.6 * np.ptp(quad, axis=0).max():
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        quad = (quad + 0.5) / 2 - 0.5
        h = h @ np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
    return cv2.warpPerspective(image, h, VIEW, flags=cv2.INTER_LINEAR, borderMode=border, borderValue=fill)


def view(rng, image, quad):
    """One random view: picture (128 × 160 × 3, uint8, BGR) and the homography of its pixels to the unit board."""
    size = (image.shape[1], image.shape[0])
    h = wild(rng, quad, size) if rng.random() < 0.5 else straight(rng, quad)
    border = cv2.BORDER_CONSTANT if rng.random() < 0.6 else cv2.BORDER_REPLICATE
    fill = rng.integers(0, 255, 3).tolist() if rng.random() < 0.5 else [0, 0, 0]
    corners = apply(h, quad)
    out = shrink(image, h, corners, quad, border, fill)
    (ax, ay), (bx, by) = corners[1] - corners[0], corners[2] - corners[1]
    if ax * by - ay * bx < 0:
        corners = corners[[1, 0, 3, 2]]
    corners = first_row_up(corners)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return colours(rng, occlude(rng, out)), cv2.getPerspectiveTransform(corners, unit), corners


def truth(to_unit: np.ndarray) -> np.ndarray:
    """What the network should say on its grid: u, v (3 × 16 × 20 with the mask last), float32."""
    xs = (np.arange(VIEW[0] // STRIDE) + 0.5) * STRIDE - 0.5
    ys = (np.arange(VIEW[1] // STRIDE) + 0.5) * STRIDE - 0.5
    x, y = np.meshgrid(xs, ys)
    at = np.stack([x, y, np.ones_like(x)], axis=-1) @ to_unit.T
    safe = np.where(np.abs(at[..., 2]) < 1e-6, 1e-6, at[..., 2])
    u, v = at[..., 0] / safe, at[..., 1] / safe
    inside = (np.abs(u - 0.5) < 0.5) & (np.abs(v - 0.5) < 0.5) & (at[..., 2] > 0)
    return np.stack([np.clip(u, -1, 2), np.clip(v, -1, 2), inside]).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=Path("build/finder"))
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--synthesis", type=Path, help="a folder that models.training.generate made")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    if options.synthesis is not None:
        synthesis(options.cache, options.synthesis)
    draw(options.cache, options.count, options.first)


if __name__ == "__main__":
    main()
