"""Where checkers stand.

Contents of the slots, and the resting place of every checker (columns, layers, shingles).
"""

from dataclasses import dataclass, field

import numpy as np

LIGHT, DARK = 0, 1


@dataclass
class Geometry:
    """Sizes of one board and its set in millimetres."""

    point_w: float
    half_w: float
    bar_w: float
    height: float
    side: float
    checker_d: float
    checker_t: float
    rim_w: float
    rim_h: float
    floor_z: float
    bar_z: float
    die: float

    @property
    def width(self) -> float:
        """Inner width of the field, bar included."""
        return 2 * self.half_w + self.bar_w

    def slot_x(self, column: int) -> float:
        """The middle of a column 0 … 11."""
        start = self.side if column < 6 else self.half_w + self.bar_w + self.side
        return start + (column % 6 + 0.5) * self.point_w


@dataclass
class Man:
    """One checker at rest.

    Centre in millimetres, the angle in degrees that it leans about x, its layer, and where.
    """

    side: int
    where: str
    x: float
    y: float
    z: float
    tilt: float = 0.0
    layer: int = 0
    order: int = 0


@dataclass
class Position:
    """Contents: for each slot name a list of sides from the rim outwards; the men on the bar and off."""

    points: dict[str, list[int]] = field(default_factory=dict)
    bar: list[int] = field(default_factory=list)
    off: tuple[int, int] = (0, 0)


def random_geometry(rng: np.random.Generator) -> Geometry:
    """Sizes of boards in use, wider than usual."""
    point_w = rng.uniform(26, 50)
    d = point_w * (rng.uniform(0.82, 0.98) if rng.random() < 0.85 else rng.uniform(0.65, 0.82))
    side = rng.uniform(0, 3)
    half_w = 6 * point_w + 2 * side
    kind = rng.random()
    bar_w = d * rng.uniform(0.9, 1.4) if kind < 0.4 else rng.uniform(0, 3) if kind > 0.85 else rng.uniform(12, 45)
    depth = rng.random()
    height = d * (
        rng.uniform(7.6, 10.4) if depth < 0.14 else rng.uniform(13, 15.5) if depth > 0.88 else rng.uniform(10.4, 13)
    )
    raised = rng.random() < 0.75
    rim_h = rng.uniform(6, 24)
    flat = rng.random() < (0.5 if bar_w < 3 else 0.08)
    return Geometry(
        point_w=point_w,
        half_w=half_w,
        bar_w=bar_w,
        height=height,
        side=side,
        checker_d=d,
        checker_t=d * (rng.uniform(0.18, 0.34) if rng.random() < 0.9 else rng.uniform(0.05, 0.15)),
        rim_w=rng.uniform(6, 24),
        rim_h=0.5 if flat else rim_h,
        floor_z=rng.uniform(1, 5) if flat else rng.uniform(6, 30),
        bar_z=0.0 if flat or not raised else rim_h * rng.uniform(0.7, 1.0),
        die=float(np.clip(rng.normal(14.5, 2.2), 9, 20)),
    )


def printed_geometry(rng: np.random.Generator) -> Geometry:
    """Boards of paper, cloth or leather: flat, most without a bar, some short, with thin discs."""
    point_w = rng.uniform(30, 60)
    d = point_w * rng.uniform(0.72, 0.98)
    side = rng.uniform(0, 3)
    return Geometry(
        point_w=point_w,
        half_w=6 * point_w + 2 * side,
        bar_w=0.0 if rng.random() < 0.75 else rng.uniform(2, 1.2 * d),
        height=d * rng.uniform(7.4, 12.5),
        side=side,
        checker_d=d,
        checker_t=d * rng.uniform(0.02, 0.16),
        rim_w=rng.uniform(6, 40),
        rim_h=0.5,
        floor_z=rng.uniform(0.5, 4),
        bar_z=0.0,
        die=float(np.clip(rng.normal(14.5, 2.2), 9, 20)),
    )


def random_position(rng: np.random.Generator) -> Position:
    """Positions of games, starts, ends, and unfinished set-ups; sometimes both colours share a point."""
    kind = rng.random()
    if kind < 0.08:
        position = _start_short(rng)
    elif kind < 0.4:
        position = _from_heads(rng, int(rng.integers(0, 14)))
    elif kind < 0.48:
        position = _scattered(rng, int(rng.integers(0, 12)), int(rng.integers(0, 12)))
    else:
        position = _scattered(rng, 15, 15)
    if rng.random() < 0.15:
        _share_a_point(rng, position)
    return position


def few_checkers(rng: np.random.Generator) -> Position:
    """A board that leaves room for many dice."""
    return _scattered(rng, int(rng.integers(0, 7)), int(rng.integers(0, 7)))


def _names(rng: np.random.Generator) -> list[str]:
    names = [f"T{i}" for i in range(12)] + [f"B{i}" for i in range(12)]
    return [names[i] for i in rng.permutation(24)]


def _start_short(rng: np.random.Generator) -> Position:
    light = {"T0": 5, "T11": 2, "B4": 3, "B6": 5}
    dark = {"B0": 5, "B11": 2, "T4": 3, "T6": 5}
    if rng.random() < 0.5:
        light, dark = dark, light
    points = {s: [LIGHT] * n for s, n in light.items()} | {s: [DARK] * n for s, n in dark.items()}
    if rng.random() < 0.5:
        points = {s[0] + str(11 - int(s[1:])): men for s, men in points.items()}
    return Position(points)


def _from_heads(rng: np.random.Generator, moves: int) -> Position:
    names = ["T0", "B11"] if rng.random() < 0.5 else ["T11", "B0"]
    if rng.random() < 0.5:
        names.reverse()
    points = {names[0]: [LIGHT] * 15, names[1]: [DARK] * 15}
    free = [n for n in _names(rng) if n not in names]
    for side in (LIGHT, DARK):
        for _ in range(moves):
            if points[names[side]]:
                points[names[side]].pop()
                target = free[int(rng.integers(0, 4)) + 4 * side]
                points.setdefault(target, []).append(side)
    return Position({s: men for s, men in points.items() if men})


def _scattered(rng: np.random.Generator, light: int, dark: int) -> Position:
    names = _names(rng)
    position = Position()
    off = [0, 0]
    for side, total in ((LIGHT, light), (DARK, dark)):
        left = total
        while left > 0 and names:
            if rng.random() < 0.03:
                n = min(left, int(rng.integers(1, 4)))
                position.bar += [side] * n
            elif rng.random() < 0.06:
                n = min(left, int(rng.integers(1, 10)))
                off[side] += n
            else:
                n = min(left, _column_length(rng))
                position.points[names.pop()] = [side] * n
            left -= n
    position.off = (off[0], off[1])
    return position


def _column_length(rng: np.random.Generator) -> int:
    if rng.random() < 0.12:
        return int(rng.integers(6, 16))
    return int(rng.choice([1, 2, 3, 4, 5, 6, 7], p=[0.25, 0.25, 0.17, 0.11, 0.12, 0.06, 0.04]))


def _share_a_point(rng: np.random.Generator, position: Position) -> None:
    """After an illegal play: one or two men stand on a point that the others hold."""
    for men in position.points.values():
        if rng.random() < 0.3 and men:
            men += [1 - men[0]] * int(rng.choice([1, 1, 2]))
            return


def place_men(rng: np.random.Generator, g: Geometry, position: Position) -> list[Man]:
    """Every checker that is in the picture, at rest."""
    habit = str(rng.choice(["layer", "layer", "bridge", "shingle", "line"]))
    men: list[Man] = []
    for slot, sides in position.points.items():
        style = habit if rng.random() < 0.8 else str(rng.choice(["layer", "bridge", "shingle", "line"]))
        if len(sides) >= 8 and rng.random() < 0.5:
            style = "shingle"
        men += _column(rng, g, slot, sides, style)
    away = {LIGHT: 1, DARK: -1} if rng.random() < 0.5 else {LIGHT: -1, DARK: 1}
    for side in (LIGHT, DARK):
        for i in range(position.bar.count(side)):
            y = g.height / 2 + away[side] * (g.checker_d * (0.55 + i) + rng.uniform(0, 0.3) * g.checker_d)
            men.append(
                Man(side, "bar", g.width / 2 + rng.normal(0, 0.05) * g.checker_d, y, g.bar_z + g.checker_t / 2, order=i)
            )
    return men


def _column(rng: np.random.Generator, g: Geometry, slot: str, sides: list[int], style: str) -> list[Man]:
    column = int(slot[1:])
    row_sign = 1 if slot[0] == "B" else -1
    rim = 0.0 if slot[0] == "B" else g.height
    n = len(sides)
    tidy = rng.uniform(0.01, 0.05)
    gap = rng.uniform(0.3, 0.05 * g.checker_d + 0.4)
    men = []
    for i, (out, z, tilt, layer) in enumerate(_offsets(rng, g, n, style)):
        x = g.slot_x(column) + float(np.clip(rng.normal(0, tidy), -0.1, 0.1)) * g.point_w
        y = rim + row_sign * (g.checker_d / 2 + gap + out) + rng.normal(0, 0.01) * g.point_w
        men.append(Man(sides[i], slot, x, y, z, -row_sign * tilt, layer, i))
    return men


def _offsets(rng: np.random.Generator, g: Geometry, n: int, style: str) -> list[tuple[float, float, float, int]]:
    """(distance from the first place, height of the centre, lean in degrees, layer) of n checkers."""
    d, t = g.checker_d, g.checker_t
    if style == "shingle" and (n > 5 or rng.random() < 0.15):
        kept = max(n, int(rng.integers(6, 16)))
        length = min(d * (rng.uniform(2.0, 3.4) + 0.3 * kept), 0.63 * g.height)
        step = max((length - d) / max(1, kept - 1), t * 1.1)
        step = min(step, d * 1.01)
        lean = float(np.arcsin(min(0.95, t * 1.03 / step))) if step < d else 0.0
        z = d / 2 * np.sin(lean) + t / 2 * np.cos(lean)
        return [(i * step - d / 2 * (1 - np.cos(lean)), z, float(np.degrees(lean)), 0) for i in range(n)]
    pitch = d * rng.uniform(1.0, 1.03)
    if style == "line" and 5 < n <= 10 and g.height > 12.4 * d:
        return [(i * pitch, t / 2, 0.0, 0) for i in range(min(n, 6))] + [
            (i * pitch + d * 0.5, t * 1.5, 0.0, 1) for i in range(n - 6)
        ]
    places = []
    per_layer = min(5 if rng.random() < 0.85 else int(rng.integers(3, 7)), int(g.height / 2 / d))
    for i in range(n):
        layer, j = divmod(i, per_layer)
        shift = d * 0.5 * (layer % 2) if style == "bridge" else 0.0
        places.append((j * pitch + shift, t / 2 + layer * t, 0.0, layer))
    return places
