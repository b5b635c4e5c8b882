"""A match as a record holds it: what exports write, imports make, and corrections and statistics read.

A :class:`Transcript` is what was said about the match (``meta``, as the store keeps it) and its games; a
:class:`GameTranscript` is the start of a game and the events that followed. The events are those of
:mod:`companion.events`, all but ``status`` and ``seen``: nothing is lost on the way from the store and back::

    transcript = Transcript.of(recording.meta, store.events(recording.id))
    assert transcript.events() == [e for e in store.events(recording.id) if not isinstance(e, NOTES)]
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from companion import events as ev
from companion.layout import Player
from companion.rules import GAMES, OPTIONS, Game, Play, Position, UnreadableError, get_game, parse_play
from companion.rules.position import BAR, CHECKERS, OFF

PLAYERS: tuple[Player, ...] = ("white", "black")


@dataclass(frozen=True)
class Cube:
    """The cube before an event: what counts, whose it is (None: in the middle), and whether an offer waits."""

    value: int = 1
    owner: Player | None = None
    offer: str = ""

    def after(self, event: ev.CubeAction) -> "Cube":
        """The cube after an action of a player; ``event.value`` is the value that then counts."""
        offer = {"double": "doubled", "beaver": "beavered"}.get(event.action, "")
        value = self.value if event.action == "double" else event.value
        return Cube(value, event.owner, offer)


@dataclass(frozen=True)
class Step:
    """One event of a game with the positions before and after it, and the cube before it.

    ``play`` counts the final plays of the transcript from 1, as ``show --turn`` does; it is that of the event when
    it is a :class:`~companion.events.PlayMade`, else the number of plays so far.
    """

    event: ev.Event
    before: Position
    after: Position
    cube: Cube
    play: int


@dataclass(frozen=True)
class GameTranscript:
    """One game: how it began, and everything that happened until the next one."""

    start: ev.GameStarted
    events: tuple[ev.Event, ...] = ()

    @property
    def result(self) -> ev.GameWon | None:
        """How the game ended; None while it is open."""
        return next((event for event in self.events if isinstance(event, ev.GameWon)), None)

    @property
    def match_result(self) -> ev.MatchWon | None:
        """The end of the match, when this game brought it."""
        return next((event for event in self.events if isinstance(event, ev.MatchWon)), None)

    @property
    def score(self) -> tuple[int, int]:
        """The score of White and Black before the game."""
        return self.start.score.get("white", 0), self.start.score.get("black", 0)

    def steps(self, played: int = 0) -> Iterator[Step]:
        """The events with positions and cube; ``played``: the plays of the games before."""
        position, cube = Position.from_json(self.start.board), Cube()
        for event in self.events:
            before, was = position, cube
            if isinstance(event, ev.PlayMade):
                played += 1
            if isinstance(event, ev.PlayMade | ev.Gap) and event.board is not None:
                position = Position.from_json(event.board)
            elif isinstance(event, ev.CubeAction):
                cube = cube.after(event)
            yield Step(event, before, position, was, played)


@dataclass(frozen=True)
class Transcript:
    """A match: what was said about it, its games, and what happened before the first.

    ``meta`` has the keys of a recording: ``game``, ``options``, ``players`` (``{"white", "black"}``: names),
    ``started``, ``event``, ``round``, ``place``, ``comment``, ``source``, ``program`` …, all of which may be missing.
    ``analysis`` is what ``companion analyse`` found, by the number of the play.
    """

    meta: Mapping[str, Any]
    games: tuple[GameTranscript, ...] = ()
    preface: tuple[ev.Event, ...] = ()
    analysis: Mapping[int, "Assessment"] = field(default_factory=dict)

    @staticmethod
    def of(
        meta: Mapping[str, Any], events: Iterable[ev.Event], analysis: Mapping[int, "Assessment"] | None = None
    ) -> "Transcript":
        """Make it from what a store holds."""
        preface: list[ev.Event] = []
        games: list[tuple[ev.GameStarted, list[ev.Event]]] = []
        for event in events:
            if isinstance(event, ev.GameStarted):
                games.append((event, []))
            elif not isinstance(event, ev.NOTES):
                (games[-1][1] if games else preface).append(event)
        made = tuple(GameTranscript(start, tuple(rest)) for start, rest in games)
        return Transcript(dict(meta), made, tuple(preface), dict(analysis or {}))

    def events(self) -> list[ev.Event]:
        """All events, in order, as a store takes them."""
        return [*self.preface, *(event for game in self.games for event in (game.start, *game.events))]

    @cached_property
    def house(self) -> Game:
        """The game with its house rules; raises RulesError when the meta names none."""
        return house_of(self.meta)

    def name(self, player: Player) -> str:
        """The player's name; ``White`` or ``Black`` when nobody said it."""
        players = self.meta.get("players")
        said = players.get(player) if isinstance(players, Mapping) else None
        return said if isinstance(said, str) and said.strip() else player.capitalize()

    @property
    def date(self) -> tuple[int, int, int] | None:
        """Year, month and day of ``started``, when it is known."""
        head = str(self.meta.get("started") or "")[:10].split("-")
        if len(head) == 3 and all(part.isdecimal() for part in head):
            return int(head[0]), int(head[1]), int(head[2])
        return None

    def steps(self) -> Iterator[tuple[GameTranscript, Step]]:
        """All steps of all games."""
        played = 0
        for game in self.games:
            for step in game.steps(played):
                played = step.play
                yield game, step


@dataclass(frozen=True)
class Assessment:
    """What an analysis says of one play: equity lost by the move and by the cube decision before it, luck of the roll.

    All are in points of equity (normalised to the cube); ``best`` is the best play when another was made; None where
    the analysis does not say.
    """

    error: float | None = None
    cube_error: float | None = None
    luck: float | None = None
    best: str = ""

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"error": self.error, "cube_error": self.cube_error, "luck": self.luck, "best": self.best}


def house_of(meta: Mapping[str, Any]) -> Game:
    """The game with the house rules that a meta names; rules that the game does not have are left out."""
    name = meta.get("game")
    options = meta.get("options")
    known = {}
    if isinstance(options, Mapping) and name in GAMES:
        known = {key: value for key, value in options.items() if key in OPTIONS and name in OPTIONS[key].games}
    return get_game(str(name), known)


def moved(house: Game, before: Position, player: Player, play: Play) -> Position:
    """The position after these moves, whatever the rules say of them.

    Opponents on a point that is moved to go to the bar, one by a hit, more of them where an illegal play landed on a
    closed point. Raises UnreadableError when there is no checker to move.
    """
    seen = house.seen(before, player)
    points, bar, off = list(seen.points), list(seen.bar), list(seen.off)
    for start, end in play:
        if not (1 <= start <= BAR and OFF <= end < BAR):
            raise UnreadableError(f"expected points from 1 to 24, the bar or off, got {start}/{end}")
        have = bar[0] if start == BAR else points[start - 1]
        if have < 1:
            raise UnreadableError(f"expected a checker on {'the bar' if start == BAR else f'point {start}'} to move")
        if start == BAR:
            bar[0] -= 1
        else:
            points[start - 1] -= 1
        if end == OFF:
            off[0] += 1
            continue
        bar[1] -= min(points[end - 1], 0)
        points[end - 1] = max(points[end - 1], 0) + 1
    after = Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))
    return house.seen(after, player)


def moves_of(house: Game, event: ev.PlayMade, before: Position) -> Play | None:
    """The moves of a final play that lead from ``before`` to its board; None when none do."""
    if event.player is None:
        return None
    after = Position.from_json(event.board)
    for candidate in (_written(event.play), difference(house, before, after, event.player)):
        if candidate is None:
            continue
        try:
            if moved(house, before, event.player, candidate) == after:
                return candidate
        except UnreadableError:
            continue
    return None


def _written(text: str) -> Play | None:
    try:
        return parse_play(text)
    except UnreadableError:
        return None


def difference(house: Game, before: Position, after: Position, player: Player) -> Play | None:
    """The fewest moves that make the change, the rearmost first."""
    old, new = house.seen(before, player), house.seen(after, player)
    lost = [BAR] * max(0, old.bar[0] - new.bar[0])
    won: list[int] = []
    for point in range(24, 0, -1):
        change = max(new.points[point - 1], 0) - max(old.points[point - 1], 0)
        (won if change > 0 else lost).extend([point] * abs(change))
    won += [OFF] * max(0, new.off[0] - old.off[0])
    pairs = tuple(zip(lost, won, strict=False))
    if len(lost) != len(won) or len(pairs) > CHECKERS or any(start <= end for start, end in pairs):
        return None
    return pairs
