"""Short names of positions: XGID and GNU ID for the short games, an id of our own for the long ones.

The long id is ``LN:`` and 14 letters. The letters are 80 bits, least significant first in each byte, in
URL-safe base64: for White and then for Black, each of the own points 1 to 24 as one bit 1 for each checker
and a bit 0; the rest are 0. What is missing from fifteen is off.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from companion.layout import Player
from companion.rules.errors import UnreadableError
from companion.rules.position import CHECKERS, Position, turned

Offer = Literal["", "D", "B", "R"]
_LETTERS = "-ABCDEFGHIJKLMNO"
_XGID = re.compile(
    r"(?:XGID=)?([-A-Oa-o]{26}):(\d\d?):(-?[01]):(-?1):(00|[1-6][1-6]|[DBR]):(\d{1,5}):(\d{1,5}):([0-3]):(\d{1,5}):(\d\d?)",
    re.ASCII,
)
_GNUID = re.compile(r"([A-Za-z0-9+/]{14}):([A-Za-z0-9+/]{12})")
_MATCH_BITS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A position of a short game with all that the analysis programs want to know; White is XG's bottom player.

    ``owner`` of the cube is None in the middle; ``dice`` is None before the roll; ``offer`` is D (doubled), B
    (beavered), R (raccooned); ``length`` 0 is money play; ``limit`` is the largest cube.
    """

    position: Position
    turn: Player = "white"
    dice: tuple[int, int] | None = None
    cube: int = 1
    owner: Player | None = None
    offer: Offer = ""
    score: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beaver: bool = False
    limit: int = 1024


def format_xgid(snapshot: Snapshot) -> str:
    """The XGID of a position; raises UnreadableError for a cube or a limit that is no power of two."""
    position = snapshot.position
    letters = [_LETTERS[position.bar[1]].lower()]
    letters += [_LETTERS[n] if n >= 0 else _LETTERS[-n].lower() for n in position.points]
    letters.append(_LETTERS[position.bar[0]])
    owner = {"white": 1, "black": -1, None: 0}[snapshot.owner]
    dice = snapshot.offer or ("{}{}".format(*snapshot.dice) if snapshot.dice else "00")
    rules = int(snapshot.crawford) if snapshot.length else snapshot.jacoby + 2 * snapshot.beaver
    fields = (
        _log2(snapshot.cube), owner, 1 if snapshot.turn == "white" else -1, dice, *snapshot.score, rules,
        snapshot.length, _log2(snapshot.limit),
    )  # fmt: skip
    return "XGID=" + "".join(letters) + ":" + ":".join(map(str, fields))


def parse_xgid(text: str) -> Snapshot:
    """Read an XGID; raises UnreadableError."""
    match = _XGID.fullmatch(text.strip())
    if not match:
        raise UnreadableError(f"XGID: expected 26 letters and nine fields, got {text!r}")
    counts = [_LETTERS.index(c) if c in _LETTERS else -_LETTERS.index(c.upper()) for c in match[1]]
    if counts[0] > 0 or counts[25] < 0:
        raise UnreadableError(f"XGID: expected the top player on bar 0 and the bottom player on bar 25, got {text!r}")
    points = tuple(counts[1:25])
    position = _with_off(points, (counts[25], -counts[0]), text)
    rules, length = int(match[8]), int(match[9])
    dice = match[5]
    return Snapshot(
        position=position,
        turn="white" if match[4] == "1" else "black",
        dice=(int(dice[0]), int(dice[1])) if dice.isdigit() and dice != "00" else None,
        cube=2 ** int(match[2]),
        owner={"1": "white", "-1": "black"}.get(match[3]),  # type: ignore[arg-type]
        offer="" if dice.isdigit() else dice,  # type: ignore[arg-type]
        score=(int(match[6]), int(match[7])),
        length=length,
        crawford=bool(length and rules & 1),
        jacoby=not length and bool(rules & 1),
        beaver=not length and bool(rules & 2),
        limit=2 ** int(match[10]),
    )


def format_gnuid(snapshot: Snapshot) -> str:
    """Position ID and Match ID of GNU Backgammon; White is its player 1. They have no place for beaver and limit."""
    position = snapshot.position
    black = turned(position, same_way=False)
    white_run = (*_own(position), position.bar[0])
    black_run = (*_own(black), black.bar[0])
    # The player who is not on roll comes first.
    runs = (black_run, white_run) if snapshot.turn == "white" else (white_run, black_run)
    return f"{_encode(_unary(runs), 10, 14)}:{_encode(_match_bits(snapshot), 9, 12)}"


def _match_bits(snapshot: Snapshot) -> Iterable[int]:
    on_roll = int(snapshot.turn == "white")
    first, second = snapshot.dice or (0, 0)
    owner = {"black": 0, "white": 1, None: 3}[snapshot.owner]
    doubled = int(bool(snapshot.offer))
    values = (
        _log2(snapshot.cube), owner, on_roll, int(snapshot.crawford), 1, on_roll ^ doubled, doubled, 0, first, second,
        snapshot.length, snapshot.score[1], snapshot.score[0], int(not snapshot.jacoby),
    )  # fmt: skip
    for value, width in zip(values, _MATCH_BITS, strict=True):
        yield from (value >> bit & 1 for bit in range(width))


def parse_gnuid(text: str) -> Snapshot:
    """Read ``PositionID:MatchID``; raises UnreadableError."""
    match = _GNUID.fullmatch(text.strip())
    if not match:
        raise UnreadableError(f"GNU ID: expected 14 letters, a colon and 12 letters, got {text!r}")
    bits = iter(_decode(match[2]))
    cube, owner, roll, crawford, _, _, doubled, _, first, second, length, black, white, no_jacoby = (
        sum(next(bits) << bit for bit in range(width)) for width in _MATCH_BITS
    )
    if not (first == second == 0 or (1 <= first <= 6 and 1 <= second <= 6)):
        raise UnreadableError(f"GNU ID: expected dice from 1 to 6, got {first} and {second} in {text!r}")
    waiting, rolling = _runs(_decode(match[1]), 2, 25, text)
    mine, theirs = (rolling, waiting) if roll else (waiting, rolling)
    points = tuple(w - b for w, b in zip(mine[:24], theirs[23::-1], strict=True))
    owners: dict[int, Player | None] = {0: "black", 1: "white"}
    return Snapshot(
        position=_with_off(points, (mine[24], theirs[24]), text),
        turn="white" if roll else "black",
        dice=(first, second) if first else None,
        cube=2**cube,
        owner=owners.get(owner),
        offer="D" if doubled else "",
        score=(white, black),
        length=length,
        crawford=bool(crawford),
        jacoby=not no_jacoby,
    )


def format_long_id(position: Position) -> str:
    """The id of a position of a long game."""
    runs = (_own(position), _own(turned(position, same_way=True)))
    return "LN:" + _encode(_unary(runs), 10, 14).replace("+", "-").replace("/", "_")


def parse_long_id(text: str) -> Position:
    """Read the id of a position of a long game; raises UnreadableError."""
    letters = text.strip().removeprefix("LN:").replace("-", "+").replace("_", "/")
    if not text.strip().startswith("LN:") or not re.fullmatch(r"[A-Za-z0-9+/]{14}", letters):
        raise UnreadableError(f"long id: expected LN: and 14 letters, got {text!r}")
    white, black = _runs(_decode(letters), 2, 24, text)
    points = tuple(w - b for w, b in zip(white, black[12:] + black[:12], strict=True))
    clash = next((p for p in range(24) if white[p] and (black[12:] + black[:12])[p]), None)
    if clash is not None:
        raise UnreadableError(f"long id: both players stand on White's point {clash + 1} in {text!r}")
    return _with_off(points, (0, 0), text)


def _own(position: Position) -> tuple[int, ...]:
    return tuple(max(n, 0) for n in position.points)


def _with_off(points: tuple[int, ...], bar: tuple[int, int], text: str) -> Position:
    """The position with all that is missing borne off."""
    position = Position(points, bar)
    white, black = position.counts()
    if max(white, black) > CHECKERS:
        raise UnreadableError(f"expected at most {CHECKERS} checkers each, got {white} and {black} in {text!r}")
    return Position(points, bar, (CHECKERS - white, CHECKERS - black))


def _log2(value: int) -> int:
    if value < 1 or value & (value - 1):
        raise UnreadableError(f"cube: expected a power of two, got {value}")
    return value.bit_length() - 1


def _unary(runs: Sequence[Sequence[int]]) -> Iterable[int]:
    for run in runs:
        for count in run:
            yield from [1] * count
            yield 0


def _runs(bits: Sequence[int], players: int, points: int, text: str) -> list[tuple[int, ...]]:
    counts, count = [], 0
    for bit in bits:
        if bit:
            count += 1
        else:
            counts.append(count)
            count = 0
    if len(counts) < players * points or count or any(counts[players * points :]):
        raise UnreadableError(f"expected the checkers of {players * points} points, got something else in {text!r}")
    return [tuple(counts[i * points : (i + 1) * points]) for i in range(players)]


def _encode(bits: Iterable[int], size: int, letters: int) -> str:
    number = sum(bit << place for place, bit in enumerate(bits))
    return base64.b64encode(number.to_bytes(size, "little")).decode()[:letters]


def _decode(letters: str) -> list[int]:
    try:
        raw = base64.b64decode(letters + "=" * (-len(letters) % 4))
    except binascii.Error:
        raise UnreadableError(f"expected letters of base64, got {letters!r}") from None
    return [byte >> bit & 1 for byte in raw for bit in range(8)]
