"""What the page knows of the running match: a fold over events into one :class:`Moment`, a complete picture for the
browser. A browser that missed some moments has missed nothing."""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion import events as ev
from companion.languages import N_, _
from companion.layout import Layout
from companion.web.ports import TurnCard, Words

SHOWN_TURNS = 12
SHOWN_ALERTS = 30
UNSURE = 0.9
"""A turn read with less confidence is offered for correction."""


@dataclass(frozen=True)
class Alert:
    """Something a director wants to know: when (frame time in seconds, wall clock) and what."""

    t: float
    at: float
    kind: str
    player: str | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Moment:
    """Everything that a page shows at one time.

    ``view`` is what lamps and display show too (``Scoreboard.to_json``); ``turn_since`` the wall clock (seconds since
    the epoch) at which the turn began; ``made`` when this moment was made.
    """

    number: int = 0
    view: Mapping[str, Any] = field(default_factory=dict)
    turns: tuple[TurnCard, ...] = ()
    alerts: tuple[Alert, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    mirrored: bool = False
    turn_since: float = 0.0
    made: float = 0.0
    match: int | None = None


class Ledger:
    """Folds what the pipeline says; its owner sees to it that one thread at a time uses it."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._board: ev.Board | None = None
        self._reasons: tuple[str, ...] = ()
        self._game = 1
        self.moment = Moment()

    def begin(self, names: Mapping[str, str], match: int | None) -> Moment:
        """A new match begins."""
        self._board, self._reasons, self._game = None, (), 1
        self.moment = Moment(number=self.moment.number + 1, names=names, match=match, made=self._clock())
        return self.moment

    def tell(self, view: Mapping[str, Any], events: Iterable[ev.Event], layout: Layout | None) -> Moment:
        """Take what one frame brought."""
        now = self._clock()
        moment = self.moment
        for event in events:
            moment = replace(moment, turns=self._with_turn(moment, event), alerts=_with_alert(moment, event, now))
            if isinstance(event, ev.PlayMade | ev.GameStarted | ev.Gap):
                self._board = event.board  # None after a gap that nobody has closed
            if isinstance(event, ev.GameStarted):
                self._game = event.number
        turned = (view.get("player"), view.get("number")) != (moment.view.get("player"), moment.view.get("number"))
        self.moment = replace(
            moment,
            number=moment.number + 1,
            view=view,
            mirrored=layout is not None and layout.direction == "clockwise",
            turn_since=now if turned or not moment.turn_since else moment.turn_since,
            made=now,
        )
        return self.moment

    def corrected(self, turns: Sequence[TurnCard], view: Mapping[str, Any]) -> Moment:
        """The record was corrected: its turns and what follows from them stand in the place of what was told."""
        self.moment = replace(
            self.moment, number=self.moment.number + 1, turns=tuple(turns), view=view, made=self._clock()
        )
        return self.moment

    def _with_turn(self, moment: Moment, event: ev.Event) -> tuple[TurnCard, ...]:
        if isinstance(event, ev.IllegalPlay):
            self._reasons = event.reasons
        if not isinstance(event, ev.PlayMade):
            return moment.turns
        last = moment.turns[-1].number if moment.turns else 0
        reasons = event.reasons or (self._reasons if event.verdict == "illegal" else ())
        self._reasons = ()
        turn = TurnCard(
            number=last + 1,
            game=self._game,
            player=event.player or "white",
            dice=event.dice,
            play=event.play,
            verdict=event.verdict,
            board=event.board,
            before=self._board,
            reasons=reasons,
            t=event.t,
            confidence=event.confidence,
        )
        return (*moment.turns, turn)


_ALERTS: dict[type[ev.Event], str] = {
    ev.IllegalPlay: "illegal",
    ev.TakenBack: "taken-back",
    ev.VoidRoll: "void-roll",
    ev.Gap: "gap",
    ev.BoardMoved: "board-moved",
    ev.FlagFell: "flag",
    ev.CubeAction: "cube",
    ev.GameWon: "game",
    ev.MatchWon: "match",
}


def _with_alert(moment: Moment, event: ev.Event, now: float) -> tuple[Alert, ...]:
    kind = _ALERTS.get(type(event), "")
    reasons: tuple[str, ...] = getattr(event, "reasons", ())
    if isinstance(event, ev.PlayMade) and event.verdict == "illegal":
        kind = "stands"
    elif isinstance(event, ev.Status) and event.message in ("uncertain", "lost", "blind"):
        kind = event.message if not moment.alerts or moment.alerts[-1].kind != event.message else ""
    elif isinstance(event, ev.CubeAction):
        reasons = (event.action, str(event.value))
    elif isinstance(event, ev.VoidRoll):
        reasons = (event.why,)
    if not kind:
        return moment.alerts
    return (*moment.alerts, Alert(event.t, now, kind, event.player, reasons))[-SHOWN_ALERTS:]


def turns_of(events: Iterable[ev.Event]) -> tuple[TurnCard, ...]:
    """The turns of a record, as the running match would show them."""
    return Ledger().tell({}, events, None).turns


def flagged(turn: TurnCard) -> str:
    """Why a person should look at a turn: ``illegal``, ``unsure``, ``gap`` or nothing."""
    if turn.fixed:
        return ""
    if turn.verdict == "illegal":
        return "illegal"
    if turn.confidence is not None and turn.confidence < UNSURE:
        return "unsure"
    return "gap" if turn.before is None else ""


def turn_json(turn: TurnCard, words: Words) -> dict[str, Any]:
    """A turn as the browser gets it, in the language of now."""
    return {
        "number": turn.number,
        "game": turn.game,
        "player": turn.player,
        "dice": turn.dice,
        "play": turn.play,
        "verdict": turn.verdict,
        "reasons": [words.rule(reason) for reason in turn.reasons],
        "board": turn.board,
        "flag": flagged(turn),
        "fixed": turn.fixed,
    }


def moment_json(moment: Moment, words: Words, paired: bool) -> dict[str, Any]:
    """A moment as the browser gets it, in the language of now; names are for paired visitors."""
    view = dict(moment.view)
    names = moment.names if paired else {}
    return {
        "version": moment.number,
        "made": moment.made,
        "match": moment.match,
        "view": view,
        "phase_text": words.phase(view) if view else "",
        "message_text": words.message(view) if view else "",
        "names": {side: names.get(side, "") for side in ("white", "black")},
        "mirrored": moment.mirrored,
        "turn_since": moment.turn_since,
        "turns": [turn_json(turn, words) for turn in moment.turns[-SHOWN_TURNS:]],
        "alerts": [_alert_json(alert, words) for alert in reversed(moment.alerts)],
        "paired": paired,
    }


def _alert_json(alert: Alert, words: Words) -> dict[str, Any]:
    details = [words.rule(reason) for reason in alert.reasons]
    if alert.kind == "cube":  # its sentence names the player
        action, value = alert.reasons
        details = [words.message({"message": {"key": f"cube-{action}", "details": [alert.player or "", value]}})]
    return {
        "t": round(alert.t, 1),
        "at": alert.at,
        "kind": alert.kind,
        "player": None if alert.kind == "cube" else alert.player,
        "text": _(ALERT_TEXTS[alert.kind]),
        "details": details,
    }


ALERT_TEXTS = {
    "illegal": N_("Illegal play"),
    "stands": N_("An illegal play stands"),
    "taken-back": N_("Taken back"),
    "void-roll": N_("Void roll"),
    "gap": N_("Something was not seen"),
    "board-moved": N_("The board was moved"),
    "flag": N_("The time is up"),
    "uncertain": N_("Not certain, please check"),
    "lost": N_("The board is not understood"),
    "blind": N_("The board cannot be seen"),
    "cube": N_("Cube"),
    "game": N_("Game over"),
    "match": N_("Match over"),
}


def encoded(data: Mapping[str, Any]) -> bytes:
    """JSON in one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
