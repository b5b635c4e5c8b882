"""Samples of the oracle's records, one test for each kind of answer."""

import gzip
import json
from pathlib import Path

import pytest

from companion.cli.rules import House, answers
from companion.cli.rules import _judge as judge
from companion.cli.rules import _legal as legal
from companion.cli.rules import _score as score
from companion.rules import Position, get_game
from companion.rules.profiles import Profile

FOLDER = Path(__file__).parents[1] / "data" / "oracle"
HOUSE = House(Profile("", "", {}))
COMPLETE = [
    p.stem
    for p in sorted(FOLDER.glob("*.gz"))
    if not p.name.startswith(("judge", "cube", "scoring")) and "member" not in p.name
]


def records(name):
    with gzip.open(
        FOLDER / f"{name}.jsonl.gz" if not name.endswith(".jsonl") else FOLDER / f"{name}.gz", "rt"
    ) as lines:
        return [json.loads(line) for line in lines]


def answered(found, command):
    return list(answers((json.dumps(record) for record in found), HOUSE, command))


def boards(positions):
    return {json.dumps(board) for board in positions}


def asked(record):
    """The question without its answer; in the engines' records the second player has no privilege."""
    kept = {key: record[key] for key in ("id", "game", "board", "dice") if key in record}
    kept |= {key: record[key] for key in ("first_turn", "second_player", "options", "leftover") if key in record}
    if record["game"] == "long" and "options" not in record:
        kept["options"] = {"second_player_any_double": False}
    return kept


@pytest.mark.parametrize("name", COMPLETE)
def test_complete_sets(name):
    found = [record | record.get("turn_prime", {}) for record in records(name)]
    for record, answer in zip(found, answered(map(asked, found), legal), strict=True):
        assert boards(answer["legal"]) == boards(record["legal"]), record["id"]
        assert answer["max_dice"] == record.get("max_dice", answer["max_dice"]), record["id"]
        assert answer.get("extra_roll", False) == record.get("extra_roll", answer.get("extra_roll", False)), record[
            "id"
        ]
        if "plays" in record:
            assert sorted(answer["plays"]) == sorted(record["plays"]), record["id"]
        if "ends" in record:
            assert [boards(each) for each in answer["ends"]] == [boards(each) for each in record["ends"]], record["id"]
        if "leftover" in record:
            assert boards(answer["leftover"]["legal"]) == boards(record["leftover"]["legal"]), record["id"]
            assert answer["leftover"]["max_dice"] == record["leftover"]["max_dice"], record["id"]


def test_nardgammon_is_long_with_the_block_tested_at_each_move():
    for record in records("long"):
        game = get_game("nardgammon", {"second_player_any_double": False})
        found = game.plays(Position.from_json(record["board"]), record["dice"], first_turn=record["first_turn"])
        assert boards(p.to_json() for p in found.results) == boards(record["legal"]), record["id"]


@pytest.mark.parametrize("name", ["mad-member", "mad-gulbar-member", "mad-fevga-member"])
def test_members_of_progressions(name):
    for record in records(name):
        lines = [asked(record) | {"after": candidate["board"]} for candidate in record["candidates"]]
        for candidate, answer in zip(record["candidates"], answered(lines, judge), strict=True):
            assert (answer["verdict"] == "legal") == candidate["legal"], (record["id"], candidate["why"])


def test_verdicts_and_their_reasons():
    found = records("judge")
    lines = [asked(record | {"board": record["before"]}) | {"after": record["after"]} for record in found]
    for record, answer in zip(found, answered(lines, judge), strict=True):
        assert (answer["verdict"] == "legal") == (record["verdict"] == "legal"), record["id"]
        assert set(record["must"]) <= set(answer["reasons"]) <= {*record["must"], *record["may"]}, record["id"]


def test_scores():
    for record, answer in zip(records("scoring"), answered(records("scoring"), score), strict=True):
        assert (answer["outcome"], answer["points"]) == (record["outcome"], record["points"]), record["id"]


def test_cube_scripts():
    for record, answer in zip(records("cube"), answered(records("cube"), score), strict=True):
        assert answer == {"id": record["id"], **record["expect"]}, record["note"]
