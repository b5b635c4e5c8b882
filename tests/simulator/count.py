"""How the account of a simulated game compares with what happened."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from companion.events import Event, Gap, IllegalPlay, PlayMade, Status
from companion.table import Phase
from tests.simulator.people import TrueTurn

SOON = 2
"""After a disturbance the account must be right again within so many turns, or a gap is recorded."""


@dataclass
class Told:
    """When each turn ended on a still board without dice, when each was over, how many observations there were."""

    ended: dict[int, float] = field(default_factory=dict)
    at: dict[int, float] = field(default_factory=dict)
    observations: int = 0


@dataclass
class Count:
    """Sums over turns; ``+=`` adds another count.

    ``seen`` are the turns that could be seen at all; ``missed`` of them were not told, ``doubled`` told twice,
    ``split`` told in more pieces than there were turns. ``asked`` is how often the position was asked for, ``jams`` how
    often the account stayed wrong for more than ``SOON`` turns without a gap; ``late`` verdicts came more than half a
    second after the board was still; ``whole`` games have no wrong turn.
    """

    games: int = 0
    turns: int = 0
    seen: int = 0
    exact: int = 0
    dice: int = 0
    plays: int = 0
    owners: int = 0
    verdicts: int = 0
    missed: int = 0
    doubled: int = 0
    split: int = 0
    legal: int = 0
    accused: int = 0
    falsely: int = 0
    to_notice: int = 0
    noticed: int = 0
    reason: int = 0
    gaps: int = 0
    asked: int = 0
    jams: int = 0
    timed: int = 0
    late: int = 0
    whole: int = 0
    observations: int = 0
    notes: list[str] = field(default_factory=list)

    def __iadd__(self, other: "Count") -> "Count":
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self


def compared(turns: Sequence[TrueTurn], events: Sequence[Event], told: Told, label: str) -> Count:
    """Align what was announced with what was done."""
    count = Count(games=1, turns=len(turns), gaps=sum(isinstance(e, Gap) for e in events))
    count.observations = told.observations
    count.seen = sum(not t.unseen for t in turns)
    count.legal = sum(t.verdict == "legal" and t.noticed is None for t in turns)
    count.asked = sum(isinstance(e, Status) and e.phase == Phase.LOST for e in events)
    said = [e for e in events if isinstance(e, PlayMade)]
    wanted = [str(t.after.to_json()) for t in turns]
    matcher = SequenceMatcher(None, wanted, [str(e.board) for e in said], autojunk=False)
    pairs = {i + k: j + k for i, j, size in matcher.get_matching_blocks() for k in range(size)}
    wrong: list[int] = []
    for index, turn in enumerate(turns):
        event = said[pairs[index]] if index in pairs else None
        if not _count_turn(count, turn, event, told.ended.get(index)):
            wrong.append(index)
    count.whole = not wrong
    if wrong:
        turn = turns[wrong[0]]
        count.notes.append(
            f"{label}: turn {wrong[0]} {turn.player} {turn.dice} at {told.at.get(wrong[0] + 1, 0):.1f} s"
        )
    _count_extra(count, said, pairs)
    count.jams = _jams(wrong, events, told)
    _accusations(count, turns, events, label)
    return count


def _count_turn(count: Count, turn: TrueTurn, event: PlayMade | None, ended: float | None) -> bool:
    """Count one turn; answers whether it need not trouble anybody."""
    if turn.unseen:
        return True
    dice = event is not None and sorted(event.dice or ()) == sorted(turn.dice)
    owner = event is not None and event.player == turn.player
    verdict = event is not None and event.verdict == turn.verdict
    count.plays += event is not None
    count.dice += dice
    count.owners += owner
    count.verdicts += verdict
    count.missed += event is None
    count.exact += dice and owner and verdict
    if event is not None and ended is not None and turn.noticed is None:
        count.timed += 1
        count.late += event.t - ended > 0.5 + 1e-6
    return dice and owner and verdict


def _count_extra(count: Count, said: Sequence[PlayMade], pairs: dict[int, int]) -> None:
    matched = set(pairs.values())
    for index, event in enumerate(said):
        if index not in matched:
            twice = any(e.board == event.board and e.player == event.player for e in said[max(0, index - 2) : index])
            count.doubled += twice
            count.split += not twice


def _jams(wrong: Sequence[int], events: Sequence[Event], told: Told) -> int:
    """Runs of more than ``SOON`` wrong turns in which neither a gap was recorded nor the position asked for."""
    jams, run = 0, []
    for index in [*wrong, -1]:
        if run and index != run[-1] + 1:
            jams += len(run) > SOON and not _spoke(events, told.at.get(run[0], 0.0), told.at.get(run[SOON] + 1, 1e9))
            run = []
        run.append(index)
    return jams


def _spoke(events: Sequence[Event], begin: float, end: float) -> bool:
    return any(
        begin <= e.t <= end
        and (isinstance(e, Gap) or (isinstance(e, Status) and e.phase in (Phase.LOST, Phase.ILLEGAL)))
        for e in events
    )


def _accusations(count: Count, turns: Sequence[TrueTurn], events: Sequence[Event], label: str) -> None:
    open_turns = [t for t in turns if t.noticed is not None]
    count.to_notice = len(open_turns)
    for event in events:
        if not isinstance(event, IllegalPlay):
            continue
        count.accused += 1
        fits = [t for t in open_turns if t.player == event.player and sorted(t.dice) == sorted(event.dice or ())]
        if not fits:
            count.falsely += 1
            count.notes.append(f"{label}: falsely accused at {event.t:.1f} s: {', '.join(event.reasons)}")
            continue
        open_turns.remove(fits[0])
        count.noticed += 1
        count.reason += event.reasons[0] == fits[0].noticed
