"""legal, judge and score as filters: answers in order, a bad line does not stop the stream."""

import io
import json

import pytest

from companion.cli import main
from companion.rules import get_game

START = get_game("short").start.to_json()
LONG = get_game("long").start.to_json()


@pytest.fixture
def run(monkeypatch, capsys):
    def filtered(*arguments, lines=()):
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        code = main(arguments)
        printed = capsys.readouterr()
        return code, [json.loads(line) for line in printed.out.splitlines()], printed.err

    return filtered


def test_legal_lists_boards_and_plays(run):
    code, (answer,), _ = run("legal", lines=[{"id": 1, "game": "short", "board": START, "dice": [6, 5]}])
    assert code == 0
    assert set(answer) == {"id", "max_dice", "legal", "plays"}
    assert (answer["id"], answer["max_dice"], len(answer["legal"])) == (1, 2, 7)
    assert [[24, 18], [18, 13]] in answer["plays"]


def test_legal_tells_the_parts_of_a_turn(run):
    left = {"player": "black", "after": LONG, "die": 1, "moves_left": 2, "then": []}
    lines = [{"id": 1, "board": LONG, "dice": [1, 1], "leftover": left}]
    _, (answer,), _ = run("legal", "--game", "gulbar", lines=lines)
    assert (answer["extra_roll"], answer["ends"]) == (True, [[[4, None]]])
    assert (answer["leftover"]["max_dice"], len(answer["leftover"]["legal"])) == (2, 1)


def test_judge_answers_with_reasons_points_and_plays(run):
    after = json.loads(json.dumps(LONG))
    after["points"][23], after["points"][22], after["points"][21] = 13, 1, 1
    _, (answer,), _ = run("judge", lines=[{"id": "a", "game": "long", "board": LONG, "dice": [1, 2], "after": after}])
    assert list(answer) == ["id", "verdict", "reasons", "points", "plays"]
    assert all(len(play) == 2 for play in answer["plays"])
    assert (answer["verdict"], answer["reasons"], answer["points"]) == ("illegal", ["head"], [24])


def test_judge_knows_left_overs(run):
    line = {"id": 1, "game": "gulbar", "board": LONG, "after": LONG, "leftover": {"die": 1, "moves_left": 1}}
    _, (answer,), _ = run("judge", lines=[line])
    assert (answer["verdict"], answer["reasons"]) == ("incomplete", ["passed-but-could-move"])


def test_score_counts_games_and_follows_scripts(run):
    lost = {"points": [0] * 23 + [-15], "bar": {"white": 0, "black": 0}, "off": {"white": 15, "black": 0}}
    script = {
        "config": {"game": "short", "length": 0, "mid_game": True},
        "actions": [{"player": "black", "do": "double"}],
    }
    lines = [
        {"id": 1, "game": "short", "scoring": "oin-mars", "loser": "black", "loser_board": lost, "cube": 2},
        script,
    ]
    _, (counted, followed), _ = run("score", lines=lines)
    assert counted == {"id": 1, "outcome": "mars", "points": 4}
    assert followed["error"] == {"at": 0, "what": "cube"}
    assert (followed["id"], followed["turn"], followed["cube"]) == (None, "white", 1)


def test_a_bad_line_is_answered_and_the_stream_goes_on(run):
    good = {"id": 9, "game": "short", "board": START, "dice": [6, 5]}
    bad = [
        "{", "[1]", {"id": 3}, {"id": 4, "game": "chess", "board": START, "dice": [1, 2]},
        {"id": 5, "game": "short", "board": START, "dice": [1, 7]}, {"id": 6, "game": "short", "board": START},
        {"id": 7, "game": "short", "board": {"points": [1] * 24}, "dice": [1, 2]},
        {"id": 8, "game": "short", "board": START, "dice": [1, 2], "options": 3},
    ]  # fmt: skip
    code, answers, _ = run("legal", lines=["", *bad, good])
    assert code == 0
    assert [set(answer) for answer in answers[:-1]] == [{"id", "error"}] * len(bad)
    assert all("\n" not in answer["error"] for answer in answers[:-1])
    assert answers[-1]["id"] == 9
    assert "expected 15 checkers each, got 24 white and 0 black" in answers[6]["error"]


@pytest.mark.parametrize(
    "line",
    [
        {"id": 1, "config": {}, "actions": 3},
        {"id": 1, "config": {}, "actions": [3]},
        {"id": 1, "config": {}, "actions": [{"do": "double"}]},
        {"id": 1, "config": {"score": "x"}, "actions": []},
        {"id": 1, "game": "short", "loser_board": START, "cube": 0},
        {"id": 1, "game": "short", "loser_board": START, "loser": "red"},
        {"id": 1, "game": "short"},
        {"id": 1, "game": "short", "scoring": "x", "loser_board": START},
    ],
)
def test_a_wrong_score_line_is_an_error_line(run, line):
    code, (answer,), _ = run("score", lines=[line])
    assert code == 0
    assert set(answer) == {"id", "error"}


def test_the_command_line_stands_behind_what_a_line_says(run):
    line = {"id": 1, "board": LONG, "dice": [3, 3], "first_turn": True}
    _, (default,), _ = run("legal", "--game", "long", lines=[line])
    _, (profile,), _ = run("legal", "--profile", "classic-six", lines=[line])
    _, (option,), _ = run("legal", "--game", "long", "--option", "first-play-doubles=none", lines=[line])
    _, (own,), _ = run("legal", "--profile", "classic-six", lines=[line | {"options": {"first_play_doubles": [3]}}])
    assert [answer["max_dice"] for answer in (default, profile, option, own)] == [4, 3, 3, 4]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--game", "chess"), ("--profile", "no-such"), ("--game", "long", "--option", "block"),
        ("--game", "long", "--option", "block=x"), ("--game", "short", "--profile", "classic-six"),
    ],
)  # fmt: skip
def test_a_wrong_house_is_wrong_usage_in_one_line(run, arguments):
    code, answers, error = run("legal", *arguments)
    assert (code, answers) == (2, [])
    assert len(error.strip().splitlines()) == 1


def test_a_file_is_read_line_by_line(run, tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text(json.dumps({"id": 1, "game": "short", "board": START, "dice": [6, 5]}) + "\n\n", encoding="utf-8")
    assert len(run("legal", str(path))[1]) == 1
    code, _, error = run("legal", str(tmp_path / "missing.jsonl"))
    assert (code, len(error.strip().splitlines())) == (1, 1)


def test_answers_come_before_the_next_line_is_read():
    from companion.cli.rules import House, _legal, answers

    asked = []

    def lines():
        for number in range(3):
            asked.append(number)
            yield json.dumps({"id": number, "game": "short", "board": START, "dice": [6, 5]})

    stream = answers(lines(), House.of(None, None, None), _legal)
    assert next(stream)["id"] == 0
    assert asked == [0]
