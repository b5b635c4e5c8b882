"""Corrections: a turn is changed, and the rest of the match is played again through the rules.

A record is a chain: each play begins where the one before it has ended. :func:`corrected` applies edits and follows the
chain. Where the corrected account is the recorded one again (after a gap, or because the plays agree) the rest stays as
it is, to the byte. Where a later play cannot be made any more, that is a :class:`Conflict`, with its likely corrections
(:mod:`companion.records.likely`), each of which is one more edit.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from companion import events as ev
from companion.errors import RecordError
from companion.layout import Player
from companion.records.account import At, as_match, closed, follow, judged
from companion.records.transcript import house_of, moved, moves_of
from companion.rules import Game, Play, Position, RulesError, format_play, parse_play, read_play
from companion.rules.match import other

What = Literal["change", "insert", "delete", "gap"]
CUBE_ACTIONS = ("double", "take", "drop", "beaver", "accept")


@dataclass(frozen=True)
class Edit:
    """One correction of the final play number ``turn`` (from 1, as ``show --turn`` counts).

    ``change``: what is given is true and the rest stays; ``insert``: a turn before it that was not seen; ``delete``: it
    never was; ``gap``: it was not seen how the board came to what it was after the turn. ``cube`` are the actions
    before the roll (``double``, ``take`` …; empty: none), ``owner`` whose the cube is then; ``stood``: the play broke
    a rule and stood.
    """

    turn: int
    what: What = "change"
    player: Player | None = None
    roll: ev.Dice | None = None
    play: str | None = None
    cube: tuple[str, ...] | None = None
    owner: Player | Literal["middle"] | None = None
    stood: bool = False

    def to_json(self) -> dict[str, Any]:
        """What is given of it."""
        given = {"turn": self.turn, "what": self.what, "player": self.player, "play": self.play, "owner": self.owner}
        plain: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        if self.roll is not None:
            plain["roll"] = list(self.roll)
        if self.cube is not None:
            plain["cube"] = list(self.cube)
        return plain | ({"stood": True} if self.stood else {})


@dataclass(frozen=True)
class Entry:
    """An event on its way into the corrected account.

    ``at`` is where the match stood before it as recorded, None for what was not recorded; ``turn`` the number of a
    play as recorded; ``edited`` that it must be looked at, also where nothing before it changed; ``dice_said`` that a
    person said what was rolled.
    """

    event: ev.Event
    at: At | None = None
    turn: int = 0
    edited: bool = False
    stood: bool = False
    dice_said: bool = False


@dataclass(frozen=True)
class Conflict:
    """The first event of the corrected account that cannot be.

    ``turn`` counts in the corrected account; ``at`` is where the match stands there, ``rest`` what follows, ``seen``
    how the turn was seen.
    """

    turn: int
    event: ev.Event
    why: str
    at: At
    rest: tuple[Entry, ...] = ()
    seen: ev.TurnSeen | None = None

    def __str__(self) -> str:
        return f"turn {self.turn}: {in_short(self.event)}: {self.why}"


class _Impossible(Exception):
    """An event cannot be; the text says why."""


def corrected(meta: Mapping[str, Any], events: Sequence[ev.Event], edits: Sequence[Edit]) -> list[ev.Event] | Conflict:
    """The events of the match with these edits, applied one after the other, or the first conflict.

    Raises RecordError when an edit names a turn that there is not, or says what cannot be.
    """
    try:
        house = house_of(meta)
        entries = list(_entries(house, events))
        for edit in edits:
            entries = apply(house, entries, edit)
        return Replay(house, entries).run()
    except RulesError as error:
        raise RecordError(f"fix: {error}") from None


def _entries(house: Game, events: Sequence[ev.Event]) -> Iterator[Entry]:
    at, turn = At(house.start, over=True), 0
    for event in events:
        turn += isinstance(event, ev.PlayMade)
        yield Entry(event, at, turn if isinstance(event, ev.PlayMade) else 0)
        at = follow(house, at, event)


def apply(house: Game, entries: Sequence[Entry], edit: Edit) -> list[Entry]:
    """The entries with one edit; what follows from it is for :class:`Replay` to find out."""
    plays = [i for i, entry in enumerate(entries) if isinstance(entry.event, ev.PlayMade)]
    most = len(plays) + (edit.what == "insert")
    if not 1 <= edit.turn <= most:
        raise RecordError(f"--turn: expected a turn from 1 to {most}, got {edit.turn}")
    end = plays[edit.turn - 1] if edit.turn <= len(plays) else len(entries)
    begin = plays[edit.turn - 2] + 1 if edit.turn > 1 else 0
    before, segment, rest = list(entries[:begin]), list(entries[begin : end + 1]), list(entries[end + 1 :])
    if edit.what == "insert":
        lead = [entry for entry in segment if isinstance(entry.event, ev.GameStarted | ev.GameWon | ev.MatchWon)]
        after = [entry for entry in segment if entry not in lead]
        return [*before, *lead, *_inserted([*before, *lead], edit), *after, *rest]
    if edit.what == "delete":
        return [*before, *(entry for entry in segment if not _of_the_turn(entry.event)), *rest]
    if edit.what == "gap":
        kept = [entry for entry in segment if not _of_the_turn(entry.event)]
        return [*before, *kept, _gap(house, segment[-1]), *rest]
    before, segment = _cube_edited(before, segment, edit)
    return [*before, *(_changed(entry, edit) for entry in segment), *rest]


def _of_the_turn(event: ev.Event) -> bool:
    return isinstance(event, ev.PlayMade | ev.Rolled | ev.TurnSeen | ev.VoidRoll | ev.IllegalPlay | ev.TakenBack)


def _gap(house: Game, entry: Entry) -> Entry:
    """A gap in place of a play, from the board as it was recorded after it."""
    event = entry.event
    assert isinstance(event, ev.PlayMade)
    return Entry(ev.Gap(t=event.t, board=event.board), edited=True)


def _inserted(before: Sequence[Entry], edit: Edit) -> list[Entry]:
    if edit.player is None or edit.roll is None or edit.play is None:
        raise RecordError("--insert: expected who played, the roll and the play: --player, --roll, --play")
    t = before[-1].event.t if before else 0.0
    board = ev.Board()
    play = ev.PlayMade(t=t, player=edit.player, dice=edit.roll, play=edit.play, verdict="legal", board=board)
    rolled = ev.Rolled(t=t, player=edit.player, dice=edit.roll)
    return [Entry(rolled, edited=True), Entry(play, edited=True, stood=edit.stood, dice_said=True)]


def _changed(entry: Entry, edit: Edit) -> Entry:
    """An entry of the turn with what the edit says of it."""
    event = entry.event
    if not isinstance(event, ev.PlayMade | ev.Rolled | ev.IllegalPlay | ev.TakenBack):
        return entry
    event = replace(event, dice=edit.roll or event.dice, player=edit.player or event.player)
    if not isinstance(event, ev.PlayMade):
        return replace(entry, event=event)
    if edit.play is not None:
        event, entry = replace(event, play=edit.play), replace(entry, at=None)
    return replace(entry, event=event, edited=True, stood=edit.stood, dice_said=edit.roll is not None)


def _cube_edited(before: list[Entry], segment: list[Entry], edit: Edit) -> tuple[list[Entry], list[Entry]]:
    """The cube as it was used before the turn, and whose it is."""
    if edit.cube is not None:
        kept = [entry for entry in segment if not isinstance(entry.event, ev.CubeAction)]
        where = next((i for i, entry in enumerate(kept) if _of_the_turn(entry.event)), len(kept))
        play = segment[-1].event
        actions = _actions(edit.cube, edit.player or play.player, kept[where].event.t)
        segment = [*kept[:where], *actions, *kept[where:]]
    if edit.owner is None:
        return before, segment
    both = [*before, *segment]
    started = max((i for i, e in enumerate(both) if isinstance(e.event, ev.GameStarted)), default=-1)
    cubes = [i for i, entry in enumerate(both) if i > started and isinstance(entry.event, ev.CubeAction)]
    last = next((i for i in reversed(cubes) if both[i].event.action == "double"), None)  # type: ignore[attr-defined]
    if last is None:
        raise RecordError(f"--owner: expected a double before turn {edit.turn}, got none: use --cube double,take")
    for i in [i for i in cubes if i >= last]:
        action = both[i].event
        assert isinstance(action, ev.CubeAction)
        if edit.owner != "middle":
            player = other(edit.owner) if action.action in ("double", "accept") else edit.owner
            both[i] = Entry(replace(action, player=player), edited=True)
    if edit.owner == "middle":
        both = [entry for i, entry in enumerate(both) if i not in cubes or i < last]
    size = len(both) - len(segment) if edit.owner != "middle" else min(len(before), len(both))
    return both[:size], both[size:]


def _actions(names: Sequence[str], roller: Player | None, t: float) -> list[Entry]:
    """Cube actions before ``roller`` rolls: the roller doubles and accepts, the opponent answers."""
    entries = []
    for name in names:
        if name not in CUBE_ACTIONS or roller is None:
            raise RecordError(f"--cube: expected none, or actions such as double,take ({', '.join(CUBE_ACTIONS)})")
        player = roller if name in ("double", "accept") else other(roller)
        action = ev.CubeAction(t=t, player=player, action=name, value=1)  # type: ignore[arg-type]  # just checked
        entries.append(Entry(action, edited=True))
    return entries


class Replay:
    """Follows the entries and makes the corrected events."""

    def __init__(self, house: Game, entries: Sequence[Entry], at: At | None = None, turn: int = 0) -> None:
        self.house = house
        self.at = at or At(house.start, over=True)
        self.turn = turn
        self.made: list[ev.Event] = []
        self._entries = entries

    def run(self, most: int | None = None) -> list[ev.Event] | Conflict:
        """The events, or the first conflict; ``most``: stop after so many plays."""
        first = self.turn
        for index, entry in enumerate(self._entries):
            try:
                self._take(entry)
            except _Impossible as why:
                number = self.turn + isinstance(entry.event, ev.PlayMade | ev.CubeAction)
                seen = next((e for e in self._segment() if isinstance(e, ev.TurnSeen)), None)
                return Conflict(number, entry.event, str(why), self.at, tuple(self._entries[index:]), seen)
            if most is not None and self.turn - first >= most:
                return self.made
        self._close(self.made[-1].t if self.made else 0.0)
        return self.made

    def _take(self, entry: Entry) -> None:
        event = entry.event
        if entry.at == self.at and not entry.edited:
            self._add(event)
        elif isinstance(event, ev.PlayMade):
            self._play(entry, event)
        elif isinstance(event, ev.CubeAction):
            self._cube(event)
        elif isinstance(event, ev.GameWon):
            if self.at.ended is None and not self.at.over:
                raise _Impossible("the game is not over here")
            self._close(event.t)
        elif isinstance(event, ev.MatchWon):
            pass  # it comes with the end of the game that brings it
        elif isinstance(event, ev.GameStarted):
            self._close(event.t)
            white, black = self.at.score
            self._add(replace(event, score={"white": white, "black": black}))
        else:  # a roll that cannot be has a play that cannot be
            self._add(event)

    def _add(self, event: ev.Event) -> None:
        self.made.append(event)
        self.turn += isinstance(event, ev.PlayMade)
        self.at = follow(self.house, self.at, event)

    def _close(self, t: float) -> None:
        for event in closed(self.house, self.at, t):
            self._add(event)

    def _must_go_on(self) -> None:
        if self.at.ended is not None:
            winner, outcome, _ = self.at.ended
            raise _Impossible(f"the game is over before it: {winner} has won ({outcome})")

    def _cube(self, event: ev.CubeAction) -> None:
        self._must_go_on()
        at, player = self.at, event.player or "white"
        roller = player if event.action in ("double", "accept") else other(player)
        if at.last == roller:
            raise _Impossible(f"it is not {roller}'s turn")
        match = as_match(self.house, at, roller)
        try:
            after = getattr(match, event.action)(player)
        except RulesError as error:
            raise _Impossible(str(error)) from None
        value = 2 * at.cube.value if event.action == "double" else after.cube
        self._add(replace(event, value=value, owner=after.owner))

    def _play(self, entry: Entry, event: ev.PlayMade) -> None:
        self._must_go_on()
        player, at = event.player, self.at
        if not at.may_play(player, event.part):
            raise _Impossible(f"{player} has just played")
        if player is None:
            raise _Impossible("nobody knows who played it")
        moves = self._moves(entry, event, player)
        try:
            after = moved(self.house, at.position, player, moves)
            verdict = None if event.dice is None else judged(self.house, at, player, event.dice, after, event.part)
        except RulesError as error:
            raise _Impossible(str(error)) from None
        text = format_play(moves, self.house.seen(at.position, player))
        if verdict is None or verdict:
            if entry.edited or event.verdict == "illegal":
                self._withdraw_reproach()
            self._add(replace(event, play=text, board=after.to_json(), verdict="legal", reasons=()))
            return
        reasons = tuple(str(reason) for reason in verdict.reasons)
        if not entry.stood and not (event.verdict == "illegal" and set(reasons) & set(event.reasons)):
            raise _Impossible(f"not legal with {_dice(event.dice)}: {', '.join(reasons)}")
        noticed = ev.IllegalPlay(t=event.t, player=player, dice=event.dice, reasons=reasons, points=verdict.points)
        if not any(isinstance(e, ev.IllegalPlay) for e in self._segment()):
            self._add(noticed)
        self._add(replace(event, play=text, board=after.to_json(), verdict="illegal", reasons=reasons))

    def _withdraw_reproach(self) -> None:
        """A play that turns out to be legal was not an illegal one: what was said of it meanwhile is taken out."""
        segment = self._segment()
        kept = [e for e in segment if not isinstance(e, ev.IllegalPlay | ev.TakenBack)]
        self.made[len(self.made) - len(segment) :] = kept

    def _segment(self) -> list[ev.Event]:
        """What was made since the last play."""
        start = max((i for i, e in enumerate(self.made) if isinstance(e, ev.PlayMade)), default=-1)
        return self.made[start + 1 :]

    def _moves(self, entry: Entry, event: ev.PlayMade, player: Player) -> Play:
        """The moves of a play: as they were recorded, or as the text means them here."""
        if entry.at is not None:
            recorded = moves_of(self.house, event, entry.at.position)
            if recorded is not None:
                return recorded
        first = event.part == "own" and player not in self.at.played
        second = first and self.at.starter not in (None, player)
        try:
            if event.dice is not None and event.part != "left-over":
                return read_play(
                    event.play, self.house, self.at.position, event.dice,
                    player=player, first_turn=first, second_player=second,
                )  # fmt: skip
        except RulesError:
            pass  # it is not legal: then it is what it says
        try:
            return parse_play(event.play)
        except RulesError as error:
            raise _Impossible(str(error)) from None


def in_short(event: ev.Event) -> str:
    """An event in a few words: ``black 6-3 24/18 24/21``."""
    words: list[str] = [event.player or "somebody"]
    match event:
        case ev.PlayMade():
            words += [_dice(event.dice), event.play or "no move"]
        case ev.CubeAction():
            words.append(event.action)
        case _:
            words.append(event.name)
    return " ".join(words)


def _dice(dice: ev.Dice | None) -> str:
    return "unknown dice" if dice is None else f"{dice[0]}-{dice[1]}"


def distance(one: Position, two: Position) -> int:
    """How many checkers stand elsewhere."""
    pairs = [*zip(one.points, two.points, strict=True), *zip(one.bar, two.bar, strict=True)]
    return (sum(abs(a - b) for a, b in pairs) + sum(abs(a - b) for a, b in zip(one.off, two.off, strict=True)) + 1) // 2
