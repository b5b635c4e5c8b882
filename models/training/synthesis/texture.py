"""Colours and grains.

A bank of noise textures made once, and random colours of wood, felt, paint, plastic and stone.
"""

from functools import cache

import cv2
import numpy as np

SIZE = 768


@cache
def bank() -> tuple[np.ndarray, ...]:
    """Grain textures, float32 SIZE×SIZE around 0 with spread about 1.

    Woods along x, woods along y, cloth, stone.
    """
    rng = np.random.default_rng(7)
    woods = [_wood(rng) for _ in range(8)]
    return (
        *woods,
        *(np.ascontiguousarray(w.T) for w in woods),
        *(_stone(rng) for _ in range(5)),
        *(_cloth(rng) for _ in range(5)),
    )


def grain(rng: np.random.Generator, kind: str, shape: tuple[int, int]) -> np.ndarray:
    """A piece (h, w) of a random texture of the kind wood, stone, cloth or any, at a random scale."""
    ranges = {"wood": (0, 16), "stone": (16, 21), "cloth": (21, 26), "any": (0, 26)}
    low, high = ranges[kind]
    source = bank()[int(rng.integers(low, high))]
    h, w = shape
    scale = max(rng.uniform(0.25, 1.0), 1e-3)
    sh, sw = min(SIZE, max(8, int(h * scale))), min(SIZE, max(8, int(w * scale)))
    y, x = int(rng.integers(0, SIZE - sh + 1)), int(rng.integers(0, SIZE - sw + 1))
    return cv2.resize(source[y : y + sh, x : x + sw], (w, h), interpolation=cv2.INTER_LINEAR)


def _noise(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    small = rng.normal(0, 1, (rows, columns)).astype(np.float32)
    return cv2.resize(small, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)


def _wood(rng: np.random.Generator) -> np.ndarray:
    bend = _noise(rng, 5, 3) * rng.uniform(4, 16)
    y = np.arange(SIZE, dtype=np.float32)[:, None] + bend
    rings = np.sin(y * rng.uniform(0.05, 0.25)) + 0.5 * np.sin(y * rng.uniform(0.3, 0.6))
    fibres = _noise(rng, SIZE // 2, 12) + 0.6 * _noise(rng, SIZE, 40)
    return _unit(rings * rng.uniform(0.3, 1) + fibres + _noise(rng, 6, 4))


def _stone(rng: np.random.Generator) -> np.ndarray:
    veins = -np.abs(_noise(rng, 9, 9) + 0.5 * _noise(rng, 30, 30))
    return _unit(veins * 2 + 0.5 * _noise(rng, 60, 60) + 0.2 * _noise(rng, 300, 300))


def _cloth(rng: np.random.Generator) -> np.ndarray:
    weave = rng.normal(0, 1, (SIZE, SIZE)).astype(np.float32)
    stripes = np.sin(np.arange(SIZE, dtype=np.float32) * rng.uniform(0.1, 0.9))[None, :] * rng.uniform(0, 1.2)
    return _unit(weave + stripes + _noise(rng, 8, 8))


def _unit(a: np.ndarray) -> np.ndarray:
    a = a - a.mean()
    return np.clip(a / (a.std() + 1e-6), -3, 3).astype(np.float32)


def hsv(h: float, s: float, v: float) -> np.ndarray:
    """BGR floats 0…255 of a hue in degrees, saturation and value 0…1."""
    pixel = np.array([[[h % 360, np.clip(s, 0, 1), np.clip(v, 0, 1)]]], np.float32)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255


def lightness(bgr: np.ndarray) -> float:
    """Perceived lightness 0…100."""
    y = float(np.dot(bgr / 255.0, [0.114, 0.587, 0.299])) ** 2.2
    return 116 * y ** (1 / 3) - 16 if y > 0.009 else 903 * y


def wood_colour(rng: np.random.Generator) -> np.ndarray:
    """From pale birch to nearly black wenge."""
    value = rng.uniform(0.1, 0.92)
    return hsv(rng.normal(25, 9), rng.uniform(0.2, 0.55) + 0.25 * (1 - value), value)


def any_colour(rng: np.random.Generator) -> np.ndarray:
    """Any paint, felt or plastic; greys, black and white are frequent."""
    if rng.random() < 0.35:
        return hsv(rng.uniform(0, 360), rng.uniform(0, 0.15), rng.uniform(0.05, 0.95))
    return hsv(rng.uniform(0, 360), rng.uniform(0.25, 0.95), rng.uniform(0.12, 0.9))


def material(rng: np.random.Generator) -> tuple[np.ndarray, str, float]:
    """A colour, the kind of its grain, and how strong the grain is."""
    if rng.random() < 0.6:
        return wood_colour(rng), "wood", rng.uniform(0.03, 0.16)
    return any_colour(rng), str(rng.choice(["cloth", "stone", "any"])), rng.uniform(0.0, 0.08)


def painted(rng: np.random.Generator, shape: tuple[int, int], look: tuple[np.ndarray, str, float]) -> np.ndarray:
    """A uint8 BGR picture (h, w, 3) of a material."""
    colour, kind, strength = look
    steps = cv2.convertScaleAbs(grain(rng, kind, shape), alpha=42, beta=128)
    table = colour[None, :] * (1 + strength * (np.arange(256)[:, None] - 128) / 42)
    return cv2.LUT(cv2.merge([steps] * 3), np.clip(table, 0, 255).astype(np.uint8)[:, None, :])


def tone(colour: np.ndarray) -> list[float]:
    """A colour as OpenCV draws it, within 0…255."""
    return [min(max(float(c), 0.0), 255.0) for c in colour]


def fill(picture: np.ndarray, polygon: np.ndarray, colour: np.ndarray) -> None:
    """Fills a polygon of float pixel coordinates, smooth at the edge."""
    cv2.fillPoly(picture, [np.rint(polygon * 16).astype(np.int32)], tone(colour), cv2.LINE_AA, 4)


def checker_colours(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The colours of a set: (lighter, darker), told apart by lightness."""
    for _ in range(50):
        a = wood_colour(rng) if rng.random() < 0.35 else any_colour(rng)
        b = wood_colour(rng) if rng.random() < 0.35 else any_colour(rng)
        if rng.random() < 0.6:
            a = hsv(rng.normal(42, 12), rng.uniform(0, 0.4), rng.uniform(0.75, 0.98))
        gap = lightness(a) - lightness(b)
        if abs(gap) > (14 if rng.random() < 0.2 else 28):
            return (a, b) if gap > 0 else (b, a)
    return hsv(40, 0.2, 0.9), hsv(0, 0.1, 0.1)


def bright_colours(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two strong colours of different hue, as of cheap sets: (lighter, darker)."""
    hue = rng.uniform(0, 360)
    for _ in range(50):
        a = hsv(hue, rng.uniform(0.55, 1), rng.uniform(0.35, 0.95))
        b = hsv(hue + rng.uniform(60, 300), rng.uniform(0.55, 1), rng.uniform(0.3, 0.95))
        gap = lightness(a) - lightness(b)
        if abs(gap) > 8:
            return (a, b) if gap > 0 else (b, a)
    return hsv(100, 0.9, 0.7), hsv(5, 0.9, 0.6)
