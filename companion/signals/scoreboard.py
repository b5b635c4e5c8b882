"""What there is to show: a fold over events. Lamps, display, terminal and page all look at it.

It knows no board, no pixels and no hardware: :func:`follow` takes what is shown and one event, and gives what
is shown next.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from companion import events as ev
from companion.layout import Player

Provisional = Literal["none", "legal", "incomplete", "illegal"]


@dataclass(frozen=True)
class Message:
    """A text for the players by its key (see ``texts``), and what is put into it."""

    key: str = ""
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scoreboard:
    """What is known and worth showing at the time ``t`` (seconds).

    ``board`` has the form of ``events.Board``; ``player`` is whose turn it is, ``dice`` what lies before that
    player; ``last`` is the latest final play; ``illegal`` tells that an illegal play was noticed and is not
    settled. ``played`` are those who have made a play in this game, ``asked`` who must answer a cube, ``notices`` what
    is wrong with the machine itself (keys of the texts). ``clock`` is None where no game clock is in use.
    """

    t: float = 0.0
    game: str = ""
    number: int = 1
    board: ev.Board | None = None
    phase: str = "SETUP"
    player: Player | None = None
    dice: ev.Dice | None = None
    provisional: Provisional = "none"
    illegal: bool = False
    void: bool = False
    score: Mapping[str, int] = field(default_factory=lambda: {"white": 0, "black": 0})
    cube: int = 1
    cube_owner: Player | None = None
    last: ev.PlayMade | None = None
    winner: Player | None = None
    message: Message = Message()
    played: frozenset[Player] = frozenset()
    asked: Player | None = None
    notices: tuple[str, ...] = ()
    clock: ev.ClockRuns | None = None

    def left(self, player: Player, t: float) -> float:
        """Seconds of a player's bank that are left at the time ``t``, where a game clock is in use."""
        assert self.clock is not None
        paid = max(0.0, t - self.clock.t - self.clock.delay_s) if self.clock.player == player else 0.0
        return max(0.0, self.clock.left[player] - paid)

    def to_json(self) -> dict[str, Any]:
        """The JSON form, for the page."""
        return {
            "t": round(self.t, 3),
            "game": self.game,
            "number": self.number,
            "board": self.board,
            "phase": self.phase,
            "player": self.player,
            "dice": None if self.dice is None else list(self.dice),
            "provisional": self.provisional,
            "illegal": self.illegal,
            "void": self.void,
            "score": dict(self.score),
            "cube": {"value": self.cube, "owner": self.cube_owner},
            "last": None if self.last is None else self.last.to_json(),
            "winner": self.winner,
            "message": {"key": self.message.key, "details": list(self.message.details)},
            "notices": list(self.notices),
            "clock": None if self.clock is None else self.clock.to_json(),
        }


def other(player: Player) -> Player:
    """The opponent."""
    return "black" if player == "white" else "white"


def follow(view: Scoreboard, event: ev.Event) -> Scoreboard:
    """What is shown after ``event``."""
    step = _STEPS.get(type(event))  # how a turn was seen is for the record only
    return view if step is None else replace(step(view, event), t=event.t)


def shows(event: ev.Event) -> bool:
    """Whether the event changes what is shown; others are for the record only."""
    return type(event) in _STEPS


def noticed(view: Scoreboard, key: str, on: bool) -> Scoreboard:
    """What is shown when something is wrong with the machine itself, or not any more."""
    rest = tuple(each for each in view.notices if each != key)
    return replace(view, notices=(*rest, key) if on else rest)


def scoreboard(events: Iterable[ev.Event]) -> Scoreboard:
    """What is shown after all these events."""
    view = Scoreboard()
    for event in events:
        view = follow(view, event)
    return view


def _started(view: Scoreboard, event: ev.GameStarted) -> Scoreboard:
    return Scoreboard(
        game=event.game,
        number=event.number,
        board=event.board,
        phase="OPENING",
        player=event.player,
        score=event.score,
        notices=view.notices,
        clock=view.clock,
    )


def _rolled(view: Scoreboard, event: ev.Rolled) -> Scoreboard:
    return replace(
        view,
        player=event.player,
        dice=event.dice,
        phase="MOVING",
        provisional="none",
        void=False,
        message=Message(),
    )


def _void(view: Scoreboard, event: ev.VoidRoll) -> Scoreboard:
    return replace(view, dice=event.dice, void=True, message=Message("void-roll", (event.why,)))


def _played(view: Scoreboard, event: ev.PlayMade) -> Scoreboard:
    stood = event.verdict == "illegal"
    return replace(
        view,
        board=event.board,
        last=event,
        dice=None,
        player=view.player if event.player is None else other(event.player),
        played=view.played | ({event.player} if event.player else frozenset()),
        phase="WAITING_FOR_ROLL",
        provisional="none",
        illegal=False,
        message=Message("stands", event.reasons[:1]) if stood else Message("" if event.play else "no-move"),
    )


def _illegal(view: Scoreboard, event: ev.IllegalPlay) -> Scoreboard:
    points = ", ".join(str(point) for point in event.points)
    message = Message("illegal-play", (*event.reasons[:1], points))
    return replace(view, player=event.player, dice=event.dice, illegal=True, phase="ILLEGAL", message=message)


def _taken_back(view: Scoreboard, event: ev.TakenBack) -> Scoreboard:
    return replace(view, illegal=False, phase="MOVING", message=Message("taken-back"))


def _cube(view: Scoreboard, event: ev.CubeAction) -> Scoreboard:
    offered = event.action in ("double", "beaver")
    message = Message(f"cube-{event.action}", (event.player or "", str(event.value)))
    phase = "CUBE_OFFERED" if offered else "WAITING_FOR_ROLL"
    asked = other(event.player) if offered and event.player else None
    return replace(view, cube=event.value, cube_owner=event.owner, phase=phase, message=message, asked=asked)


def _resigned(view: Scoreboard, event: ev.Resigned) -> Scoreboard:
    return replace(view, message=Message("resigned", (event.player or "", event.outcome)))


def _game_won(view: Scoreboard, event: ev.GameWon) -> Scoreboard:
    message = Message("game-won", (event.winner, event.outcome, str(event.points)))
    return replace(
        view,
        score=event.score,
        winner=event.winner,
        player=None,
        dice=None,
        phase="GAME_OVER",
        message=message,
    )


def _match_won(view: Scoreboard, event: ev.MatchWon) -> Scoreboard:
    message = Message("match-won", (event.winner,))
    return replace(view, score=event.score, winner=event.winner, phase="MATCH_OVER", message=message)


def _gap(view: Scoreboard, event: ev.Gap) -> Scoreboard:
    if event.board is None:
        return replace(view, phase="LOST", message=Message("gap"))
    return replace(view, board=event.board, phase="WAITING_FOR_ROLL", illegal=False, message=Message("gap-closed"))


def _board_moved(view: Scoreboard, event: ev.BoardMoved) -> Scoreboard:
    return replace(view, phase="BLIND", message=Message("board-moved"))


def _flag_fell(view: Scoreboard, event: ev.FlagFell) -> Scoreboard:
    return replace(view, message=Message("flag-fell", (event.player or "",)))


def _clock_runs(view: Scoreboard, event: ev.ClockRuns) -> Scoreboard:
    return replace(view, clock=event)


def _unfinished(view: Scoreboard, event: ev.Unfinished) -> Scoreboard:
    return replace(view, message=Message("unfinished"))


def _status(view: Scoreboard, event: ev.Status) -> Scoreboard:
    says_more = event.message not in ("", event.phase.lower().replace("_", "-"))
    return replace(
        view,
        phase=event.phase,
        provisional=event.provisional,
        player=event.player,
        dice=event.dice or (view.dice if view.void else None),
        message=Message(event.message, event.details) if says_more else view.message,
    )


_STEPS: dict[type[ev.Event], Callable[[Scoreboard, Any], Scoreboard]] = {
    ev.GameStarted: _started,
    ev.Rolled: _rolled,
    ev.VoidRoll: _void,
    ev.PlayMade: _played,
    ev.IllegalPlay: _illegal,
    ev.TakenBack: _taken_back,
    ev.CubeAction: _cube,
    ev.Resigned: _resigned,
    ev.GameWon: _game_won,
    ev.MatchWon: _match_won,
    ev.Gap: _gap,
    ev.BoardMoved: _board_moved,
    ev.FlagFell: _flag_fell,
    ev.ClockRuns: _clock_runs,
    ev.Unfinished: _unfinished,
    ev.Status: _status,
}
