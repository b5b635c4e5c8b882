"""The picture of a position, by what it shows."""

import xml.etree.ElementTree as Tree

import pytest

from companion.rules import GAMES, Position, get_game
from companion.rules.svg import draw
from tests.rules.boards import board
from tests.rules.pictures import FOLDER, positions

SVG = "{http://www.w3.org/2000/svg}"


def shown(position, **options):
    root = Tree.fromstring(draw(position, **options))
    circles = [(int(c.get("cx")), int(c.get("cy")), c.get("fill")) for c in root.iter(f"{SVG}circle")]
    texts = {(int(t.get("x")), t.text) for t in root.iter(f"{SVG}text")}
    return circles, texts, root


@pytest.mark.parametrize("name", GAMES)
def test_every_start_is_drawn_on_24_points(name):
    _, texts, root = shown(get_game(name).start)
    assert len(list(root.iter(f"{SVG}polygon"))) == 24
    assert {text for _, text in texts} >= {str(point) for point in range(1, 25)}


def test_a_high_stack_has_its_number_and_five_checkers():
    circles, texts, _ = shown(get_game("long").start, numbers=False)
    assert len(circles) == 10
    assert {text for _, text in texts} == {"15"}


def test_bar_and_off_are_shown_at_each_players_side_and_clockwise_boards_are_mirrored():
    position = board("""
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |   .   .   .   .   .  w1
bar w2 b0  off w12 b15""")
    circles, texts, _ = shown(position, numbers=False)
    assert {text for _, text in texts} == {"2", "12", "15"}
    assert len(circles) == 4
    mirrored, _, _ = shown(position, numbers=False, clockwise=True)
    assert {(600 - x, y, fill) for x, y, fill in circles} == set(mirrored)
    # White's 1-point lies bottom right on a counter-clockwise board.
    assert max(x for x, y, _ in circles if y >= 480) == 520


def test_bars_trays_and_full_stacks_of_both_colours_are_told_apart():
    both = Position((0,) * 10 + (-13,) + (0,) * 12 + (12,), (2, 1), (1, 1))
    circles, _, root = shown(both, numbers=False)
    assert len(circles) == 5 + 5 + 4
    numbers = {(int(t.get("x")), int(t.get("y")) > 260, t.text) for t in root.iter(f"{SVG}text")}
    # The bar lies in the middle and the trays at the side; White's are below, Black's above.
    assert numbers >= {(280, True, "2"), (280, False, "1"), (560, True, "1"), (560, False, "1")}
    white = next(fill for x, y, fill in circles if (x, y > 260) == (280, True))
    assert [fill == white for x, y, fill in circles if x in (280, 560)] == [
        y > 260 for x, y, _ in circles if x in (280, 560)
    ]
    stacks = Position((0,) * 11 + (-15,) + (0,) * 11 + (15,))
    assert {text for _, text in shown(stacks, numbers=False)[1]} == {"15"}


@pytest.mark.parametrize("name", positions())
def test_the_pictures_of_the_documents_show_these_positions(name):
    """``python -m tests.rules.pictures`` draws them anew."""
    assert positions()[name].counts() == (15, 15)
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == draw(positions()[name])
