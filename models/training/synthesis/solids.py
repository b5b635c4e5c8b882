"""Checkers, dice and hands drawn into the frame: projected polygons with a shade for each facet."""

from dataclasses import dataclass

import cv2
import numpy as np

from models.training.synthesis.camera import Camera
from models.training.synthesis.position import Geometry, Man
from models.training.synthesis.texture import any_colour, fill, grain, hsv, tone

_CIRCLE = np.linspace(0, 2 * np.pi, 30, endpoint=False)
_COS, _SIN = np.cos(_CIRCLE), np.sin(_CIRCLE)


@dataclass
class SetLook:
    """How the checkers of a set look."""

    colours: tuple[np.ndarray, np.ndarray]
    kinds: tuple[str, str]
    strength: tuple[float, float]
    profile: str
    gloss: float
    contrast: float
    edge: float


def random_look(rng: np.random.Generator, colours: tuple[np.ndarray, np.ndarray]) -> SetLook:
    """Profile, grain and gloss of a set."""
    kinds = [str(rng.choice(["wood", "stone", "any"])) for _ in range(2)]
    strong = rng.uniform(0, 0.22) if rng.random() < 0.4 else 0.02
    if rng.random() < 0.15:
        return flat_look(colours)
    return SetLook(
        colours,
        (kinds[0], kinds[1]),
        (strong, strong * rng.uniform(0.3, 1)),
        str(rng.choice(["plain", "dish", "rings", "button", "dome", "inlay", "star"])),
        rng.uniform(0, 1) ** 2,
        rng.uniform(0.04, 0.3),
        rng.uniform(0.1, 0.7),
    )


def flat_look(colours: tuple[np.ndarray, np.ndarray]) -> SetLook:
    """Plain discs of one colour, as cut from foam or printed."""
    return SetLook(colours, ("any", "any"), (0.02, 0.02), "plain", 0.0, 0.03, 0.0)


@dataclass
class Light:
    """Direction towards the main light, and how much of the light comes from it."""

    direction: np.ndarray
    direct: float

    def on(self, normal: np.ndarray) -> np.ndarray:
        """Brightness of facets with these normals."""
        return (1 - self.direct) * (0.72 + 0.28 * normal[..., 2]) + self.direct * np.maximum(
            normal @ self.direction, 0
        ) * 1.25


def random_light(rng: np.random.Generator) -> Light:
    """Light from above, from a side, or diffuse."""
    a, tilt = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(5, 70))
    direction = np.array([np.cos(a) * np.sin(tilt), np.sin(a) * np.sin(tilt), np.cos(tilt)])
    return Light(direction, rng.uniform(0.05, 0.75))


def disc(man: Man, g: Geometry) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(top circle, bottom circle, axis) of a checker in millimetres."""
    a = np.radians(man.tilt)
    axis = np.array([0, -np.sin(a), np.cos(a)])
    along = np.array([0, np.cos(a), np.sin(a)])
    r, t = g.checker_d / 2, g.checker_t / 2
    ring = r * (_COS[:, None] * np.array([1.0, 0, 0]) + _SIN[:, None] * along)
    centre = np.array([man.x, man.y, man.z])
    return centre + ring + axis * t, centre + ring - axis * t, axis


def draw_checker(
    rng: np.random.Generator, picture: np.ndarray, camera: Camera, g: Geometry, man: Man, look: SetLook, light: Light
) -> None:
    """One checker: its side, its top with the profile, grain and gloss."""
    top, bottom, axis = disc(man, g)
    tp, bp = camera.project_straight(top), camera.project_straight(bottom)
    colour = look.colours[man.side] * rng.uniform(0.95, 1.05)
    hull = cv2.convexHull(np.concatenate([tp, bp]).astype(np.float32))[:, 0]
    fill(picture, hull, colour * 0.45)
    normals = (top - top.mean(0)) / (g.checker_d / 2)
    shade = light.on(normals)
    facing = ((camera.position_mm - top) * normals).sum(1) > -0.1 * g.checker_d
    for i in np.flatnonzero(facing):
        j = (i + 1) % len(tp)
        fill(picture, np.array([tp[i], tp[j], bp[j], bp[i]]), colour * (0.25 + 0.75 * shade[i]))
    fill(picture, tp, colour * light.on(axis))
    _profile(rng, picture, tp, colour, look, light)
    _finish(rng, picture, tp, look, man.side)


def _profile(
    rng: np.random.Generator, picture: np.ndarray, tp: np.ndarray, colour: np.ndarray, look: SetLook, light: Light
) -> None:
    middle = tp.mean(0)
    lit = float(light.on(np.array([0, 0, 1.0])))
    up, down = colour * lit * (1 + look.contrast) + 25 * look.contrast, colour * lit * (1 - look.contrast)
    scale = np.linalg.norm(tp - middle, axis=1).mean()
    thin = max(1, int(scale * 0.08))
    rim = np.round(tp * 16).astype(np.int32)
    if look.edge > 0.25:
        brightness = _COS * light.direction[0] + _SIN * light.direction[1]
        bright = [i for i in range(len(tp)) if brightness[i] > 0.3 * np.hypot(*light.direction[:2])]
        for i in bright:
            j = (i + 1) % len(tp)
            cv2.line(picture, rim[i].tolist(), rim[j].tolist(), tone(up * (1 + look.edge)), thin, cv2.LINE_AA, 4)
    rings = {
        "plain": [],
        "dish": [(0.72, down)],
        "rings": [(0.8, down), (0.72, up), (0.45, down), (0.36, up)],
        "button": [(0.8, down), (0.62, up)],
        "dome": [(0.7, up * 0.98), (0.4, up)],
        "inlay": [(0.4, any_colour(rng) if look.contrast > 0.25 else down)],
        "star": [(0.3, down), (0.15, up)],
    }
    for size, paint in rings[look.profile]:
        fill(picture, middle + (tp - middle) * size, paint)


def _finish(rng: np.random.Generator, picture: np.ndarray, tp: np.ndarray, look: SetLook, side: int) -> None:
    """Grain, and a glossy spot."""
    low = np.maximum(np.floor(tp.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(tp.max(0)).astype(int) + 1, [picture.shape[1], picture.shape[0]])
    if (high - low).min() < 3:
        return
    part = picture[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round((tp - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    weight = mask.astype(np.float32) / 255
    value = part.astype(np.float32)
    if look.strength[side] > 0.03:
        value *= (1 + look.strength[side] * weight * grain(rng, look.kinds[side], weight.shape))[..., None]
    if look.gloss > 0.25 and rng.random() < 0.8:
        h, w = weight.shape
        y, x = np.mgrid[0:h, 0:w].astype(np.float32)
        cx, cy = w * rng.uniform(0.25, 0.75), h * rng.uniform(0.25, 0.75)
        spread = (max(h, w) * rng.uniform(0.06, 0.25)) ** 2
        spot = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * spread)) * weight
        value += (spot * look.gloss * rng.uniform(40, 220))[..., None]
    part[:] = np.clip(value, 0, 255).astype(np.uint8)


def draw_hand(
    rng: np.random.Generator, picture: np.ndarray, mask: np.ndarray, target: np.ndarray, reach: float
) -> None:
    """An arm from a border of the frame with a hand at the target.

    ``mask`` becomes 255 where it covers the frame.
    """
    h, w = picture.shape[:2]
    skin = hsv(rng.normal(18, 6), rng.uniform(0.25, 0.6), rng.uniform(0.2, 0.95))
    sleeve = any_colour(rng) if rng.random() < 0.6 else skin
    border = [
        (-reach, rng.uniform(0, h)),
        (w + reach, rng.uniform(0, h)),
        (rng.uniform(0, w), -reach),
        (rng.uniform(0, w), h + reach),
    ]
    start = np.array(border[int(rng.integers(4))])
    direction = (target - start) / (np.linalg.norm(target - start) + 1e-6)
    across = np.array([-direction[1], direction[0]])
    wrist = target - direction * reach * 1.0
    strokes = [
        (start, wrist, 0.85, sleeve),
        (wrist - direction * reach * 0.3, wrist, 0.6, skin),
        (wrist, target - direction * reach * 0.35, 0.85, skin),
    ]
    for i in range(int(rng.integers(2, 6))):
        root = target - direction * reach * 0.4 + across * (i - 2) * reach * 0.18
        tip = root + direction * reach * rng.uniform(0.2, 0.7) + across * rng.normal(0, 0.1) * reach
        strokes.append((root, tip, rng.uniform(0.17, 0.24), skin))
    shade = np.zeros((h, w), np.uint8)
    for a, b, thick, colour in strokes:
        width = max(2, int(reach * thick))
        ends = tuple(int(v) for v in a), tuple(int(v) for v in b)
        paint = tone(colour * rng.uniform(0.85, 1.05))
        cv2.line(picture, ends[0], ends[1], paint, width, cv2.LINE_AA)
        cv2.line(mask, ends[0], ends[1], 255, width, cv2.LINE_AA)
        cv2.line(shade, ends[0], ends[1], 255, max(1, width // 3), cv2.LINE_AA)
    soft = cv2.GaussianBlur(shade, (0, 0), max(1.0, reach * 0.1)).astype(np.float32) / 255
    inside = (mask > 0).astype(np.float32)
    change = 1 + inside * (soft * 0.35 - 0.2)
    picture[:] = np.clip(picture * change[..., None], 0, 255).astype(np.uint8)
