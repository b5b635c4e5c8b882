"""The position text of Snowie, 40 fields, which MAT files hold where a play was illegal (docs/formats.md).

It is the position after the play, in the numbers of the player who made it: that player's checkers are positive, the
field of the player on roll names the other one, and the bars stand where they lie on the path, the opponent's before
point 1 and the own after point 24. So gnubg 1.07 reads it, and so it writes it.
"""

import re

from companion.events import Dice
from companion.layout import Player
from companion.records.transcript import Cube
from companion.rules import Game, Position, UnreadableError
from companion.rules.position import CHECKERS

FIELDS = 40


def snowie(
    house: Game,
    position: Position,
    player: Player,
    dice: Dice,
    names: tuple[str, str] = ("", ""),
    score: tuple[int, int] = (0, 0),
    cube: Cube | None = None,
) -> str:
    """The position after a play of ``player``, with a semicolon after each of the 40 fields."""
    cube = cube or Cube()
    seen = house.seen(position, player)
    options = house.options
    mine = 0 if player == "white" else 1
    owner = 0 if cube.owner is None else 1 if cube.owner == player else -1
    crawford = int(options.crawford and 1 in (options.length - score[0], options.length - score[1]))
    fields: list[object] = [options.length, int(options.jacoby), 0, int(not options.length), 1 - mine]
    fields += [_name(names[mine]), _name(names[1 - mine]), crawford, score[mine], score[1 - mine], cube.value, owner]
    fields += [-seen.bar[1], *seen.points, seen.bar[0], *dice]
    return "".join(f"{field};" for field in fields)


def read_snowie(text: str) -> Position:
    """The position after an illegal play, as White sees it; raises UnreadableError."""
    fields = [field.strip() for field in text.split(";")]
    if len(fields) < FIELDS:
        raise UnreadableError(f"expected {FIELDS} fields of a position, got {len(fields)}")
    turn, other_bar, *points, bar = [_number(field) for field in (fields[4], *fields[12:38])]
    mine = sum(n for n in points if n > 0) + abs(bar)
    theirs = -sum(n for n in points if n < 0) + abs(other_bar)
    if turn not in (0, 1) or max(mine, theirs) > CHECKERS:
        raise UnreadableError(f"expected at most {CHECKERS} checkers each, got {mine} and {theirs}")
    seen = Position(tuple(points), (abs(bar), abs(other_bar)), (CHECKERS - mine, CHECKERS - theirs))
    if turn:
        return seen
    return Position(tuple(-n for n in seen.points[::-1]), seen.bar[::-1], seen.off[::-1])


def _name(name: str) -> str:
    """Without what ends a field, a quote or, to gnubg, the left column or the game."""
    plain = "".join(c for c in name if c not in ";\"'\\:()").replace("Game ", "Game-")
    return " ".join(plain.split()) or "-"


def _number(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,5}", text):
        raise UnreadableError(f"expected a whole number, got {text[:20]!r}")
    return int(text)
