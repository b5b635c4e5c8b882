"""The board with its caption: what ``show`` prints and ``demo`` draws."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.cli.diagram import diagram
from companion.events import Event
from companion.layout import Corner, Layout, Shade
from companion.rules import get_game
from companion.signals.pages import lines
from companion.signals.scoreboard import Scoreboard, scoreboard
from companion.signals.texts import Names


def layout_for(game: str, home: Corner | None = None, white: Shade = "light") -> Layout:
    """How to draw the board: as the camera saw it when ``home`` is known, else as White sees it."""
    return Layout(home=home or "BR", same_way=get_game(game or "long").same_way, white=white)


def drawn(view: Scoreboard, layout: Layout) -> list[str]:
    """The diagram of what is shown; empty when no position is known."""
    return [] if view.board is None else diagram(view.board, layout)


def captioned(events: Sequence[Event], meta: Mapping[str, Any]) -> list[str]:
    """The board after these events, and below it what the display says."""
    view = scoreboard(events)
    known = meta.get("layout") or {}
    layout = layout_for(view.game, known.get("home"), known.get("white") or "light")
    board = drawn(view, layout) or ["No position is known."]
    players: Names = {side: name for side, name in (meta.get("players") or {}).items() if name}
    return [*board, "", *(line for line in lines(view, players) if line)]
