"""Positions as a picture in text, exact in both directions.

White's 13 to 24 are the upper row, 12 to 1 the lower one, as on a counter-clockwise board seen from White's seat (B4)::

     13  14  15  16  17  18 |  19  20  21  22  23  24
     w5   .   .   .  b3   . |  b5   .   .   .   .  w2
     b5   .   .   .  w3   . |  w5   .   .   .   .  b2
     12  11  10   9   8   7 |   6   5   4   3   2   1
    bar w0 b0  off w0 b0

``w5`` is five white checkers, ``.`` an empty point. The line of the bar may be left out when nobody is there.
"""

import re
from collections.abc import Iterable

from companion.rules.errors import UnreadableError
from companion.rules.position import Position

_UPPER, _LOWER = range(13, 25), range(12, 0, -1)
_CELL = re.compile(r"\.|[wb]\d{1,3}", re.ASCII)
_REST = re.compile(r"bar w(\d{1,3}) b(\d{1,3})\s+off w(\d{1,3}) b(\d{1,3})\b", re.ASCII)


def format_diagram(position: Position) -> str:
    """The five lines of a position."""
    (white_bar, black_bar), (white_off, black_off) = position.bar, position.off
    rows = [
        _row(f"{point}" for point in _UPPER),
        _row(_cell(position.points[point - 1]) for point in _UPPER),
        _row(_cell(position.points[point - 1]) for point in _LOWER),
        _row(f"{point}" for point in _LOWER),
        f"bar w{white_bar} b{black_bar}  off w{white_off} b{black_off}",
    ]
    return "\n".join(rows)


def parse_diagram(text: str) -> Position:
    """Read a position; raises UnreadableError that shows the line."""
    points = [0] * 24
    rows = [line for line in text.splitlines() if _is_row(line)]
    if len(rows) != 2:
        raise UnreadableError(f"diagram: expected two rows of 12 points such as w5 or ., got {len(rows)} in {text!r}")
    for numbers, row in zip((_UPPER, _LOWER), rows, strict=True):
        for point, cell in zip(numbers, row.replace("|", " ").split(), strict=True):
            points[point - 1] = _count(cell)
    rest = _REST.search(text)
    if rest is None and ("bar" in text or "off" in text):
        raise UnreadableError(f"diagram: expected a line such as 'bar w0 b0  off w0 b0' in {text!r}")
    white_bar, black_bar, white_off, black_off = map(int, rest.groups()) if rest else (0, 0, 0, 0)
    return Position(tuple(points), (white_bar, black_bar), (white_off, black_off))


def _row(cells: Iterable[str]) -> str:
    words = [f"{cell:>3}" for cell in cells]
    return " ".join(words[:6]) + " | " + " ".join(words[6:])


def _is_row(line: str) -> bool:
    cells = line.replace("|", " ").split()
    return len(cells) == 12 and all(_CELL.fullmatch(cell) for cell in cells)


def _cell(count: int) -> str:
    return f"{'w' if count > 0 else 'b'}{abs(count)}" if count else "."


def _count(cell: str) -> int:
    return 0 if cell == "." else int(cell[1:]) * (1 if cell[0] == "w" else -1)
