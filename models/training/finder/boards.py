"""Flat pictures of boards, drawn at once and in great variety: what the finder learns shapes and looks from.

A board is drawn from above on a canvas (case, rim, trays, halves, bar, points, ornaments, checkers, dice), then thrown
into a picture of a table by a camera at a random place. There is no height and no true light; the path-traced scenes
teach those. Everything follows from the seed.
"""

import math

import cv2
import numpy as np

PICTURE = (512, 384)
"""Width and height of a picture."""

SCALE = 400
"""Canvas pixels for the width of the playing field."""


def noise(rng, size, cells, blur=0):
    """Smooth noise in 0 … 1 of ``size`` (width, height) with ``cells`` (across, down)."""
    across, down = max(2, int(cells[0])), max(2, int(cells[1]))
    out = cv2.resize(rng.random((down, across)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    return cv2.blur(out, (blur, blur)) if blur else out


def colour(rng, light=None):
    """A BGR colour as of wood, felt, leather, paint or paper; ``light`` 0 … 1 sets how bright."""
    kind = rng.random()
    value = rng.uniform(0.06, 0.95) if light is None else light
    if kind < 0.5:
        hue, saturation = rng.uniform(4, 22), rng.uniform(0.2, 0.85)
    elif kind < 0.75:
        hue, saturation = rng.uniform(0, 180), rng.uniform(0.3, 0.95)
    else:
        hue, saturation = rng.uniform(0, 180), rng.uniform(0, 0.15)
    pixel = np.array([[[hue, saturation * 255, value * 255]]], np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def texture(rng, size, base=None):
    """A material of ``size`` (width, height), float32 BGR 0 … 255: wood, cloth, stone, tiles or plain."""
    base = colour(rng) if base is None else base
    other = base * rng.uniform(0.5, 1.3) if rng.random() < 0.75 else colour(rng)
    kind = rng.random()
    width, height = size
    if kind < 0.45:
        cells = (rng.uniform(2, 8), rng.uniform(30, 160))
        if rng.random() < 0.5:
            cells = cells[::-1]
        mix = noise(rng, size, cells) * 0.7 + noise(rng, size, (cells[0] * 6, cells[1] * 2)) * 0.3
    elif kind < 0.6:
        mix = noise(rng, size, (width / 2, height / 2)) * 0.5
    elif kind < 0.75:
        mix = noise(rng, size, (8, 8)) * 0.5 + noise(rng, size, (50, 50)) * 0.5
    elif kind < 0.85:
        step = rng.uniform(4, 40)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        angle = rng.uniform(0, math.pi)
        along = x * math.cos(angle) + y * math.sin(angle)
        across = y * math.cos(angle) - x * math.sin(angle)
        mix = (np.sin(along / step * 6) > 0).astype(np.float32)
        if rng.random() < 0.6:
            mix = (mix + (np.sin(across / step * 6) > 0)) / 2
    else:
        mix = noise(rng, size, (2, 2)) * 0.3
    strength = rng.uniform(0.1, 1.0)
    return base + (other - base) * (mix * strength)[..., None]


def tint(rng, canvas, mask, material):
    """Lay a material over the canvas where the mask (0 … 1) says."""
    canvas += (material - canvas) * mask[..., None]


class Drawn:
    """A board from above: ``canvas`` (float BGR), ``alpha`` (0 … 1), ``field`` corners TL, TR, BR, BL on the canvas."""

    def __init__(self, rng):
        self.rng = rng
        self._measure()
        self._case()
        self._halves()
        self._points()
        self._inlays()
        self._ornaments()
        self._bar()
        self._pieces()
        self._dice()

    def _measure(self):
        rng = self.rng
        self.w = SCALE
        self.h = SCALE / rng.uniform(1.02, 1.55)
        self.bar = SCALE * (rng.uniform(0.03, 0.13) if rng.random() < 0.8 else rng.uniform(0, 0.015))
        # Between the points and the rim: nothing on many boards, a border on others.
        self.inset_x = SCALE * (0 if rng.random() < 0.55 else rng.uniform(0, 0.06))
        self.inset_y = SCALE * (0 if rng.random() < 0.5 else rng.uniform(0, 0.07))
        self.rim = SCALE * (rng.uniform(0.015, 0.1) if rng.random() < 0.9 else 0)
        self.trays = [SCALE * rng.uniform(0.07, 0.2) if rng.random() < 0.5 else 0.0 for _ in range(2)]
        if rng.random() < 0.6:
            self.trays[1] = self.trays[0]
        if rng.random() < 0.45:
            self.trays = [0.0, 0.0]
        left = self.inset_x + self.rim + (self.trays[0] + self.rim if self.trays[0] else 0)
        right = self.inset_x + self.rim + (self.trays[1] + self.rim if self.trays[1] else 0)
        top = self.inset_y + self.rim
        self.x0, self.y0 = left + 6, top + 6
        self.size = (int(left + self.w + right + 12), int(2 * top + self.h + 12))
        x1, y1 = self.x0 + self.w, self.y0 + self.h
        self.field = np.array([[self.x0, self.y0], [x1, self.y0], [x1, y1], [self.x0, y1]], np.float32)

    def _rect(self, x0, y0, x1, y1, soft=False):
        mask = np.zeros(self.size[::-1], np.float32)
        quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
        return cv2.blur(mask, (5, 5)) if soft else mask

    def _case(self):
        rng = self.rng
        self.wood = colour(rng)
        self.canvas = texture(rng, self.size, self.wood)
        self.alpha = self._rect(4, 4, self.size[0] - 4, self.size[1] - 4)
        inner = (
            self.x0 - self.inset_x,
            self.y0 - self.inset_y,
            self.x0 + self.w + self.inset_x,
            self.y0 + self.h + self.inset_y,
        )
        self.base = self.wood * rng.uniform(0.6, 1.3) if rng.random() < 0.35 else colour(rng)
        tint(rng, self.canvas, self._rect(*inner), texture(rng, self.size, self.base))
        floor = colour(rng)
        for side, tray in enumerate(self.trays):
            if not tray:
                continue
            x = 4 + self.rim if side == 0 else self.size[0] - 4 - self.rim - tray
            parts = rng.choice([1, 2, 2, 3])
            for part in range(parts):
                high = self.h + 2 * self.inset_y
                y = self.y0 - self.inset_y + high * part / parts
                box = self._rect(x, y + (2 if part else 0), x + tray, y + high / parts - 2)
                tint(rng, self.canvas, box, texture(rng, self.size, floor))
        if rng.random() < 0.8:
            self._frame(inner, rng.uniform(0.15, 0.9), rng.integers(1, 5))
        if rng.random() < 0.5:
            self._frame((4, 4, self.size[0] - 4, self.size[1] - 4), rng.uniform(0.2, 1.4), rng.integers(1, 4))

    def _frame(self, box, factor, thick):
        """A line around a box, darker or lighter than what is there: an edge, a shadow, an inlay."""
        mask = np.zeros(self.size[::-1], np.float32)
        a, b = (int(box[0]), int(box[1])), (int(box[2]), int(box[3]))
        cv2.rectangle(mask, a, b, 1.0, int(thick), cv2.LINE_AA)
        self.canvas *= 1 + (factor - 1) * mask[..., None]

    def _halves(self):
        rng = self.rng
        if rng.random() < 0.25:
            return
        same = texture(rng, self.size, self.base * rng.uniform(0.85, 1.15))
        mid = self.x0 + self.w / 2
        dx = self.inset_x if rng.random() < 0.7 else 0
        dy = self.inset_y if rng.random() < 0.7 else 0
        for a, b in ((self.x0 - dx, mid - self.bar / 2), (mid + self.bar / 2, self.x0 + self.w + dx)):
            mask = self._rect(a, self.y0 - dy, b, self.y0 + self.h + dy)
            tint(rng, self.canvas, mask, same)
            if rng.random() < 0.4:
                self._frame((a, self.y0 - dy, b, self.y0 + self.h + dy), rng.uniform(0.3, 1.5), 1)

    def columns(self):
        """The centre of each of the 12 columns, and their width."""
        step = (self.w - self.bar) / 12
        gap = [0] * 6 + [self.bar] * 6
        return [self.x0 + step * (i + 0.5) + gap[i] for i in range(12)], step

    def _points(self):
        rng = self.rng
        centres, step = self.columns()
        length = self.h * rng.uniform(0.28, 0.485)
        narrow = rng.uniform(0.6, 1.0) if rng.random() < 0.5 else 1.0
        shape = rng.choice(["tri", "tri", "tri", "blunt", "petal", "bulge"])
        first = self.base * rng.uniform(0.7, 1.35) if rng.random() < 0.25 else colour(rng)
        second = self.base * rng.uniform(0.7, 1.35) if rng.random() < 0.25 else colour(rng)
        materials = [texture(rng, self.size, first), texture(rng, self.size, second)]
        alpha = rng.uniform(0.35, 1.0) if rng.random() < 0.35 else 1.0
        if rng.random() < 0.12:
            alpha = 0.0
        outline = rng.random() < 0.45 or alpha == 0.0
        line = colour(rng)
        phase = int(rng.random() < 0.15)
        masks = [np.zeros(self.size[::-1], np.float32) for _ in range(2)]
        edges = np.zeros(self.size[::-1], np.float32)
        for row in range(2):
            for i, x in enumerate(centres):
                quad = self._point(x, row, step * narrow, length, shape)
                which = masks[(i + row + phase * row) % 2]
                cv2.fillPoly(which, [np.round(quad * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
                cv2.polylines(edges, [np.round(quad * 16).astype(np.int32)], True, 1.0, 1, cv2.LINE_AA, 4)
        for mask, material in zip(masks, materials, strict=True):
            tint(rng, self.canvas, mask * alpha, material)
        if outline:
            tint(rng, self.canvas, edges * rng.uniform(0.4, 1.0), np.broadcast_to(line, self.canvas.shape))

    def _point(self, x, row, wide, length, shape):
        base = self.y0 if row == 0 else self.y0 + self.h
        out = 1 if row == 0 else -1
        t = np.linspace(0, 1, 9)
        half = (
            wide
            / 2
            * {
                "tri": 1 - t,
                "blunt": 1 - 0.8 * t,
                "petal": np.sqrt(np.clip(1 - t**2, 0, 1)),
                "bulge": (1 - t) * (1 + 0.6 * np.sin(t * math.pi)),
            }[str(shape)]
        )
        left = np.column_stack([x - half, base + out * length * t])
        right = np.column_stack([x + half, base + out * length * t])
        return np.vstack([left, right[::-1]])

    def _inlays(self):
        """Bands and lines along the bases of the points: parallel to the edge of the field, and not it."""
        rng = self.rng
        if rng.random() < 0.6:
            return
        tone = texture(rng, self.size)
        start = self.h * rng.uniform(0.0, 0.03)
        deep = self.h * rng.uniform(0.008, 0.09)
        broken = noise(rng, self.size, (self.size[0] / 3, self.size[1] / 3)) > rng.uniform(0.2, 0.6)
        strength = rng.uniform(0.25, 1.0) * (broken if rng.random() < 0.6 else 1.0)
        sides = rng.random() < 0.4
        x0, y0, x1, y1 = self.x0, self.y0, self.x0 + self.w, self.y0 + self.h
        for box in ((x0, y0 + start, x1, y0 + start + deep), (x0, y1 - start - deep, x1, y1 - start)):
            tint(rng, self.canvas, self._rect(*box) * strength, tone)
        if sides:
            for box in ((x0 + start, y0, x0 + start + deep, y1), (x1 - start - deep, y0, x1 - start, y1)):
                tint(rng, self.canvas, self._rect(*box) * strength, tone)

    def _ornaments(self):
        rng = self.rng
        if rng.random() < 0.5:
            return
        tone = colour(rng)
        mask = np.zeros(self.size[::-1], np.float32)
        middle = self.y0 + self.h / 2
        kind = rng.choice(["diamond", "circle", "box", "band", "rays"])
        radius = self.h * rng.uniform(0.05, 0.16)
        for side in (0.25, 0.75):
            c = np.array([self.x0 + self.w * side, middle])
            for ring in np.linspace(1, 0.3, int(rng.integers(1, 5))):
                r = radius * ring
                if kind == "circle":
                    cv2.circle(mask, (int(c[0]), int(c[1])), int(r), 1.0, int(rng.integers(1, 3)), cv2.LINE_AA)
                elif kind == "diamond":
                    quad = c + np.array([[0, -r], [r * 0.7, 0], [0, r], [-r * 0.7, 0]])
                    cv2.polylines(mask, [quad.astype(np.int32)], True, 1.0, int(rng.integers(1, 4)), cv2.LINE_AA)
                elif kind == "box":
                    reach = np.array([r * 1.6, r])
                    a, b = c - reach, c + reach
                    cv2.rectangle(mask, tuple(a.astype(int).tolist()), tuple(b.astype(int).tolist()), 1.0, 2)
                elif kind == "band":
                    half = self.w * 0.23
                    reach = np.array([half, r * 0.4])
                    a, b = c - reach, c + reach
                    fill = -1 if rng.random() < 0.4 else 1
                    cv2.rectangle(mask, tuple(a.astype(int).tolist()), tuple(b.astype(int).tolist()), 1.0, fill)
                else:
                    for angle in np.arange(0, 2 * math.pi, math.pi / 6):
                        end = c + r * np.array([math.cos(angle), math.sin(angle)])
                        cv2.line(mask, tuple(c.astype(int).tolist()), tuple(end.astype(int).tolist()), 1.0, 1)
        tint(rng, self.canvas, mask * rng.uniform(0.3, 1.0), np.broadcast_to(tone, self.canvas.shape))

    def _bar(self):
        rng = self.rng
        mid = self.x0 + self.w / 2
        top, bottom = self.y0 - self.inset_y, self.y0 + self.h + self.inset_y
        if self.bar > SCALE * 0.02 and rng.random() < 0.85:
            bar = self.wood if rng.random() < 0.7 else colour(rng)
            mask = self._rect(mid - self.bar / 2, top, mid + self.bar / 2, bottom)
            tint(rng, self.canvas, mask, texture(rng, self.size, bar))
            if rng.random() < 0.7:
                self._frame((mid - self.bar / 2, top, mid + self.bar / 2, bottom), rng.uniform(0.2, 1.3), 1)
        if rng.random() < 0.75:
            mask = self._rect(mid - 0.7, top - self.rim, mid + 0.7, bottom + self.rim)
            tint(rng, self.canvas, mask, np.full_like(self.canvas, rng.uniform(0, 60)))
        if rng.random() < 0.6:
            metal = colour(rng, 0.75)
            for y in (0.22, 0.78):
                at = self.y0 + self.h * y
                r = SCALE * rng.uniform(0.01, 0.03)
                mask = self._rect(mid - r, at - r * 1.5, mid + r, at + r * 1.5)
                tint(rng, self.canvas, mask, np.broadcast_to(metal, self.canvas.shape))

    def _disc(self, x, y, r, tone, ring):
        rng = self.rng
        box = (slice(max(0, int(y - 2 * r)), int(y + 2 * r) + 1), slice(max(0, int(x - 2 * r)), int(x + 2 * r) + 1))
        patch = self.canvas[box]
        if not patch.size:
            return
        centre = (round((x - box[1].start) * 16), round((y - box[0].start) * 16))
        mask = np.zeros(patch.shape[:2], np.float32)
        shade = mask.copy()
        shift = round(self.shadow * r * 16)
        cv2.circle(shade, (centre[0] + shift, centre[1] + shift), round(r * 17), 1.0, -1, cv2.LINE_AA, 4)
        patch *= 1 - 0.5 * cv2.blur(shade, (5, 5))[..., None]
        cv2.circle(mask, centre, round(r * 16), 1.0, -1, cv2.LINE_AA, 4)
        patch += (tone * rng.uniform(0.92, 1.05) - patch) * mask[..., None]
        if ring:
            inner = np.zeros_like(mask)
            cv2.circle(inner, centre, round(r * 16 * ring), 1.0, 1, cv2.LINE_AA, 4)
            patch *= 1 - 0.35 * inner[..., None]

    def _pieces(self):
        rng = self.rng
        self.shadow = rng.uniform(-0.3, 0.3)
        if rng.random() < 0.12:
            return
        centres, step = self.columns()
        r = step * rng.uniform(0.38, 0.49)
        tones = [colour(rng, rng.uniform(0.6, 0.98)), colour(rng, rng.uniform(0.06, 0.5))]
        ring = rng.uniform(0.4, 0.8) if rng.random() < 0.6 else 0
        share = rng.uniform(0.1, 0.8)
        for row in range(2):
            for x in centres:
                if rng.random() > share:
                    continue
                tone = tones[int(rng.random() < 0.5)]
                base, out = (self.y0, 1) if row == 0 else (self.y0 + self.h, -1)
                count = min(int(rng.geometric(0.35)), 6) if rng.random() < 0.9 else int(rng.integers(5, 16))
                pitch = min(2 * r, (self.h * 0.48 - r) / max(count - 1, 1))
                for k in range(count):
                    self._disc(x + rng.normal(0, r * 0.06), base + out * (r + pitch * k), r, tone, ring)
        mid = self.x0 + self.w / 2
        for _ in range(int(rng.integers(0, 4))):
            self._disc(mid, self.y0 + self.h * rng.uniform(0.2, 0.8), r, tones[int(rng.random() < 0.5)], ring)
        for side, tray in enumerate(self.trays):
            if tray and rng.random() < 0.5:
                x = 4 + self.rim + tray / 2 if side == 0 else self.size[0] - 4 - self.rim - tray / 2
                for k in range(int(rng.integers(1, 12))):
                    self._disc(x, self.y0 + self.h - r - k * r * 0.5, r, tones[side], ring)

    def _dice(self):
        rng = self.rng
        for _ in range(int(rng.integers(0, 5))):
            c = np.array([self.x0 + self.w * rng.uniform(-0.05, 1.05), self.y0 + self.h * rng.uniform(0.1, 0.9)])
            half, angle = SCALE * rng.uniform(0.011, 0.022), rng.uniform(0, math.pi)
            turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
            quad = c + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn.T
            tone = colour(rng)
            cv2.fillConvexPoly(self.canvas, np.round(quad * 16).astype(np.int32), tone.tolist(), cv2.LINE_AA, 4)


def camera(rng, drawn, size):
    """A homography that throws the canvas into a picture of ``size`` with a camera at a random place."""
    width, height = size
    tilt = math.radians(rng.uniform(0, 20) if rng.random() < 0.45 else rng.uniform(15, 68))
    if rng.random() < 0.75:
        turn = math.radians(rng.choice([0, 90, 180, 270]) + rng.normal(0, 14))
    else:
        turn = rng.uniform(0, 2 * math.pi)
    roll = math.radians(rng.normal(0, 6))
    focal = width * rng.uniform(0.6, 1.8)
    cz, sz = math.cos(turn), math.sin(turn)
    cx, sx = math.cos(tilt), math.sin(tilt)
    cr, sr = math.cos(roll), math.sin(roll)
    rotation = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    rotation = rotation @ np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    centre = np.array([[1, 0, -drawn.size[0] / 2], [0, 1, -drawn.size[1] / 2], [0, 0, 1.0]])
    k = np.diag([focal, focal, 1.0])
    quad = drawn.field
    shape = np.array([[1.0, 0, width / 2], [0, 1.0, height / 2], [0, 0, 1]])
    stretch = np.diag([rng.uniform(0.8, 1.25) if rng.random() < 0.3 else 1.0, 1.0, 1.0])
    near, far = 0.3 * SCALE, 40.0 * SCALE
    cover = rng.uniform(0.35, 0.95) if rng.random() < 0.75 else rng.uniform(0.9, 1.35)
    for _ in range(28):
        away = math.sqrt(near * far)
        h = stretch @ k @ np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, away]]) @ centre
        at = np.column_stack([quad, np.ones(4)]) @ h.T
        if (at[:, 2] < 0.15 * away).any():
            near = away
            continue
        at = at[:, :2] / at[:, 2:]
        spread = np.ptp(at, axis=0) / [width, height]
        if max(spread) > cover:
            near = away
        else:
            far = away
    middle = (at.max(axis=0) + at.min(axis=0)) / 2
    room = np.maximum(0, (1 - spread) / 2) + (0.08 if rng.random() < 0.4 else 0.0)
    shift = rng.uniform(-1, 1, 2) * room * [width, height]
    place = np.array([[1, 0, shift[0] - middle[0]], [0, 1, shift[1] - middle[1]], [0, 0, 1.0]])
    return shape @ place @ h


def clutter(rng, picture):
    """Things on the table: phones, cups, cards, boxes."""
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(0, 6))):
        tone = colour(rng).tolist()
        c = rng.uniform(0, 1, 2) * [width, height]
        if rng.random() < 0.5:
            cv2.circle(picture, tuple(c.astype(int).tolist()), int(rng.uniform(8, 50)), tone, -1, cv2.LINE_AA)
        else:
            box = (tuple(c.tolist()), tuple(rng.uniform(10, 140, 2).tolist()), rng.uniform(0, 180))
            quad = cv2.boxPoints(box).astype(np.int32)
            cv2.fillConvexPoly(picture, quad, tone, cv2.LINE_AA)
            if rng.random() < 0.5:
                cv2.polylines(picture, [quad], True, colour(rng).tolist(), 2, cv2.LINE_AA)


def light(rng, picture):
    """Uneven light, shadows, glare."""
    height, width = picture.shape[:2]
    size = (width, height)
    picture *= (1 + rng.uniform(0, 0.7) * (noise(rng, size, (3, 3)) - 0.5))[..., None]
    for _ in range(int(rng.integers(0, 3))):
        shade = np.zeros((height, width), np.float32)
        c = rng.uniform(0, 1, 2) * [width, height]
        quad = cv2.boxPoints((tuple(c.tolist()), tuple(rng.uniform(40, 500, 2).tolist()), rng.uniform(0, 180)))
        cv2.fillConvexPoly(shade, quad.astype(np.int32), 1.0)
        blur = int(rng.integers(3, 40))
        picture *= 1 - rng.uniform(0.1, 0.6) * cv2.blur(shade, (blur, blur))[..., None]
    if rng.random() < 0.3:
        spot = np.zeros((height, width), np.float32)
        c = tuple((rng.uniform(0, 1, 2) * [width, height]).astype(int).tolist())
        cv2.ellipse(spot, c, tuple(rng.integers(10, 90, 2).tolist()), 0, 0, 360, 1.0, -1)
        blur = int(rng.integers(9, 80))
        picture += 255 * rng.uniform(0.2, 1.2) * cv2.blur(spot, (blur, blur))[..., None]


def hand(rng, picture):
    """An arm and a hand from the edge of the picture."""
    height, width = picture.shape[:2]
    tone = colour(rng, rng.uniform(0.3, 0.95)) * 0.3 + np.array([110, 140, 200], np.float32) * rng.uniform(0.3, 1.0)
    angle = rng.uniform(0, 2 * math.pi)
    end = np.array([width, height]) * rng.uniform(0.25, 0.75, 2)
    start = end + np.array([math.cos(angle), math.sin(angle)]) * max(width, height)
    thick = int(rng.uniform(25, 65))
    a, b = tuple(start.astype(int).tolist()), tuple(end.astype(int).tolist())
    cv2.line(picture, a, b, tone.tolist(), thick, cv2.LINE_AA)
    for _ in range(5):
        tip = end + rng.normal(0, 45, 2)
        cv2.line(picture, b, tuple(tip.astype(int).tolist()), tone.tolist(), thick // 3, cv2.LINE_AA)


def picture(seed):
    """A picture (384 × 512 × 3, uint8, BGR) and the field's corners TL, TR, BR, BL in it."""
    rng = np.random.default_rng(seed)
    drawn = Drawn(rng)
    h = camera(rng, drawn, PICTURE)
    out = texture(rng, PICTURE)
    clutter(rng, out)
    blur = np.minimum(drawn.alpha, 1)
    canvas = cv2.warpPerspective(drawn.canvas, h, PICTURE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(blur, h, PICTURE, flags=cv2.INTER_LINEAR)
    if rng.random() < 0.7:
        drop = cv2.blur(np.roll(alpha, tuple(rng.integers(-8, 9, 2)), (0, 1)), (11, 11))
        out *= 1 - rng.uniform(0.2, 0.7) * drop[..., None]
    out += (canvas - out) * alpha[..., None]
    light(rng, out)
    if rng.random() < 0.25:
        hand(rng, out)
    at = np.column_stack([drawn.field, np.ones(4)]) @ h.T
    return np.clip(out, 0, 255).astype(np.uint8), (at[:, :2] / at[:, 2:]).astype(np.float32)
