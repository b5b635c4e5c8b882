"""The law: positions, plays, every game and house rule, verdicts, scoring, match and cube. Standard library only."""

from companion.rules.errors import OptionError, PositionError, RulesError, TooManyPlays, UnreadableError
from companion.rules.games import Game, LegalPlays, get_game
from companion.rules.judge import Verdict
from companion.rules.notation import format_play, format_roll, parse_play, parse_roll
from companion.rules.options import GAMES
from companion.rules.position import Move, Play, Position
from companion.rules.reason import Reason
from companion.rules.turn import Ending, LeftOver

__all__ = [
    "GAMES", "Ending", "Game", "LeftOver", "LegalPlays", "Move", "OptionError", "Play", "Position",
    "PositionError", "Reason", "RulesError", "TooManyPlays", "UnreadableError", "Verdict", "format_play",
    "format_roll", "get_game", "parse_play", "parse_roll",
]  # fmt: skip
