"""Random matches of all ten games, with everything that a record may hold; the same seed gives the same match."""

import random
from dataclasses import dataclass, field
from typing import Any

from companion import events as ev
from companion.layout import Player
from companion.records.transcript import Transcript, difference, moved
from companion.rules import GAMES, Game, Match, MatchError, Position, TooManyPlays, format_play, get_game
from companion.rules.match import other
from companion.rules.scoring import SCORING

NAMES = (
    "Anna", "Борис Годунов", "Иванов, Иван", "O'Brien: the 2nd", 'Mr "X" [blue]', "Zoë \\ back", "Game Boy", "A" * 40,
    "Человек с очень длинным именем Константинопольский", "Takes; drops", "x",
)  # fmt: skip
SIDES: tuple[Player, ...] = ("white", "black")


@dataclass
class Maker:
    """Plays one match at random."""

    rng: random.Random
    house: Game
    rough: float = 0.1
    most_plays: int = 60
    events: list[ev.Event] = field(default_factory=list)
    t: float = 0.0
    plays: int = 0

    def make(self) -> None:
        state = Match(options=self.house.options)
        number = 0
        while not state.match_over and self.plays < self.most_plays and number < 80:
            number += 1
            starter = state.next_starter() or self.rng.choice(SIDES)
            state = self._game(state.new_game(starter), number)
        if state.match_over:
            score = {"white": state.score[0], "black": state.score[1]}
            winner: Player = "white" if state.score[0] > state.score[1] else "black"
            self._add(ev.MatchWon, player=winner, winner=winner, score=score)
        elif self.rng.random() < 0.3:
            self._add(ev.Unfinished, dice=self._dice())

    def _add(self, kind: Any, **values: Any) -> None:
        self.events.append(kind(t=round(self.t, 3), **values))

    def _dice(self) -> tuple[int, int]:
        return self.rng.randint(1, 6), self.rng.randint(1, 6)

    def _game(self, state: Match, number: int) -> Match:
        position, rng = self.house.start, self.rng
        if rng.random() < 0.1 * self.rough:
            position = self._wander(position, 6)
        score = {"white": state.score[0], "black": state.score[1]}
        self._add(ev.GameStarted, game=self.house.name, board=position.to_json(), number=number, score=score)
        self._add(ev.Status, phase="OPENING")
        left = rng.randint(5, 120)
        while not state.game_over and self.plays < self.most_plays:
            self.t += rng.choice((0.0, 1.5, rng.random() * 20))
            state = self._cube(state)
            if state.game_over:
                break
            left -= 1
            if left <= 0 or self.house.winner(position):
                return self._resign(state, position)
            state, position = self._turn(state, position)
        return state

    def _turn(self, state: Match, position: Position) -> tuple[Match, Position]:
        player, rng, dice = state.turn, self.rng, self._dice()
        assert player is not None
        self._asides(player)
        if rng.random() < 0.3 * self.rough:
            position = self._wander(position, 2)
            self._add(ev.Gap, board=position.to_json() if rng.random() < 0.8 else None)
        first = state.first_play and rng.random() < 0.5
        self._add(ev.Rolled, player=None if first else player, dice=dice)
        others = (("white", 6, 1, "13/7 8/7", 2.25), ("black", *dice, "", 0.5))[: self.plays % 3]
        self._add(ev.TurnSeen, player=player, dice=dice, sure=(0.9981, 0.5), rolled_s=self.plays + 0.5, others=others)
        self.t += rng.random() * 10
        if rng.random() < self.rough:
            position = self._illegal(position, player, dice)
        else:
            position = self._legal(position, player, dice)
        self.plays += 1
        state = state.roll(player)
        if self.house.winner(position) == player:
            result = self.house.score(position, player)
            return self._won(state.won(player, result), result.outcome), position
        return state.play(player), position

    def _legal(self, position: Position, player: Player, dice: tuple[int, int]) -> Position:
        try:
            if self.house.law.progression and dice[0] == dice[1]:
                raise TooManyPlays
            results = self.house.plays(position, dice, player=player).results
        except TooManyPlays:
            self._add(ev.PlayMade, player=player, dice=dice, play="", verdict="legal", board=position.to_json())
            return position
        after = self.rng.choice(list(results))
        text = format_play(self.rng.choice(results[after]), self.house.seen(position, player))
        known = None if self.rng.random() < 0.1 * self.rough else dice
        sure = round(self.rng.random(), 4) if self.rng.random() < 0.5 else None
        part = self.rng.choice(("extra", "left-over")) if self.rng.random() < 0.1 * self.rough else "own"
        board = after.to_json()
        self._add(
            ev.PlayMade, player=player, dice=known, play=text, verdict="legal", board=board, confidence=sure, part=part
        )
        return after

    def _illegal(self, position: Position, player: Player, dice: tuple[int, int]) -> Position:
        """Some play that is against the rules (as far as the judge says so), noticed, and standing."""
        after = self._odd(position, player)
        verdict = self.house.judge(position, dice, after, player=player)
        moves = difference(self.house, position, after, player)
        text = format_play(moves or (), self.house.seen(position, player))
        reasons = tuple(str(reason) for reason in verdict.reasons)
        if not verdict:
            self._add(ev.IllegalPlay, player=player, dice=dice, reasons=reasons, points=verdict.points)
        kind = "legal" if verdict else "illegal"
        board = after.to_json()
        self._add(ev.PlayMade, player=player, dice=dice, play=text, verdict=kind, board=board, reasons=reasons)
        return after

    def _odd(self, position: Position, player: Player) -> Position:
        """The position after one or two moves of any kind, or none."""
        for _ in range(20):
            seen = self.house.seen(position, player)
            moves = []
            for _ in range(self.rng.randint(0, 3)):
                places = [point for point, n in enumerate(seen.points, 1) if n > 0] + [25] * min(seen.bar[0], 1)
                start = self.rng.choice(places)
                moves.append((start, max(0, start - self.rng.randint(1, 8))))
            try:
                after = moved(self.house, position, player, tuple(moves))
                self.house.check(after)
            except ValueError:
                continue
            if not self.house.winner(after):
                return after
        return position

    def _wander(self, position: Position, plays: int) -> Position:
        for index in range(plays):
            dice = (self.rng.randint(1, 3), self.rng.randint(4, 6))
            results = self.house.plays(position, dice, player=SIDES[index % 2]).results
            after = self.rng.choice(list(results))
            if self.house.winner(after):
                return position
            position = after
        return position

    def _asides(self, player: Player) -> None:
        if self.rng.random() < 0.2 * self.rough:
            self._add(ev.VoidRoll, player=player, dice=self._dice(), why=self.rng.choice(("cocked", "split", "rim")))
        if self.rng.random() < 0.1 * self.rough:
            self._add(ev.BoardMoved, residual_px=round(self.rng.random() * 9, 2))
        if self.rng.random() < 0.1 * self.rough:
            self._add(ev.IllegalPlay, player=player, dice=self._dice(), reasons=("head", "block"), points=(24, 12))
            self._add(ev.TakenBack, player=player)

    def _cube(self, state: Match) -> Match:
        player, rng = state.turn, self.rng
        assert player is not None
        if rng.random() > 0.06:
            return state
        try:
            state = state.double(player)
        except MatchError:
            return state
        self._add(ev.CubeAction, player=player, action="double", value=state.cube * 2, owner=state.owner)
        answer, opponent = rng.random(), other(player)
        if answer < 0.25:
            value, owner = state.cube, state.owner
            state = state.drop(opponent)
            self._add(ev.CubeAction, player=opponent, action="drop", value=value, owner=owner)
            return self._won(state, "drop")
        if answer < 0.5:
            try:
                state = state.beaver(opponent)
            except MatchError:
                pass
            else:
                return self._beavered(state, player)
        state = state.take(opponent)
        flagged = rng.random() < 0.1
        self._add(ev.CubeAction, player=opponent, action="take", value=state.cube, owner=state.owner, flagged=flagged)
        return state

    def _beavered(self, state: Match, player: Player) -> Match:
        self._add(ev.CubeAction, player=other(player), action="beaver", value=state.cube, owner=state.owner)
        if self.rng.random() < 0.3:
            value, owner = state.cube, state.owner
            state = state.drop(player)
            self._add(ev.CubeAction, player=player, action="drop", value=value, owner=owner)
            return self._won(state, "drop")
        state = state.accept(player)
        self._add(ev.CubeAction, player=player, action="accept", value=state.cube, owner=state.owner)
        return state

    def _resign(self, state: Match, position: Position) -> Match:
        player = self.rng.choice(SIDES)
        outcome = self.rng.choice(SCORING[self.house.options.scoring].names())
        if state.phase == "to roll" and self.rng.random() < 0.4 and state.turn is not None:
            self._add(ev.Rolled, player=state.turn, dice=self._dice())
        self._add(ev.Resigned, player=player, outcome=outcome)
        left = 15 - position.off[0 if player == "white" else 1]
        state = state.resign(player, outcome).accept_resign(other(player), left)
        self._add(ev.Resigned, player=player, outcome=outcome)
        return self._won(state, outcome)

    def _won(self, state: Match, outcome: str) -> Match:
        assert state.last is not None
        winner, points = state.last
        score = {"white": state.score[0], "black": state.score[1]}
        self._add(ev.GameWon, player=winner, winner=winner, outcome=outcome, points=points, score=score)
        return state


def random_match(
    seed: int, game: str = "", *, rough: float = 0.1, most_plays: int = 60, options: dict[str, Any] | None = None
) -> Transcript:
    """A match of that game, or of any; ``rough`` is how often something irregular happens."""
    rng = random.Random(seed)
    game = game or rng.choice(GAMES)
    chosen = options if options is not None else _options(rng, game)
    house = get_game(game, chosen)
    maker = Maker(rng, house, rough, most_plays)
    maker.make()
    names = rng.sample(NAMES, 2)
    meta: dict[str, Any] = {
        "source": f"table {seed}",
        "game": game,
        "options": house.options.to_json(),
        "players": {"white": names[0], "black": names[1]},
        "started": f"20{rng.randint(20, 29)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}T19:30:00+00:00",
        "program": "0.1.0",
    }
    extra = {
        "layout": {"home": "BR", "white": "light"},
        "start": None,
        "event": 'Клуб: "Нарды"',
        "round": " 1 ",
        "comment": "two\nlines",
    }
    meta |= {key: value for key, value in extra.items() if rng.random() < 0.3}
    return Transcript.of(meta, maker.events)


def _options(rng: random.Random, game: str) -> dict[str, Any]:
    if rng.random() < 0.4:
        beaver = rng.random() < 0.7
        return {"length": 0, "beaver": beaver, "jacoby": rng.random() < 0.3}
    return {"length": rng.choice((1, 3, 5, 7, 25))}
