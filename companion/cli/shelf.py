"""The record store as the page uses it: old matches, corrections, files to download."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion import events as ev
from companion.cli.weigh import weigher
from companion.errors import RecordError
from companion.layout import CORNERS, Layout, Shade
from companion.records import Store
from companion.records.fix import Conflict, Edit, corrected
from companion.records.formats import Document, Form, write
from companion.records.likely import Weigh
from companion.records.likely import likely as remedies
from companion.records.pictures import Pictures, pictures_file
from companion.records.stats import SUSPICIOUS, Stats
from companion.records.store import Recording
from companion.records.summaries import Wanted, history, totals
from companion.records.tally import names
from companion.records.transcript import house_of
from companion.rules.options import OPTIONS, SHORT_GAMES
from companion.web.alternatives import MOST, likely
from companion.web.ledger import turns_of
from companion.web.ports import Choice, Clash, Export, GameCard, MatchCard, PersonCard, TurnCard

LOOKED_AT = 12
"""So many readings of a turn are tried against what came after it."""
Told = Callable[[int, Sequence[ev.Event], Sequence[TurnCard]], None]
_MEDIA = {"mat": "text/plain", "sgf": "application/x-go-sgf", "txt": "text/plain", "json": "application/json"}


class Shelf:
    """The records of one file; each call opens it for itself, so that it may come from any thread.

    ``told`` hears of every correction: the match, and its events and turns as they stand then.
    """

    def __init__(self, path: Path, told: Told | None = None) -> None:
        self._path = path
        self._told = told

    def people(self) -> Sequence[str]:
        """The names in the record."""
        if not self._path.is_file():
            return ()
        with self._open() as store:
            played = Counter(name for line in history(store) for name in {line.white, line.black} if name)
        return sorted(played, key=lambda name: (-played[name], name))  # the same on every day

    def person(self, name: str) -> PersonCard:
        """The sum of their tallies."""
        if not self._path.is_file():
            return _person(name, Stats({}))
        with self._open() as store:
            return _person(name, Stats(totals(store, Wanted(player=name or None))))

    def formats(self, match: int) -> Sequence[str]:
        """Files of other programs are for the short games."""
        with self._open() as store:
            short = store.recording(match).meta.get("game") in SHORT_GAMES
        return tuple(_MEDIA) if short else ("txt", "json")

    def matches(self) -> Sequence[MatchCard]:
        """All recordings, newest first."""
        if not self._path.is_file():
            return ()
        with self._open() as store:
            return [
                MatchCard(
                    id=line.recording,
                    game=line.game,
                    started=line.started,
                    names={"white": line.white, "black": line.black},
                    score={"white": line.white_score, "black": line.black_score},
                    turns=line.plays,
                )
                for line in reversed(history(store))
            ]

    def match(self, match: int) -> MatchCard | None:
        """One recording."""
        if not self._path.is_file():
            return None
        with self._open() as store:
            found = next((r for r in store.recordings() if r.id == match), None)
            return None if found is None else _card(found, store.events(match))

    def turns(self, match: int) -> Sequence[TurnCard]:
        """The turns as they stand."""
        with self._open() as store:
            return _turns(store, match)

    def alternatives(self, match: int, turn: int) -> Sequence[Choice]:
        """Readings after which the match can go on as it was recorded come first."""
        with self._open() as store:
            meta, events, turns = store.recording(match).meta, store.events(match), _turns(store, match)
        card = turns[turn - 1]
        before = [each.player for each in turns[: turn - 1] if each.game == card.game]
        first, second = card.player not in before, bool(before) and before[0] != card.player
        choices = likely(house_of(meta), card, first, second, LOOKED_AT)

        def jams(choice: Choice) -> bool:
            edit = Edit(turn, roll=choice.dice, play=choice.play)
            return isinstance(corrected(meta, events, [edit]), Conflict)

        return sorted(choices, key=jams)[:MOST]

    def fix(self, match: int, changes: Sequence[Mapping[str, Any]]) -> Clash | None:
        """Change turns, all or nothing."""
        edits = [edit_of(change) for change in changes]
        with Store.open(self._path) as store:
            meta, before = store.recording(match).meta, store.events(match)
            result = corrected(meta, before, edits)
            if isinstance(result, Conflict):
                return _clash(meta, result, weigher(store, store.recording(match)))
            store.correct(match, result, {"edits": [edit.to_json() for edit in edits]})
        if self._told is not None:
            self._told(match, result, self.turns(match))
        return None

    def evidence(self, match: int, turn: int) -> bytes | None:
        """The picture of the roll."""
        if not pictures_file(self._path).is_file():
            return None
        with Pictures.open(self._path) as pictures:
            rolls = [picture.jpeg for picture in pictures.of_turn(match, turn) if picture.kind == "roll"]
        return rolls[-1] if rolls else None

    def export(self, match: int, form: str) -> Export:
        """The match as a file."""
        with self._open() as store:
            recording, events = store.recording(match), store.events(match)
            inputs = store.inputs(match)
        document = Document(recording.meta, tuple(events), tuple(inputs), id=recording.id)
        text = write(document, Form("text" if form == "txt" else form))
        return Export(f"companion-{match}.{form}", f"{_MEDIA[form]}; charset=utf-8", text.encode())

    def _open(self) -> Store:
        return Store.open(self._path, write=False)


def edit_of(change: Mapping[str, Any]) -> Edit:
    """A change that came over the wire as an edit; raises RecordError for anything that is none."""
    known: dict[str, Callable[[Any], bool]] = {
        "turn": lambda v: _whole(v, 1, 10**6),
        "what": lambda v: v in ("change", "insert", "delete", "gap"),
        "player": lambda v: v in ("white", "black"),
        "roll": lambda v: isinstance(v, list) and len(v) == 2 and all(_whole(n, 1, 6) for n in v),
        "play": lambda v: isinstance(v, str) and len(v) < 200,
        "cube": lambda v: isinstance(v, list) and len(v) < 8 and all(isinstance(word, str) for word in v),
        "owner": lambda v: v in ("white", "black", "middle"),
        "stood": lambda v: isinstance(v, bool),
    }
    for key, value in change.items():
        if key not in known or not known[key](value):
            raise RecordError(f"change: key {str(key)[:20]}: not possible")
    if "turn" not in change:
        raise RecordError("change: expected the number of the turn")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in change.items()}
    return Edit(**values)


def _whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _clash(meta: Mapping[str, Any], conflict: Conflict, weigh: Weigh | None) -> Clash:
    found = remedies(house_of(meta), conflict, weigh)
    changes = tuple({k: v for k, v in each.edit.to_json().items() if (k, v) != ("what", "change")} for each in found)
    return Clash(conflict.turn, conflict.event.player, str(conflict), conflict.at.position.to_json(), changes)


def _turns(store: Store, match: int) -> list[TurnCard]:
    changed = {edit.get("turn") for version in store.versions(match) for edit in _edits(version.edit)}
    turns = turns_of(store.events(match))
    return [turn if turn.number not in changed else _fixed(turn) for turn in turns]


def _edits(edit: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(edit["edits"]) if isinstance(edit.get("edits"), list) else [edit]


def _fixed(turn: TurnCard) -> TurnCard:
    return replace(turn, fixed=True)


def _card(recording: Recording, events: Sequence[ev.Event]) -> MatchCard:
    meta = recording.meta
    white, black = names(meta)
    games = [GameCard(event.number) for event in events if isinstance(event, ev.GameStarted)]
    won = [event for event in events if isinstance(event, ev.GameWon)]
    for index, event in enumerate(won[: len(games)]):
        games[index] = GameCard(games[index].number, event.winner, event.outcome, event.points)
    scores = [event.score for event in events if isinstance(event, ev.GameStarted | ev.GameWon)]
    return MatchCard(
        id=recording.id,
        game=str(meta.get("game") or "long"),
        started=str(meta.get("started") or ""),
        names={"white": white, "black": black},
        score=scores[-1] if scores else {"white": 0, "black": 0},
        turns=sum(isinstance(event, ev.PlayMade) for event in events),
        games=tuple(games),
        options=_options(meta),
        mirrored=_mirrored(meta),
    )


def _options(meta: Mapping[str, Any]) -> dict[str, Any]:
    """The house rules as the game can be made with them again."""
    house = house_of(meta)
    return {name: value for name, value in house.options.to_json().items() if house.name in OPTIONS[name].games}


def _mirrored(meta: Mapping[str, Any]) -> bool:
    known = meta.get("layout") or {}
    home: Any = known.get("home")
    if home not in CORNERS:
        return False
    white: Shade = "dark" if known.get("white") == "dark" else "light"
    return Layout(home, house_of(meta).same_way, white).direction == "clockwise"


def _person(name: str, stats: Stats) -> PersonCard:
    get, dice = stats.tally.get, stats.fair_rolls
    return PersonCard(
        name=name,
        won=stats.by("won"),
        lost=stats.by("lost"),
        points=(get("points", 0), get("points lost", 0)),
        turns=get("plays", 0),
        passes=get("passes", 0),
        pips=stats.pips,
        doubles=stats.doubles,
        rolls=sum(stats.rolls.values()),
        seconds=stats.seconds,
        thrown=stats.faces,
        broken=stats.by("illegal"),
        stood=get("stood", 0),
        fair=dice.p >= SUSPICIOUS if dice.enough else None,
    )
