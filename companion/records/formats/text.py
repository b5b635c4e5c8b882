"""The text form: a transcript that people read, write by hand and type back in, of every game (docs/formats.md).

What the words cannot say exactly stands in lines of its own that begin with ``!``: nothing is lost on the way back.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from companion import events as ev
from companion.layout import Player
from companion.records.formats.cells import CellError, format_cell, read_cell, told_with
from companion.records.formats.lines import format_result, format_start, read_line
from companion.records.formats.notation import format_note, format_time
from companion.records.formats.scribe import Scribe
from companion.records.transcript import Assessment, Transcript
from companion.rules import RulesError, get_game

TITLE = "companion-transcript"
VERSION = 1
_COLUMN = 44
_KEY = re.compile(r"[A-Za-z_][\w-]{0,60}", re.ASCII)
_RESERVED = ("white", "black", "game", "meta", "options", "rule")


def write_text(transcript: Transcript) -> str:
    """The file; raises RulesError when the match names no game."""
    return "\n".join([*head(transcript), *_Writer(transcript).lines()]) + "\n"


def head(transcript: Transcript) -> Iterator[str]:
    """The lines before the first game."""
    yield f"; {TITLE} {VERSION}"
    meta = dict(transcript.meta)
    yield f"; game: {meta.pop('game')}"
    players = meta.pop("players", None)
    if _is_names(players):
        yield f"; White: {header_value(players['white'])}"
        yield f"; Black: {header_value(players['black'])}"
    elif players is not None:
        meta["players"] = players
    options = meta.pop("options", None)
    told = transcript.house.options.to_json()
    if options == told:
        usual = get_game(transcript.house.name, {"length": told["length"]}).options.to_json()
        usual["length"] = get_game(transcript.house.name).options.length
        for key, value in told.items():
            if value != usual[key]:
                yield f"; rule {key}: {header_value(value)}"
    else:
        yield f"; options: {header_value(options) if 'options' in transcript.meta else 'usual'}"
    odd = {key: value for key, value in meta.items() if not _KEY.fullmatch(key) or key.lower() in _RESERVED}
    for key, value in meta.items():
        if key not in odd:
            yield f"; {key}: {header_value(value)}"
    if odd:
        yield f"; meta: {header_value(odd)}"


def header_value(value: Any) -> str:
    """A text as it is, where it cannot be taken for something else; everything else as JSON."""
    if isinstance(value, str) and value and value == " ".join(value.split()) and value.isprintable():
        try:
            json.loads(value)
        except (ValueError, RecursionError):
            return value
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def _is_names(players: Any) -> bool:
    return (
        isinstance(players, Mapping)
        and set(players) == {"white", "black"}
        and all(isinstance(name, str) for name in players.values())
    )


class _Writer:
    """Writes events, and reads each line as it will be read; what would come out otherwise is written as JSON."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._scribe = Scribe(transcript.house)
        self._number = 0
        self._left: str | None = None
        self._t = 0.0

    def lines(self) -> Iterator[str]:
        """The lines after the head."""
        events = self._transcript.events()
        index = 0
        while index < len(events):
            count = 2 if index + 1 < len(events) and told_with(events[index], events[index + 1]) else 1
            yield from self._written(events[index : index + count])
            index += count
        yield from self._flush()

    def _written(self, events: list[ev.Event]) -> Iterator[str]:
        last = events[-1]
        if isinstance(last, ev.PlayMade | ev.CubeAction) and last.player is not None:
            said = self._transcript.analysis.get(self._scribe.plays + 1) if isinstance(last, ev.PlayMade) else None
            cell = self._cell(last.player, events, said)
            if cell is not None:
                yield from self._add(last.player, cell)
                self._t = last.t
                return
        yield from self._flush()
        for event in events:
            yield from self._line(event)
            self._scribe.follow(event)
            self._t = event.t

    def _cell(self, player: Player, events: list[ev.Event], said: Assessment | None) -> str | None:
        """The cell that says exactly these events, if one does; with the verdict where the rules would not say so."""
        for judged in (False, True):
            try:
                cell = format_cell(self._scribe, events, self._t, said, judged=judged)
                read = read_cell(self._scribe, player, cell, self._t)
            except (CellError, RulesError):
                continue
            if list(read.events) == events and read.said == said and "|" not in cell:
                for event in events:
                    self._scribe.follow(event)
                self._scribe.keep_left_over(read.left_over)
                return cell
        return None

    def _line(self, event: ev.Event) -> Iterator[str]:
        text = self._words(event)
        if text is not None and _reads_as(self._scribe, text, self._t, event):
            if isinstance(event, ev.GameStarted):
                self._number = 0
                yield ""
                yield text
                names = [self._transcript.name(player) for player in ("white", "black")]
                score = [event.score.get(player, 0) for player in ("white", "black")]
                left, right = (f"{_name(n)} : {s}" for n, s in zip(names, score, strict=True))
                yield f";    {left:<{_COLUMN}} | {right}"
            else:
                yield f"     {text}"
            return
        yield f"     ! {json.dumps(event.to_json(), ensure_ascii=True, allow_nan=False)}"

    def _words(self, event: ev.Event) -> str | None:
        time = "" if event.t == self._t else f" @{format_time(event.t)}"
        if isinstance(event, ev.GameStarted):
            return format_start(self._scribe, event) + time
        if isinstance(event, ev.GameWon | ev.MatchWon):
            return format_result(event) + time
        note = format_note(event)
        return None if note is None else f"* {note}{time}"

    def _add(self, player: Player, cell: str) -> Iterator[str]:
        if player == "white":
            yield from self._flush()
            self._left = cell
            return
        left, self._left = self._left or "", None
        self._number += 1
        yield f"{self._number:3}) {left:<{_COLUMN}} | {cell}".rstrip()

    def _flush(self) -> Iterator[str]:
        if self._left is not None:
            yield from self._add("black", "")


def _reads_as(scribe: Scribe, text: str, t: float, event: ev.Event) -> bool:
    try:
        return read_line(scribe, text, t) == event
    except ValueError:
        return False


def _name(name: str) -> str:
    return " ".join("".join(c if c.isprintable() and c != "|" else " " for c in name).split())
