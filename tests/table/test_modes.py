"""The mode says who is told what, never what happened: the events are the same in all (design.md §4)."""

from typing import Any

import pytest

from companion.table import TableSettings
from tests.table.seeing import pair
from tests.table.story import Story


def told(mode: str) -> list[dict[str, Any]]:
    """Two plays, a void roll, an illegal play that is taken back, and one that stands."""
    story = Story("long", settings=TableSettings(mode=mode))  # type: ignore[arg-type]
    board = story.game.start
    story.show(board)
    board = story.turn(board, (6, 1), "white", (24, 18), (18, 17))
    story.show(board, pair((4, 2), cocked=0.95))
    story.show(board)
    board = story.turn(board, (6, 1), "black", (24, 18), (18, 17))
    story.turn(board, (5, 2), "white", (24, 19), (24, 22))
    board = story.turn(board, (5, 2), "white", (24, 19), (19, 17))
    board = story.turn(board, (5, 2), "black", (24, 19), (24, 22))
    story.show(board, pair((3, 1), x=300.0))
    return [event.to_json() for event in story.events]


@pytest.mark.parametrize("mode", ["teach", "director", "silent"])
def test_the_events_are_those_of_the_referee(mode: str) -> None:
    referee = told("referee")
    assert {"void-roll", "illegal-play", "taken-back"} <= {event["event"] for event in referee}
    assert told(mode) == referee
