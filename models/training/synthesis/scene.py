"""One picture with its truth: table, case, field, shadows, checkers, dice, cube, hand, camera."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from models.training.synthesis import dice as dice_module
from models.training.synthesis.boards import PX_PER_MM, case_picture, field_picture
from models.training.synthesis.camera import Camera, place_camera
from models.training.synthesis.develop import develop
from models.training.synthesis.dice import Die, draw_cube, draw_die, rest
from models.training.synthesis.position import (
    Geometry,
    Man,
    few_checkers,
    place_men,
    printed_geometry,
    random_geometry,
    random_position,
)
from models.training.synthesis.solids import (
    Light,
    SetLook,
    disc,
    draw_checker,
    draw_hand,
    flat_look,
    random_light,
    random_look,
)
from models.training.synthesis.texture import any_colour, bright_colours, checker_colours, fill, material, painted

SLOTS = tuple(f"{row}{i}" for row in "TB" for i in range(12))


@dataclass
class Scene:
    """A picture (uint8 BGR h×w×3) and its truth, in the form of the rendered scenes."""

    picture: np.ndarray
    truth: dict[str, Any]


def make(
    seed: int,
    size_px: tuple[int, int] | None = None,
    hand: float = 0.2,
    dice: int | None = None,
    *,
    printed: bool = False,
) -> Scene:
    """The scene of a seed.

    ``hand`` is the share of scenes with a hand or an object over the board; with ``dice`` so many dice are
    thrown, seen from near by, on a board with few checkers; ``printed`` boards are flat, with flat discs.
    """
    rng = np.random.default_rng([seed, 77])
    cv2.setRNGSeed(seed % (1 << 31))
    g = printed_geometry(rng) if printed else random_geometry(rng)
    tray = (g.checker_d + 8) * np.array([rng.random() < 0.3, rng.random() < 0.4])
    margins = (
        g.rim_w + (tray[0] + g.rim_w) * (tray[0] > 0),
        g.rim_w + (tray[1] + g.rim_w) * (tray[1] > 0),
        g.rim_w,
        g.rim_w,
    )
    box = (-margins[0], -margins[3], g.width + margins[1], g.height + margins[2])
    size = size_px or [(960, 720), (960, 720), (1280, 960)][int(rng.integers(3))]
    camera = place_camera(rng, size, box if dice is None else _part(rng, box))
    light = random_light(rng)
    position = random_position(rng) if dice is None else few_checkers(rng)
    men = place_men(rng, g, position)
    thrown = _throw(rng, g, men, int(rng.choice([0, 1, 2, 2, 2, 3, 4, 6])) if dice is None else dice)
    picture = _table(rng, camera, g, box)
    _draw_board(rng, picture, camera, g, box, (float(tray[0]), float(tray[1])), men, thrown, light)
    colours = bright_colours(rng) if printed and rng.random() < 0.7 else checker_colours(rng)
    look = flat_look(colours) if printed else random_look(rng, colours)
    _draw_men(rng, picture, camera, g, men, look, light)
    _draw_off(rng, picture, camera, g, position.off, look, light, box)
    if rng.random() < 0.3:
        _draw_doubling_cube(rng, picture, camera, g, light)
    looks = [dice_module.random_look(rng) for _ in range(1 + len(thrown) // 2)]
    for die, look_of in sorted(thrown, key=lambda t: -float(np.linalg.norm(t[0].centre - camera.position_mm))):
        draw_die(rng, picture, camera, die, looks[look_of], light)
    mask = np.zeros(picture.shape[:2], np.uint8)
    present = dice is None and rng.random() < hand
    if present:
        target = camera.project_straight(np.array([rng.uniform(0, g.width), rng.uniform(0, g.height), 20]))
        draw_hand(rng, picture, mask, target, _scale(camera, g) * rng.uniform(50, 95))
    if camera.k1:
        maps = camera.undistortion_maps()
        picture = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        mask = cv2.remap(mask, *maps, cv2.INTER_LINEAR)
    return Scene(develop(rng, picture), _truth(camera, g, position, men, [d for d, _ in thrown], mask))


def _part(rng: np.random.Generator, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """A part of the board to look at."""
    x0, y0, x1, y1 = box
    share = rng.uniform(0.3, 0.9)
    w, h = (x1 - x0) * share, (y1 - y0) * share
    x, y = rng.uniform(x0, x1 - w), rng.uniform(y0, y1 - h)
    return x, y, x + w, y + h


def _scale(camera: Camera, g: Geometry) -> float:
    """Pixels per millimetre near the middle of the board."""
    middle = np.array([g.width / 2, g.height / 2, 0.0])
    ends = camera.project_straight(middle + np.array([[-20.0, 0, 0], [20.0, 0, 0]]))
    return float(np.linalg.norm(ends[1] - ends[0]) / 40)


def _table(rng: np.random.Generator, camera: Camera, g: Geometry, box: tuple[float, float, float, float]) -> np.ndarray:
    """The table under everything, with some things on it."""
    size = 700
    texture = painted(rng, (size, size), material(rng))
    if rng.random() < 0.3:
        step = int(rng.integers(8, 60))
        tone = any_colour(rng)
        texture[(np.arange(size) // step % 2 == 0)] = (
            texture[(np.arange(size) // step % 2 == 0)] * 0.6 + tone * 0.4
        ).astype(np.uint8)
        if rng.random() < 0.6:
            columns = np.arange(size) // step % 2 == 0
            texture[:, columns] = (texture[:, columns] * 0.6 + tone * 0.4).astype(np.uint8)
    mm = max(box[2] - box[0], box[3] - box[1]) * 4 / size
    a = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) * mm
    middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])
    offset = middle - turn @ [size / 2, size / 2]
    plane = np.array([[*turn[0], offset[0]], [*turn[1], offset[1]], [0, 0, 1.0]])
    h = camera.homography(-g.floor_z) @ plane
    picture = cv2.warpPerspective(texture, h, (camera.width, camera.height), borderMode=cv2.BORDER_REFLECT)
    for _ in range(int(rng.integers(0, 7))):
        _clutter(rng, picture, camera)
    return picture


def _clutter(rng: np.random.Generator, picture: np.ndarray, camera: Camera) -> None:
    """Round and square things on the table: coins, cups, phones, papers."""
    centre = (int(rng.uniform(0, camera.width)), int(rng.uniform(0, camera.height)))
    size = int(rng.uniform(0.01, 0.1) * camera.width)
    tone = any_colour(rng).tolist()
    if rng.random() < 0.5:
        axes = (size, int(size * rng.uniform(0.5, 1)))
        cv2.ellipse(picture, centre, axes, 0, 0, 360, tone, -1, cv2.LINE_AA)
        inner = tuple(int(v * rng.uniform(0.5, 0.9)) for v in axes)
        cv2.ellipse(picture, centre, inner, 0, 0, 360, any_colour(rng).tolist(), -1, cv2.LINE_AA)
    else:
        corners = cv2.boxPoints((centre, (size, size * rng.uniform(1, 2.2)), rng.uniform(0, 90)))
        cv2.fillPoly(picture, [corners.astype(np.int32)], tone, cv2.LINE_AA)
        for _ in range(int(rng.integers(0, 8))):
            p = corners[0] + (corners[2] - corners[0]) * rng.uniform(0.2, 0.8, 2)
            cv2.circle(picture, (int(p[0]), int(p[1])), max(1, size // 12), any_colour(rng).tolist(), -1, cv2.LINE_AA)


def _quad(camera: Camera, x0: float, y0: float, x1: float, y1: float, z: float) -> np.ndarray:
    return camera.project_straight(np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]]))


def _draw_board(
    rng: np.random.Generator,
    picture: np.ndarray,
    camera: Camera,
    g: Geometry,
    box: tuple[float, float, float, float],
    tray: tuple[float, float],
    men: list[Man],
    thrown: list[tuple[Die, int]],
    light: Light,
) -> None:
    """Case walls, field with shadows, inner walls, rims and the raised bar."""
    x0, y0, x1, y1 = box
    base = material(rng)
    frame = base if rng.random() < 0.3 else material(rng)  # one wood throughout hides where the field ends
    case = case_picture(rng, g, (-x0, x1 - g.width, y1 - g.height, -y0), frame)
    wood = case.reshape(-1, 3).mean(0)
    _walls(picture, camera, (x0, y0, x1, y1), -g.floor_z, g.rim_h, wood, light, outside=True)
    _warp(picture, camera, np.clip(case * 0.8, 0, 255).astype(np.uint8), x0, y1, 0.0, None)
    field = field_picture(rng, g, base)
    _shadows(rng, field, g, men, thrown, light)
    _warp(picture, camera, field, 0.0, g.height, 0.0, None)
    _walls(picture, camera, (0, 0, g.width, g.height), 0, g.rim_h, wood, light, outside=False)
    holes = [(0.0, 0.0, g.half_w, g.height), (g.half_w + g.bar_w, 0.0, g.width, g.height)]
    if g.bar_z == 0:
        holes = [(0.0, 0.0, g.width, g.height)]
    else:
        for edge, facing in ((g.half_w, -1.0), (g.half_w + g.bar_w, 1.0)):
            if (camera.position_mm[0] - edge) * facing > 0:
                wall = np.array([[edge, 0, 0], [edge, g.height, 0], [edge, g.height, g.bar_z], [edge, 0, g.bar_z]])
                fill(picture, camera.project_straight(wall), wood * float(light.on(np.array([facing, 0, 0]))))
    if tray[0]:
        holes.append((x0 + g.rim_w, 0.0, -g.rim_w, g.height))
    if tray[1]:
        holes.append((g.width + g.rim_w, 0.0, x1 - g.rim_w, g.height))
    _warp(picture, camera, case, x0, y1, g.rim_h if g.bar_z == 0 else g.bar_z, holes)


def _walls(
    picture: np.ndarray,
    camera: Camera,
    box: tuple[float, float, float, float],
    low: float,
    high: float,
    wood: np.ndarray,
    light: Light,
    *,
    outside: bool,
) -> None:
    x0, y0, x1, y1 = box
    for a, b, normal in (
        ((x0, y0), (x1, y0), (0, -1, 0)),
        ((x1, y0), (x1, y1), (1, 0, 0)),
        ((x1, y1), (x0, y1), (0, 1, 0)),
        ((x0, y1), (x0, y0), (-1, 0, 0)),
    ):
        n = np.array(normal, float) * (1 if outside else -1)
        if (camera.position_mm - np.array([*a, 0])) @ n <= 0:
            continue
        wall = np.array([[*a, low], [*b, low], [*b, high], [*a, high]], float)
        fill(picture, camera.project_straight(wall), wood * (0.3 + 0.7 * float(light.on(n))))


def _warp(
    picture: np.ndarray,
    camera: Camera,
    flat: np.ndarray,
    left: float,
    far: float,
    z: float,
    holes: list[tuple[float, float, float, float]] | None,
) -> None:
    """Lays a flat picture (row 0 = far edge) on the plane z, except in the holes (x0, y0, x1, y1 in mm)."""
    s = 1 / PX_PER_MM
    plane = np.array([[s, 0, left], [0, -s, far], [0, 0, 1.0]])
    h = camera.homography(z) @ plane
    size = (camera.width, camera.height)
    scale = np.sqrt(abs(np.linalg.det(h[:2, :2])))
    source = cv2.GaussianBlur(flat, (0, 0), 0.45 / scale) if scale < 0.6 else flat
    warped = cv2.warpPerspective(source, h, size)
    mask = np.zeros((camera.height, camera.width), np.uint8)
    fh, fw = flat.shape[:2]
    edge = _quad(camera, left, far - fh * s, left + fw * s, far, z)
    cv2.fillPoly(mask, [np.round(edge * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    for hole in holes or []:
        cv2.fillPoly(mask, [np.round(_quad(camera, *hole, z) * 16).astype(np.int32)], 0, cv2.LINE_AA, 4)
    cv2.copyTo(warped, (mask > 127).astype(np.uint8), picture)


def _shadows(
    rng: np.random.Generator,
    field: np.ndarray,
    g: Geometry,
    men: list[Man],
    thrown: list[tuple[Die, int]],
    light: Light,
) -> None:
    """Shadows of checkers, dice and rims on the field."""
    h, w = field.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    drift = -light.direction[:2] / max(light.direction[2], 0.25)
    for man in men:
        top, bottom, _ = disc(man, g)
        shifted = np.concatenate([bottom[:, :2] + drift * bottom[:, 2:], top[:, :2] + drift * top[:, 2:]])
        _shadow_hull(mask, shifted, g)
    for die, _ in thrown:
        half = die.size / 2
        corners = (
            die.centre
            + np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half @ die.rotation.T
        )
        _shadow_hull(mask, corners[:, :2] + drift * corners[:, 2:], g)
    reach = drift * g.rim_h * PX_PER_MM
    if reach[0] > 0:
        mask[:, : int(reach[0])] = 255
    elif reach[0] < 0:
        mask[:, w + int(reach[0]) :] = 255
    if reach[1] > 0:
        mask[h - int(reach[1]) :] = 255
    elif reach[1] < 0:
        mask[: int(-reach[1])] = 255
    depth = min(0.9, light.direct + rng.uniform(0, 0.2)) * 0.8
    keep = cv2.convertScaleAbs(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.6, 7)), alpha=-depth, beta=255)
    cv2.multiply(field, cv2.merge([keep] * 3), field, 1 / 255)


def _shadow_hull(mask: np.ndarray, xy_mm: np.ndarray, g: Geometry) -> None:
    p = np.stack([xy_mm[:, 0], g.height - xy_mm[:, 1]], 1) * PX_PER_MM
    cv2.fillConvexPoly(mask, cv2.convexHull(p.astype(np.float32)).astype(np.int32), 255)


def _draw_men(
    rng: np.random.Generator,
    picture: np.ndarray,
    camera: Camera,
    g: Geometry,
    men: list[Man],
    look: SetLook,
    light: Light,
) -> None:
    """Far columns first; in a column low layers first, far ones first, overlapping ones in their order."""

    def distance(x: float, y: float) -> float:
        return float(np.hypot(x - camera.position_mm[0], y - camera.position_mm[1]))

    columns: dict[str, list[Man]] = {}
    for man in men:
        columns.setdefault(man.where, []).append(man)
    for column in sorted(columns.values(), key=lambda c: -distance(c[0].x, float(np.mean([m.y for m in c])))):
        leaning = any(m.tilt for m in column)
        column.sort(key=lambda m: (m.order,) if leaning else (m.layer, -distance(m.x, m.y)))
        for man in column:
            draw_checker(rng, picture, camera, g, man, look, light)


def _draw_off(
    rng: np.random.Generator,
    picture: np.ndarray,
    camera: Camera,
    g: Geometry,
    off: tuple[int, int],
    look: SetLook,
    light: Light,
    box: tuple[float, float, float, float],
) -> None:
    """Men borne off lie beside the field, in the tray or on the table."""
    right = rng.random() < 0.6
    edge = g.width + g.rim_w + g.checker_d * 0.55 if right else -g.rim_w - g.checker_d * 0.55
    if rng.random() < 0.4:
        edge = box[2] + g.checker_d if right else box[0] - g.checker_d
    for side in (0, 1):
        for i in range(min(off[side], 12)):
            y = g.checker_d * (0.6 + i % 6 * 1.05)
            y = y if side == 0 else g.height - y
            man = Man(side, "off", edge, y, g.checker_t / 2 + i // 6 * g.checker_t)
            draw_checker(rng, picture, camera, g, man, look, light)


def _draw_doubling_cube(
    rng: np.random.Generator, picture: np.ndarray, camera: Camera, g: Geometry, light: Light
) -> None:
    size = rng.uniform(18, 32)
    if rng.random() < 0.5:
        spot = np.array([g.width / 2, rng.uniform(0.1, 0.9) * g.height, g.bar_z])
    else:
        spot = np.array(
            [
                rng.choice([-1, 1]) * rng.uniform(0.55, 0.75) * g.width + g.width / 2,
                rng.uniform(0, g.height),
                -g.floor_z,
            ]
        )
    draw_cube(rng, picture, camera, spot, size, light)


def _throw(rng: np.random.Generator, g: Geometry, men: list[Man], n: int) -> list[tuple[Die, int]]:
    """Dice on the board, most of them flat on one half; with each the index of its look."""
    thrown: list[tuple[Die, int]] = []
    for _ in range(n):
        die = _one_die(rng, g, men, [d for d, _ in thrown])
        if die is not None:
            thrown.append((die, len(thrown) // 2))
    return thrown


def _one_die(rng: np.random.Generator, g: Geometry, men: list[Man], others: list[Die]) -> Die | None:
    value = int(rng.integers(1, 7))
    kind = rng.random()
    if kind < 0.06 and men:
        man = men[int(rng.integers(len(men)))]
        if man.tilt == 0:
            z = man.z + g.checker_t / 2
            centre, turn = rest(rng, man.x, man.y, z, g.die)
            return Die(value, centre, turn, g.die, True, "on_checker", "left" if man.x < g.width / 2 else "right")
    if kind < 0.10:
        side = rng.choice([-1, 1])
        x = -g.rim_w - rng.uniform(15, 70) if side < 0 else g.width + g.rim_w + rng.uniform(15, 70)
        centre, turn = rest(rng, x, rng.uniform(0, g.height), -g.floor_z, g.die)
        return Die(value, centre, turn, g.die, True, "outside", "outside")
    for _ in range(30):
        x, y = rng.uniform(g.die, g.width - g.die), np.clip(rng.normal(0.5, 0.22), 0.05, 0.95) * g.height
        if abs(x - g.width / 2) < g.bar_w / 2 + g.die:
            continue
        clear = [np.hypot(m.x - x, m.y - y) - g.checker_d / 2 for m in men] + [
            np.hypot(*(d.centre[:2] - [x, y])) - g.die * 0.7 for d in others
        ]
        if min(clear, default=99.0) < g.die * 0.75:
            continue
        lean = rng.uniform(12, 42) if kind > 0.92 else 0.0
        centre, turn = rest(rng, x, y, 0.0, g.die, lean)
        half = "left" if x < g.width / 2 else "right"
        return Die(value, centre, turn, g.die, lean > 0, "leaning_checker" if lean else None, half)
    return None


def _truth(
    camera: Camera, g: Geometry, position: Any, men: list[Man], thrown: list[Die], mask: np.ndarray
) -> dict[str, Any]:
    corners = camera.project(np.array([[0, g.height, 0], [g.width, g.height, 0], [g.width, 0, 0], [0, 0, 0.0]]))
    tops = [camera.project(disc(m, g)[0]) for m in men]
    hidden = _hidden_slots(camera, g, mask)
    return {
        "width": camera.width,
        "height": camera.height,
        "board": {
            "inner_corners_px": dict(zip(("TL", "TR", "BR", "BL"), corners.tolist(), strict=True)),
            "size_mm": [g.width, g.height],
            "half_w_mm": g.half_w,
            "bar_w_mm": g.bar_w,
            "point_w_mm": g.point_w,
            "checker_d_mm": g.checker_d,
            "checker_t_mm": g.checker_t,
            "die_mm": g.die,
            "style": "synthetic",
        },
        "points": [
            {
                "slot": s,
                "light": position.points.get(s, []).count(0),
                "dark": position.points.get(s, []).count(1),
                "hidden": hidden[s],
            }
            for s in SLOTS
        ],
        "bar": {"light": position.bar.count(0), "dark": position.bar.count(1)},
        "checkers": [
            {
                "side": "dark" if m.side else "light",
                "where": m.where,
                "layer": m.layer,
                "tilted": m.tilt != 0,
                "top_px": t.mean(0).tolist(),
            }
            for m, t in zip(men, tops, strict=True)
        ],
        "dice": [_die_truth(camera, d, mask) for d in thrown],
        "hand": {"present": bool(mask.any()), "known": True},
    }


def _die_truth(camera: Camera, die: Die, mask: np.ndarray) -> dict[str, Any]:
    """The die's truth; under the hand it is not visible."""
    truth = dice_module.truth(camera, die)
    x, y = np.round(camera.project(die.centre)).astype(int)
    if truth["in_frame"] and mask[np.clip(y, 0, camera.height - 1), np.clip(x, 0, camera.width - 1)] > 127:
        truth["visible"] = 0.0
    return truth


def _hidden_slots(camera: Camera, g: Geometry, mask: np.ndarray) -> dict[str, float]:
    """The share of each slot that the hand covers."""
    shares = {}
    for slot in SLOTS:
        x, near = g.slot_x(int(slot[1:])), slot[0] == "B"
        along = np.linspace(0.05, 0.42, 9) * g.height
        points = np.array(
            [
                [x + dx, y if near else g.height - y, 5.0]
                for y in along
                for dx in (-0.3 * g.point_w, 0.0, 0.3 * g.point_w)
            ]
        )
        p = np.round(camera.project(points)).astype(int)
        ok = (p >= 0).all(1) & (p[:, 0] < camera.width) & (p[:, 1] < camera.height)
        shares[slot] = float((mask[p[ok, 1], p[ok, 0]] > 127).mean()) if ok.any() else 1.0
    return shares
