"""JSON: the complete truth of a recording, and the one form that loses nothing (docs/formats.md).

``{"format": "companion-record", "version": 1, "schema", "recording", "inputs", "events", "analysis"}``
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from companion import events as ev
from companion.errors import CompanionError
from companion.inputs import Input
from companion.records.formats.document import Document
from companion.records.formats.source import FormatError, Source
from companion.records.transcript import Assessment, house_of
from companion.rules import Position, RulesError

FORMAT = "companion-record"
VERSION = 1
_ALL: tuple[type[ev.Event], ...] = (*ev.PUBLIC, ev.GameStarted, *ev.NOTES)
_KINDS = {kind.name: kind for kind in _ALL}
_MOST = 30
"""Checkers on one point that are still read: an illegal play may be stranger than any position."""
_DECODER = json.JSONDecoder(parse_constant=lambda name: _no_constant(name))


def to_json(document: Document) -> dict[str, Any]:
    """Everything that is stored about a recording."""
    number = {} if document.id is None else {"id": document.id}
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "schema": ev.SCHEMA,
        "recording": number | dict(document.meta),
        "inputs": [item.to_json() for item in document.inputs],
        "events": [event.to_json() for event in document.events],
    }
    if document.analysis:
        data["analysis"] = {str(play): said.to_json() for play, said in document.analysis.items()}
    return data


def write_json(document: Document) -> str:
    """The file: one event a line, so that two versions of a record can be compared."""
    data = to_json(document)
    parts = [f"{_quoted(key)}: {_value(value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def is_json(text: str) -> bool:
    """Whether a text looks like a record in this form."""
    return text[:1000].lstrip().startswith("{")


def read_json(source: Source) -> Document:
    """The recording of a file; raises FormatError with line and column."""
    places = _Places(source)
    top = dict(places.members(places.skip(0)))
    _check_head(source, top)
    meta, at = top.get("recording", ({}, 0))
    if not isinstance(meta, dict):
        raise source.at(at, "an object with what is known of the recording", _dump(meta))
    number = meta.pop("id", None)
    _check_house(source, meta, at)
    events = [_read(source, place, item, event_of) for item, place in places.items(top, "events")]
    inputs = [_read(source, place, item, Input.from_json) for item, place in places.items(top, "inputs")]
    analysis = _analysis(source, *top.get("analysis", ({}, 0)))
    return Document(meta, tuple(events), tuple(inputs), analysis, number if isinstance(number, int) else None)


def event_of(data: Any) -> ev.Event:
    """An event from its JSON form, every field of which is checked; raises ValueError that says what is wrong."""
    if not isinstance(data, dict) or data.get("event") not in _KINDS:
        raise ValueError(f"expected an event ({', '.join(_KINDS)}), got {_dump(data)}")
    kind = _KINDS[data["event"]]
    values = {key: value for key, value in data.items() if key not in ("event", "schema")}
    if isinstance(values.get("t"), bool) or not isinstance(values.get("t"), int | float):
        raise ValueError(f"t: expected seconds, got {_dump(values.get('t'))}")
    if not math.isfinite(values["t"]) or abs(values["t"]) > 1e9:
        raise ValueError(f"t: expected seconds, got {values['t']}")
    try:
        event: ev.Event = _adapter(kind.name).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or kind.name
        raise ValueError(f"{kind.name}: {where}: {first['msg'].lower()}, got {_dump(first['input'])}") from None
    _check_values(event)
    told = event.to_json()
    odd = [key for key in values if key != "t" and (key not in told or told[key] != values[key])]
    if odd:
        raise ValueError(f"{kind.name}: {odd[0]}: expected one of its keys with a value of its kind")
    return event


def _check_values(event: ev.Event) -> None:
    if event.dice is not None and not all(1 <= die <= 6 for die in event.dice):
        raise ValueError(f"dice: expected two numbers from 1 to 6, got {list(event.dice)}")
    if isinstance(event, ev.TurnSeen) and not all({one, two} <= set(range(1, 7)) for _, one, two, *_ in event.others):
        raise ValueError("others: expected two numbers from 1 to 6 after the player")
    board = getattr(event, "board", None)
    if board is not None:
        position = Position.from_json(board)
        if any(abs(n) > _MOST for n in (*position.points, *position.bar, *position.off)):
            raise ValueError(f"board: expected at most {_MOST} checkers on a point")
    score = getattr(event, "score", None)
    if score is not None and set(score) != {"white", "black"}:
        raise ValueError(f'score: expected {{"white": n, "black": n}}, got {_dump(score)}')


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(_KINDS[name])


def _read(source: Source, place: int, item: Any, how: Any) -> Any:
    try:
        return how(item)
    except (ValueError, CompanionError) as error:
        raise FormatError("{}:{}:{}: {}".format(source.name, *source.place(place), error)) from None


def _check_head(source: Source, top: Mapping[str, tuple[Any, int]]) -> None:
    for key, expected in (("format", FORMAT), ("version", VERSION), ("schema", ev.SCHEMA)):
        value, at = top.get(key, (None, 0))
        newer = isinstance(value, int) and isinstance(expected, int) and value > expected
        if value != expected or isinstance(value, bool):
            advice = ": update companion" if newer else ""
            raise source.at(at, f"{key} {expected!r}{advice}", _dump(value))


def _check_house(source: Source, meta: Mapping[str, Any], at: int) -> None:
    try:
        if meta.get("game") is not None:
            house_of(meta)
    except RulesError as error:
        raise FormatError("{}:{}:{}: {}".format(source.name, *source.place(at), error)) from None


def _analysis(source: Source, data: Any, at: int) -> dict[int, Assessment]:
    found: dict[int, Assessment] = {}
    try:
        for key, said in data.items():
            assessment = TypeAdapter(Assessment).validate_python(said)
            numbers = (assessment.error, assessment.cube_error, assessment.luck)
            if any(number is not None and not math.isfinite(number) for number in numbers):
                raise ValueError
            found[int(key)] = assessment
    except (AttributeError, ValueError, TypeError):
        raise source.at(at, "an analysis: the number of a play, then error, cube_error, luck and best") from None
    return found


class _Places:
    """Parses the outer levels by hand, so that what is wrong inside can be found in the text."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text

    def skip(self, at: int) -> int:
        """The place of the next sign that is no blank."""
        while self._text[at : at + 1] in (" ", "\t", "\n"):
            at += 1
        return at

    def value(self, at: int) -> tuple[Any, int]:
        """A value and the place after it."""
        try:
            return _DECODER.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            raise self._source.at(
                error.pos, f"JSON ({error.msg.lower()})", self._text[error.pos : error.pos + 20]
            ) from None
        except (ValueError, RecursionError) as error:
            raise self._source.at(at, "JSON of ordinary size and depth", str(error)[:60]) from None

    def members(self, at: int) -> Iterator[tuple[str, tuple[Any, int]]]:
        """The members of the object at a place: key, value and the place of the value."""
        at = self._sign("{", at)
        while self._text[at : at + 1] != "}":
            key, at = self.value(at)
            if not isinstance(key, str):
                raise self._source.at(at, "a key in quotes")
            begin = self._sign(":", self.skip(at))
            value, at = self.value(begin)
            yield key, (value, begin)
            at = self._next(at, "}")
        if self.skip(at + 1) != len(self._text):
            raise self._source.at(self.skip(at + 1), "the end of the file", self._text[at + 1 : at + 21])

    def items(self, top: Mapping[str, tuple[Any, int]], key: str) -> Iterator[tuple[Any, int]]:
        """The items of the list under a key, with their places."""
        found, at = top.get(key, ([], 0))
        if not isinstance(found, list):
            raise self._source.at(at, f"a list of {key}", _dump(found))
        if not found:
            return
        at = self._sign("[", at)
        for _ in found:
            value, end = self.value(at)
            yield value, at
            at = self._next(end, "]")

    def _sign(self, sign: str, at: int) -> int:
        if self._text[at : at + 1] != sign:
            raise self._source.at(at, f"{sign} (JSON)", self._text[at : at + 20])
        return self.skip(at + 1)

    def _next(self, at: int, end: str) -> int:
        """Past a comma, or at the end sign."""
        at = self.skip(at)
        return at if self._text[at : at + 1] == end else self._sign(",", at)


def _value(value: Any) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(" " + _quoted(item) for item in value) + "\n]"
    return _quoted(value)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _dump(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


__all__: Sequence[str] = ("FORMAT", "VERSION", "event_of", "is_json", "read_json", "to_json", "write_json")
