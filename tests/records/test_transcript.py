"""A recording written for programs and for people."""

import json

from companion import events as ev
from companion.inputs import Input, InputKind
from companion.records import Recording
from companion.records.formats.text import to_json, to_text

START: ev.Board = {
    "points": [0] * 11 + [-15] + [0] * 11 + [15],
    "bar": {"white": 0, "black": 0},
    "off": {"white": 0, "black": 0},
}
RECORDING = Recording(3, {"source": "game.mp4", "game": "long", "options": {"block": "ahead"}, "started": None})


def play(t: float, player: str, dice: tuple[int, int], text: str, **more: object) -> ev.PlayMade:
    values = {"verdict": "legal", "board": START} | more
    return ev.PlayMade(t=t, player=player, dice=dice, play=text, **values)  # type: ignore[arg-type]


GAME: list[ev.Event] = [
    ev.GameStarted(t=0, game="long", board=START, score={"white": 0, "black": 0}),
    ev.Status(t=0, phase="OPENING"),
    ev.Rolled(t=1, player="black", dice=(2, 1)),
    play(2, "black", (2, 1), "24/22 22/21"),
    play(3, "white", (6, 4), "24/18 18/14"),
    ev.VoidRoll(t=4, player="black", dice=(5, 3), why="cocked"),
    ev.IllegalPlay(t=6, player="black", dice=(5, 3), reasons=("head",), points=(24,), play="24/19 24/21"),
    play(8, "black", (5, 3), "24/19 24/21", verdict="illegal", reasons=("head",)),
    play(9, "white", (1, 1), ""),
    ev.GameWon(t=9, winner="white", outcome="mars", points=2, score={"white": 2, "black": 0}),
]


def test_the_json_is_the_complete_truth() -> None:
    pressed = Input(2.0, InputKind.END_TURN, "black")
    data = json.loads(json.dumps(to_json(RECORDING, GAME, [pressed])))
    assert (data["format"], data["version"], data["schema"]) == ("companion-record", 1, ev.SCHEMA)
    assert data["recording"] == {"id": 3, **RECORDING.meta}
    assert [ev.Event.from_json(event) for event in data["events"]] == GAME
    assert [Input.from_json(item) for item in data["inputs"]] == [pressed]


def test_the_text_reads_like_a_score_sheet() -> None:
    lines = [" ".join(line.split()) for line in to_text(RECORDING, GAME)]
    assert "Game 1 (long)" in lines
    assert "start, in White's numbers: White 24×15; Black 12×15" in lines
    assert lines[lines.index("White 0 Black 0") + 1 :] == [
        "1) 21: 24/22 22/21",
        "2) 64: 24/18 18/14",
        "; 4.0 s: void roll 5-3, cocked",
        "; 6.0 s: Black illegal play 24/19 24/21 (head)",
        "3) 53: 24/19 24/21 (illegal: head)",
        "4) 11:",
        "White wins: mars, 2 points; White 2 : 0 Black",
    ]


def test_a_play_of_black_stands_on_the_right() -> None:
    lines = list(to_text(RECORDING, GAME))
    both = list(to_text(RECORDING, [play(1, "white", (3, 1), "24/20"), play(2, "black", (5, 4), "24/15")]))
    assert next(line for line in lines if "24/22" in line).index("21:") > 30
    assert " ".join(both[-1].split()) == "1) 31: 24/20 54: 24/15"
