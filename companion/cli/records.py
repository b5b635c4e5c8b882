"""``history``, ``show``: what has been recorded."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from companion import events as ev
from companion.errors import RecordError
from companion.records import Recording, Store, record_file

RecordOption = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE|DIR", help="A record, or a folder with one.  [default: the live record]"),
]
NumberArgument = Annotated[
    int | None, typer.Argument(metavar="[RECORDING]", help="Its number in the history.  [default: the latest]")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command(epilog="Example: companion history")(history)
    app.command(epilog="Example: companion show --turn 12")(show)


def history(record: RecordOption = None) -> None:
    """List what has been recorded, oldest first."""
    path = record_path(record)
    if record is None and not record_file(path).exists():
        print("Nothing has been recorded yet.")
        return
    with Store.open(path, write=False) as store:
        for recording in store.recordings():
            print(_summary(recording, store.events(recording.id)))


def show(
    recording: NumberArgument = None,
    record: RecordOption = None,
    turn: Annotated[
        int | None, typer.Option(min=0, help="After this play; 0 is the start.  [default: the last]")
    ] = None,
) -> None:
    """Draw the board after any play of a recording."""
    from companion.cli.board import captioned

    with Store.open(record_path(record), write=False) as store:
        chosen = chosen_recording(store, recording)
        events = store.events(chosen.id)
    for line in captioned(until_turn(events, turn), chosen.meta):
        print(line)


def until_turn(events: Sequence[ev.Event], turn: int | None) -> list[ev.Event]:
    """The events up to the final play number ``turn``; raises RecordError when there are not so many."""
    if turn is None:
        return list(events)
    if turn == 0:
        first = next((i for i, e in enumerate(events) if isinstance(e, ev.GameStarted)), -1)
        return list(events[: first + 1])
    plays = [i for i, event in enumerate(events) if isinstance(event, ev.PlayMade)]
    if turn > len(plays):
        raise RecordError(f"--turn: expected at most {len(plays)}, got {turn}")
    return list(events[: plays[turn - 1] + 1])


def record_path(record: Path | None) -> Path:
    """The record that ``--record`` names, or the live one."""
    from companion.config import state_folder  # slow to import, and not needed for --help

    return state_folder() / "record.sqlite" if record is None else record


def chosen_recording(store: Store, number: int | None) -> Recording:
    """The recording with this number, or the latest."""
    recordings = store.recordings()
    if not recordings:
        raise RecordError(f"{store.path}: expected a recording, got an empty record")
    if number is None:
        return recordings[-1]
    found = next((r for r in recordings if r.id == number), None)
    if found is None:
        raise RecordError(f"{store.path}: expected a recording from 1 to {recordings[-1].id}, got {number}")
    return found


def _summary(recording: Recording, events: Sequence[ev.Event]) -> str:
    """One line: number, when, what, how far, how it stands."""
    plays = sum(isinstance(event, ev.PlayMade) for event in events)
    illegal = sum(isinstance(event, ev.IllegalPlay) for event in events)
    score = next((e.score for e in reversed(events) if isinstance(e, ev.GameWon)), {"white": 0, "black": 0})
    meta = recording.meta
    parts = [
        f"{recording.id:4}",
        str(meta.get("started") or "–"),
        str(meta.get("game") or "–"),
        f"{plays} plays, {illegal} illegal",
        f"White {score['white']} : {score['black']} Black",
        str(meta.get("source") or ""),
    ]
    return "  ".join(parts).rstrip()
