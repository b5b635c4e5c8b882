"""One cell of the text form: a roll with its play, or a cube action (docs/formats.md).

::

    31@10.2: 24/23 24/21 [illegal: head] @12.3

A cell means the events it stands for only together with what happened before it; that is the :class:`Scribe`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion import events as ev
from companion.layout import Player
from companion.records.formats.notation import (
    TIME,
    format_dice,
    format_position,
    format_time,
    parse_dice,
    parse_position,
)
from companion.records.formats.scribe import Scribe
from companion.records.transcript import Assessment, moved
from companion.rules import Play, Position, RulesError, parse_play
from companion.rules.turn import LeftOver

_HEAD = re.compile(
    r"(?P<dice>[1-6][1-6]|\?\?)(?P<alone>\^)?(?:@(?P<roll_t>-?\d{1,9}(?:\.\d{1,3})?))?(?P<somebody>\?)?\s{0,9}:"
)
_CUBE = re.compile(
    r"(?P<word>Doubles|Takes|Drops|Beavers|Accepts)\b(?:\s{0,9}=>\s{0,9}(?P<value>\d{1,9}))?", re.IGNORECASE
)
_TIME = re.compile(rf"{TIME}?$")
_NUMBER = re.compile(r"[-+]?\d{1,6}(?:\.\d{1,17})?(?:e-\d\d)?")
_TAG = re.compile(r"\[([^\[\]]*)\]")
_ACTIONS = {"double": "Doubles", "take": "Takes", "drop": "Drops", "beaver": "Beavers", "accept": "Accepts"}
_WORDS = {word.lower(): action for action, word in _ACTIONS.items()}
_VALUED = ("double", "beaver")


class CellError(ValueError):
    """A cell cannot be read: what was expected and what was there, and where in the cell, from 0."""

    def __init__(self, at: int, expected: str, got: str) -> None:
        super().__init__(expected)
        self.at, self.expected, self.got = at, expected, got


@dataclass(frozen=True)
class Read:
    """What a cell says: its events, what passes to the opponent, what an analysis found."""

    events: tuple[ev.Event, ...]
    left_over: tuple[LeftOver, ...] = ()
    said: Assessment | None = None


def read_cell(scribe: Scribe, player: Player, text: str, t: float) -> Read:
    """Read a cell; ``t`` is the time of the event before it. Raises CellError."""
    text = text.rstrip()
    if found := _HEAD.match(text):
        end = min(
            (at for at in (text.find("[", found.end()), text.find("@", found.end())) if at >= 0), default=len(text)
        )
        return _read_play(scribe, player, found, text[found.end() : end], _tail(text, end), t)
    if found := _CUBE.match(text):
        return _read_cube(scribe, player, found, _tail(text, found.end()), t)
    raise CellError(0, "a roll and its play such as 31: 24/23 24/21, or a cube action such as Doubles => 2", text)


@dataclass(frozen=True)
class _Tail:
    """What follows the words of a cell: tags with their places, and the time, when it is told."""

    tags: tuple[tuple[int, str], ...]
    t: float | None


def _tail(text: str, at: int) -> _Tail:
    tags = []
    at = _skip(text, at)
    while tag := _TAG.match(text, at):
        tags.append((_skip(text, tag.start(1)), " ".join(tag[1].split())))
        at = _skip(text, tag.end())
    time = _TIME.match(text, at)
    if time is None:
        raise CellError(at, "tags such as [extra], then a time such as @12.5", text[at:])
    return _Tail(tuple(tags), None if time["t"] is None else float(time["t"]))


def _skip(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def format_cell(
    scribe: Scribe, events: Sequence[ev.Event], t: float, said: Assessment | None = None, *, judged: bool = False
) -> str:
    """The cell of a play (with the roll before it) or of a cube action, after an event at the time ``t``.

    ``judged``: the verdict is told, also where the rules would say the same.
    """
    last = events[-1]
    if isinstance(last, ev.CubeAction):
        return _format_cube(scribe, last, t)
    assert isinstance(last, ev.PlayMade)
    roll = events[0] if isinstance(events[0], ev.Rolled) else None
    head = format_dice(last.dice)
    if roll is None:
        head += "^"
    elif roll.t != last.t:
        head += f"@{format_time(roll.t)}"
    if roll is not None and roll.player is None:
        head += "?"
    time = t if roll is None or roll.t == last.t else roll.t
    words = [f"{head}:", last.play, *_tags(scribe, last, said, judged)]
    if last.t != time:
        words.append(f"@{format_time(last.t)}")
    return " ".join(word for word in words if word)


def told_with(roll: ev.Event, play: ev.Event) -> bool:
    """Whether a roll and the next event are one cell."""
    if not isinstance(roll, ev.Rolled) or not isinstance(play, ev.PlayMade):
        return False
    same_part = roll.part == play.part
    return roll.dice == play.dice and same_part and roll.player in (None, play.player) and play.player is not None


def _tags(scribe: Scribe, event: ev.PlayMade, said: Assessment | None, judged: bool) -> list[str]:
    tags: list[str] = [event.part] if event.part != "own" else []
    if event.verdict == "illegal":
        tags.append(f"illegal: {', '.join(event.reasons)}" if event.reasons else "illegal")
    elif judged:
        tags.append("legal")
    plain = _plain(scribe, event)
    if plain is None or plain.to_json() != event.board:
        tags.append(f"board {format_position(event.board)}")
    if event.confidence is not None:
        tags.append(f"sure {event.confidence!r}")
    return [f"[{tag}]" for tag in (*tags, *_said(said))]


def _said(said: Assessment | None) -> list[str]:
    """``[lost 0.043, cube 0, luck +0.12, best 8/5 6/5]``: what an analysis found."""
    if said is None:
        return []
    words = [f"lost {_number(said.error)}"] if said.error is not None else []
    words += [f"cube {_number(said.cube_error)}"] if said.cube_error is not None else []
    words += [f"luck {_number(said.luck, '+')}"] if said.luck is not None else []
    words += [f"best {said.best}"] if said.best else []
    return [", ".join(words)] if words else []


def _number(value: float, sign: str = "") -> str:
    text = repr(value).removesuffix(".0")
    return text if text.startswith("-") else sign + text


def _plain(scribe: Scribe, event: ev.PlayMade) -> Position | None:
    """The position that the written moves lead to."""
    try:
        return moved(scribe.house, scribe.position, event.player or "white", parse_play(event.play))
    except RulesError:
        return None


def _format_cube(scribe: Scribe, event: ev.CubeAction, t: float) -> str:
    words = [_ACTIONS[event.action]]
    if event.action in _VALUED:
        words.append(f"=> {event.value}")
    usual = _usual(scribe, event.player or "white", event.action, event.t)
    if event.value != usual.value and event.action not in _VALUED:
        words.append(f"[value {event.value}]")
    if event.owner != usual.owner:
        words.append(f"[owner {event.owner or 'nobody'}]")
    if event.flagged:
        words.append("[flagged]")
    if event.t != t:
        words.append(f"@{format_time(event.t)}")
    return " ".join(words)


def _usual(scribe: Scribe, player: Player, action: Any, t: float) -> ev.CubeAction:
    """The action as the rules would have it."""
    cube = scribe.cube
    value = {"double": 2 * cube.value, "take": 2 * cube.value, "beaver": 4 * cube.value}.get(action, cube.value)
    owner = player if action in ("take", "beaver") else cube.owner
    return ev.CubeAction(t=t, player=player, action=action, value=value, owner=owner)


def _read_cube(scribe: Scribe, player: Player, found: re.Match[str], tail: _Tail, t: float) -> Read:
    event = _usual(scribe, player, _WORDS[found["word"].lower()], t if tail.t is None else tail.t)
    if found["value"]:
        event = replace(event, value=int(found["value"]))
    for at, tag in tail.tags:
        word, _, rest = tag.partition(" ")
        if word == "flagged" and not rest:
            event = replace(event, flagged=True)
        elif word == "value" and rest.isdecimal() and len(rest) < 10:
            event = replace(event, value=int(rest))
        elif word == "owner" and rest.lower() in ("white", "black", "nobody"):
            owner: Any = None if rest.lower() == "nobody" else rest.lower()
            event = replace(event, owner=owner)
        else:
            raise CellError(at, "[flagged], [value N] or [owner white|black|nobody]", tag)
    return Read((event,))


def _read_play(scribe: Scribe, player: Player, found: re.Match[str], play: str, tail: _Tail, t: float) -> Read:
    dice = parse_dice(found["dice"])
    rolled_t = None if found["roll_t"] is None else float(found["roll_t"])
    play_t = tail.t if tail.t is not None else rolled_t if rolled_t is not None else t
    said = _Said(scribe, player, found.end() + len(play) - len(play.lstrip()), play, dice, tail)
    event, left_over = said.event(play_t)
    roll_events: tuple[ev.Event, ...] = ()
    if not found["alone"]:
        part: Any = said.part
        roll_player = None if found["somebody"] else player
        when = play_t if rolled_t is None else rolled_t
        roll_events = (ev.Rolled(t=when, player=roll_player, dice=dice, part=part),)
    return Read((*roll_events, event), left_over, said.assessment())


class _Said:
    """What the play of a cell and its tags say."""

    def __init__(self, scribe: Scribe, player: Player, at: int, play: str, dice: ev.Dice | None, tail: _Tail) -> None:
        self._scribe, self._player, self._dice = scribe, player, dice
        self._text, self._text_at = " ".join(play.split()), at
        self.part: Any = "own"
        self._verdict: Any = None
        self._reasons: tuple[str, ...] = ()
        self._board: Position | None = None
        self._sure: float | None = None
        self._numbers: dict[str, float] = {}
        self._best = ""
        for at, tag in tail.tags:
            self._take(at, tag)

    def assessment(self) -> Assessment | None:
        """What an analysis found, if it did."""
        if not self._numbers and not self._best:
            return None
        get = self._numbers.get
        return Assessment(get("lost"), get("cube"), get("luck"), self._best)

    def event(self, t: float) -> tuple[ev.PlayMade, tuple[LeftOver, ...]]:
        """The final play, judged where the cell does not say what it was."""
        moves, after = self._after()
        verdict, text, left_over = self._verdict, self._text, tuple[LeftOver, ...]()
        reasons = self._reasons
        if verdict is None and self._dice is None:
            verdict = "legal"
        elif verdict is None and self._dice is not None:
            judged, left_over = self._judged(after)
            verdict = "legal" if judged else "illegal"
            reasons = () if judged else tuple(str(reason) for reason in judged.reasons)
            text = self._scribe.words(self._player, self._dice, moves, judged, self._text)
        return ev.PlayMade(
            t=t, player=self._player, dice=self._dice, play=text, verdict=verdict, board=after.to_json(),
            part=self.part, reasons=reasons, confidence=self._sure,
        ), left_over  # fmt: skip

    def _judged(self, after: Position) -> Any:
        assert self._dice is not None
        try:
            return self._scribe.judged(self._player, self._dice, after, self.part)
        except RulesError as error:
            raise CellError(self._text_at, f"a position from which to play: {error}", self._text) from None

    def _after(self) -> tuple[Play, Position]:
        try:
            moves = parse_play(self._text)
            after = self._board or moved(self._scribe.house, self._scribe.position, self._player, moves)
        except RulesError as error:
            if self._board is not None:
                return (), self._board
            raise CellError(
                self._text_at, str(error).removeprefix("play: ").removeprefix("expected "), self._text
            ) from None
        return moves, after

    def _take(self, at: int, tag: str) -> None:
        word, _, rest = tag.partition(" ")
        if tag in ("extra", "left-over"):
            self.part = tag
        elif tag == "legal":
            self._verdict = "legal"
        elif word.rstrip(":") == "illegal":
            self._verdict, self._reasons = "illegal", tuple(r for r in re.split(r"[, ]+", rest) if r)
        elif word == "board":
            self._board = _position(at, rest)
        elif word == "sure" and _NUMBER.fullmatch(rest):
            self._sure = float(rest)
        elif word in ("lost", "cube", "luck", "best"):
            self._take_analysis(at, tag)
        else:
            expected = "[extra], [left-over], [legal], [illegal: REASONS], [board POSITION], [sure 0.98] or analysis"
            raise CellError(at, expected, tag)

    def _take_analysis(self, at: int, tag: str) -> None:
        for part in tag.split(","):
            word, _, rest = part.strip().partition(" ")
            if word == "best":
                self._best = rest
            elif word in ("lost", "cube", "luck") and _NUMBER.fullmatch(rest):
                self._numbers[word] = float(rest)
            else:
                raise CellError(at, "an analysis such as [lost 0.043, cube 0, luck +0.12, best 8/5 6/5]", tag)


def _position(at: int, text: str) -> Position:
    try:
        return parse_position(text)
    except ValueError as error:
        raise CellError(at, str(error), text) from None
