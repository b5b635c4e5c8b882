"""``legal``, ``judge`` and ``score``: filters of JSON lines over the rules (design.md §5).

Each line is answered as soon as it is read, so a stream of any length needs constant memory. A line that
cannot be read or answered gives ``{"id", "error"}`` and the stream goes on.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from companion.layout import Player
from companion.rules import Game, LegalPlays, Position, get_game
from companion.rules.errors import MatchError, OptionError, RulesError, UnreadableError
from companion.rules.match import Match, act
from companion.rules.options import make_options
from companion.rules.position import Play
from companion.rules.profiles import Profile, load_profile
from companion.rules.turn import LeftOver

Record = dict[str, Any]

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
            if base.game:
                house.profile.make()
            return house
        except RulesError as error:
            raise typer.BadParameter(str(error)) from None

    def game(self, record: Record) -> Game:
        """The game of a line."""
        name = record.get("game") or self.profile.game
        if not isinstance(name, str) or not name:
            raise UnreadableError("game: expected a name here or --game, got nothing")
        options = {**self.profile.options, **_mapping(record, "options")}
        return get_game(name, options)


def _named(option: str) -> tuple[str, str]:
    name, equals, value = option.partition("=")
    if not equals:
        raise OptionError(f"--option: expected name=value, got {option!r}")
    return name.strip().replace("-", "_"), value.strip()


Answer = Callable[[House, Record], Record]


def _filter(file: Path | None, house: House, answer: Answer) -> None:
    with _opened(file) as lines:
        for record in answers(lines, house, answer):
            sys.stdout.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
            sys.stdout.flush()


@contextmanager
def _opened(file: Path | None) -> Iterator[TextIO]:
    if file is None or str(file) == "-":
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
            record = json.loads(line)
            if not isinstance(record, dict):
                raise UnreadableError(f"line: expected a JSON object, got {line.strip()[:80]}")
            identity = record.get("id")
            yield {"id": identity, **answer(house, record)}
        except RulesError as error:
            yield {"id": identity, "error": " ".join(str(error).split())}
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            yield {"id": identity, "error": f"line: not understood: {' '.join(str(error).split())}"}


def _legal(house: House, record: Record) -> Record:
    game = house.game(record)
    first, second = _turn(record)
    plays = game.plays(_board(record, "board"), _dice(record), first_turn=first, second_player=second)
    answer = _listed(plays) | {"plays": _all_plays(plays)}
    law = game.law
    if law.extra_roll or law.progression:
        answer["extra_roll"] = plays.extra_roll
        answer["ends"] = [[ending.to_json() for ending in plays.endings[position]] for position in _ordered(plays)]
    if "leftover" in record:
        answer["leftover"] = _left_over(game, _mapping(record, "leftover"))
    return answer


def _left_over(game: Game, record: Mapping[str, Any]) -> Record:
    player = _player(record.get("player", "black"), "leftover.player")
    return _listed(game.left_over_plays(_board(record, "after"), _moves_left(record), player=player))


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
    before = _board(record, "board" if "board" in record else "before")
    after = _board(record, "after")
    if "leftover" in record:
        verdict = game.judge_left_over(before, _moves_left(_mapping(record, "leftover")), after)
    else:
        first, second = _turn(record)
        verdict = game.judge(before, _dice(record), after, first_turn=first, second_player=second)
    return {
        "verdict": verdict.kind,
        "reasons": [str(reason) for reason in verdict.reasons],
        "points": list(verdict.points),
        "plays": [_moves(play) for play in verdict.plays],
    }


def _score(house: House, record: Record) -> Record:
    return _script(house, record) if "actions" in record else _result(house, record)


def _result(house: House, record: Record) -> Record:
    options = {**_mapping(record, "options")} | ({"scoring": record["scoring"]} if "scoring" in record else {})
    game = house.game({**record, "options": options})
    loser = _player(record.get("loser", "black"), "loser")
    cube = record.get("cube", 1)
    if not isinstance(cube, int) or isinstance(cube, bool) or cube < 1:
        raise UnreadableError(f"cube: expected a number from 1, got {cube!r}")
    board = _board(record, "loser_board")
    game.check(board)
    outcome = record.get("conceded", "")
    result = game.score(board, "white" if loser == "black" else "black", cube, str(outcome))
    return {"outcome": result.outcome, "points": result.points}


def _script(house: House, record: Record) -> Record:
    state = _begun(house, _mapping(record, "config"))
    actions = record["actions"]
    if not isinstance(actions, list):
        raise UnreadableError(f"actions: expected a list, got {actions!r}")
    for index, action in enumerate(actions):
        try:
            state = _acted(state, action)
        except MatchError as error:
            return {"error": {"at": index, "what": error.what}, **state.to_json()}
    return {"error": None, **state.to_json()}


def _begun(house: House, config: Mapping[str, Any]) -> Match:
    """The state at the beginning of a script: White is on turn."""
    name = config.get("game") or house.profile.game or "short"
    named = {"limit": "cube_limit"}
    rules = ("length", "crawford", "jacoby", "beaver", "limit", "scoring", "opening", "next_start", "cube", "factors")
    options = make_options(name, house.profile.options if name == house.profile.game else {})
    for rule in rules:
        if rule in config:
            # One by one: a script may have a rule that has no effect, such as beavers in a match.
            value = make_options(name, {named.get(rule, rule): config[rule], **_alone(rule, config)})
            options = replace(options, **{named.get(rule, rule): getattr(value, named.get(rule, rule))})
    white, black = config.get("score", (0, 0))
    state = Match.begin(options, "white", (white, black), bool(config.get("crawford_done", False)))
    return replace(state, first_play=not config.get("mid_game", False))


def _alone(rule: str, config: Mapping[str, Any]) -> Record:
    """What a rule needs to be valid by itself."""
    return {"length": 0} if rule in ("jacoby", "beaver") and config[rule] else {}


def _acted(state: Match, action: Any) -> Match:
    if not isinstance(action, dict) or "do" not in action:
        raise UnreadableError(f'action: expected {{"player", "do"}}, got {action!r}')
    player = _player(action.get("player"), "action.player")
    arguments = [action[key] for key in ("arg", "left") if key in action]
    return act(state, player, str(action["do"]), *arguments)


def _board(record: Mapping[str, Any], key: str) -> Position:
    if key not in record:
        raise UnreadableError(f"{key}: expected a board, got nothing")
    return Position.from_json(record[key])


def _dice(record: Record) -> tuple[int, ...]:
    dice = record.get("dice")
    if not isinstance(dice, list):
        raise UnreadableError(f"dice: expected two numbers from 1 to 6, got {dice!r}")
    return tuple(dice)


def _turn(record: Record) -> tuple[bool, bool]:
    return bool(record.get("first_turn", False)), bool(record.get("second_player", False))


def _moves_left(record: Mapping[str, Any]) -> LeftOver:
    numbers = [record.get("die"), record.get("moves_left"), *record.get("then", [])]
    if not all(isinstance(n, int) and 1 <= n <= 6 for n in numbers):
        raise UnreadableError(f"leftover: expected die, moves_left and then, got {dict(record)!r}"[:160])
    die, moves, *then = numbers
    return LeftOver(die, moves, tuple(then))


def _mapping(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = record.get(key) or {}
    if not isinstance(value, Mapping):
        raise UnreadableError(f"{key}: expected an object, got {value!r}")
    return value


def _player(value: Any, key: str) -> Player:
    if value == "white":
        return "white"
    if value == "black":
        return "black"
    raise UnreadableError(f"{key}: expected white or black, got {value!r}")


if __name__ == "__main__":
    alone = typer.Typer(add_completion=False, no_args_is_help=True)
    register(alone)
    alone()
