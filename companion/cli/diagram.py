"""The board drawn with characters, as White sees it or as the camera does.

::

    13 14 15 16 17 18 │   │ 19 20 21 22 23 24
     ●              ○ │   │  ○              ●
"""

from collections.abc import Sequence

from companion.events import Board
from companion.layout import BOTTOM_SLOTS, TOP_SLOTS, Layout

LIGHT, DARK = "○", "●"
TALL = 5
"""A column shows so many checkers; a higher stack has its number at the end."""


def diagram(board: Board, layout: Layout, marks: Sequence[int] = ()) -> list[str]:
    """Draw a board in lines of equal length; ``marks`` are White's points to point at.

    The rows are those of the layout's slots, so the picture is the one that the camera has; the numbers are White's.
    """
    top, bottom = _row(board, layout, TOP_SLOTS), _row(board, layout, BOTTOM_SLOTS)
    lines = [_numbers(layout, TOP_SLOTS, marks), _rule("┌", "┬", "┐")]
    lines += [_line([_cell(n, row) for n in top]) for row in range(TALL)]
    lines.append(_line([""] * 12, _bar(board, layout)))
    lines += [_line([_cell(n, row) for n in bottom]) for row in reversed(range(TALL))]
    lines += [_rule("└", "┴", "┘"), _numbers(layout, BOTTOM_SLOTS, marks)]
    return [*lines, _off(board, layout)]


def upright(same_way: bool) -> Layout:
    """The layout as White sees the board from the own seat: home bottom right."""
    return Layout(home="BR", same_way=same_way)


def shade(player: str, layout: Layout) -> str:
    """The sign of a player's checkers."""
    return LIGHT if (player == "white") == (layout.white == "light") else DARK


def _row(board: Board, layout: Layout, slots: Sequence[str]) -> list[tuple[str, int]]:
    """The sign and the number of checkers of each slot."""
    contents = [board["points"][layout.point(slot, "white") - 1] for slot in slots]
    return [(shade("white" if n > 0 else "black", layout), abs(n)) for n in contents]


def _cell(content: tuple[str, int], row: int) -> str:
    sign, count = content
    if row == TALL - 1 and count > TALL:
        return str(count)
    return sign if count > row else "·" if row == 0 else ""


def _line(cells: Sequence[str], middle: str = "") -> str:
    left, right = cells[:6], cells[6:]
    return f"│{''.join(c.rjust(3) for c in left)} │{middle.center(3)}│{''.join(c.rjust(3) for c in right)} │"


def _rule(left: str, middle: str, right: str) -> str:
    half, bar = "─" * 19, "─" * 3
    return f"{left}{half}{middle}{bar}{middle}{half}{right}"


def _numbers(layout: Layout, slots: Sequence[str], marks: Sequence[int]) -> str:
    points = [layout.point(slot, "white") for slot in slots]
    cells = [f"{'>' if p in marks else ''}{p}".rjust(3) for p in points]
    return f" {''.join(cells[:6])}{' ' * 6}{''.join(cells[6:])}".ljust(45)


def _bar(board: Board, layout: Layout) -> str:
    """Whose checkers wait on the bar, and how many where they are of one player; the caption below has the numbers."""
    waiting = {shade(player, layout): n for player, n in board["bar"].items() if n}
    return "".join(waiting) if len(waiting) > 1 else "".join(f"{sign}{n}" for sign, n in waiting.items())


def _off(board: Board, layout: Layout) -> str:
    places = []
    for player in ("white", "black"):
        bar, off = board["bar"][player], board["off"][player]
        sign = shade(player, layout)
        places.append(f"{sign} {player.capitalize()}  off {off}" + (f"  bar {bar}" if bar else ""))
    return f" {places[0].ljust(23)}{places[1]}".ljust(45)
