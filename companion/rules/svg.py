"""A position as a picture (SVG), for documents and pages: White below, as on a counter-clockwise board (B4)."""

from companion.rules.position import Position

CELL = 40
_WIDTH, _HEIGHT = 15 * CELL, 13 * CELL
_COLOURS = {"white": ("#f4ead5", "#6b4a2b"), "black": ("#4a2c1a", "#f4ead5")}
_SHOWN = 5


def draw(position: Position, *, clockwise: bool = False, numbers: bool = True) -> str:
    """The SVG of a position, as White sees it from the own seat; ``clockwise`` boards are the mirror image.

    Stacks of more than five have their number written on the last checker. Borne-off checkers lie in a tray at White's
    home, checkers on the bar in the middle.
    """
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"',
        ' font-family="sans-serif" font-size="14">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#7a5230"/>',
        f'<rect x="{CELL // 2}" y="{CELL // 2}" width="{6 * CELL}" height="{12 * CELL}" fill="#d9b98a"/>',
        f'<rect x="{15 * CELL // 2}" y="{CELL // 2}" width="{6 * CELL}" height="{12 * CELL}" fill="#d9b98a"/>',
    ]
    for point in range(1, 25):
        parts += _point(point, position.points[point - 1], clockwise, numbers)
    for row, (player, bar, off) in enumerate(zip(_COLOURS, position.bar, position.off, strict=True)):
        y = _HEIGHT - 3 * CELL if row == 0 else 3 * CELL
        parts += _pile(_mirrored(7 * CELL, clockwise), y, bar, player) + _pile(
            _mirrored(14 * CELL, clockwise), y, off, player
        )
    return "\n".join([*parts, "</svg>", ""])


def _point(point: int, count: int, clockwise: bool, numbers: bool) -> list[str]:
    """The triangle, the checkers and the number of one of White's points."""
    top = point > 12
    column = point - 13 if top else 12 - point
    x = _mirrored(CELL * (column + 1 + (column > 5)), clockwise)
    base, up = (CELL // 2, 1) if top else (_HEIGHT - CELL // 2, -1)
    shade = "#a8713f" if point % 2 else "#efe0c0"
    tip = base + up * 5 * CELL
    parts = [f'<polygon points="{x - CELL // 2},{base} {x + CELL // 2},{base} {x},{tip}" fill="{shade}"/>']
    if numbers:
        parts.append(_text(x, base - 5 if top else base + 15, str(point), "#f4ead5"))
    player = "white" if count > 0 else "black"
    for height in range(min(abs(count), _SHOWN)):
        last = height == _SHOWN - 1 and abs(count) > _SHOWN
        y = base + up * (CELL * height + CELL // 2)
        parts += _checker(x, y, player, str(abs(count)) if last else "")
    return parts


def _pile(x: int, y: int, count: int, player: str) -> list[str]:
    return _checker(x, y, player, str(count)) if count else []


def _checker(x: int, y: int, player: str, label: str) -> list[str]:
    fill, ink = _COLOURS[player]
    circle = f'<circle cx="{x}" cy="{y}" r="{CELL // 2 - 2}" fill="{fill}" stroke="{ink}"/>'
    return [circle, _text(x, y + 5, label, ink)] if label else [circle]


def _text(x: int, y: int, label: str, colour: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle" fill="{colour}">{label}</text>'


def _mirrored(x: int, clockwise: bool) -> int:
    return _WIDTH - x if clockwise else x
