"""Random games played through the filters: positions are taken from ``legal`` and given to ``judge``."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.rules import Game, LeftOver, Position, get_game
from companion.rules.position import from_cells, to_cells
from tests.rules.boards import after, random_chain

Record = dict[str, Any]
Ask = Callable[[Record], Record]
PASSED = "passed-but-could-move"


@dataclass(frozen=True)
class Judged:
    """A verdict that was expected (``legal``, or the reason that must come first) and the answer."""

    expected: str
    line: Record
    answer: Record

    @property
    def right(self) -> bool:
        verdict, reasons = self.answer.get("verdict"), self.answer.get("reasons")
        if self.expected == "legal":
            return (verdict, reasons) == ("legal", [])
        return verdict in ("illegal", "incomplete") and bool(reasons) and reasons[0] == self.expected


@dataclass
class Table:
    """A game under way, seen by the player who moves, who is White."""

    game: Game
    position: Position
    rng: Random
    rolled: tuple[bool, bool] = (False, False)

    def turn_round(self) -> None:
        self.position, self.rolled = self.game.turned(self.position), self.rolled[::-1]


def played(name: str, seed: int, legal: Ask, judge: Ask, turns: int = 400) -> Iterator[Judged]:
    """A whole game, or its beginning, with every verdict that was asked for."""
    game, rng = get_game(name), Random(seed)
    table = Table(game, game.start, rng)
    started = True
    for _ in range(turns):
        again = yield from _roll(table, started, legal, judge)
        if game.winner(table.position):
            return
        if not again:
            table.turn_round()
            started = not started


def _roll(table: Table, started: bool, legal: Ask, judge: Ask) -> Iterator[Judged]:
    """One roll with all that passes on; the value of the generator is whether the player rolls again."""
    first = not table.rolled[0]
    line = {"game": table.game.name, "board": table.position.to_json(), "first_turn": first}
    line |= {"second_player": first and not started}
    answer: Record = {"error": ""}
    while "error" in answer:  # A progression with too many ends is not listed: other dice are thrown.
        line["dice"] = [table.rng.randint(1, 6), table.rng.randint(1, 6)]
        answer = legal(line)
        assert "error" not in answer or answer["error"].startswith("more than"), answer
    chosen = table.rng.randrange(len(answer["legal"]))
    for board in {chosen, *table.rng.sample(range(len(answer["legal"])), min(2, len(answer["legal"])))}:
        yield _asked("legal", line, answer["legal"][board], judge)
    for reason, wrong in broken(table.game, table.position, line["dice"], answer):
        yield _asked(reason, line, wrong.to_json(), judge)
    before, table.position = line, Position.from_json(answer["legal"][chosen])
    table.rolled = True, table.rolled[1]
    if table.game.winner(table.position):
        return False
    _, left = table.rng.choice(answer["ends"][chosen]) if "ends" in answer else (0, None)
    if left:
        yield from _left_over(table, before, left, legal, judge)
    return answer.get("extra_roll", False)


def _left_over(table: Table, before: Record, left: Record, legal: Ask, judge: Ask) -> Iterator[Judged]:
    """The opponent makes the moves that were left over."""
    passed = {"player": "black", "after": table.position.to_json()} | left
    seen = table.game.turned(table.position)
    line = {"game": table.game.name, "board": seen.to_json(), "leftover": left}
    answer = legal(before | {"leftover": passed})
    if "error" in answer:  # Too many to be listed.
        chain = table.game.left_over_chain(to_cells(seen), LeftOver(left["die"], left["moves_left"], (*left["then"],)))
        chosen = [table.game.turned(from_cells(random_chain(chain, to_cells(seen), table.rng)[1], seen.off[1]))]
    else:
        boards = answer["leftover"]["legal"]
        chosen = [Position.from_json(board) for board in table.rng.sample(boards, min(2, len(boards)))]
    for table.position in chosen:
        yield _asked("legal", line, table.game.turned(table.position).to_json(), judge)
    if table.position != table.game.turned(seen):
        yield _asked(PASSED, line, seen.to_json(), judge)


def _asked(expected: str, line: Record, board: Record, judge: Ask) -> Judged:
    asked = line | {"after": board}
    return Judged(expected, asked, judge(asked))


def broken(game: Game, before: Position, dice: list[int], answer: Record) -> Iterator[tuple[str, Position]]:
    """Positions that break one rule, each with the reason that must come first."""
    points = dict(enumerate(before.points, 1))
    mine, theirs = ([p for p in points if sign * points[p] > 0] for sign in (1, -1))
    free = [p for p in points if not points[p]]
    closes = -2 if game.law.movement.hits else -1
    if mine:
        more = tuple(n + (p == mine[0]) for p, n in points.items())
        yield "checker-count", Position(more, before.bar, before.off)
    if theirs:
        elsewhere = tuple(n + (p == theirs[0]) - (p == free[0]) for p, n in points.items())
        yield "opponent-moved", Position(elsewhere, before.bar, before.off)
    for start in [p for p in mine if points.get(p + 1, -1) >= 0][:1]:
        yield "backwards", after(before, (start, start + 1))
    for move in [(p, p - die) for p in mine for die in dice if points.get(p - die, 0) <= closes][:1]:
        yield "blocked-point", after(before, move)
    if answer["max_dice"]:
        yield PASSED, before
    if dice[0] != dice[1] and not before.bar[0]:
        yield from _broken_moves(game, before, dice)


def _broken_moves(game: Game, before: Position, dice: list[int]) -> Iterator[tuple[str, Position]]:
    points = dict(enumerate(before.points, 1))
    runner = before.off[0] or any(points[p] > 0 for p in range(1, 12))
    locked = {"fevga": points[24] >= 14 and not runner, "khachapuri": False, "short": False, "tabla": False}
    if locked.get(game.name.removeprefix("mad-"), points[24] >= 2) and all(points[24 - die] >= 0 for die in dice):
        yield "head", after(before, *[(24, 24 - die) for die in dice])
    if any(points[p] > 0 for p in range(7, 25)):
        for die in [die for die in dice if points[die] > 0][:1]:
            yield "bear-off-early", after(before, (die, 0))
