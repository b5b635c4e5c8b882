"""What the small display says, page by page: a pure function of what there is to show and of the time.

A page says one thing in figures that can be read from a metre. Where there is more than one thing to say, the pages
take turns; a page about something that just happened comes first.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from companion.events import Dice
from companion.rules import Game
from companion.signals.hints import legal_plays, pips
from companion.signals.patterns import Mode
from companion.signals.scoreboard import Message, Scoreboard
from companion.signals.texts import Names, caption, message_text, name_of, phase_text

Kind = Literal["score", "dice", "play", "pips", "message", "legal", "clock"]
OTHERS_BUSINESS = frozenset({"illegal-play", "stands", "uncertain", "taken-back"})
"""Messages that accuse or doubt: a director sees them on the own page, not the table."""


@dataclass(frozen=True)
class Page:
    """One page: a small title above large figures, or above two dice."""

    kind: Kind
    title: str
    body: str = ""
    dice: Dice | None = None


@dataclass(frozen=True)
class Showing:
    """The pages that take turns, and since when (seconds)."""

    pages: tuple[Page, ...] = ()
    since_s: float = 0.0
    page_s: float = 3.0

    def after(self, pages: tuple[Page, ...], t: float) -> "Showing":
        """What is shown when there are these pages; if they are the same as before, their turns go on."""
        return self if pages == self.pages else replace(self, pages=pages, since_s=t)

    def at(self, t: float) -> Page | None:
        """The page at the time ``t``."""
        if not self.pages:
            return None
        return self.pages[int(max(0.0, t - self.since_s) / self.page_s) % len(self.pages)]


def pages(view: Scoreboard, mode: Mode, game: Game | None, names: Names | None = None) -> tuple[Page, ...]:
    """The pages for what is shown; without a ``game`` there are no pips and no legal plays."""
    if view.notices:
        return (_message(view, Message(view.notices[-1]), names),)
    if mode == "silent":
        return (_score(view, names), *_clock(view))
    accused = view.message.key in OTHERS_BUSINESS and mode == "director"
    if view.message.key and not accused:
        return (_message(view, view.message, names), *_beside(view, mode, game, names))
    if view.phase == "MOVING" or (view.phase in ("TURN_ENDED", "ILLEGAL") and view.dice):
        hints = _legal(view, game) if mode == "teach" else ()
        return (_dice(view, names), *hints, *_clock(view))
    if view.phase == "WAITING_FOR_ROLL":
        return (*_play(view, names), _score(view, names), *_pips(view, game, names), *_clock(view))
    return (Page("message", "", phase_text(view, names)), *((_score(view, names),) if view.board else ()))


def ticking(page: Page, view: Scoreboard, t: float) -> Page:
    """A page as it is at the time ``t``: the game clock goes on while nothing happens."""
    if page.kind != "clock":
        return page
    white, black = (_minutes(view.left(side, t)) for side in ("white", "black"))
    return replace(page, body=_together(f"{white} : {black}"))


def _minutes(seconds: float) -> str:
    """Whole seconds, rounded up: the flag falls at 0:00."""
    whole = math.ceil(seconds)
    return f"{whole // 60}.{whole % 60:02}"


def lines(view: Scoreboard, names: Names | None = None) -> tuple[str, str, str, str]:
    """All at once, for a terminal: the score, who is to do what, the dice or the last play, the message."""
    score = f"{name_of('white', names)} {_score_text(view.score)} {name_of('black', names)}"
    notice = Message(view.notices[-1]) if view.notices else view.message
    return score, phase_text(view, names), f"{dice_text(view)} {play_text(view)}".strip(), message_text(notice, names)


def dice_text(view: Scoreboard) -> str:
    """The dice as people write them: ``6-1``."""
    return "" if view.dice is None else f"{view.dice[0]}-{view.dice[1]}"


def play_text(view: Scoreboard) -> str:
    """The last final play, while no new dice lie."""
    return "" if view.dice is not None or view.last is None else view.last.play


def brief(play: str) -> str:
    """A play with equal moves told once: ``24/18(2)``."""
    times = Counter(play.split())
    return " ".join(move if count == 1 else f"{move}({count})" for move, count in times.items())


def _beside(view: Scoreboard, mode: Mode, game: Game | None, names: Names | None) -> Sequence[Page]:
    """What takes turns with a message."""
    if view.illegal:
        return _legal(view, game) if mode == "teach" else ()
    if view.void:
        return (_dice(view, names),) if view.dice else ()
    if view.phase in ("GAME_OVER", "MATCH_OVER", "WAITING_FOR_ROLL"):
        return (_score(view, names),)
    return ()


def _message(view: Scoreboard, message: Message, names: Names | None) -> Page:
    whose = view.last.player if message.key in ("stands", "no-move") and view.last else view.player
    about = message.key in ("illegal-play", "void-roll", "stands", "no-move")
    return Page("message", name_of(whose, names) if about else "", message_text(message, names))


def _score(view: Scoreboard, names: Names | None) -> Page:
    cube = "" if view.cube == 1 else f" ×{view.cube}"
    mine, theirs = (cube if view.cube_owner == side else "" for side in ("white", "black"))
    middle = cube if view.cube_owner is None else ""
    title = f"{name_of('white', names)}{mine} –{middle} {name_of('black', names)}{theirs}"
    return Page("score", title, _together(_score_text(view.score)))


def _score_text(score: Mapping[str, int]) -> str:
    return f"{score['white']} : {score['black']}"


def _together(text: str) -> str:
    """With spaces at which no line is broken."""
    return text.replace(" ", "\u00a0")


def _dice(view: Scoreboard, names: Names | None) -> Page:
    return Page("dice", phase_text(view, names), dice=view.dice)


def _play(view: Scoreboard, names: Names | None) -> tuple[Page, ...]:
    if view.last is None:
        return ()
    return (Page("play", name_of(view.last.player, names), brief(view.last.play) or caption("no-move")),)


def _clock(view: Scoreboard) -> tuple[Page, ...]:
    return () if view.clock is None else (Page("clock", caption("clock")),)


def _pips(view: Scoreboard, game: Game | None, names: Names | None) -> tuple[Page, ...]:
    if game is None:
        return ()
    white, black = pips(game, view, "white"), pips(game, view, "black")
    return () if white is None or black is None else (Page("pips", caption("pips"), _together(f"{white} : {black}")),)


def _legal(view: Scoreboard, game: Game | None) -> tuple[Page, ...]:
    plays = () if game is None else legal_plays(game, view)
    return tuple(Page("legal", caption("legal"), brief(play) or caption("no-move")) for play in plays)
