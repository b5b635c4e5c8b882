"""Which lamp is lit when: sequences of levels, without any device."""

from collections.abc import Sequence

import pytest

from companion import events as ev
from companion.signals.plan import LAMPS, LONGEST_BLINK_S, PATTERNS, Lamp, Mode, Pattern, Plan
from tests.signals.happening import illegal, played, rolled, started, status, won

GAME = [
    started(),
    rolled(1),
    played(3),
    rolled(5, "black"),
    illegal(7, "black"),
    ev.TakenBack(t=9),
    played(10, "black"),
]


def lit(events: Sequence[ev.Event], t: float, mode: Mode = "referee") -> set[Lamp]:
    levels = Plan(mode=mode).after(e for e in events if e.t <= t).levels(t)
    return {lamp for lamp, on in levels.items() if on}


def test_the_lamps_follow_a_game() -> None:
    seen = [lit(GAME, t) for t in (0, 1, 2, 3, 5, 7, 9, 10)]
    assert seen == [
        set(),
        {"white"},
        {"white"},
        {"black", "green"},
        {"black"},
        {"black", "red"},
        set() | {"black"},
        {"white", "green"},
    ]


def test_while_the_dice_lie_only_teach_gives_a_hint_and_never_red() -> None:
    moving = [started(), rolled(1), status(2, "MOVING", "white", dice=(6, 1), provisional="illegal")]
    assert lit(moving, 2, "referee") == {"white"}
    assert lit(moving, 2, "teach") == {"white", "amber"}
    fine = [*moving, status(3, "MOVING", "white", dice=(6, 1), provisional="legal")]
    assert lit(fine, 3, "teach") == {"white", "green"}


def test_doubt_is_amber_and_never_red() -> None:
    for doubt in (status(2, "LOST", "white"), status(2, "TURN_ENDED", "white", message="uncertain"), ev.Gap(t=2)):
        assert lit([started(), rolled(1), doubt], 2) - {"white"} == {"amber"}
    assert "amber" in lit([started(), ev.VoidRoll(t=1, player="white", why="cocked")], 1)


def test_director_and_silent_lamps_accuse_nobody() -> None:
    assert lit(GAME, 7, "director") == {"black"}
    assert lit(GAME, 7, "silent") == set()


def test_a_recording_lamp_burns_in_every_mode() -> None:
    for mode in ("teach", "referee", "director", "silent"):
        assert Plan(mode=mode, recording=True).after(GAME).levels(20)["recording"]  # type: ignore[arg-type]


def test_a_won_game_blinks_for_a_second_at_most_and_then_burns() -> None:
    plan = Plan().after([*GAME, won(12)])
    levels = [plan.levels(12 + i / 20)["white"] for i in range(40)]
    changes = [i for i in range(1, 40) if levels[i] != levels[i - 1]]
    assert levels[0]
    assert len(changes) >= 2
    assert max(changes) / 20 <= LONGEST_BLINK_S
    assert all(levels[20:])


def test_no_pattern_blinks_for_longer_than_a_second() -> None:
    assert all(sum(pattern.blink_s) <= LONGEST_BLINK_S for pattern in PATTERNS.values())
    with pytest.raises(ValueError, match="at most 1"):
        Pattern((0.6, 0.5))


def test_a_lamp_that_stays_as_it_is_does_not_begin_again() -> None:
    before = Plan().after(GAME[:2])
    after = before.after([status(4, "MOVING", "white", dice=(6, 1))])
    assert after.cues["white"] == before.cues["white"]


def test_the_plan_does_not_depend_on_how_events_are_handed_over() -> None:
    one_by_one = Plan()
    for event in GAME:
        one_by_one = one_by_one.after([event]).after([])
    assert one_by_one == Plan().after(GAME)
    assert set(one_by_one.levels(10)) == set(LAMPS)
