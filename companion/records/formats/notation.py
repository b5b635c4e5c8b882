"""The words of the text form: positions, times, and what stands on a line of its own (docs/formats.md)."""

import re
from typing import Any

from companion import events as ev
from companion.layout import Player
from companion.rules import Position

_PLACE = re.compile(r"(bar|off|2[0-4]|1\d|[1-9])\s*[x×*]\s*(\d{1,2})")
_POSITION = re.compile(r"\s*White ([^;]*?)\s*;\s*Black ([^;]*?)\s*", re.IGNORECASE)
TIME = r"(?:@(?P<t>-?\d{1,9}(?:\.\d{1,3})?))"
_SIDES: tuple[Player, ...] = ("white", "black")
_WHO = {"white": "White", "black": "Black", None: "Somebody"}
_DICE = r"(?P<dice>[1-6][1-6]|\?\?)"
_PLAYER = r"(?P<who>White|Black|Somebody)"
_NOTES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("rolled", rf"{_PLAYER} rolls {_DICE}(?: \[(?P<part>extra)\])?"),
        ("void-roll", rf"{_PLAYER} void roll {_DICE}, (?P<why>[a-z-]+)"),
        ("illegal-play", rf"{_PLAYER} illegal play {_DICE}: ?(?P<play>[^(]*?) ?"
                         r"\((?P<reasons>[a-z, -]*)(?:; points (?P<points>[\d ,]+))?\)"),
        ("taken-back", rf"(?:{_PLAYER} )?taken back(?: {_DICE})?"),
        ("resign", rf"{_PLAYER} resigns, (?P<outcome>[\w-]+)"),
        ("gap", r"gap(?:, from here: (?P<board>.+?))?"),
        ("board-moved", r"board moved (?P<residual>\d{1,6}(?:\.\d{1,6})?) px"),
        ("flag", rf"{_PLAYER} time is up"),
        ("unfinished", rf"(?:{_PLAYER} )?unfinished {_DICE}"),
    )
)  # fmt: skip


def format_position(board: ev.Board) -> str:
    """``White 24x15; Black 12x15 offx2``, in White's numbers, the highest point first."""
    position = Position.from_json(board)
    sides = []
    for side, player in enumerate(_SIDES):
        sign = -1 if side else 1
        places = [f"{point}x{position.points[point - 1] * sign}" for point in range(24, 0, -1)
                  if position.points[point - 1] * sign > 0]  # fmt: skip
        places += [
            f"{name}x{pair[side]}" for name, pair in (("bar", position.bar), ("off", position.off)) if pair[side]
        ]
        sides.append(f"{player.capitalize()} {' '.join(places) or '-'}")
    return "; ".join(sides)


def parse_position(text: str) -> Position:
    """Read it; raises ValueError."""
    found = _POSITION.fullmatch(text[:1000])
    if not found:
        raise ValueError("a position such as White 24x15; Black 12x15")
    points, bar, off = [0] * 24, [0, 0], [0, 0]
    for side, places in enumerate(found.groups()):
        if _PLACE.sub("", places).strip(" ,-–"):
            raise ValueError("points and numbers of checkers such as 24x2 13x5 barx1 offx3")
        for place, count in _PLACE.findall(places):
            if place in ("bar", "off"):
                (bar if place == "bar" else off)[side] += int(count)
            elif points[int(place) - 1]:
                raise ValueError("each point once")
            else:
                points[int(place) - 1] = -int(count) if side else int(count)
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


def format_time(t: float) -> str:
    """``12.5``: seconds, with as many digits as they have."""
    return f"{t:.3f}".rstrip("0").rstrip(".")


def format_dice(dice: ev.Dice | None) -> str:
    """``31``; ``??`` when they are unknown."""
    return "??" if dice is None else f"{dice[0]}{dice[1]}"


def parse_dice(text: str | None) -> ev.Dice | None:
    """Read it."""
    return None if text is None or text == "??" else (int(text[0]), int(text[1]))


def format_note(event: ev.Event) -> str | None:
    """What stands on a line of its own; None for what has no words."""
    who, dice = _WHO[event.player], format_dice(event.dice)
    match event:
        case ev.Rolled():
            return f"{who} rolls {dice}" + (" [extra]" if event.part == "extra" else "")
        case ev.VoidRoll():
            return f"{who} void roll {dice}, {event.why}"
        case ev.IllegalPlay():
            points = f"; points {' '.join(map(str, event.points))}" if event.points else ""
            play = f" {event.play}" if event.play else ""
            return f"{who} illegal play {dice}:{play} ({', '.join(event.reasons)}{points})"
        case ev.TakenBack():
            return (f"{who} " if event.player else "") + "taken back" + (f" {dice}" if event.dice else "")
        case ev.Resigned():
            return f"{who} resigns, {event.outcome}"
        case ev.Gap():
            return "gap" + ("" if event.board is None else f", from here: {format_position(event.board)}")
        case ev.BoardMoved():
            return f"board moved {event.residual_px:f}".rstrip("0").rstrip(".") + " px"
        case ev.FlagFell():
            return f"{who} time is up"
        case ev.Unfinished():
            return (f"{who} " if event.player else "") + f"unfinished {dice}"
    return None


def parse_note(text: str, t: float) -> ev.Event | None:
    """Read it, as an event at a time; None when it is none of these. Raises ValueError."""
    for name, pattern in _NOTES:
        if found := pattern.fullmatch(text.strip()):
            return _note(name, found.groupdict(), t)
    return None


def _note(name: str, said: dict[str, str | None], t: float) -> ev.Event:
    who = (said.get("who") or "somebody").lower()
    data: dict[str, Any] = {"t": t, "player": who if who in _SIDES else None, "dice": parse_dice(said.get("dice"))}
    match name:
        case "rolled":
            return ev.Rolled(part="extra" if said["part"] else "own", **data)
        case "void-roll":
            why: Any = said["why"]
            if why not in ("cocked", "split", "rim", "outside", "on-checker"):
                raise ValueError("cocked, split, rim, outside or on-checker")
            return ev.VoidRoll(why=why, **data)
        case "illegal-play":
            points = tuple(int(n) for n in re.findall(r"\d{1,2}", said["points"] or ""))
            return ev.IllegalPlay(reasons=_list(said["reasons"]), points=points, play=said["play"] or None, **data)
        case "taken-back":
            return ev.TakenBack(**data)
        case "resign":
            return ev.Resigned(outcome=said["outcome"] or "", **data)
        case "board-moved":
            return ev.BoardMoved(residual_px=float(said["residual"] or 0), **data)
        case "flag":
            return ev.FlagFell(**data)
        case "unfinished":
            return ev.Unfinished(**data)
    board = said["board"]
    return ev.Gap(board=None if board is None else parse_position(board).to_json(), **data)


def _list(text: str | None) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[, ]+", text or "") if word)
