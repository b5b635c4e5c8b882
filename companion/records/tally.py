"""What one recording adds up to: its line in the history, and what each player threw, played and won in it.

A tally is a mapping of names to whole numbers, so that tallies are added by adding:

``dice:64``
    rolls of 6-4, the larger first;
``starts``, ``starts won``
    games that the player began, and those of them that were won; ``games``, ``won`` and ``lost`` those that ended;
``first rolls``, ``first pips``
    the player's first rolls of games, and what they are worth in pips (a double four times);
``won mars``, ``lost koks`` …
    results by their outcome, ``points`` those won and ``points lost``;
``plays``, ``passes``, ``turns timed``, ``milliseconds``
    turns, those without a move, and the time from the end of the turn before to the end of this one;
``illegal``, ``illegal head`` …
    illegal plays that were noticed, and by the rule that was broken; ``stood`` those that stood.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from companion import events as ev
from companion.layout import Player

Tally = Mapping[str, int]
State = Literal["open", "game over", "match over"]
PLAYERS: tuple[Player, ...] = ("white", "black")
UNCOUNTED = ('"event":"status"', '"event":"rolled"')
"""How the stored form shows an event that adds nothing: most of a record is of these kinds."""


class Summary(NamedTuple):
    """One line of the history.

    ``white`` and ``black`` are names, empty when nobody said them; ``state`` tells whether a game is under way.
    """

    recording: int
    started: str
    game: str
    white: str
    black: str
    plays: int
    illegal: int
    white_score: int
    black_score: int
    state: str
    source: str
    corrections: int

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "recording": self.recording,
            "started": self.started or None,
            "game": self.game or None,
            "players": {"white": self.white or None, "black": self.black or None},
            "plays": self.plays,
            "illegal": self.illegal,
            "score": {"white": self.white_score, "black": self.black_score},
            "state": self.state,
            "source": self.source or None,
            "corrections": self.corrections,
        }


@dataclass
class _Fold:
    """What is known in the middle of a recording."""

    counts: dict[Player, Counter[str]] = field(default_factory=lambda: {p: Counter() for p in PLAYERS})
    score: Mapping[str, int] = field(default_factory=dict)
    state: State = "open"
    plays: int = 0
    illegal: int = 0
    starter: Player | None = None
    thrown: set[Player] = field(default_factory=set)
    since: float | None = None

    def take(self, event: ev.Event) -> None:
        match event:
            case ev.GameStarted():
                self.state, self.starter, self.since = "open", None, event.t
                self.thrown = set()
                self.score = event.score
            case ev.PlayMade():
                self._play(event)
            case ev.IllegalPlay():
                self.illegal += 1
                self._illegal(event)
            case ev.Gap():
                self.since = None
                self.thrown = set(PLAYERS)
            case ev.GameWon():
                self._won(event)
            case ev.MatchWon():
                self.state = "match over"

    def _play(self, event: ev.PlayMade) -> None:
        self.plays += 1
        player, since, self.since = event.player, self.since, event.t
        if player is None:
            return
        counts = self.counts[player]
        if event.part != "left-over":
            counts["plays"] += 1
            counts["passes"] += event.play == ""
            if since is not None and event.t > since:
                counts["turns timed"] += 1
                counts["milliseconds"] += round(1000 * (event.t - since))
            self._roll(player, event.dice)
        counts["stood"] += event.verdict == "illegal"

    def _roll(self, player: Player, dice: ev.Dice | None) -> None:
        if self.starter is None and not self.thrown:
            self.starter = player
            self.counts[player]["starts"] += 1
        if dice is None:
            return
        high, low = max(dice), min(dice)
        self.counts[player][f"dice:{high}{low}"] += 1
        if player not in self.thrown:
            self.thrown.add(player)
            self.counts[player]["first rolls"] += 1
            self.counts[player]["first pips"] += (high + low) * (2 if high == low else 1)

    def _illegal(self, event: ev.IllegalPlay) -> None:
        if event.player is not None:
            self.counts[event.player]["illegal"] += 1
            self.counts[event.player].update(f"illegal {reason}" for reason in event.reasons[:1])

    def _won(self, event: ev.GameWon) -> None:
        self.state, self.score = "game over", event.score
        for player in PLAYERS:
            word = "won" if player == event.winner else "lost"
            counts = self.counts[player]
            counts.update(("games", word, f"{word} {event.outcome}"))
            counts["points" if word == "won" else "points lost"] += event.points
        if self.starter == event.winner:
            self.counts[event.winner]["starts won"] += 1


def add_up(
    recording: int, meta: Mapping[str, Any], events: Iterable[ev.Event], corrections: int = 0
) -> tuple[Summary, dict[Player, Tally]]:
    """The line of a recording in the history, and the tally of each side; zeros are left out."""
    fold = _Fold()
    started = meta.get("started")
    for event in events:
        fold.take(event)
        if isinstance(event, ev.Status) and event.details[:1] == (ev.DATED,):
            started = event.details[1]
    white, black = names(meta)
    summary = Summary(
        recording=recording,
        started=_text(started),
        game=_text(meta.get("game")),
        white=white,
        black=black,
        plays=fold.plays,
        illegal=fold.illegal,
        white_score=fold.score.get("white", 0),
        black_score=fold.score.get("black", 0),
        state=fold.state,
        source=_text(meta.get("source")),
        corrections=corrections,
    )
    return summary, {player: {k: n for k, n in sorted(fold.counts[player].items()) if n} for player in PLAYERS}


def names(meta: Mapping[str, Any]) -> tuple[str, str]:
    """The names of White and Black in the meta of a recording; empty when nobody said them."""
    players = meta.get("players")
    if not isinstance(players, Mapping):
        return "", ""
    return _text(players.get("white")), _text(players.get("black"))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
