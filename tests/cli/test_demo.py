"""The demo's screen and its pace, with steps that are made up here; the bundled game itself is a golden test."""

import io
from collections.abc import Sequence

import pytest
from rich.console import Console

from companion.cli import demo
from companion.cli.board import layout_for
from companion.cli.terminal import screen
from companion.events import Event
from companion.pipeline import Step
from companion.signals.plan import Plan
from tests.signals.happening import illegal, played, rolled, started

LAYOUT = layout_for("long")
STEPS = [
    Step(0.0, (started(),)),
    Step(1.0, (rolled(1),)),
    Step(2.0, ()),
    Step(3.0, (illegal(3),)),
    Step(5.0, (played(5, verdict="illegal", reasons=("head",)),)),
]


def drawn(events: Sequence[Event], t: float) -> str:
    plan = Plan().after(events)
    console = Console(file=io.StringIO(), width=100, force_terminal=False)
    console.print(screen(plan.view, plan.levels(t), ["first", "second"], LAYOUT, t, rows=1))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_screen_shows_board_dice_lamps_display_and_the_latest_events() -> None:
    shown = drawn([started(), rolled(1), illegal(3)], 3.0)
    assert "long, 3.0 s" in shown
    assert "13 14 15 16 17 18" in shown
    assert "⚅  ⚀" in shown
    assert "● red" in shown
    assert "○ green" in shown
    assert "White: illegal play" in shown
    assert "second" in shown
    assert "first" not in shown


def test_before_the_start_the_screen_says_what_it_waits_for() -> None:
    assert "Waiting for the start position" in drawn([], 0.0)


def test_each_step_comes_at_its_time_and_a_late_one_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(demo.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(demo.time, "sleep", sleep)
    for step in demo.at_pace(STEPS, speed=2.0):
        if step.t == 2.0:
            now[0] += 10
    assert slept == [0.0, 0.5, 0.5, 0.0, 0.0]


def test_piped_it_prints_one_line_for_each_public_event(capsys: pytest.CaptureFixture[str]) -> None:
    happened = demo._told(STEPS)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in lines] == ["rolled", "illegal-play", "play"]
    assert demo.summary(happened).startswith("Refereed to the end: plays 1, illegal noticed 1, void rolls 0.")


def test_on_a_terminal_the_screen_ends_with_the_last_position() -> None:
    console = Console(file=io.StringIO(), width=100, height=40, force_terminal=True, legacy_windows=False)
    demo._watched(STEPS, LAYOUT, console)
    assert isinstance(console.file, io.StringIO)
    assert "It stands" in console.file.getvalue()
