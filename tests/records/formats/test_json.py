"""JSON: everything that is stored, exactly, and nothing that is not an event."""

import json

import pytest

from companion import events as ev
from companion.inputs import Input, InputKind
from companion.records.formats import Document, Form, FormatError, write
from companion.records.transcript import Assessment
from companion.rules import GAMES
from tests.records.formats.files import document
from tests.records.formats.matches import random_match


def full(seed: int, game: str = "") -> Document:
    made = random_match(seed, game, rough=0.4, most_plays=15)
    status = ev.Status(t=1.5, phase="OPENING", provisional="legal", message="hello", details=("a", "b"))
    pressed = Input(2.0, InputKind.END_TURN, "black")
    said = {1: Assessment(0.1, None, -0.2, "24/18")}
    return Document(made.meta, (*made.events(), status), (pressed, Input(3.25, InputKind.ADJUST)), said, 7)


@pytest.mark.parametrize("game", GAMES)
def test_everything_comes_back(game: str) -> None:
    for seed in range(3):
        made = full(seed, game)
        assert document(write(made, Form.json)) == made


def test_the_file_says_what_it_is() -> None:
    data = json.loads(write(full(1), Form.json))
    assert (data["format"], data["version"], data["schema"]) == ("companion-record", 1, ev.SCHEMA)
    assert data["recording"]["id"] == 7
    assert data["inputs"][0] == {"t": 2.0, "input": "end-turn", "side": "black"}
    assert data["events"][0]["event"] == "start"
    assert set(data["analysis"]["1"]) == {"error", "cube_error", "luck", "best"}


def test_every_event_has_a_line_of_its_own() -> None:
    made = full(2)
    lines = write(made, Form.json).split("\n")
    assert sum(line.startswith(' {"t"') for line in lines) == len(made.events) + len(made.inputs)


def spoilt(key: str, value: object) -> str:
    """A file whose first play has another value."""
    data = json.loads(write(full(3, "long"), Form.json))
    event = next(each for each in data["events"] if each["event"] == "play")
    event[key] = value
    return json.dumps(data, indent=0)


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("t", "soon", r"t: expected seconds, got \"soon\""),
        ("t", True, r"t: expected seconds, got true"),
        ("player", "red", r"play: player: .*'white' or 'black', got \"red\""),
        ("dice", [7, 1], r"dice: expected two numbers from 1 to 6, got \[7, 1\]"),
        ("dice", [1], r"play: dice"),
        ("verdict", "odd", r"play: verdict: .*'legal' or 'illegal'"),
        ("board", {"points": [0] * 23}, r"board.points: expected 24 whole numbers"),
        ("board", {"points": [99] * 24}, r"board: expected at most 30 checkers on a point"),
        ("board", None, r"play: board"),
        ("event", "magic", r"expected an event \(rolled, void-roll"),
        ("colour", "blue", r"play: colour: "),
        ("reasons", "head", r"play: reasons"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(key: str, value: object, error: str) -> None:
    with pytest.raises(FormatError, match=r"game:\d+:1: " + ".*" + error):
        document(spoilt(key, value))


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('"companion-record"', '"other"', r"game:2:11: expected format 'companion-record', got .*other"),
        ('"version": 1', '"version": 2', r"game:3:12: expected version 1: update companion, got .2"),
        ('"schema": 1', '"schema": true', r"game:4:11: expected schema 1, got .true"),
        ('"inputs": [', '"inputs": [5, ', r"game:6:\d+: an input: expected"),
        ('"events": [', '"events": 3, "x": [', r"game:\d+:11: expected a list of events, got .3"),
        ('"events": [', '"events": [[[', r"game:\d+:\d+: expected JSON"),
        ('"events": [', '"events": [NaN, ', r"game:\d+:\d+: expected JSON"),
        ('"events": [', '"events": [' + "[" * 100_000, r"game:\d+:\d+: expected JSON"),
        ('"events": [', '"events": [' + "9" * 5000 + ",", r"game:\d+:\d+: expected JSON of ordinary size"),
        (
            '"options": {',
            '"options": {"length": "x", "y": {',
            r"game:5:14: option length: expected|game:\d+:\d+: expected",
        ),
    ],
)
def test_what_is_no_record_is_refused_with_its_place(old: str, new: str, error: str) -> None:
    text = write(full(4, "long"), Form.json)
    assert old in text
    with pytest.raises(FormatError, match=error):
        document(text.replace(old, new, 1), Form.json)
