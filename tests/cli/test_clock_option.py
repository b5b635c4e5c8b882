"""``--clock`` and the setting: the bank and the delay of a game clock."""

import pytest

from companion.cli.options import RigOptions
from companion.cli.rig import rig_from
from companion.config import ClockSettings as Wanted
from companion.config import GameSettings, Settings
from companion.errors import ConfigError
from companion.table.settings import ClockSettings

HOUSE = Settings(game=GameSettings(clock=Wanted(bank_s=300.0, delay_s=10.0)))


@pytest.mark.parametrize(
    ("option", "settings", "clock"),
    [
        (None, None, None),
        ("600+12", None, ClockSettings(600.0, 12.0)),
        ("90.5", None, ClockSettings(90.5, 0.0)),
        (None, HOUSE, ClockSettings(300.0, 10.0)),
        ("600", HOUSE, ClockSettings(600.0, 0.0)),
        ("off", HOUSE, None),
    ],
)
def test_the_clock_is_as_the_command_line_says_and_then_as_the_settings_say(
    option: str | None, settings: Settings | None, clock: ClockSettings | None
) -> None:
    assert rig_from(RigOptions(clock=option), settings).table.clock == clock


@pytest.mark.parametrize("option", ["", "ten", "600+", "+12", "-5", "600+12+3", "0", "999999"])
def test_a_clock_that_is_none_is_refused_in_one_line(option: str) -> None:
    with pytest.raises(ConfigError, match="--clock: ") as refused:
        rig_from(RigOptions(clock=option))
    assert "\n" not in str(refused.value)
