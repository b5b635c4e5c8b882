"""Events for whoever started the program: JSON lines for other programs, or one short line for a person."""

import json
import sys
from contextlib import ExitStack
from typing import IO, Any

from companion.errors import ConfigError
from companion.events import PUBLIC, SCHEMA, Event
from companion.languages import N_, _
from companion.signals.texts import NAMES, OUTCOMES, RULES, VOID, points_text

_NOT_IN_WORDS = ("t", "event", "player", "dice", "board", "confidence")

WORDS = {
    "rolled": N_("rolled"),
    "void-roll": N_("void-roll"),
    "play": N_("play"),
    "illegal-play": N_("illegal-play"),
    "taken-back": N_("taken-back"),
    "cube": N_("cube"),
    "resign": N_("resign"),
    "game": N_("game"),
    "match": N_("match"),
    "gap": N_("gap"),
    "board-moved": N_("board-moved"),
    "flag": N_("flag"),
    "unfinished": N_("unfinished"),
    "legal": N_("legal"),
    "illegal": N_("illegal"),
    "no move": N_("no move"),
    "extra": N_("extra roll"),
    "left-over": N_("left-over"),
    "double": N_("double"),
    "take": N_("take"),
    "drop": N_("drop"),
    "beaver": N_("beaver"),
    "accept": N_("accept"),
}
"""Words of the events that are no names of rules."""


class EventSink:
    """Writes public events: JSON lines with the schema's version in the first, or one short line for a person."""

    def __init__(self, file: IO[str], *, as_json: bool) -> None:
        self._file = file
        self._json = as_json
        self._first = True

    def __call__(self, event: Event) -> None:
        """Write one event, unless it is not part of the public stream."""
        if not isinstance(event, PUBLIC):
            return
        if self._json:
            head = {"schema": SCHEMA} if self._first else {}
            line = json.dumps(head | event.to_json(), ensure_ascii=False)
        else:
            line = in_words(event)
        self._first = False
        print(line, file=self._file, flush=True)


def in_words(event: Event) -> str:
    """One event in one line for a person."""
    data = event.to_json()
    dice = "-".join(str(value) for value in event.dice) if event.dice else ""
    rest = {key: value for key, value in data.items() if key not in _NOT_IN_WORDS and value not in ([], "own", False)}
    if data["event"] == "play" and data["play"] == "":
        rest["play"] = "no move"
    if "points" in rest and data["event"] == "game":
        rest["points"] = points_text(data["points"])
    words = " ".join(_word(value) for value in rest.values() if value is not None)
    return f"{event.t:8.1f} s  {_word(event.name):<12} {_word(event.player or ''):<6} {dice:<4} {words}".rstrip()


def sink_to(stack: ExitStack, events: str | None) -> EventSink:
    """Where ``--events`` sends them; raises ConfigError when the file cannot be written."""
    if events is None or events == "-":
        return EventSink(sys.stdout, as_json=events == "-")
    try:
        return EventSink(stack.enter_context(open(events, "w", encoding="utf-8")), as_json=True)
    except OSError as error:
        raise ConfigError(f"{events}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{_word(key)} {item}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_(RULES[item]) if item in RULES else _word(item) for item in value)
    text = str(value)
    known = WORDS.get(text) or NAMES.get(text) or RULES.get(text) or VOID.get(text) or OUTCOMES.get(text)
    return text if known is None else _(known)
