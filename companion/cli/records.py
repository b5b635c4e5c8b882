"""``history``, ``show``: what has been recorded."""

import datetime
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from companion import events as ev
from companion.errors import CompanionError, RecordError
from companion.records import Recording, Store, record_file
from companion.records.store import Version
from companion.records.summaries import Wanted, day
from companion.records.summaries import history as lines_of
from companion.records.tally import Summary

RecordOption = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE|DIR", help="A record, or a folder with one.  [default: the live record]"),
]
NumberArgument = Annotated[
    int | None, typer.Argument(metavar="[RECORDING]", help="Its number in the history.  [default: the latest]")
]
VersionOption = Annotated[
    int | None, typer.Option("--version", min=1, help="As it was: 1 is as recorded.  [default: the latest correction]")
]
PlayerOption = Annotated[str | None, typer.Option("--player", metavar="NAME", help="Only with this player.")]
GameOption = Annotated[str | None, typer.Option("--game", metavar="GAME", help="Only of this game: long, short …")]
SinceOption = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="From this day, month or year on: 2026-11-29.")
]
UntilOption = Annotated[str | None, typer.Option("--until", metavar="DATE", help="To this day, month or year.")]
JsonOption = Annotated[bool, typer.Option("--json", help="As JSON lines, for other programs.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command(epilog="Example: companion history --player Anna --since 2026-11")(history)
    app.command(epilog="Example: companion show --turn 12 --png board.png")(show)


def history(
    record: RecordOption = None,
    player: PlayerOption = None,
    game: GameOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    versions: Annotated[bool, typer.Option("--versions", help="With the corrections of each recording.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List what has been recorded, oldest first."""
    wanted = wanted_by(player, game, since, until)
    path = record_path(record)
    if record is None and not record_file(path).exists():
        print("Nothing has been recorded yet.")
        return
    with Store.open(path, write=False) as store:
        lines = lines_of(store, wanted)
        if versions:
            shown = (text for line in lines for text in _with_versions(store, line, as_json=as_json))
        else:
            shown = (json.dumps(line.to_json(), ensure_ascii=False) if as_json else _line(line) for line in lines)
        print(*shown, sep="\n", end="\n" if lines else "")


def show(
    recording: NumberArgument = None,
    record: RecordOption = None,
    turn: Annotated[
        int | None, typer.Option(min=0, help="After this play; 0 is the start.  [default: the last]")
    ] = None,
    version: VersionOption = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the board into this file.")] = None,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="The same as a PNG.")] = None,
    gif: Annotated[Path | None, typer.Option("--gif", metavar="FILE", help="Up to there as an animated GIF.")] = None,
    mp4: Annotated[Path | None, typer.Option("--mp4", metavar="FILE", help="Up to there as a film.")] = None,
) -> None:
    """Draw the board after any play of a recording, or all of it as a film."""
    with Store.open(record_path(record), write=False) as store:
        chosen = store.recording(recording)
        events = until_turn(store.events(chosen.id, version), turn)
    if svg is None and png is None and gif is None and mp4 is None:
        from companion.cli.board import captioned

        print(*captioned(events, chosen.meta), sep="\n")
        return
    from companion.cli import pictures

    for path, write in ((svg, pictures.write_svg), (png, pictures.write_png)):
        if path is not None:
            write(path, chosen.meta, events)
    if gif is not None or mp4 is not None:
        pictures.write_films(gif, mp4, chosen, events, store.path)


def wanted_by(player: str | None, game: str | None, since: str | None, until: str | None) -> Wanted:
    """The filter that the options describe; raises CompanionError in one line."""
    from companion.rules import GAMES

    if game is not None and game not in GAMES:
        raise CompanionError(f"--game: expected one of {', '.join(GAMES)}, got {game!r}")
    return Wanted(player, game, since and day(since, "--since"), until and day(until, "--until"))


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
    return store.recording(number)


def edit_in_words(version: Version) -> str:
    """What a version changed."""
    edits: list[dict[str, Any]] = list(version.edit.get("edits", [version.edit] if version.edit else []))
    return "; ".join(_edit(edit) for edit in edits) or "as recorded"


def _edit(edit: dict[str, Any]) -> str:
    what = {"insert": "inserted", "delete": "deleted", "gap": "not seen"}.get(str(edit.get("what")), "")
    parts = [what] if what else []
    parts += [str(edit["player"])] if "player" in edit else []
    parts += ["-".join(map(str, edit["roll"]))] if "roll" in edit else []
    parts += [str(edit["play"]) or "no move"] if "play" in edit else []
    parts += [f"cube {', '.join(edit['cube']) or 'not used'}"] if "cube" in edit else []
    parts += [f"owner {edit['owner']}"] if "owner" in edit else []
    parts += ["stood"] if edit.get("stood") else []
    return f"turn {edit.get('turn', '?')}: {' '.join(parts)}"


def _with_versions(store: Store, line: Summary, *, as_json: bool) -> Iterator[str]:
    versions = store.versions(line.recording)
    if as_json:
        told = [{"version": v.number, "made": v.made or None, **v.edit} for v in versions]
        yield json.dumps(line.to_json() | {"versions": told}, ensure_ascii=False)
        return
    yield _line(line)
    for version in versions:
        yield f"      version {version.number}  {version.made or '–'}  {edit_in_words(version)}"


def _when(started: str) -> str:
    """Day and time, on this machine's clock where it is known what clock was meant."""
    try:
        at = datetime.datetime.fromisoformat(started)
    except ValueError:
        return started or "–"
    if len(started) <= len("2026-11-29"):
        return started
    return f"{at.astimezone() if at.tzinfo else at:%Y-%m-%d %H:%M}"


def _line(line: Summary) -> str:
    """One line: number, when, what, how far, how it stands."""
    score = f"{line.white or 'White'} {line.white_score} : {line.black_score} {line.black or 'Black'}"
    parts = [
        f"{line.recording:4}",
        f"{_when(line.started):16}",
        f"{line.game or '–':10}",
        f"{line.plays:4} plays, {line.illegal:2} illegal",
        score,
        line.source,
        "corrected" if line.corrections else "",
    ]
    return "  ".join(part for part in parts if part).rstrip()
