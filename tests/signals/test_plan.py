"""Which lamp is lit when: sequences of levels, without any device."""

from collections.abc import Sequence

import pytest

from companion import events as ev
from companion.signals.patterns import LAMPS, LONGEST_BLINK_S, Lamp, Mode, Pattern, read_table, table
from companion.signals.plan import Plan
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


def test_no_pattern_blinks_for_longer_than_a_second_and_each_has_an_end() -> None:
    for pattern in table().patterns.values():
        assert sum(pattern.blink_s) <= LONGEST_BLINK_S
        assert not pattern.lit(pattern.longest_s)
    with pytest.raises(ValueError, match="at most 1"):
        Pattern(9.0, (0.6, 0.5))
    with pytest.raises(ValueError, match="end within"):
        Pattern(0.5, (0.6,))


def test_green_goes_out_by_itself_and_red_stays() -> None:
    assert [lit(GAME, t) for t in (10, 14.9, 15)] == [{"white", "green"}, {"white", "green"}, {"white"}]
    assert lit(GAME[:5], 600) == {"black", "red"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[pattern.a]\nthen = true\n[situation]\n[shown]", "pattern a: expected a key longest_s"),
        ("[pattern]\n[situation.x]\nred = 'a'\n[shown]", "situation x: expected a lamp and a pattern, got red = 'a'"),
    ],
)
def test_a_wrong_table_of_patterns_says_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_table(text)


def test_a_cube_makes_the_lamp_of_who_must_answer_blink_and_then_burn() -> None:
    offered = [started(), rolled(1), played(2), ev.CubeAction(t=3, player="black", action="double", value=2)]
    levels = [lit(offered, 3 + i / 20) for i in range(30)]
    assert {frozenset(each) for each in levels} == {frozenset({"white"}), frozenset()}
    assert levels[15:] == [{"white"}] * 15
    taken = [*offered, ev.CubeAction(t=5, player="white", action="take", value=2, owner="white")]
    assert lit(taken, 6) == {"black", "green"}
    assert lit(taken, 9) == {"black"}


def test_when_the_camera_is_lost_amber_burns_until_it_is_back() -> None:
    plan = Plan().after(GAME[:2]).noticing("camera-lost", True, 5)
    assert plan.levels(5)["amber"]
    assert not plan.noticing("camera-lost", False, 9).levels(9)["amber"]


def test_an_rgb_lamp_shows_the_verdict_on_its_side() -> None:
    def colours(events: Sequence[ev.Event], t: float) -> tuple[str, str]:
        shown = Plan().after(e for e in events if e.t <= t).colours(t)
        return shown["white"], shown["black"]

    assert colours(GAME, 1) == ("white", "dark")
    assert colours(GAME, 3) == ("green", "white")
    assert colours(GAME, 7) == ("dark", "red")
    assert colours([started(), status(1, "LOST")], 1) == ("amber", "amber")


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
