"""Counting all end positions, the test of move generators that chess programs call perft.

``python -m tests.rules.perft`` writes ``tests/data/perft.txt`` anew.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path

from companion.rules import Game, Position, get_game
from companion.rules.diagram import format_diagram, parse_diagram
from tests.rules.boards import play_out

FILE = Path(__file__).parents[1] / "data" / "perft.txt"
ROLLS = tuple(combinations_with_replacement(range(1, 7), 2))


def split(game: Game, position: Position) -> dict[str, int]:
    """How many end positions each roll has; long progressions are left out."""
    counts = {}
    for dice in ROLLS:
        if not (game.law.progression and dice[0] == dice[1] < 4):
            counts["{}{}".format(*dice)] = len(game.plays(position, dice).results)
    return counts


def cases() -> Iterator[tuple[str, Position, dict[str, int]]]:
    """Game, position and the counts of each block of the file."""
    for block in FILE.read_text(encoding="utf-8").strip().split("\n\n"):
        head, *diagram, counts = block.splitlines()
        yield (
            head.split()[1],
            parse_diagram("\n".join(diagram)),
            {k: int(v) for k, v in (c.split(":") for c in counts.split())},
        )


def write() -> None:
    blocks = []
    for name in ("long", "nardgammon", "mad", "gulbar", "mad-gulbar", "khachapuri", "fevga", "mad-fevga", "short"):
        game = get_game(name)
        positions = [part.before for part in play_out(game, 11) if part.player == "white"]
        for position in positions[:: max(1, len(positions) // 4)][:4]:
            counts = " ".join(f"{roll}:{count}" for roll, count in split(game, position).items())
            blocks.append(f"game {name}\n{format_diagram(position)}\n{counts}")
    FILE.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
