"""The law: positions, plays, every game and house rule, verdicts, scoring, match and cube. Standard library only.

:func:`get_game` makes a :class:`Game` with its options; ``game.plays`` lists what is legal, ``game.judge`` says what is
wrong with anything else. :class:`Match` keeps score and cube.
"""

from companion.rules.errors import MatchError, OptionError, PositionError, RulesError, TooManyPlays, UnreadableError
from companion.rules.games import Game, LegalPlays, get_game
from companion.rules.judge import Verdict
from companion.rules.match import Match
from companion.rules.notation import format_play, format_roll, parse_play, parse_roll, read_play
from companion.rules.options import GAMES, OPTIONS, Options
from companion.rules.position import Move, Play, Position
from companion.rules.profiles import Profile, load_profile, profile_names
from companion.rules.reason import Reason
from companion.rules.turn import Ending, LeftOver

__all__ = [
    "GAMES",
    "OPTIONS",
    "Ending",
    "Game",
    "LeftOver",
    "LegalPlays",
    "Match",
    "MatchError",
    "Move",
    "OptionError",
    "Options",
    "Play",
    "Position",
    "PositionError",
    "Profile",
    "Reason",
    "RulesError",
    "TooManyPlays",
    "UnreadableError",
    "Verdict",
    "format_play",
    "format_roll",
    "get_game",
    "load_profile",
    "parse_play",
    "parse_roll",
    "profile_names",
    "read_play",
]
