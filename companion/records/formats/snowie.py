"""The position text of Snowie, 40 fields, which MAT files hold where a play was illegal (docs/formats.md)."""

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
    """The position after a play of ``player``, in whose numbers the points are, with a semicolon after each field."""
    cube = cube or Cube()
    turn = 0 if player == "white" else 1
    seen = house.seen(position, player)
    options = house.options
    first, second = (names, score) if not turn else (names[::-1], score[::-1])
    owner = 0 if cube.owner is None else 1 if cube.owner == player else -1
    crawford = int(options.crawford and 1 in (options.length - score[0], options.length - score[1]))
    fields: list[object] = [options.length, int(options.jacoby), 0, int(not options.length), turn]
    fields += [_name(name) for name in first]
    fields += [crawford, *second, cube.value, owner, seen.bar[0], *seen.points, seen.bar[1], *dice]
    return "".join(f"{field};" for field in fields)


def read_snowie(text: str) -> tuple[Position, Player, Dice | None]:
    """The position (White's view), the player on roll and the dice; raises UnreadableError."""
    fields = [field.strip() for field in text.split(";")]
    if len(fields) < FIELDS:
        raise UnreadableError(f"expected {FIELDS} fields of a position, got {len(fields)}")
    numbers = [_number(field) for field in (fields[4], *fields[12:FIELDS])]
    turn, bar, points, other_bar, dice = numbers[0], numbers[1], numbers[2:26], numbers[26], numbers[27:29]
    white = sum(n for n in points if n > 0) + abs(bar)
    black = -sum(n for n in points if n < 0) + abs(other_bar)
    if turn not in (0, 1) or max(white, black) > CHECKERS:
        raise UnreadableError(f"expected at most {CHECKERS} checkers each, got {white} and {black}")
    seen = Position(tuple(points), (abs(bar), abs(other_bar)), (CHECKERS - white, CHECKERS - black))
    player: Player = "black" if turn else "white"
    if turn:
        seen = Position(tuple(-n for n in seen.points[::-1]), seen.bar[::-1], seen.off[::-1])
    known = all(1 <= n <= 6 for n in dice)
    return seen, player, (dice[0], dice[1]) if known else None


def _name(name: str) -> str:
    """Without what ends a field, a quote or, to gnubg, a game."""
    return "".join(c for c in name if c not in ";\"'\\:()").replace("Game ", "Game-") or "-"


def _number(text: str) -> int:
    if not text.lstrip("-").isdecimal() or len(text) > 6:
        raise UnreadableError(f"expected a whole number, got {text[:20]!r}")
    return int(text)
