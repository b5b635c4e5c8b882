"""How each recorded game comes out: ``python -m tests.bench.games DATA`` prints a Markdown table.

The truth of a game is read here only to be compared with what the pipeline said; the pipeline sees the video alone. A
turn is right when its dice, its play (the board after it), its player and its verdict are.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from companion.camera import open_source
from companion.events import Event, IllegalPlay, PlayMade
from companion.pipeline import Rig, build, replay
from companion.rules import get_game
from tests.bench.disturb import KINDS, Disturbed, Start, disturbed

REASONS = {
    "illegal_two_from_head": "head",
    "illegal_onto_opponent": "blocked-point",
    "illegal_wrong_count": "not-the-dice",
}
"""What the makers of the games did on purpose, and which reason a referee must name."""


@dataclass
class Outcome:
    """One game against its truth."""

    name: str
    turns: int = 0
    dice: int = 0
    plays: int = 0
    exact: int = 0
    accusations: int = 0
    false_accusations: int = 0
    expected_accusations: int = 0
    right_reasons: int = 0
    extra_turns: int = 0
    first_divergence: str = "—"
    seconds: float = 0.0
    frames: int = 0
    notes: list[str] = field(default_factory=list)


def turns_of(folder: Path) -> list[dict[str, Any]]:
    """The finished turns of a game's truth."""
    log = json.loads((folder / "game_truth.json").read_text())["log"]
    return [entry for entry in log if "turn_done" in entry]


def events_of(folder: Path, corners: bool, disturb: str | None = None) -> tuple[list[Event], int, float, int]:
    """What the pipeline says to a game's video; with ``corners`` those of the truth are given to it as a user would.

    Also the number of frames, the seconds it took, and the first turn that the video shows (0, unless it starts in the
    middle: then the position and the home corner are given too).
    """
    first = json.loads((folder / "truth.jsonl").open().readline())
    inner = first["board"]["inner_corners_px"]
    given = tuple((float(inner[c][0]), float(inner[c][1])) for c in ("TL", "TR", "BR", "BL")) if corners else None
    game = get_game("long" if first["variant"] == "long_nardy" else "short", {})
    source = disturbed(folder, disturb) if disturb else open_source(folder / "video.mp4")
    start = source.start if isinstance(source, Disturbed) else Start()
    rig = Rig(game=game, corners=given, start=start.position, home=first["home"] if start.position else None)
    begun, frames, events = time.perf_counter(), 0, []
    for step in replay(build(rig), source):
        frames += 1
        events.extend(step.events)
    source.close()
    return events, frames, time.perf_counter() - begun, start.turn


def compare(name: str, truth: Sequence[dict[str, Any]], events: Sequence[Event]) -> Outcome:
    """Align the plays that were announced with the turns that were played, and count."""
    outcome = Outcome(name, turns=len(truth))
    said = [e for e in events if isinstance(e, PlayMade)]
    wanted = [_key(t["player"], t["after"]) for t in truth]
    got = [_key(e.player, e.board) for e in said]
    matcher = SequenceMatcher(None, wanted, got, autojunk=False)
    matched = {i + k: j + k for i, j, size in matcher.get_matching_blocks() for k in range(size)}
    for index, turn in enumerate(truth):
        event = said[matched[index]] if index in matched else _same_place(index, matched, said)
        dice = event is not None and sorted(event.dice or ()) == sorted(turn["dice"])
        play = index in matched
        exact = dice and play and event is not None and event.verdict == "legal"
        outcome.dice += dice
        outcome.plays += play
        outcome.exact += exact
        if not exact and outcome.first_divergence == "—":
            outcome.first_divergence = f"turn {turn['turn_done']}"
    outcome.extra_turns = len(said) - len(matched)
    _count_accusations(outcome, truth, events)
    return outcome


def _key(player: str | None, board: dict[str, Any]) -> tuple[Any, ...]:
    return player, tuple(board["points"]), tuple(board["bar"].values()), tuple(board["off"].values())


def _same_place(index: int, matched: dict[int, int], said: Sequence[PlayMade]) -> PlayMade | None:
    """The play that was announced where this turn should be, between its matched neighbours."""
    before = max((j for i, j in matched.items() if i < index), default=-1)
    after = min((j for i, j in matched.items() if i > index), default=len(said))
    return said[before + 1] if before + 1 < after else None


def _count_accusations(outcome: Outcome, truth: Sequence[dict[str, Any]], events: Sequence[Event]) -> None:
    """An accusation is right when it falls into a turn whose illegal play was left when the dice were lifted."""
    expected = [t for t in truth if (t["special"] or "").endswith("+lift")]
    outcome.expected_accusations = len(expected)
    open_turns = list(expected)
    for event in events:
        if not isinstance(event, IllegalPlay):
            continue
        outcome.accusations += 1
        fits = [t for t in open_turns if t["player"] == event.player and sorted(t["dice"]) == sorted(event.dice or ())]
        if not fits:
            outcome.false_accusations += 1
            outcome.notes.append(f"{outcome.name}: false accusation at {event.t:.1f} s: {', '.join(event.reasons)}")
            continue
        open_turns.remove(fits[0])
        reason = REASONS[fits[0]["special"].removesuffix("+lift")]
        outcome.right_reasons += event.reasons[0] == reason
        if event.reasons[0] != reason:
            outcome.notes.append(f"{outcome.name}: {', '.join(event.reasons)} at {event.t:.1f} s, expected {reason}")


def rows(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The table."""
    columns = "game, turns, right dice, right play, exact, extra, illegal noticed (reason right), false accusations"
    names = [*columns.split(", "), "first divergence", "frames/s"]
    yield f"| {' | '.join(names)} |\n|{'---|' * len(names)}"
    for o in outcomes:
        noticed = f"{o.accusations - o.false_accusations} of {o.expected_accusations} ({o.right_reasons})"
        yield (
            f"| {o.name} | {o.turns} | {o.dice} | {o.plays} | {o.exact} | {o.extra_turns} | {noticed} | "
            f"{o.false_accusations} | {o.first_divergence} | {o.frames / max(o.seconds, 1e-9):.1f} |"
        )


def main() -> None:
    """Referee every game of DATA/games, with the corners given and with the board found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with games/")
    parser.add_argument("--only", help="one game")
    parser.add_argument("--corners", choices=("given", "found", "both"), default="both")
    parser.add_argument("--disturb", choices=KINDS, help="make the recordings harder")
    arguments = parser.parse_args()
    outcomes = []
    for folder in sorted(p for p in (arguments.data / "games").iterdir() if (p / "video.mp4").is_file()):
        if arguments.only not in (None, folder.name):
            continue
        for corners in ("given", "found"):
            if arguments.corners not in ("both", corners):
                continue
            events, frames, seconds, turn = events_of(folder, corners == "given", arguments.disturb)
            name = ", ".join([folder.name, f"corners {corners}", *([arguments.disturb] if arguments.disturb else [])])
            outcome = compare(name, turns_of(folder)[turn:], events)
            outcome.frames, outcome.seconds = frames, seconds
            outcomes.append(outcome)
    print(*rows(outcomes), sep="\n")
    print(*(note for o in outcomes for note in o.notes), sep="\n")


if __name__ == "__main__":
    main()
