"""``run --simulate`` in every situation: which lamps burn, level by level, what the display says, what is heard."""

import json
import logging
import sys
from typing import Any

import pytest
from gpiozero import LED

from companion import cli
from companion import events as ev
from companion.errors import HardwareError, RecordUnwritable
from companion.records import Store
from companion.rules import Position, get_game
from companion.signals.sounds import TUNES
from tests.service.conftest import Table
from tests.service.film import Camera, Eyes, Film, moved
from tests.table.seeing import pair

LONG = get_game("long")
W, B, GREEN, AMBER, RED = "white", "black", "green", "amber", "red"


def opened() -> Film:
    film = Film()
    film.show(LONG.start, seconds=1.0)
    return film


def first_turns(film: Film) -> Position:
    """White and Black have played once."""
    board = film.turn(LONG.start, (6, 1), "white", (24, 18), (18, 17), lying=pair((6, 1)))
    return film.turn(board, (6, 1), "black", (24, 18), (18, 17), lying=pair((6, 1), x=300.0))


def two_from_the_head(film: Film, board: Position) -> Position:
    return film.turn(board, (5, 2), "white", (24, 19), (24, 22), lying=pair((5, 2)))


def test_a_legal_play(table: Table) -> None:
    film = opened()
    film.turn(LONG.start, (6, 1), "white", (24, 18), (18, 17), lying=pair((6, 1)))
    film.show(moved(LONG, LONG.start, "white", (24, 18), (18, 17)), seconds=9.0)
    shown = table.run(film)
    assert shown.rc == 0
    assert shown.lit == [set(), {B, GREEN}, {B}]
    assert shown.words == ["six one"]
    assert shown.tunes == []
    kinds = [kind for kind, _, _ in shown.pages]
    assert kinds[-4:] == ["play", "score", "pips", "play"]
    assert "24/18 18/17" in shown.bodies
    assert "353 : 360" in shown.bodies


def test_while_the_dice_lie_a_wrong_play_is_amber_in_teach_and_nothing_in_referee(table: Table) -> None:
    film = opened()
    board = first_turns(film)
    lying = pair((5, 2))
    film.show(board, lying)
    film.show(moved(LONG, board, "white", (24, 19), (24, 22)), lying, seconds=1.5)
    film.show(moved(LONG, board, "white", (24, 19), (19, 17)), lying, seconds=1.5)
    shown = table.run(film, "--mode", "teach")
    assert shown.lit[-3:] == [{W}, {W, AMBER}, {W, GREEN}]
    assert RED not in set().union(*shown.lit)
    assert [title for kind, title, _ in shown.pages if kind == "legal"]
    table.shown.lamps.clear()
    referee = table.run(film)
    assert AMBER not in set().union(*referee.lit)


def test_an_illegal_play_that_is_taken_back(table: Table) -> None:
    film = opened()
    board = first_turns(film)
    two_from_the_head(film, board)
    film.show(moved(LONG, board, "white", (24, 19), (24, 22)), seconds=1.0)
    film.hand(board)
    film.show(board, pair((5, 2)))
    film.turn(board, (5, 2), "white", (24, 19), (19, 17), lying=pair((5, 2)))
    shown = table.run(film, "--mode", "teach")
    start = shown.lit.index({W, RED})
    assert shown.lit[start - 1] == {W}
    assert [lamps for lamps in shown.lit[start:] if RED in lamps] == [{W, RED}]
    assert shown.lit[-1] == {B, GREEN}
    assert shown.tunes == [TUNES["illegal-play"]]
    assert "Illegal: too many left the head (point 24)" in shown.words
    accused = shown.bodies.index("Illegal: too many left the head (point 24)")
    assert shown.pages[accused][1] == "White"
    assert "Taken back, thank you" in shown.bodies[accused:]


def test_an_illegal_play_that_stands_when_the_opponent_accepts_it_by_the_button(table: Table) -> None:
    film = opened()
    wrong = two_from_the_head(film, first_turns(film))
    film.show(wrong, seconds=1.0)
    film.act(table.press("black-turn"))
    film.show(wrong, seconds=8.0)
    shown = table.run(film, "--policy", "responsible")
    assert shown.lit[-2:] == [{W, RED}, {B}]
    assert shown.tunes == [TUNES["illegal-play"], TUNES["stands"]]
    assert shown.words[-1] == "It stands: too many left the head"
    stood = shown.bodies.index("It stands: too many left the head")
    assert shown.bodies[stood + 1] == "0 : 0"


def test_a_void_roll(table: Table) -> None:
    film = opened()
    film.show(LONG.start, pair((4, 2), cocked=0.95), seconds=1.0)
    film.hand(LONG.start)
    film.show(LONG.start)
    film.turn(LONG.start, (6, 1), "white", (24, 18), (18, 17), lying=pair((6, 1)))
    shown = table.run(film)
    assert shown.lit[:2] == [set(), {AMBER}]
    assert shown.lit[-1] == {B, GREEN}
    assert shown.tunes == [TUNES["void-roll"]]
    assert shown.words == ["Roll again: a die is cocked", "six one"]
    assert "Roll again: a die is cocked" in shown.bodies


def test_a_cube_that_is_offered_and_taken_by_the_buttons(table: Table) -> None:
    film = opened()
    board = first_turns(film)
    film.show(board, seconds=6.0)
    film.act(table.press("white-cube"))
    film.show(board, seconds=2.0)
    film.act(table.press("black-cube"))
    film.show(board, seconds=4.0)
    shown = table.run(film)
    offered = [lamps for t, lamps in shown.lamps if t >= film.t - 6.1]
    assert offered[0] == {B}
    assert set(offered[:-1]) == {frozenset({B}), frozenset()}
    assert len(offered) == 8
    assert offered[-1] == {W}
    asking = [t for t, lamps in shown.lamps if t >= film.t - 6.1][1:7]
    assert asking[-1] - asking[0] <= 1.0
    assert shown.tunes == [TUNES["cube"], TUNES["cube"]]
    assert shown.words[-2:] == ["White doubles to 2", "Black takes: 2"]
    assert "White – Black ×2" in [title for _, title, _ in shown.pages]


def test_a_won_game_and_a_won_match(table: Table) -> None:
    short = get_game("short")
    film = Film(short)
    points = [0] * 24
    points[0], points[23] = 1, -14
    board = Position(tuple(points), (0, 0), (14, 1))
    path = table.folder / "start.json"
    path.write_text(json.dumps(board.to_json()), encoding="utf-8")
    film.show(board, seconds=1.0)
    film.turn(board, (2, 1), "white", (1, 0), lying=pair((2, 1)))
    film.show(moved(short, board, "white", (1, 0)), seconds=7.0)
    shown = table.run(film, "--start", str(path), "--length", "1")
    blinking = [lamps for lamps in shown.lit if W in lamps]
    assert len(blinking) >= 4
    assert shown.lit[-2:] == [{W, GREEN}, {W}]
    assert shown.tunes == [TUNES["game"]]
    assert shown.words == ["two one", "White wins: single, 1 point", "White wins the match"]
    assert {"White wins the match", "1 : 0"} <= set(shown.bodies)


def test_a_board_that_nothing_explains_is_confirmed_by_the_button(table: Table) -> None:
    film = opened()
    board = first_turns(film)
    strange = moved(LONG, board, "black", (24, 20), (24, 15))
    film.show(strange, seconds=6.0)
    film.act(table.press("confirm"))
    film.show(strange, seconds=1.0)
    shown = table.run(film)
    assert shown.lit[-2:] == [{W, AMBER}, set()]
    assert shown.tunes == [TUNES["look"]]
    assert shown.words[-1] == "Please check the board"
    lost = shown.bodies.index("Please check the board")
    assert "Going on from here" in shown.bodies[lost:]


def test_a_bumped_board(table: Table) -> None:
    film = opened()
    board = first_turns(film)
    film.show(board, seconds=6.0)
    film.show(board, seconds=2.0, residual_px=9.0)
    shown = table.run(film)
    assert {W, AMBER} in shown.lit
    assert shown.tunes == [TUNES["look"]]
    assert shown.words[-1] == "The board was moved"
    assert "The board was moved" in shown.bodies


def test_while_checkers_are_put_straight_the_display_says_so(table: Table) -> None:
    film = opened()
    film.act(table.press("adjust"))
    film.show(LONG.start, seconds=1.0)
    shown = table.run(film)
    assert shown.bodies[-1] == "Paused: put the checkers straight"


def test_a_camera_that_is_lost_and_found_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    film = opened()
    first_turns(film)
    tries: list[str] = []

    def open_camera(device: str, *, stills: bool) -> Camera:
        tries.append(device)
        if len(tries) == 1:
            return table.camera(film, fails_at=25)
        if len(tries) < 4:
            raise HardwareError("camera 7: expected a camera that answers, found none")
        if len(tries) == 4:
            table.shown.lamps.append((2.5, table.lit()))
            return table.camera(film, begin=25)
        raise SystemExit(0)

    monkeypatch.setattr("companion.cli.service.open_camera", open_camera)
    monkeypatch.setattr("companion.pipeline.Eyes", lambda *_, **__: Eyes(film))
    monkeypatch.setattr("companion.camera.steady.FIRST_S", 0.01)
    settings = str(table.folder / "companion.toml")
    command = ["run", "--camera", "7", "--config", settings, "--game", "long", "--home", "BR", "--no-evidence"]
    assert cli.main(command) == 0
    shown = table.shown
    assert tries == ["7"] * 5
    dark = shown.lit.index({AMBER})
    assert AMBER not in shown.lit[dark + 1]
    assert shown.lit[-1] == {W, GREEN}
    assert "The camera does not answer" in shown.bodies
    assert [word for word in shown.words if "six" in word] == ["six one", "six one"]


def test_while_the_disk_is_full_the_display_says_so_and_the_game_goes_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, append = [False], Store.append_bodies

    def unless_full(store: Store, *what: Any) -> None:
        if full[0]:
            raise RecordUnwritable("the disk is full")
        append(store, *what)

    monkeypatch.setattr(Store, "append_bodies", unless_full)
    film = opened()
    film.act(lambda: full.__setitem__(0, True))
    board = first_turns(film)
    film.act(lambda: full.__setitem__(0, False))
    film.show(two_from_the_head(film, board), seconds=1.0)
    shown = table.run(film)
    assert shown.rc == 0
    warned = shown.bodies.index("Nothing is being recorded: the disk is full or broken")
    assert "Illegal: too many left the head (point 24)" in shown.bodies[warned:]
    assert {B, GREEN} in shown.lit
    assert {W, RED} in shown.lit
    with Store.open(table.folder / "state", write=False) as store:
        kept = [event.name for event in store.events(1) if isinstance(event, ev.Rolled | ev.PlayMade | ev.IllegalPlay)]
    assert kept == ["rolled", "play", "rolled", "play", "rolled", "illegal-play"]


def test_a_lamp_that_is_missing_is_said_in_one_line_and_the_others_burn(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    film = opened()
    two_from_the_head(film, first_turns(film))
    with LED(22, pin_factory=table.pins), caplog.at_level(logging.WARNING):
        shown = table.run(film)
    assert shown.rc == 0
    said = [record.getMessage() for record in caplog.records]
    assert [line.startswith("lamp red on pin 22 does not answer and is left out: ") for line in said] == [True]
    assert {B, GREEN} in shown.lit
    assert shown.words[-1].startswith("Illegal: ")


def test_a_display_that_is_missing_is_said_in_one_line_and_the_game_goes_on(
    table: Table, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = opened()
    first_turns(film)
    cameras = iter((table.camera(film),))
    monkeypatch.setattr("companion.cli.service.open_camera", lambda *_, **__: next(cameras, None) or sys.exit(0))
    monkeypatch.setattr("companion.pipeline.Eyes", lambda *_, **__: Eyes(film))
    monkeypatch.setattr("companion.camera.steady.FIRST_S", 0.01)
    settings = table.folder / "companion.toml"
    device = '["--display", "ssd1306", "--interface", "i2c", "--i2c-port", "77"]'
    settings.write_text(f'hardware = "gpio"\n[display]\ndevice = {device}\n', encoding="utf-8")
    command = ["run", "--camera", "7", "--config", str(settings), "--game", "long", "--home", "BR", "--no-evidence"]
    with caplog.at_level(logging.WARNING):
        assert cli.main(command) == 0
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 1
    assert said[0].startswith("display: --display ssd1306")
    assert said[0].endswith("the game goes on without it")
    assert {B, GREEN} in table.shown.lit
