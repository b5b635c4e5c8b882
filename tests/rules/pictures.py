"""The diagrams of docs/rules.md; ``python -m tests.rules.pictures`` draws them anew."""

from pathlib import Path

from companion.rules import Position, get_game
from companion.rules.svg import draw
from tests.rules.boards import board

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
DIAGRAMS = {
    "block": """
  .   .   .   .   .  w1 |  w1  w1  w1  w1   . w10
 b9   .   .   .   .   . |  b6   .   .   .   .   .""",
    "fevga-shut": """
  .   .   .   .   .   . |   .   .   .   .   .  w8
b15  w1  w1  w1  w1  w1 |  w2   .   .   .   .   .""",
    "passing": """
 w1  w1  w1  w1  w1   . |   .   .   .   .  b1 w10
b14   .   .   .   .   . |   .   .   .   .   .   .""",
    "exact": """
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   . b12   . |   .  w2   .  w1   .   .
bar w0 b0  off w12 b3""",
    "left-over": """
  .   .   .  w1   .   . |   .   .   .   .   . w14
b15   .   .   .   .   . |   .   .   .   .   .   .""",
    "runner": """
  .   .   .   .   .  w1 |   .   .   .   .   . w14
b15   .   .   .   .   . |   .   .   .   .   .   .""",
    "not-begun": """
  .   .   .   .   .  b1 |   .   .   .   .   . w15
b14   .   .   .   .   . |   .   .   .   .   .   .""",
    "koks": """
  .   .   .   .   .   . |   .   .   .   .   .   .
  .   .   .   .   .   . |  b2  b4  b3  b4   .  b2
bar w0 b0  off w15 b0""",
    "last-home": """
  .  w1   .   . b15   . |   .   .   .   .   .   .
  .   .   .   .   .   . |   .   .   .  w4   .   .
bar w0 b0  off w10 b0""",
    "bar": """
  .   .   .   .   .  b2 |  b4  b2   .   .  w2   .
  .   .   .  b3   .   . |  w5  w4  w3   .  b4   .
bar w1 b0  off w0 b0""",
}


def positions() -> dict[str, Position]:
    starts = {name: get_game(name).start for name in ("long", "khachapuri", "short")}
    return starts | {name: board(diagram) for name, diagram in DIAGRAMS.items()}


if __name__ == "__main__":
    for each, position in positions().items():
        (FOLDER / f"{each}.svg").write_text(draw(position), encoding="utf-8")
