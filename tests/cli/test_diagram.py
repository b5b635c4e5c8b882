"""The board drawn with characters."""

import pytest

from companion.cli.diagram import diagram
from companion.layout import CORNERS, Layout

SHORT_START = {
    "points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
    "bar": {"white": 0, "black": 0},
    "off": {"white": 0, "black": 0},
}


def test_the_start_of_short_nardy_as_white_sees_it() -> None:
    assert diagram(SHORT_START, Layout("BR", same_way=False)) == [
        "  13 14 15 16 17 18       19 20 21 22 23 24  ",
        "┌───────────────────┬───┬───────────────────┐",
        "│  ○  ·  ·  ·  ●  · │   │  ●  ·  ·  ·  ·  ○ │",
        "│  ○           ●    │   │  ●              ○ │",
        "│  ○           ●    │   │  ●                │",
        "│  ○                │   │  ●                │",
        "│  ○                │   │  ●                │",
        "│                   │   │                   │",
        "│  ●                │   │  ○                │",
        "│  ●                │   │  ○                │",
        "│  ●           ○    │   │  ○                │",
        "│  ●           ○    │   │  ○              ● │",
        "│  ●  ·  ·  ·  ○  · │   │  ○  ·  ·  ·  ·  ● │",
        "└───────────────────┴───┴───────────────────┘",
        "  12 11 10  9  8  7        6  5  4  3  2  1  ",
        " ○ White  off 0         ● Black  off 0       ",
    ]


def test_high_stacks_bar_and_trays_are_numbers() -> None:
    points = [0] * 24
    points[23], points[11] = 14, -12
    board = {"points": points, "bar": {"white": 1, "black": 0}, "off": {"white": 0, "black": 3}}
    lines = diagram(board, Layout("BR", same_way=True))
    assert lines[6].endswith("14 │")
    assert lines[8].startswith("│ 12")
    assert lines[7].split("│")[2].strip() == "○1"
    assert "○ White  off 0  bar 1" in lines[-1]
    assert "● Black  off 3" in lines[-1]


@pytest.mark.parametrize("home", CORNERS)
@pytest.mark.parametrize("white", ["light", "dark"])
def test_every_layout_shows_the_same_checkers_in_lines_of_one_length(home: str, white: str) -> None:
    lines = diagram(SHORT_START, Layout(home, same_way=False, white=white))  # type: ignore[arg-type]
    assert {len(line) for line in lines} == {45}
    text = "\n".join(lines[1:-1])
    assert (text.count("○"), text.count("●")) == (15, 15)


def test_points_can_be_marked() -> None:
    lines = diagram(SHORT_START, Layout("BR", same_way=False), [13, 6])
    assert ">13" in lines[0]
    assert ">6" in lines[-2]
