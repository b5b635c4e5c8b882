"""``legal``, ``judge`` and ``score``: filters of JSON lines over the rules (design.md §5).

Each line is answered as soon as it is read, so a stream of any length needs constant memory. A line that
cannot be read or answered gives ``{"id", "error"}`` and the stream goes on.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from companion.cli import lines as field
from companion.cli.lines import Record
from companion.rules import Game, LegalPlays, Position, get_game
from companion.rules.errors import MatchError, OptionError, RulesError, UnreadableError
from companion.rules.match import Match, act, other
from companion.rules.options import check_names, make_options
from companion.rules.position import Play
from companion.rules.profiles import Profile, load_profile

FileArgument = Annotated[Path | None, typer.Argument(metavar="[FILE]", help="JSON lines.  [default: standard input]")]
GameOption = Annotated[str | None, typer.Option("--game", metavar="GAME", help="The game of lines that name none.")]
ProfileOption = Annotated[
    str | None, typer.Option("--profile", metavar="NAME|FILE", help="House rules: a TOML file, or one that ships.")
]
OptionsOption = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="A house rule; may be repeated.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command(epilog="Example: companion legal --game long < positions.jsonl")(legal)
    app.command(epilog="Example: companion judge --game short --option scoring=home-mars plays.jsonl")(judge)
    app.command(epilog="Example: companion score games.jsonl")(score)


def legal(
    file: FileArgument = None, game: GameOption = None, profile: ProfileOption = None, option: OptionsOption = None
) -> None:
    """List all legal plays of each position and roll.

    A line is {"id", "game", "board", "dice", "first_turn"?, "second_player"?, "options"?, "leftover"?}; White
    is to move.
    """
    _filter(file, House.of(game, profile, option), _legal)


def judge(
    file: FileArgument = None, game: GameOption = None, profile: ProfileOption = None, option: OptionsOption = None
) -> None:
    """Judge each play: legal, incomplete or illegal, with the broken rules and the nearest legal plays.

    A line is {"id", "game", "board", "dice", "after", "first_turn"?, "second_player"?, "options"?}; White has moved.
    """
    _filter(file, House.of(game, profile, option), _judge)


def score(
    file: FileArgument = None, game: GameOption = None, profile: ProfileOption = None, option: OptionsOption = None
) -> None:
    """Count each won game, or follow each script of match and cube actions.

    A line is {"id", "scoring", "game", "loser", "loser_board", "cube"}, or {"id", "config", "actions"}.
    """
    _filter(file, House.of(game, profile, option), _score)


@dataclass(frozen=True)
class House:
    """What the command line says of the games: it stands behind what a line says of its own."""

    profile: Profile

    @staticmethod
    def of(game: str | None, profile: str | None, options: Iterable[str] | None) -> "House":
        """Read the options of the command line; raises BadParameter when they do not fit together."""
        try:
            base = load_profile(profile) if profile else Profile("", game or "", {})
            if game and base.game != game:
                raise OptionError(f"--game: the profile {profile} is of the game {base.game}, got {game}")
            named = dict(_named(option) for option in options or ())
            house = House(replace(base, options={**base.options, **named}))
            check_names(named)
            if base.game:
                house.profile.make()
            return house
        except RulesError as error:
            raise typer.BadParameter(str(error)) from None

    def game(self, record: Record) -> Game:
        """The game of a line."""
        return get_game(self.name(record), {**self.profile.options, **field.mapping(record, "options")})

    def name(self, record: Mapping[str, Any], default: str = "") -> str:
        """The name of the game that a line or the command line names."""
        name = record.get("game", self.profile.game or default)
        if not isinstance(name, str):
            raise UnreadableError(f"game: expected a name, got {name!r}")
        if not name:
            raise UnreadableError("game: expected a name here or --game, got nothing")
        return name


def _named(option: str) -> tuple[str, str]:
    name, equals, value = option.partition("=")
    if not equals:
        raise OptionError(f"--option: expected name=value, got {option!r}")
    return name.strip().replace("-", "_"), value.strip()


Answer = Callable[[House, Record], Record]


def _filter(file: Path | None, house: House, answer: Answer) -> None:
    with _opened(file) as lines:
        for record in answers(lines, house, answer):
            sys.stdout.write(json.dumps(record, separators=(",", ":")) + "\n")
            sys.stdout.flush()


@contextmanager
def _opened(file: Path | None) -> Iterator[TextIO]:
    if file is None or str(file) == "-":
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
        yield sys.stdin
        return
    with file.open(encoding="utf-8", errors="replace") as lines:
        yield lines


def answers(lines: Iterable[str], house: House, answer: Answer) -> Iterator[Record]:
    """The answers to the lines, one by one; empty lines have none."""
    for line in lines:
        if not line.strip():
            continue
        identity: Any = None
        try:
            record = field.parse(line)
            identity = record.get("id")
            yield {"id": identity, **answer(house, record)}
        except RulesError as error:
            yield {"id": identity, "error": field.one_line(error)}
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            yield {"id": identity, "error": f"line: not understood: {field.one_line(error)}"}


def _legal(house: House, record: Record) -> Record:
    game = house.game(record)
    plays = game.plays(field.board(record, "board"), field.dice(record), **field.turn(record))
    answer = _listed(plays) | {"plays": _all_plays(plays)}
    law = game.law
    if law.extra_roll or law.progression:
        answer["extra_roll"] = plays.extra_roll
        answer["ends"] = [[ending.to_json() for ending in plays.endings[position]] for position in _ordered(plays)]
    if "leftover" in record:
        answer["leftover"] = _left_over(game, field.mapping(record, "leftover"))
    return answer


def _left_over(game: Game, record: Mapping[str, Any]) -> Record:
    player = field.player(record.get("player", "black"), "leftover.player")
    left = field.left_over(record, game)
    return _listed(game.left_over_plays(field.board(record, "after"), left, player=player))


def _listed(plays: LegalPlays) -> Record:
    return {"max_dice": plays.max_dice, "legal": [position.to_json() for position in _ordered(plays)]}


def _ordered(plays: LegalPlays) -> list[Position]:
    return sorted(plays.results, key=lambda position: (position.points, position.bar, position.off))


def _all_plays(plays: LegalPlays) -> list[list[list[int]]]:
    distinct = {play for each in plays.results.values() for play in each}
    return [_moves(play) for play in sorted(distinct)]


def _moves(play: Play) -> list[list[int]]:
    return [list(move) for move in play]


def _judge(house: House, record: Record) -> Record:
    game = house.game(record)
    before = field.board(record, "board" if "board" in record else "before")
    after = field.board(record, "after")
    if "leftover" in record:
        verdict = game.judge_left_over(before, field.left_over(field.mapping(record, "leftover"), game), after)
    else:
        verdict = game.judge(before, field.dice(record), after, **field.turn(record))
    return {
        "verdict": verdict.kind,
        "reasons": [str(reason) for reason in verdict.reasons],
        "points": list(verdict.points),
        "plays": [_moves(play) for play in verdict.plays],
    }


def _score(house: House, record: Record) -> Record:
    return _script(house, record) if "actions" in record else _result(house, record)


def _result(house: House, record: Record) -> Record:
    options = {**field.mapping(record, "options")} | ({"scoring": record["scoring"]} if "scoring" in record else {})
    game = house.game({**record, "options": options})
    loser = field.player(record.get("loser", "black"), "loser")
    board = field.board(record, "loser_board")
    game.check(board)
    result = game.score(board, other(loser), field.cube(record), str(record.get("conceded", "")))
    return {"outcome": result.outcome, "points": result.points}


def _script(house: House, record: Record) -> Record:
    state = _begun(house, field.mapping(record, "config"))
    actions = record["actions"]
    if not isinstance(actions, list):
        raise UnreadableError(f"actions: expected a list, got {actions!r}")
    for index, action in enumerate(actions):
        player, do, arguments = field.action(action)
        try:
            state = act(state, player, do, *arguments)
        except MatchError as error:
            return {"error": {"at": index, "what": error.what}, **state.to_json()}
    return {"error": None, **state.to_json()}


def _begun(house: House, config: Mapping[str, Any]) -> Match:
    """The state at the beginning of a script: White is on turn."""
    name = get_game(house.name(config, "short")).name
    options = make_options(name, house.profile.options if name == house.profile.game else {})
    rules = field.rules_of(config)
    for rule, value in rules.items():
        # One by one: a script may have a rule that has no effect, such as beavers in a match.
        alone = make_options(name, {**_needed(rule, rules), rule: value})
        options = replace(options, **{rule: getattr(alone, rule)})
    first_play = not field.flag(config, "mid_game")
    state = Match.begin(options, "white", field.score(config), field.flag(config, "crawford_done"))
    return replace(state, first_play=first_play)


def _needed(rule: str, rules: Mapping[str, Any]) -> Record:
    """What a rule needs to be valid by itself."""
    if rule in ("jacoby", "beaver") and rules[rule]:
        return {"length": 0}
    return {"scoring": rules["scoring"]} if rule == "factors" and "scoring" in rules else {}


if __name__ == "__main__":
    alone = typer.Typer(add_completion=False, no_args_is_help=True)
    register(alone)
    alone()
