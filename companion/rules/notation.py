"""Text forms of plays and rolls: ``24/18 13/11*``, ``bar/22``, ``6/off``, ``8/4(2)``, ``24/14`` (read), ``6-4``.

Points are in the mover's own numbering. What is written uses single moves, the rearmost first; what is read may be
shortened: ``(n)`` repeats, and a longer way is cut into moves by the dice.
"""

import re
from collections.abc import Sequence

from companion.rules.errors import UnreadableError
from companion.rules.position import BAR, OFF, Move, Play, Position

_NAMES = {BAR: "bar", OFF: "off"}
_STEP = re.compile(r"(bar|25|24|2[0-3]|1\d|[1-9])((?:/(?:off|2[0-4]|1\d|\d)\*?)+)(?:\((\d)\))?")
_ROLL = re.compile(r"([1-6])\s*[-: ]?\s*([1-6])")


def format_play(play: Play, before: Position | None = None) -> str:
    """The text of a play; with the position ``before`` it, seen by the mover, hits are marked by ``*``."""
    blots = {p for p, n in enumerate(before.points, 1) if n == -1} if before and before.bar is not None else set()
    words = []
    for start, end in sorted(play, reverse=True):
        words.append(f"{_NAMES.get(start, start)}/{_NAMES.get(end, end)}{'*' if end in blots else ''}")
        blots.discard(end)
    return " ".join(words)


def parse_play(text: str, dice: Sequence[int] | None = None) -> Play:
    """Read a play; raises UnreadableError. A way longer than the dice allow in one move is cut into moves with ``dice``."""
    moves: list[Move] = []
    for word in text.replace(",", " ").split():
        match = _STEP.fullmatch(word.lower())
        if not match:
            raise UnreadableError(f"play: expected moves such as 24/18, bar/22 or 6/off, got {word!r} in {text!r}")
        stops = [_number(stop) for stop in (match[1] + match[2]).replace("*", "").split("/")]
        steps = list(zip(stops, stops[1:], strict=False))
        if any(start <= end for start, end in steps):
            raise UnreadableError(f"play: expected moves forward, got {word!r} in {text!r}")
        moves += steps * int(match[3] or 1)
    return tuple(sorted(moves, reverse=True))


def _number(name: str) -> int:
    return {"bar": BAR, "off": OFF}.get(name) or int(name) if name != "off" else OFF


def format_roll(dice: Sequence[int]) -> str:
    """``6-4``: the larger first."""
    return f"{max(dice)}-{min(dice)}"


def parse_roll(text: str) -> tuple[int, int]:
    """Read ``6-4``, ``64``, ``6 4`` or ``6:4``; raises UnreadableError."""
    match = _ROLL.fullmatch(text.strip())
    if not match:
        raise UnreadableError(f"roll: expected two dice such as 6-4, got {text!r}")
    return int(match[1]), int(match[2])
