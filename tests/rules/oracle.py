"""The oracle's records put to the filters: what is answered otherwise than recorded, as one line each."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from companion.cli.rules import House, answers
from companion.cli.rules import _judge as judge
from companion.cli.rules import _legal as legal
from companion.cli.rules import _score as score
from companion.rules.profiles import Profile

Record = dict[str, Any]
HOUSE = House(Profile("", "", {}))


def read(path: Path) -> list[Record]:
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def answered(found: Iterable[Record], command: Callable[..., Record]) -> Iterator[Record]:
    return answers((json.dumps(record) for record in found), HOUSE, command)


def asked(record: Record, **more: Any) -> Record:
    """The question without its answer; in the engines' records the second player has no privilege."""
    fields = ("id", "game", "board", "dice", "first_turn", "second_player", "options", "leftover")
    kept = {key: record[key] for key in fields if key in record}
    if record["game"] == "long" and "options" not in record:
        kept["options"] = {"second_player_any_double": False}
    return kept | more


def differences(path: Path) -> Iterator[str]:
    """What disagrees with a file of records; its name tells what they are."""
    kind = next((kind for kind in KINDS if kind in path.name), "")
    for record in read(path):
        yield from KINDS.get(kind, _sets)(record)


def _sets(record: Record) -> Iterator[str]:
    """All end positions, dice that must be played, plays, and what passes on; long nardy also at every single move."""
    yield from _differences(record | record.get("turn_prime", {}), asked(record))
    if record["game"] == "long" and "options" not in record:
        yield from _differences(record, asked(record, game="nardgammon"))


def _differences(record: Record, question: Record) -> Iterator[str]:
    (answer,) = answered([question], legal)
    where = f"{record['id']} ({question['game']})"
    for key in ("legal", "ends", "max_dice", "extra_roll"):
        if key in record and _boards(answer[key]) != _boards(record[key]):
            yield f"{where}: {key}"
    if "plays" in record and sorted(answer["plays"]) != sorted(record["plays"]):
        yield f"{where}: plays"
    for key in ("legal", "max_dice") if "leftover" in record else ():
        if _boards(answer["leftover"][key]) != _boards(record["leftover"][key]):
            yield f"{where}: leftover.{key}"


def _boards(value: Any) -> Any:
    """A list of boards or endings in any order, each once; the endings of all boards in their order."""
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], list) and value[0] and isinstance(value[0][0], list):
        return [_boards(each) for each in value]
    return {json.dumps(each, sort_keys=True) for each in value}


def _members(record: Record) -> Iterator[str]:
    questions = [asked(record, after=candidate["board"]) for candidate in record["candidates"]]
    for candidate, answer in zip(record["candidates"], answered(questions, judge), strict=True):
        if (answer["verdict"] == "legal") != candidate["legal"]:
            yield f"{record['id']}: {answer['verdict']}, but {candidate['why']}"


def _verdicts(record: Record) -> Iterator[str]:
    (answer,) = answered([asked(record, board=record["before"], after=record["after"])], judge)
    if (answer["verdict"] == "legal") != (record["verdict"] == "legal"):
        yield f"{record['id']}: {answer['verdict']}"
    if not set(record["must"]) <= set(answer["reasons"]) <= {*record["must"], *record["may"]}:
        yield f"{record['id']}: {answer['reasons']}, expected {record['must']}"


def _scores(record: Record) -> Iterator[str]:
    (answer,) = answered([record], score)
    if (answer["outcome"], answer["points"]) != (record["outcome"], record["points"]):
        yield f"{record['id']}: {answer}"


def _scripts(record: Record) -> Iterator[str]:
    (answer,) = answered([record], score)
    if answer != {"id": record["id"], **record["expect"]}:
        yield f"{record['id']}: {answer}, {record['note']}"


KINDS = {"member": _members, "judge": _verdicts, "scoring": _scores, "cube": _scripts}
