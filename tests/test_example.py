"""The bundled game, from pixels to events: against what its players did, and against the events that are kept with it.

When the events change for a good reason, write them anew, and look at every line that differs::

    companion replay calibration/example/video.mp4 --calibration calibration/example/calibration.json \\
        --events calibration/example/events.jsonl
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.config import data_folder
from companion.rules import get_game

EXAMPLE = data_folder("calibration") / "example"

WHAT_THE_PLAYERS_DID = [
    ("play", "black", (2, 1), "24/23 23/21"),
    ("play", "white", (3, 3), "24/21 21/18 18/15 24/21"),
    ("void-roll", "black", (1, 1), "cocked"),
    ("play", "black", (6, 2), "21/19 24/18"),
    ("illegal-play", "white", (5, 5), "head"),
    ("taken-back", "white", None, ""),
    ("play", "white", (5, 5), "15/10 10/5 21/16 16/11"),
    ("play", "black", (4, 1), "19/15 15/14"),
]
"""Noted by hand while watching the film."""


def replayed(out: Path) -> list[dict[str, Any]]:
    calibration = str(EXAMPLE / "calibration.json")
    events = str(out / "events.jsonl")
    assert main(["replay", str(EXAMPLE / "video.mp4"), "--calibration", calibration, "--events", events]) == 0
    return read(out / "events.jsonl")


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the whole program says to the film."""
    return replayed(tmp_path_factory.mktemp("example"))


def after(points: Sequence[int], player: str, play: str) -> list[int]:
    """The points, in White's numbers, after a play of long nardy that bears nothing off."""
    moved, sign = list(points), 1 if player == "white" else -1
    for move in play.split():
        source, target = (int(point) for point in move.split("/"))
        for point, change in ((source, -sign), (target, sign)):
            moved[(point - 1 if player == "white" else point + 11) % 24] += change
    return moved


def test_it_says_what_the_players_did(events: list[dict[str, Any]]) -> None:
    points: Sequence[int] = get_game("long").start.to_json()["points"]
    told = [event for event in events if event["event"] != "rolled"]
    assert [(e["event"], e["player"]) for e in told] == [(kind, player) for kind, player, _, _ in WHAT_THE_PLAYERS_DID]
    for event, (kind, player, dice, what) in zip(told, WHAT_THE_PLAYERS_DID, strict=True):
        if dice is not None:
            assert sorted(event["dice"]) == sorted(dice)
        if kind == "play":
            points = after(points, player, what)
            assert (event["board"]["points"], event["verdict"]) == (points, "legal")
        elif kind == "illegal-play":
            assert event["reasons"][0] == what
        elif kind == "void-roll":
            assert event["why"] == what


def test_every_final_play_was_rolled_before(events: list[dict[str, Any]]) -> None:
    rolls = [sorted(event["dice"]) for event in events if event["event"] == "rolled"]
    plays = [sorted(event["dice"]) for event in events if event["event"] == "play"]
    assert rolls == plays


def test_the_events_are_those_that_are_kept_with_the_film(events: list[dict[str, Any]]) -> None:
    kept = read(EXAMPLE / "events.jsonl")
    assert events[0]["schema"] == kept[0]["schema"]
    for got, expected in zip(events, kept, strict=True):
        # Another build of OpenCV may see a frame a little differently: three frames of ten a second are allowed.
        assert got["t"] == pytest.approx(expected["t"], abs=0.31)
        unsure = ("t", "confidence")
        assert {k: v for k, v in got.items() if k not in unsure} == {
            k: v for k, v in expected.items() if k not in unsure
        }


def test_the_same_film_gives_the_same_events_to_the_byte(events: list[dict[str, Any]], tmp_path: Path) -> None:
    assert replayed(tmp_path) == events
