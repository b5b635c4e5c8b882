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


def line(**changed):
    """A line that ``legal`` and ``judge`` can answer, with some fields changed."""
    return {"id": 1, "game": "gulbar", "board": LONG, "dice": [1, 2], "after": LONG} | changed


def left(**changed):
    return line(leftover={"after": LONG, "die": 4, "moves_left": 2, "then": []} | changed)


@pytest.mark.parametrize("command", ["legal", "judge"])
@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ('{"id": 1', "line: not readable as JSON: Expecting"),
        ("[" * 100_000, "line: not readable as JSON: nested too deeply"),
        ('{"id": ' + "9" * 5000 + "}", "line: not readable as JSON"),
        ('{"id": NaN}', "line: not readable as JSON: NaN is no number"),
        ("null", "line: expected a JSON object, got null"),
        (line(game=5), "game: expected a name, got 5"),
        (line(game=""), "game: expected a name here or --game, got nothing"),
        (line(game="нарды"), "game: expected one of long, "),
        (line(dice=[7, 1]), "dice: expected two numbers from 1 to 6, got [7, 1]"),
        (line(dice=[1.0, 2]), "dice: expected two numbers from 1 to 6, got [1.0, 2]"),
        (line(dice="12"), "dice: expected two numbers from 1 to 6, got '12'"),
        (line(first_turn="no"), "first_turn: expected true or false, got 'no'"),
        (line(second_player=1), "second_player: expected true or false, got 1"),
        (line(options=[]), "options: expected an object, got []"),
        (line(options={"blok": 1}), "option blok: expected one of direction, "),
        (line(options={"factors": {"koks": 2}}), "gulbar: factors: expected oin, mars (oin-mars), got 'koks'"),
        (line(board=[]), "board: expected an object with points, bar and off, got []"),
        (line(board={"points": [0] * 23}), "board.points: expected 24 whole numbers, got [0, 0"),
        (line(board={"points": [0] * 23 + [16]}), "gulbar: not a possible position: expected 15 checkers each, got 16"),
        (line(board={"points": [10**4000] * 24}), "gulbar: not a possible position: expected 15 checkers each, got 2"),
        (line(board=LONG | {"off": {"white": -1, "black": 0}}), "board.off: expected whole numbers from 0, got"),
        (line(board=LONG | {"bar": {"white": 1}}), 'board.bar: expected {"white": n, "black": n}, got'),
        (line(leftover=5), "leftover: expected an object, got 5"),
        (line(leftover={"after": LONG}), "leftover.die: expected a number from 1 to 6, got None"),
        (left(die=True), "leftover.die: expected a number from 1 to 6, got True"),
        (left(die=0), "leftover.die: expected a number from 1 to 6, got 0"),
        (left(moves_left=5), "leftover.moves_left: expected a number from 1 to 4, got 5"),
        (left(then=3), "leftover.then: expected the doubles that follow 4, such as [5, 6], got 3"),
        (left(then=[6]), "leftover.then: expected the doubles that follow 4, such as [5, 6], got [6]"),
        (left(then=[5, 6, 7]), "leftover.then: expected the doubles that follow 4, such as [5, 6], got [5, 6, 7]"),
        (left() | {"game": "mad"}, "leftover: in mad no moves pass to the opponent"),
    ],
)
def test_a_line_that_cannot_be_is_one_clear_error(run, command, asked, says):
    code, (answer,), error = run(command, lines=[asked])
    assert (code, set(answer), error) == (0, {"id", "error"}, "")
    assert answer["error"].startswith(says)
    assert len(answer["error"]) <= 300
    assert "\n" not in answer["error"]


def test_what_stands_after_a_play_may_be_anything(run):
    for after in ({"points": [99] * 24}, {"points": [-(10**300)] * 24, "bar": {"white": 10**9, "black": 0}}):
        _, (answer,), _ = run("judge", lines=[line(after=after)])
        assert (answer["verdict"], answer["reasons"]) == ("illegal", ["checker-count"])
    _, (answer,), _ = run("judge", lines=[line(after={"points": [0.5] * 24})])
    assert answer["error"].startswith("after.points: expected 24 whole numbers")


def test_an_id_of_any_text_comes_back(run):
    for identity in ("нарды", "\ud800", "a\nb", [1, {"x": None}], 10**300):
        _, (answer,), _ = run("judge", lines=[line(id=identity)])
        assert answer["id"] == identity


def acted(action, **config):
    return {"id": 1, "config": config, "actions": [action]}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"id": 1, "config": {}, "actions": 3}, "actions: expected a list, got 3"),
        (acted(3), 'action: expected {"player", "do"}, got 3'),
        (acted({"player": "white", "do": ["roll"]}), 'action: expected {"player", "do"}, got'),
        (acted({"do": "double"}), "action.player: expected white or black, got None"),
        (acted({"player": "white", "do": "jump"}), "action: expected one of double, take"),
        (acted({"player": "white", "do": "win"}), "action win: expected other arguments, got []"),
        (acted({"player": "white", "do": "new-game", "arg": "red"}), "action.arg: expected white or black, got 'red'"),
        (acted({"player": "white", "do": "play", "arg": "next"}), "action.arg: expected own, extra, left-over, got"),
        (acted({"player": "white", "do": "win", "arg": "single", "left": -7}), "action.left: expected a number from 1"),
        ({"id": 1, "config": {"score": "x"}, "actions": []}, "config.score: expected the points of White and Black"),
        ({"id": 1, "config": {"score": [1]}, "actions": []}, "config.score: expected the points of White and Black"),
        ({"id": 1, "config": {"score": [0, -1]}, "actions": []}, "config.score: expected the points of White and"),
        ({"id": 1, "config": {"lenght": 3}, "actions": []}, "config.lenght: expected one of game, score"),
        ({"id": 1, "config": {"length": "x"}, "actions": []}, "option length: expected a number of points"),
        ({"id": 1, "config": {"game": "chess"}, "actions": []}, "game: expected one of long, "),
        ({"id": 1, "config": {"crawford_done": 0}, "actions": []}, "crawford_done: expected true or false, got 0"),
        ({"id": 1, "game": "short", "loser_board": START, "cube": 0}, "cube: expected a power of two, got 0"),
        ({"id": 1, "game": "short", "loser_board": START, "cube": 3}, "cube: expected a power of two, got 3"),
        ({"id": 1, "game": "short", "loser_board": START, "cube": 2.0}, "cube: expected a power of two, got 2.0"),
        ({"id": 1, "game": "short", "loser_board": START, "loser": "red"}, "loser: expected white or black, got 'red'"),
        ({"id": 1, "game": "short", "loser_board": START, "conceded": "oin"}, "outcome: expected one of single, mars"),
        ({"id": 1, "game": "short"}, "loser_board: expected a board, got nothing"),
        ({"id": 1, "game": "short", "scoring": "x", "loser_board": START}, "option scoring: expected oin-mars"),
    ],
)
def test_a_wrong_score_line_is_one_clear_error(run, asked, says):
    code, (answer,), error = run("score", lines=[asked])
    assert (code, set(answer), error) == (0, {"id", "error"}, "")
    assert answer["error"].startswith(says)


def test_a_script_may_begin_with_any_rule_of_its_game(run):
    rules = {"game": "long", "scoring": "home-mars", "factors": {"koks": 5}, "next_start": "opening-roll", "limit": 2}
    won = {"player": "white", "do": "win", "arg": "koks"}
    _, (answer,), _ = run("score", lines=[acted(won, **rules)])
    assert (answer["error"], answer["score"]) == (None, {"white": 5, "black": 0})


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
        ("--option", "blok=home"),
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
