"""The referee drawn on a terminal: board, dice, lamps, display, and what happened last."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from companion.cli.board import drawn
from companion.cli.diagram import DARK, LIGHT, shade
from companion.languages import N_, _
from companion.layout import Layout
from companion.signals.pages import lines
from companion.signals.patterns import Lamp
from companion.signals.scoreboard import Scoreboard
from companion.signals.texts import name_of

LAMP_COLOURS: Mapping[Lamp, str] = {
    "white": "bright_white",
    "black": "bright_blue",
    "green": "bright_green",
    "amber": "yellow",
    "red": "bright_red",
}
LAMP_NAMES: Mapping[Lamp, str] = {
    "white": N_("white"),
    "black": N_("black"),
    "green": N_("green"),
    "amber": N_("amber"),
    "red": N_("red"),
}
_CHECKERS = {LIGHT: "bold bright_yellow", DARK: "bold red"}
_DICE = " ⚀⚁⚂⚃⚄⚅"
_WIDTH = 30


def screen(
    view: Scoreboard, lamps: Mapping[Lamp, bool], recent: Sequence[str], layout: Layout, t: float, rows: int = 8
) -> RenderableType:
    """Everything at the time ``t`` (seconds); ``recent`` are the latest events in words, ``rows`` of them are shown."""
    beside = Group(
        Panel(_lamps(lamps), title=_("lamps"), width=_WIDTH),
        Panel(_display(view), title=_("display"), width=_WIDTH, height=7),
        Panel(_turn(view, layout), title=_("dice"), width=_WIDTH),
    )
    both = Table.grid(padding=(0, 1))
    game = view.game or _("board")
    both.add_row(Panel(_board(view, layout), title=f"{game}, {t:.1f} s"), beside)
    log = Text("\n".join(recent[-rows:]), no_wrap=True, overflow="ellipsis")
    return Group(both, Panel(log, title=_("what happened"), height=rows + 2, width=82))


def _board(view: Scoreboard, layout: Layout) -> Text:
    text = Text("\n".join(drawn(view, layout)) or _("Waiting for the start position"))
    for sign, style in _CHECKERS.items():
        text.highlight_words([sign], style)
    return text


def _lamps(lamps: Mapping[Lamp, bool]) -> Text:
    text = Text()
    for lamp, colour in LAMP_COLOURS.items():
        lit = lamps.get(lamp, False)
        text.append(f"{'●' if lit else '○'} {_(LAMP_NAMES[lamp])}\n", style=f"bold {colour}" if lit else "dim")
    text.rstrip()
    return text


def _display(view: Scoreboard) -> Text:
    return Text("\n".join(lines(view)), style="bright_cyan")


def _turn(view: Scoreboard, layout: Layout) -> Text:
    dice = "  ".join(_DICE[value] for value in view.dice or ()) or "–"
    who = "" if view.player is None else f"   {shade(view.player, layout)} {name_of(view.player)}"
    return Text(dice + who, style="bold")
