"""From a drawn picture to what a camera saves.

Light falloff, glare, exposure, white balance, noise, sharpening, JPEG.
"""

from functools import cache

import cv2
import numpy as np


def light_field(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Brightness over the frame (float32 h×w).

    A gradient, vignetting, and sometimes the edge of a large shadow.
    """
    h, w = 60, 80
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / 80
    a = rng.uniform(0, 2 * np.pi)
    field = 1 + rng.uniform(0, 0.45) * ((x - 0.5) * np.cos(a) + (y - 0.38) * np.sin(a))
    field -= rng.uniform(0, 0.6) * ((x - 0.5) ** 2 + (y - 0.38) ** 2)
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        shadow = np.zeros((h, w), np.float32)
        points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * [w, h]
        cv2.fillPoly(shadow, [points.astype(np.int32)], 1.0)
        field *= 1 - rng.uniform(0.15, 0.6) * cv2.GaussianBlur(shadow, (0, 0), rng.uniform(0.6, 8))
    return cv2.resize(np.maximum(field, 0.15), (shape[1], shape[0]))


def glare(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """Reflections of lamps and windows added to a float picture."""
    h, w = picture.shape[:2]
    sh, sw = h // 4, w // 4
    for _ in range(int(rng.choice([0, 0, 0, 1, 1, 2]))):
        spot = np.zeros((sh, sw), np.float32)
        centre = (int(rng.uniform(0, sw)), int(rng.uniform(0, sh)))
        wide = rng.random() < 0.3
        size = (rng.uniform(0.1, 0.35) if wide else rng.uniform(0.01, 0.1)) * sw
        axes = (int(size) + 1, int(size * rng.uniform(0.3, 1)) + 1)
        cv2.ellipse(spot, centre, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), size / 2 if wide else rng.uniform(0.5, 6)) + 0.5 * cv2.GaussianBlur(
            spot, (0, 0), size + 2
        )
        picture = cv2.add(
            picture, cv2.merge([cv2.resize(spot * rng.uniform(*((15, 120) if wide else (30, 400))), (w, h))] * 3)
        )
    return picture


@cache
def _noise_bank() -> tuple[np.ndarray, ...]:
    """Camera noise around 0 with spread 16 (int16 BGR).

    Per pixel, and smoothed as by demosaicing and compression.
    """
    rng = np.random.default_rng(3)
    fine = rng.normal(0, 16, (1100, 1500, 3)).astype(np.float32)
    soft = cv2.GaussianBlur(fine, (0, 0), 0.7)
    grey = np.repeat(fine.mean(2, keepdims=True), 3, 2)
    return tuple((n * (16 / n.std())).astype(np.int16) for n in (fine, soft, grey))


def _tone_table(rng: np.random.Generator, level: float) -> np.ndarray:
    """256×1×3 table: exposure to a random mean brightness, white balance, gamma and contrast."""
    gain = np.exp(rng.normal(np.log(95), 0.35)) / max(level, 8)
    gain = np.clip(gain, 0.5, 3.5) * np.exp(rng.normal(0, 0.09, 3))
    tone = np.minimum(np.arange(256)[:, None] / 255 * gain, 1) ** rng.uniform(0.8, 1.3)
    contrast = rng.uniform(-0.1, 0.7)
    tone = tone * (1 - contrast) + contrast * tone * tone * (3 - 2 * tone)
    return np.clip(tone * 255 + 0.5, 0, 255).astype(np.uint8)[:, None, :]


def develop(rng: np.random.Generator, drawn: np.ndarray) -> np.ndarray:
    """A uint8 BGR picture as a camera in some room would save it."""
    h, w = drawn.shape[:2]
    field = light_field(rng, (h, w))
    bright = cv2.multiply(drawn, cv2.merge([field] * 3), dtype=cv2.CV_32F)
    picture = cv2.convertScaleAbs(glare(rng, bright))
    picture = cv2.LUT(picture, _tone_table(rng, float(picture[::8, ::8].mean())))
    picture = cv2.GaussianBlur(picture, (0, 0), abs(rng.normal(0, 0.7)) * w / 1280 + 0.25)
    if rng.random() < 0.08:
        picture = _shaken(rng, picture)
    noise = _noise_bank()[int(rng.integers(3))]
    y, x = int(rng.integers(1100 - h + 1)), int(rng.integers(1500 - w + 1))
    strength = (rng.uniform(0.3, 5) if rng.random() < 0.8 else rng.uniform(5, 12)) / 16
    picture = cv2.addWeighted(picture, 1.0, noise[y : y + h, x : x + w], strength, 0.0, dtype=cv2.CV_8U)
    sharpen = rng.uniform(0, 0.9)
    picture = cv2.addWeighted(picture, 1 + sharpen, cv2.GaussianBlur(picture, (0, 0), 1.1), -sharpen, 0.0)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def _shaken(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    n = int(rng.integers(2, 6)) * 2 + 1
    kernel = np.zeros((n, n), np.float32)
    a = rng.uniform(0, np.pi)
    c = n // 2
    end = np.array([np.cos(a), np.sin(a)]) * c
    cv2.line(kernel, (int(c - end[0]), int(c - end[1])), (int(c + end[0]), int(c + end[1])), 1.0)
    return cv2.filter2D(picture, -1, kernel / kernel.sum())
