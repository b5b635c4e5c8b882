"""Dice and doubling cubes: rounded cubes with pips, flat or leaning, in many colours."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from models.training.synthesis.camera import Camera
from models.training.synthesis.solids import Light
from models.training.synthesis.texture import any_colour, fill, hsv, lightness

_PIPS: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
_CIRCLE = np.linspace(0, 2 * np.pi, 16, endpoint=False)


@dataclass
class DieLook:
    """Colours and shape of one kind of dice."""

    body: np.ndarray
    pip: np.ndarray
    one: np.ndarray
    clear: float
    rounding: float
    pip_r: float
    pip_off: float
    gloss: float
    faint: float
    mirror: float
    """How much of a lamp or window the level faces reflect."""
    six: tuple[float, float]
    """How near the rows of the six stand together, and the pips in a row: on some sets evenly in both directions."""


def random_look(rng: np.random.Generator) -> DieLook:
    """White and ivory are frequent; the rest is any body with pips of another lightness."""
    if rng.random() < 0.45:
        body, pip = (
            hsv(rng.normal(40, 15), rng.uniform(0, 0.35), rng.uniform(0.7, 0.98)),
            hsv(0, 0.2, rng.uniform(0.03, 0.25)),
        )
    else:
        for _ in range(40):
            body = any_colour(rng)
            pip = hsv(45, rng.uniform(0, 0.3), rng.uniform(0.8, 1)) if rng.random() < 0.6 else any_colour(rng)
            if abs(lightness(body) - lightness(pip)) > 30:
                break
    one = hsv(0, 0.9, 0.7) if rng.random() < 0.12 and lightness(body) > 60 else pip
    return DieLook(
        body,
        pip,
        one,
        rng.uniform(0.2, 0.65) if rng.random() < 0.2 else 0.0,
        rng.uniform(0.04, 0.55),
        rng.uniform(0.13, 0.25),
        rng.uniform(0.38, 0.6),
        rng.uniform(0, 1),
        rng.uniform(0.2, 0.7) if rng.random() < 0.2 else 0.0,
        rng.uniform(0.25, 0.9) if rng.random() < 0.15 else 0.0,
        (rng.uniform(0.45, 1.0), rng.uniform(0.8, 1.15)) if rng.random() < 0.5 else (1.0, 1.0),
    )


@dataclass
class Die:
    """A die at rest: centre in millimetres, its rotation (columns are the body's axes), the value on top."""

    value: int
    centre: np.ndarray
    rotation: np.ndarray
    size: float
    cocked: bool
    reason: str | None
    half: str


def rest(
    rng: np.random.Generator, x: float, y: float, z: float, size: float, lean_deg: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """(centre, rotation) of a cube whose lowest corner is at height z, leaning by an angle about a random
    level axis.
    """
    yaw = rng.uniform(0, 2 * np.pi)
    flat = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    a = rng.uniform(0, 2 * np.pi)
    lean, _ = cv2.Rodrigues(np.array([np.cos(a), np.sin(a), 0]) * np.radians(lean_deg))
    rotation = lean @ flat
    low = size / 2 * np.abs(rotation[2]).sum()
    return np.array([x, y, z + low]), rotation


def faces(value: int, rng: np.random.Generator) -> dict[int, np.ndarray]:
    """Value -> outward axis of the body (columns ± x, y, z), opposite faces make seven, either hand."""
    sides = [v for v in range(1, 7) if v not in (value, 7 - value)]
    first = int(rng.choice(sides))
    second = int(rng.choice([v for v in sides if v not in (first, 7 - first)]))
    axes = np.eye(3)
    layout = {value: axes[2], first: axes[0], second: axes[1]}
    return layout | {7 - v: -axis for v, axis in layout.items()}


def draw_die(
    rng: np.random.Generator, picture: np.ndarray, camera: Camera, die: Die, look: DieLook, light: Light
) -> None:
    """Draws the cube: hull first, then each face that the camera sees, then pips and gloss."""
    half = die.size / 2
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    behind = picture.copy() if look.clear else None
    hull = _rounded_hull(camera.project_straight(die.centre + corners @ die.rotation.T), look.rounding)
    fill(picture, hull, look.body * 0.75)
    for value, axis in faces(die.value, rng).items():
        normal = die.rotation @ axis
        if (camera.position_mm - die.centre - normal * half) @ normal <= 0:
            continue
        _draw_face(rng, picture, camera, die, look, light, value, axis)
    if behind is not None:
        box = _clip_box(hull, picture.shape)
        part = picture[box]
        if part.size:
            part[:] = cv2.addWeighted(part, 1 - look.clear * 0.6, behind[box], look.clear * 0.6, 0)


def _draw_face(
    rng: np.random.Generator,
    picture: np.ndarray,
    camera: Camera,
    die: Die,
    look: DieLook,
    light: Light,
    value: int,
    axis: np.ndarray,
) -> None:
    half = die.size / 2
    u = np.roll(axis, 1)
    v = np.cross(axis, u)
    basis = np.stack([u, v], 1)
    power = 2 + 2 / max(look.rounding, 0.05)
    angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    radius = (np.abs(np.cos(angle)) ** power + np.abs(np.sin(angle)) ** power) ** (-1 / power)
    outline = np.stack([np.cos(angle) * radius, np.sin(angle) * radius], 1) * (1 - 0.25 * look.rounding)

    def onto(points: np.ndarray, depth: float = 1.0) -> np.ndarray:
        body = (points @ basis.T + axis * depth) * half
        return camera.project_straight(die.centre + body @ die.rotation.T)

    shade = 0.35 + 0.75 * float(light.on(die.rotation @ axis))
    fill(picture, onto(outline), look.body * shade)
    level = (die.rotation @ axis)[2] > 0.9
    sheen = hsv(rng.uniform(0, 180), rng.uniform(0, 0.2), rng.uniform(0.6, 1.0))
    mirror = look.mirror * rng.uniform(0.6, 1.0) if level and look.mirror else 0.0
    if mirror:
        fill(picture, onto(outline * rng.uniform(0.75, 0.95)), look.body * shade * (1 - mirror) + sheen * mirror)
    pips = np.array(_PIPS[value], float) * look.pip_off
    if value == 6:
        pips *= look.six
    if rng.random() < 0.5:
        pips = pips[:, ::-1] * [1, -1]
    ring = np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE)], 1)
    big = 1.5 if value == 1 and rng.random() < 0.2 else 1.0
    tone = look.one if value == 1 else look.pip
    dull = rng.uniform(0.2, 0.8)
    for pip in pips:
        ink = tone * (0.45 + 0.6 * shade)
        ink = ink + (look.body * shade - ink) * look.faint
        fill(picture, onto(pip + ring * look.pip_r * big), ink * (1 - mirror * dull) + sheen * mirror * dull)
    if look.gloss > 0.4 and rng.random() < 0.5:
        _glint(rng, picture, onto(rng.uniform(-0.7, 0.7, 2) + _streak(rng, ring)))


def _streak(rng: np.random.Generator, ring: np.ndarray) -> np.ndarray:
    """The outline of a lamp's reflection on a face: a spot, or a streak that covers pips."""
    a, long = rng.uniform(0, np.pi), rng.uniform(0.06, 0.7) ** 1.5
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return (ring * [long, rng.uniform(0.05, 0.2)]) @ turn.T


def _glint(rng: np.random.Generator, picture: np.ndarray, outline: np.ndarray) -> None:
    """Brightens a soft-edged patch."""
    box = _clip_box(outline, picture.shape)
    part = picture[box]
    if min(part.shape[:2]) < 2:
        return
    mask = np.zeros(part.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.rint(outline - [box[1].start, box[0].start]).astype(np.int32)], 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 1.2))[..., None] * rng.uniform(0.3, 1.0)
    part[:] = (part + (255 - part) * mask).astype(np.uint8)


def _rounded_hull(points: np.ndarray, rounding: float) -> np.ndarray:
    hull = cv2.convexHull(points.astype(np.float32))[:, 0].astype(float)
    cut = np.clip(rounding * 0.45, 0.02, 0.3)
    smooth = []
    for a, b in pairwise([*hull, hull[0]]):
        smooth += [a + (b - a) * cut, b - (b - a) * cut]
    return np.array(smooth)


def _clip_box(points: np.ndarray, shape: tuple[int, ...]) -> tuple[slice, slice]:
    low, high = np.floor(points.min(0)).astype(int), np.ceil(points.max(0)).astype(int) + 1
    return slice(max(low[1], 0), max(min(high[1], shape[0]), 0)), slice(max(low[0], 0), max(min(high[0], shape[1]), 0))


def truth(camera: Camera, die: Die) -> dict[str, Any]:
    """The die's entry of the truth, in the form of the scenes."""
    half = die.size / 2
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    p = camera.project(die.centre + corners @ die.rotation.T)
    up = int(np.argmax(np.abs(die.rotation[2])))
    axis = np.eye(3)[up] * np.sign(die.rotation[2, up])
    u, v = np.roll(axis, 1), np.cross(axis, np.roll(axis, 1))
    square = np.array([axis + a * u + b * v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * half
    quad = camera.project(die.centre + square @ die.rotation.T)
    low, high = p.min(0), p.max(0)
    inside = bool((low > 0).all() and high[0] < camera.width and high[1] < camera.height)
    return {
        "value": die.value,
        "half": die.half,
        "cocked": die.cocked,
        "reason": die.reason,
        "top_quad_px": quad.tolist(),
        "bbox_px": [*low.tolist(), *high.tolist()],
        "face_px": float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32))))),
        "visible": 1.0,
        "in_frame": inside,
    }


def draw_cube(
    rng: np.random.Generator, picture: np.ndarray, camera: Camera, centre: np.ndarray, size: float, light: Light
) -> None:
    """A doubling cube: a big plain cube with numerals, which is not a die."""
    c, rotation = rest(rng, *centre, size)
    body = any_colour(rng) if rng.random() < 0.4 else hsv(40, 0.1, 0.92)
    ink = hsv(0, 0.1, 0.1) if lightness(body) > 50 else hsv(0, 0.05, 0.95)
    half = size / 2
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    fill(picture, _rounded_hull(camera.project_straight(c + corners @ rotation.T), 0.2), body * 0.8)
    for axis in np.concatenate([np.eye(3), -np.eye(3)]):
        normal = rotation @ axis
        if (camera.position_mm - c - normal * half) @ normal <= 0:
            continue
        u, v = np.roll(axis, 1), np.cross(axis, np.roll(axis, 1))
        square = np.array([axis + a * u + b * v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * half * 0.98
        quad = camera.project_straight(c + square @ rotation.T).astype(np.float32)
        fill(picture, quad.astype(float), body * (0.35 + 0.75 * float(light.on(normal))))
        _numeral(rng, picture, quad, ink)


def _numeral(rng: np.random.Generator, picture: np.ndarray, quad: np.ndarray, ink: np.ndarray) -> None:
    size = 48
    tile = np.zeros((size, size), np.uint8)
    text = str(rng.choice(["2", "4", "8", "16", "32", "64"]))
    (tw, th), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 3)
    cv2.putText(tile, text, ((size - tw) // 2, (size + th) // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 255, 3, cv2.LINE_AA)
    flat = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    box = _clip_box(quad, picture.shape)
    if picture[box].size == 0:
        return
    origin = np.array([box[1].start, box[0].start], np.float32)
    h = cv2.getPerspectiveTransform(flat, quad - origin)
    part = picture[box]
    mask = cv2.warpPerspective(tile, h, (part.shape[1], part.shape[0])).astype(np.float32)[..., None] / 255
    part[:] = (part * (1 - mask) + np.clip(ink, 0, 255) * mask).astype(np.uint8)
