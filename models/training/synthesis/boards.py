"""The look of a board: a flat picture of the playing field, and of the case round it."""

import cv2
import numpy as np

from models.training.synthesis.position import Geometry
from models.training.synthesis.texture import any_colour, grain, material, painted

PX_PER_MM = 1.4


Look = tuple[np.ndarray, str, float]
"""A material: its colour, the kind of its grain, and how strong that is."""


def field_picture(rng: np.random.Generator, g: Geometry, base: Look) -> np.ndarray:
    """The playing field from above, uint8 BGR, PX_PER_MM, row 0 is the far edge (y = height)."""
    h, w = int(g.height * PX_PER_MM), int(g.width * PX_PER_MM)
    picture = painted(rng, (h, w), base)
    tones = _point_tones(rng, base)
    surfaces = [painted(rng, (h, w), tone) for tone in tones]
    alpha = rng.uniform(0.25, 0.9) if rng.random() < 0.2 else 1.0
    bare = tones[0] is base
    outline = any_colour(rng).tolist() if bare or rng.random() < 0.45 else None
    shape = str(rng.choice(["triangle", "triangle", "narrow", "blunt", "ogee"]))
    length = min(rng.uniform(3.8, 5.3) * g.checker_d, g.height / 2 - 3) * PX_PER_MM
    phase = int(rng.integers(2))
    same_phase = rng.random() < 0.2
    masks = [np.zeros((h, w), np.uint8) for _ in range(2)]
    polygons = []
    for row in (0, 1):
        for column in range(12):
            polygon = _point_polygon(g, shape, row, column, length, h)
            tone = (column + phase + (0 if same_phase else row)) % 2
            cv2.fillPoly(masks[tone], [polygon], 255, cv2.LINE_8, 4)
            polygons.append(polygon)
    for mask, surface in zip(masks, surfaces, strict=True):
        if alpha < 1:
            surface = cv2.addWeighted(surface, alpha, picture, 1 - alpha, 0)
        cv2.copyTo(surface, mask, picture)
    if outline is not None:
        thick = int(rng.integers(1, 3))
        cv2.polylines(picture, polygons, True, outline, thick, cv2.LINE_AA, 4)
    if rng.random() < 0.4:
        _ornaments(rng, g, picture)
    if rng.random() < 0.2:
        _tips(rng, polygons, picture)
    if rng.random() < 0.22:
        _carving(rng, g, picture, polygons)
    _bar(rng, g, picture)
    return picture


def _point_tones(rng: np.random.Generator, base: Look) -> list[Look]:
    tones = [material(rng), material(rng)]
    if rng.random() < 0.25:
        near = rng.uniform(0.75, 1.3)
        tones[0] = (np.clip(base[0] * near, 5, 250), base[1], base[2])
    elif rng.random() < 0.15:
        tones[0] = base
    if rng.random() < 0.15:
        tones[1] = (np.clip(base[0] * rng.uniform(0.7, 1.35), 5, 250), base[1], base[2])
    return tones


def _point_polygon(g: Geometry, shape: str, row: int, column: int, length: float, h: int) -> np.ndarray:
    """Fixed point (4 bits) corners of one point."""
    x, half = g.slot_x(column) * PX_PER_MM, g.point_w / 2 * PX_PER_MM
    if shape == "narrow":
        half *= 0.8
    rim, sign = (h, -1) if row == 0 else (0, 1)
    if shape == "blunt":
        outline = [(-half, 0), (half, 0), (half * 0.25, length), (-half * 0.25, length)]
    elif shape == "ogee":
        s = np.linspace(0, 1, 9)
        wide = half * (0.75 + 0.25 * np.cos(s * 2 * np.pi)) * (1 - s**2.2)
        outline = [(-w, t * length) for w, t in zip(wide, s, strict=True)]
        outline += [(w, t * length) for w, t in zip(wide[::-1], s[::-1], strict=True)]
    else:
        outline = [(-half, 0), (half, 0), (0, length)]
    return np.round(np.array([(x + dx, rim + sign * dy) for dx, dy in outline]) * 16).astype(np.int32)


def _ornaments(rng: np.random.Generator, g: Geometry, picture: np.ndarray) -> None:
    """Rosettes, diamonds, strips and dots, as on carved and inlaid boards."""
    h, w = picture.shape[:2]
    layer = picture.copy()
    colour = any_colour(rng).tolist()
    kind = int(rng.integers(6))
    medallion = _medallion(rng)
    for half in (0, 1):
        cx = (g.half_w / 2 + half * (g.half_w + g.bar_w)) * PX_PER_MM
        size = rng.uniform(0.12, 0.3) * g.half_w * PX_PER_MM
        if kind in (0, 4, 5):
            _draw_medallion(layer, medallion, (cx, h / 2), size * (1.0 if kind == 0 else 1.5))
            if kind == 5:
                for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    _draw_medallion(layer, medallion, (cx + dx * 2.6 * size, h / 2 + dy * 2.6 * size), size * 0.6)
        elif kind == 1:
            for scale in (1.0, 0.7, 0.4):
                tone = colour if scale != 0.7 else any_colour(rng).tolist()
                s = size * scale
                corners = np.array([(cx - s, h / 2), (cx, h / 2 - 1.4 * s), (cx + s, h / 2), (cx, h / 2 + 1.4 * s)])
                cv2.fillPoly(layer, [corners.astype(np.int32)], tone, cv2.LINE_AA)
        elif kind == 2:
            y0, y1 = int(h / 2 - size * 0.4), int(h / 2 + size * 0.4)
            x0 = half * (g.half_w + g.bar_w) * PX_PER_MM
            cv2.rectangle(layer, (int(x0), y0), (int(x0 + g.half_w * PX_PER_MM), y1), colour, -1)
        else:
            _mosaic(rng, g, layer, half)
    amount = rng.uniform(0.3, 1.0)
    picture[:] = cv2.addWeighted(layer, amount, picture, 1 - amount, 0)
    if rng.random() < 0.4:
        cv2.line(picture, (0, h // 2), (w, h // 2), colour, int(rng.integers(1, 5)))


Medallion = list[tuple[float, float, int, tuple[int, int, int], float]]
"""Rings and wreaths from the rim inwards: radius, length of a petal (0: a ring), their number, colour, width."""


def _medallion(rng: np.random.Generator) -> Medallion:
    """A round figure of rings and wreaths of petals, as carved or inlaid in the middle of a half."""
    parts: Medallion = []
    radius = 1.0
    tones = [tuple(int(c) for c in any_colour(rng)) for _ in range(int(rng.integers(1, 4)))]
    while radius > 0.15 and len(parts) < 7:
        tone = tones[int(rng.integers(len(tones)))]
        if rng.random() < 0.45:
            parts.append((radius, 0.0, 0, tone, float(rng.choice([0.03, 0.06, 0.12, -1.0]))))  # type: ignore[arg-type]
            radius -= rng.uniform(0.05, 0.15)
        else:
            length = radius * rng.uniform(0.35, 1.0)
            fat = float(rng.choice([0.0, 0.25, 0.5, 0.9]))
            parts.append((radius, length, int(rng.integers(4, 25)), tone, fat))  # type: ignore[arg-type]
            radius -= length * rng.uniform(0.5, 1.1)
    return parts


def _draw_medallion(layer: np.ndarray, parts: Medallion, centre: tuple[float, float], size: float) -> None:
    """Draws it around a place; ``size`` is its radius in pixels."""
    middle = (round(centre[0] * 16), round(centre[1] * 16))
    for radius, length, n, tone, width in parts:
        if length == 0:
            thick = -1 if width < 0 else max(1, round(width * size))
            cv2.circle(layer, middle, max(16, round(radius * size * 16)), tone, thick, cv2.LINE_AA, 4)
            continue
        for a in np.arange(n) * 2 * np.pi / n:
            way = np.array([np.cos(a), np.sin(a)])
            near, far = (np.array(centre) + way * size * r for r in (radius - length, radius))
            if width == 0:
                cv2.line(layer, _fine(near), _fine(far), tone, max(1, round(0.03 * size)), cv2.LINE_AA, 4)
                continue
            across = np.array([-way[1], way[0]]) * width * size * np.pi * (radius - length / 2) / n
            petal = [near, (near + far) / 2 + across, far, (near + far) / 2 - across]
            cv2.fillPoly(layer, [np.array([_fine(p) for p in petal])], tone, cv2.LINE_AA, 4)


def _fine(point: np.ndarray) -> tuple[int, int]:
    """Sixteenths of a pixel, as OpenCV's ``shift=4`` has them."""
    return round(float(point[0]) * 16), round(float(point[1]) * 16)


def _mosaic(rng: np.random.Generator, g: Geometry, layer: np.ndarray, half: int) -> None:
    h = layer.shape[0]
    x0 = half * (g.half_w + g.bar_w) * PX_PER_MM
    x1 = x0 + g.half_w * PX_PER_MM
    tones = [any_colour(rng).tolist() for _ in range(3)]
    band = rng.uniform(0.02, 0.05) * h
    for y in (0.0, h - band, h * 0.5 - band):
        for i, x in enumerate(np.arange(x0, x1, band)):
            cv2.rectangle(layer, (int(x), int(y)), (int(x + band), int(y + band)), tones[i % 3], -1)


def _carving(rng: np.random.Generator, g: Geometry, picture: np.ndarray, polygons: list[np.ndarray]) -> None:
    """Inlaid or carved lines: frames inside the field, the same figure on every point, tendrils."""
    layer, h = picture.copy(), picture.shape[0]
    colour, thick = any_colour(rng).tolist(), int(rng.integers(1, 3))
    halves = [(0.0, g.half_w), (g.half_w + g.bar_w, g.width)]
    for inset in np.cumsum(rng.uniform(1, 9, int(rng.integers(0, 4)))) * PX_PER_MM:
        for x0, x1 in halves:
            low, high = (int(x0 * PX_PER_MM + inset), int(inset)), (int(x1 * PX_PER_MM - inset), int(h - inset))
            cv2.rectangle(layer, low, high, colour, thick, cv2.LINE_AA)
    figure = _figure(rng, int(rng.integers(1, 4)))
    for polygon in polygons:
        base, tip = (polygon[0] + polygon[1]) / 32, polygon[len(polygon) // 2] / 16
        along = tip - base
        across = np.array([-along[1], along[0]]) * 0.16
        for stroke in figure:
            cv2.polylines(
                layer, [np.int32(base + stroke @ np.stack([along, across]))], False, colour, thick, cv2.LINE_AA
            )
    for _ in range(int(rng.choice([0, 0, 8, 20]))):
        start = rng.uniform(0, 1, 2) * [picture.shape[1], h]
        turns = np.cumsum(rng.normal(0, 0.5, 14) + rng.normal(0, 0.35))
        path = start + np.cumsum(np.stack([np.cos(turns), np.sin(turns)], 1) * rng.uniform(2, 9), 0)
        cv2.polylines(layer, [np.int32(path)], False, colour, thick, cv2.LINE_AA)
    amount = rng.uniform(0.3, 0.95)
    picture[:] = cv2.addWeighted(layer, amount, picture, 1 - amount, 0)


def _figure(rng: np.random.Generator, n: int) -> list[np.ndarray]:
    """Strokes along a point: (share of its length, share of its width) from base to tip, mirrored."""
    strokes = []
    for _ in range(n):
        s = np.linspace(rng.uniform(0, 0.4), rng.uniform(0.5, 1.0), 16)
        wave = rng.uniform(0.2, 0.9) * np.abs(np.sin(s * np.pi * rng.integers(1, 5) + rng.uniform(0, 3))) * (1 - s)
        strokes += [np.stack([s, wave], 1), np.stack([s, -wave], 1)]
    return strokes


def _tips(rng: np.random.Generator, polygons: list[np.ndarray], picture: np.ndarray) -> None:
    colour = any_colour(rng).tolist()
    for polygon in polygons:
        tip = polygon[len(polygon) // 2] / 16
        cv2.circle(picture, (int(tip[0]), int(tip[1])), int(rng.integers(2, 8)), colour, -1, cv2.LINE_AA)


def _bar(rng: np.random.Generator, g: Geometry, picture: np.ndarray) -> None:
    """The bar when it lies in the plane of the field, with its seam and hinges."""
    x0, x1 = int(g.half_w * PX_PER_MM), int((g.half_w + g.bar_w) * PX_PER_MM)
    if x1 - x0 < 2:
        return
    h = picture.shape[0]
    picture[:, x0:x1] = painted(rng, (h, x1 - x0), material(rng))
    if rng.random() < 0.7:
        cv2.line(picture, ((x0 + x1) // 2, 0), ((x0 + x1) // 2, h), (15, 15, 20), int(rng.integers(1, 4)))
    hinges(rng, picture, (x0 + x1) / 2, x1 - x0)


def hinges(rng: np.random.Generator, picture: np.ndarray, x: float, bar_px: float) -> None:
    """Two metal hinges across the seam."""
    if rng.random() < 0.5:
        return
    h = picture.shape[0]
    colour = np.array([rng.uniform(40, 220)] * 3) * np.array([rng.uniform(0.4, 1), 0.85, 1.0])
    size = max(3, int(min(bar_px * 0.4, h * 0.03)))
    for y in (h * 0.22, h * 0.78):
        corner = (int(x - size * rng.uniform(0.5, 1.2)), int(y - size * 1.2))
        cv2.rectangle(picture, corner, (int(2 * x) - corner[0], int(y + size * 1.2)), colour.tolist(), -1)


def case_picture(
    rng: np.random.Generator, g: Geometry, margin_mm: tuple[float, float, float, float], look: Look
) -> np.ndarray:
    """The rims and the raised bar from above (uint8 BGR, PX_PER_MM).

    Margins left, right, far, near of the field.
    """
    left, right, far, near = margin_mm
    h, w = int((g.height + far + near) * PX_PER_MM), int((g.width + left + right) * PX_PER_MM)
    picture = painted(rng, (h, w), look)
    if rng.random() < 0.3:
        picture = np.clip(picture * (1 + 0.06 * grain(rng, "wood", (h, w)))[..., None], 0, 255).astype(np.uint8)
    x = (left + g.half_w + g.bar_w / 2) * PX_PER_MM
    if rng.random() < 0.8:
        cv2.line(picture, (int(x), 0), (int(x), h), (10, 10, 14), int(rng.integers(1, 4)))
    hinges(rng, picture, x, g.bar_w * PX_PER_MM)
    return picture
