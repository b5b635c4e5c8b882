"""Plots as SVG, without a plotting library: columns for counts, lines for the race."""

from collections.abc import Mapping, Sequence
from html import escape

from companion import events as ev
from companion.layout import Player
from companion.rules import Game, Position

WIDTH, HEIGHT = 640, 360
_LEFT, _BOTTOM, _TOP, _RIGHT = 56, 44, 40, 16
COLOURS: Mapping[str, str] = {"white": "#c08a3e", "black": "#4a2c1a"}


def columns(title: str, counts: Mapping[str, float], expected: Mapping[str, float] | None = None) -> str:
    """A column for each count; a line across it where ``expected`` says what it should be."""
    expected = expected or {}
    top = max([*counts.values(), *expected.values(), 1])
    step = (WIDTH - _LEFT - _RIGHT) / max(len(counts), 1)
    parts = []
    for index, (name, value) in enumerate(counts.items()):
        x, y = _LEFT + index * step, _y(value, top)
        parts.append(
            f'<rect x="{x + 0.15 * step:.1f}" y="{y:.1f}" width="{0.7 * step:.1f}"'
            f' height="{_y(0, top) - y:.1f}" fill="#7a5230"/>'
        )
        parts.append(_text(x + step / 2, HEIGHT - _BOTTOM + 18, name, min(14.0, step * 0.45)))
        if name in expected:
            level = _y(expected[name], top)
            parts.append(
                f'<line x1="{x + 0.05 * step:.1f}" x2="{x + 0.95 * step:.1f}" y1="{level:.1f}" y2="{level:.1f}"'
                ' stroke="#b3261e" stroke-width="2"/>'
            )
    return _framed(title, top, parts)


def lines(title: str, series: Mapping[str, Sequence[float]], below: str) -> str:
    """A line for each series over its number; ``white`` and ``black`` have the colours of the checkers."""
    top = max([value for values in series.values() for value in values] or [1])
    longest = max([len(values) for values in series.values()] or [1])
    step = (WIDTH - _LEFT - _RIGHT) / max(longest - 1, 1)
    parts = []
    for number, (name, values) in enumerate(series.items()):
        points = " ".join(f"{_LEFT + i * step:.1f},{_y(value, top):.1f}" for i, value in enumerate(values))
        colour = COLOURS.get(name, "#7a5230")
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts.append(_text(WIDTH - _RIGHT - 60, _TOP + 18 * number, name.capitalize(), 14, colour))
    parts.append(_text(WIDTH / 2, HEIGHT - 12, below, 14))
    parts.append(_text(WIDTH - _RIGHT - 10, HEIGHT - _BOTTOM + 18, str(max(longest - 1, 0)), 14))
    return _framed(title, top, parts)


def pips(house: Game, position: Position, player: Player) -> int:
    """How many pips a player still has to go."""
    seen = house.seen(position, player)
    return sum(point * max(n, 0) for point, n in enumerate(seen.points, 1)) + 25 * seen.bar[0]


def race(house: Game, events: Sequence[ev.Event]) -> dict[str, list[float]]:
    """The pips of both players after each play of the latest game in ``events``."""
    boards: list[ev.Board] = []
    for event in events:
        if isinstance(event, ev.GameStarted):
            boards = [event.board]
        elif isinstance(event, ev.PlayMade | ev.Gap) and event.board is not None:
            boards.append(event.board)
    positions = [Position.from_json(board) for board in boards]
    players: tuple[Player, ...] = ("white", "black")
    return {player: [float(pips(house, position, player)) for position in positions] for player in players}


def times(events: Sequence[ev.Event]) -> dict[str, list[float]]:
    """How long each turn of the latest game took, in seconds, by player."""
    spent: dict[str, list[float]] = {"white": [], "black": []}
    since: float | None = None
    for event in events:
        if isinstance(event, ev.GameStarted):
            spent, since = {"white": [], "black": []}, event.t
        elif isinstance(event, ev.Gap):
            since = None
        elif isinstance(event, ev.PlayMade):
            if since is not None and event.player is not None:
                spent[event.player].append(event.t - since)
            since = event.t
    return spent


def _framed(title: str, top: float, parts: Sequence[str]) -> str:
    base = _y(0, top)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffaf0"/>',
            _text(WIDTH / 2, 24, title, 17),
            *parts,
            f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{base}" y2="{base}" stroke="#333"/>',
            _text(_LEFT - 24, base + 5, "0", 14),
            _text(_LEFT - 24, _TOP + 5, f"{top:g}", 14),
            "</svg>",
            "",
        ]
    )


def _y(value: float, top: float) -> float:
    return HEIGHT - _BOTTOM - (HEIGHT - _BOTTOM - _TOP) * value / top


def _text(x: float, y: float, words: str, size: float, colour: str = "#333") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}" text-anchor="middle" fill="{colour}"'
    return f"<text {place}>{escape(words)}</text>"
