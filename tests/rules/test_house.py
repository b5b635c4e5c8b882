"""Games, options, profiles: what a house may choose, and what is said when it cannot be."""

import pkgutil
from dataclasses import FrozenInstanceError, fields, is_dataclass
from importlib import import_module

import pytest

from companion import rules
from companion.rules import GAMES, Match, OptionError, Options, UnreadableError, get_game
from companion.rules.games import Law
from companion.rules.ids import Snapshot
from companion.rules.options import OPTIONS, make_options
from companion.rules.profiles import load_profile, profile_names


def test_every_option_has_a_source_and_defaults_that_it_reads_back():
    assert {field.name for field in fields(Options)} == set(OPTIONS)
    for option in OPTIONS.values():
        assert option.source
        assert option.expected
    for game in GAMES:
        options = make_options(game)
        own = {name: value for name, value in options.to_json().items() if game in OPTIONS[name].games}
        assert make_options(game, own) == options


@pytest.mark.parametrize("option", [option for option in OPTIONS.values() if " | " in option.expected])
def test_every_choice_of_an_option_can_be_made(option):
    for value in option.expected.split(" | "):
        read = option.read(value)
        assert read == value or isinstance(read, bool)


@pytest.mark.parametrize(
    ("game", "values", "says"),
    [
        ("long", {"blok": "home"}, "option blok: expected one of direction"),
        ("long", {"block": "behind"}, "option block: expected ahead | home | not-all, got 'behind'"),
        ("short", {"block": "home"}, "option block: the game short has no such rule (only long, nardgammon"),
        ("fevga", {"first_play_doubles": [3]}, "the game fevga has no such rule"),
        ("khachapuri", {"first_play_doubles": [3]}, "has no such rule"),
        (
            "long",
            {"first_play_doubles": [7]},
            "option first_play_doubles: expected doubles such as 3,4,6, none or all, got [7]",
        ),
        ("long", {"first_play_doubles": 3}, "got 3"),
        ("long", {"second_player_any_double": "maybe"}, "expected on | off, got 'maybe'"),
        ("long", {"length": -1}, "expected a number of points, 0 for money play, got -1"),
        ("long", {"length": 1.5}, "got 1.5"),
        ("long", {"length": True}, "got True"),
        ("short", {"cube_limit": 48}, "expected a power of two, got 48"),
        ("short", {"cube_limit": 0}, "got 0"),
        ("short", {"factors": {"koks": 0}}, "expected outcomes with whole factors"),
        ("short", {"factors": {"oin": 2}}, "short: factors: expected single, mars, koks (mars-koks), got 'oin'"),
        ("short", {"factors": "koks"}, "got 'koks'"),
        ("short", {"jacoby": True}, "jacoby = on is for money play: expected length 0, got 3"),
        ("short", {"beaver": "on", "length": "5"}, "beaver = on is for money play: expected length 0, got 5"),
        ("short", {"beaver": "on", "length": "0", "cube": "off"}, "expected cube on, got off"),
        ("short", {"crawford": "on", "length": "0"}, "crawford = on needs a match"),
        ("tabla", {"cube": False}, "a match is always played with it"),
        ("nardgammon", {"block_in_passing": "allowed"}, "that game is called long"),
    ],
)
def test_a_wrong_option_is_one_clear_line(game, values, says):
    with pytest.raises(OptionError) as error:
        get_game(game, values)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_options_are_read_from_words():
    options = get_game("long", {"first_play_doubles": "3,6", "second_player_any_double": "off", "length": "7"}).options
    assert (options.first_play_doubles, options.second_player_any_double, options.length) == ({3, 6}, False, 7)
    assert make_options("long", {"first_play_doubles": "all"}).first_play_doubles == set(range(1, 7))
    assert make_options("long", {"first_play_doubles": "none"}).first_play_doubles == set()
    assert make_options("long", {"first_play_doubles": ""}).first_play_doubles == set()
    assert make_options("short", {"factors": "mars:3,koks:4"}).factors == (("koks", 4), ("mars", 3))
    assert not make_options("short", {"length": 0}).crawford
    assert make_options("tabla", {"length": 0, "cube": False}).cube is False
    assert make_options("short", {"cube_limit": "1"}).cube_limit == 1
    assert make_options("short", {"factors": {"koks": 1}, "length": 1}).factors == (("koks", 1),)


def test_defaults_of_the_games():
    assert {name for name in GAMES if make_options(name).crawford} == {"short", "tabla"}
    assert {name for name in GAMES if make_options(name).opening == "keep"} == {"short", "tabla"}
    assert {name for name in GAMES if make_options(name).block_in_passing == "forbidden"} == {"nardgammon"}
    assert {name: make_options(name).scoring for name in ("long", "short", "khachapuri")} == {
        "long": "oin-mars",
        "short": "mars-koks",
        "khachapuri": "unborne",
    }
    assert {make_options(name).length for name in GAMES} == {3}
    assert not get_game("short").same_way
    assert get_game("long").same_way


def test_an_unknown_game_is_named_with_those_that_exist():
    with pytest.raises(OptionError, match="game: expected one of long, nardgammon, mad"):
        get_game("chess")


@pytest.mark.parametrize("dice", [(0, 1), (1, 7), (1,), (1, 2, 3), (True, 1), (1.0, 2)])
def test_dice_are_two_numbers_from_1_to_6(dice):
    with pytest.raises(UnreadableError, match="dice: expected two numbers from 1 to 6"):
        get_game("long").plays(get_game("long").start, dice)


def test_profiles_that_ship_make_games():
    assert {"classic-six", "money", "moscow-open", "tabla-match"} <= set(profile_names())
    for name in profile_names():
        profile = load_profile(name)
        assert profile.source
        assert profile.make().name == profile.game
    assert load_profile("classic-six").make().options.first_play_doubles == {6}
    assert load_profile("tabla-match").make({"length": 5}).options.length == 5


def test_a_club_adds_its_own_profile(tmp_path):
    path = tmp_path / "friday.toml"
    path.write_text('game = "mad"\n[options]\nblock = "home"\nlength = 5\n', encoding="utf-8")
    profile = load_profile(path)
    assert (profile.name, profile.make().options.block) == ("friday", "home")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('game = "long"\nhouse = 1\n', "unknown key house: expected name, game, source, options"),
        ("[options]\n", "key game: expected the name of a game, got None"),
        ('game = "long"\noptions = 3\n', "key options: expected a table, got 3"),
        ('game = "long"\n[options]\nblock = "x"\n', "option block: expected ahead"),
        ("game =", "not readable as TOML"),
    ],
)
def test_a_wrong_profile_says_file_and_key(tmp_path, text, says):
    path = tmp_path / "club.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(OptionError) as error:
        load_profile(path)
    assert str(path) in str(error.value)
    assert says in str(error.value)


def test_a_missing_profile_names_those_that_exist():
    with pytest.raises(OptionError, match="profile: expected a TOML file or one of block-home"):
        load_profile("no-such")


VALUES = sorted(
    {
        value
        for module in pkgutil.iter_modules(rules.__path__)
        for value in vars(import_module(f"companion.rules.{module.name}")).values()
        if isinstance(value, type) and is_dataclass(value)
    },
    key=lambda each: each.__name__,
)


@pytest.mark.parametrize("kind", VALUES)
def test_values_do_not_change(kind):
    value = kind.__new__(kind)
    with pytest.raises(FrozenInstanceError):
        setattr(value, fields(kind)[0].name, None)


@pytest.mark.parametrize("kind", [Law, Match, Options, Snapshot])
def test_values_of_many_fields_are_made_by_name(kind):
    with pytest.raises(TypeError):
        kind(*[None] * len(fields(kind)))


def test_plays_are_shown_without_their_thousands_of_positions():
    shown = repr(get_game("short").plays(get_game("short").start, (6, 5)))
    assert shown == "LegalPlays(max_dice=2, extra_roll=False)"
    short = get_game("short")
    assert " at 0x" not in repr(short.turn(short.cells(short.start, "white"), (6, 6), False, False))


def test_there_are_lists_of_the_games_and_of_what_they_have():
    assert len(VALUES) > 20
    assert OPTIONS["second_player_any_double"].games == ("long", "nardgammon", "mad", "gulbar", "mad-gulbar")
    assert OPTIONS["block"].games == (*OPTIONS["second_player_any_double"].games, "khachapuri")
