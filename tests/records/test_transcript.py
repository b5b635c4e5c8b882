"""A match as a record holds it: to and from events, positions and cube on the way, moves of a play."""

from companion import events as ev
from companion.records.transcript import Transcript, moved, moves_of
from companion.rules import Position, get_game
from tests.records.formats.matches import random_match

LONG = get_game("long")
START = LONG.start.to_json()


def play(t: float, player: str, dice: tuple[int, int], text: str, **more: object) -> ev.PlayMade:
    values = {"verdict": "legal", "board": START} | more
    return ev.PlayMade(t=t, player=player, dice=dice, play=text, **values)  # type: ignore[arg-type]


GAME: list[ev.Event] = [
    ev.GameStarted(t=0, game="long", board=START, score={"white": 0, "black": 0}),
    ev.Rolled(t=1, player="black", dice=(2, 1)),
    play(2, "black", (2, 1), "24/22 22/21", board=moved(LONG, LONG.start, "black", ((24, 22), (22, 21))).to_json()),
    ev.CubeAction(t=3, player="white", action="double", value=2),
    ev.CubeAction(t=4, player="black", action="take", value=2, owner="black"),
    ev.GameWon(t=9, player="white", winner="white", outcome="mars", points=4, score={"white": 4, "black": 0}),
    ev.MatchWon(t=9, player="white", winner="white", score={"white": 4, "black": 0}),
]


def test_nothing_but_the_status_is_lost() -> None:
    status = ev.Status(t=0, phase="OPENING")
    early = ev.BoardMoved(t=0, residual_px=1.0)
    assert Transcript.of({}, [early, GAME[0], status, *GAME[1:]]).events() == [early, *GAME]


def test_steps_tell_positions_and_cube() -> None:
    (game,) = Transcript.of({"game": "long"}, GAME).games
    steps = list(game.steps())
    assert [step.play for step in steps] == [0, 1, 1, 1, 1, 1]
    assert steps[1].before == LONG.start
    assert steps[2].before == steps[1].after == Position.from_json(GAME[2].board)  # type: ignore[attr-defined]
    assert [step.cube.value for step in steps] == [1, 1, 1, 1, 2, 2]
    assert [step.cube.offer for step in steps] == ["", "", "", "doubled", "", ""]
    assert steps[5].cube.owner == "black"
    assert game.result == GAME[5]
    assert game.match_result == GAME[6]


def test_names_and_date() -> None:
    known = Transcript.of({"players": {"white": "Борис", "black": " "}, "started": "2026-11-29T19:00:00+00:00"}, [])
    assert (known.name("white"), known.name("black"), known.date) == ("Борис", "Black", (2026, 11, 29))
    unknown = Transcript.of({"started": "soon"}, [])
    assert (unknown.name("white"), unknown.date) == ("White", None)


def test_house_rules_that_the_game_does_not_have_are_left_out() -> None:
    options = LONG.options.to_json() | {"block": "home", "length": 5}
    assert Transcript.of({"game": "short", "options": options}, []).house.options.length == 5


def test_the_moves_of_every_play_lead_to_its_board() -> None:
    for seed in range(6):
        transcript = random_match(seed, rough=0.3, most_plays=30)
        for _, step in transcript.steps():
            if isinstance(step.event, ev.Gap) and step.event.board is None:
                break  # from here on nobody knows where a play began
            if isinstance(step.event, ev.PlayMade) and step.event.player is not None:
                moves = moves_of(transcript.house, step.event, step.before)
                if moves is not None:
                    assert moved(transcript.house, step.before, step.event.player, moves) == step.after
                else:
                    assert step.event.verdict == "illegal"
