"""``fix``: correct a recording, and offer what may have happened where the rest does not fit any more."""

import json
import sys
from typing import Annotated, Any

import typer

from companion.cli.records import NumberArgument, RecordOption, edit_in_words, record_path
from companion.errors import RecordError
from companion.records import Recording, Store
from companion.records.fix import Conflict, Edit, corrected
from companion.records.likely import Correction, likely
from companion.records.pictures import Pictures, pictures_file
from companion.records.transcript import house_of
from companion.rules import RulesError, parse_roll


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(epilog='Example: companion fix 3 --turn 12 --roll 6-1 --play "13/7 8/7"')(fix)


def fix(
    recording: NumberArgument = None,
    turn: Annotated[int, typer.Option(min=1, help="The play that is wrong, as in show --turn.")] = 0,
    record: RecordOption = None,
    roll: Annotated[str | None, typer.Option("--roll", metavar="6-1", help="The true dice.")] = None,
    play: Annotated[str | None, typer.Option("--play", metavar="PLAY", help='The true play; "" is no move.')] = None,
    player: Annotated[str | None, typer.Option("--player", metavar="white|black", help="Who played.")] = None,
    cube: Annotated[
        str | None, typer.Option("--cube", metavar="ACTIONS", help="Before the roll: double,take or none.")
    ] = None,
    owner: Annotated[
        str | None, typer.Option("--owner", metavar="white|black|middle", help="Whose the cube is then.")
    ] = None,
    stood: Annotated[bool, typer.Option("--stood", help="The play broke a rule and stood.")] = False,
    insert: Annotated[bool, typer.Option("--insert", help="A turn before it was missed.")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="This turn never was.")] = False,
    gap: Annotated[bool, typer.Option("--gap", help="Nobody knows: go on from the board after it.")] = False,
    choose: Annotated[
        list[int] | None,
        typer.Option("--choose", min=1, help="Take this one of the corrections offered; repeat for later ones."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
) -> None:
    """Change a turn; the rest is played again through the rules. The old version stays in the history."""
    what = [name for name, wanted in (("insert", insert), ("delete", delete), ("gap", gap)) if wanted]
    if len(what) > 1 or not turn:
        raise typer.BadParameter("expected --turn N, and at most one of --insert, --delete and --gap")
    edit = Edit(
        turn=turn,
        what=what[0] if what else "change",  # type: ignore[arg-type]  # just written
        player=_among("--player", player, ("white", "black")),
        roll=_roll(roll),
        play=play,
        cube=_cube(cube),
        owner=_among("--owner", owner, ("white", "black", "middle")),
        stood=stood,
    )
    if edit == Edit(turn=turn):
        raise typer.BadParameter("expected what is to be changed: --roll, --play, --cube, --insert …")
    with Store.open(record_path(record)) as store:
        _fix(store, store.recording(recording), edit, list(choose or []), as_json=as_json)


def _fix(store: Store, recording: Recording, edit: Edit, choose: list[int], *, as_json: bool) -> None:
    """Apply the edit and the corrections chosen; store the result, or say what does not fit."""
    events, edits = store.events(recording.id), [edit]
    while isinstance(result := corrected(recording.meta, events, edits), Conflict):
        offered = _offered(store, recording, result)
        number = choose.pop(0) if choose else _asked(result, offered, as_json=as_json)
        if number is None:
            raise RecordError(f"{result} (nothing was changed{'' if offered else '; no likely correction is known'})")
        if not 1 <= number <= len(offered):
            raise RecordError(f"--choose: expected 1 to {len(offered)}, got {number}")
        edits.append(offered[number - 1].edit)
    if result == events:
        raise RecordError(f"recording {recording.id}: nothing would change")
    version = store.correct(recording.id, result, {"edits": [each.to_json() for each in edits]})
    _flag(store, recording.id, [each.turn for each in edits])
    if as_json:
        print(json.dumps({"recording": recording.id, "version": version.number, **version.edit}, ensure_ascii=False))
    else:
        print(f"Recording {recording.id}, version {version.number}: {edit_in_words(version)}")


def _flag(store: Store, recording: int, turns: list[int]) -> None:
    """Keep the pictures of the turns that were in doubt."""
    if pictures_file(store.path).is_file():
        with Pictures.open(store.path) as pictures:
            for turn in turns:
                pictures.flag(recording, turn)


def _offered(store: Store, recording: Recording, conflict: Conflict) -> list[Correction]:
    from companion.cli.weigh import weigher

    return likely(house_of(recording.meta), conflict, weigher(store, recording))


def _asked(conflict: Conflict, offered: list[Correction], *, as_json: bool) -> int | None:
    """Show a conflict and what may have happened; the number chosen, None where nobody can be asked."""
    if as_json:
        told: dict[str, Any] = {"turn": conflict.turn, "why": conflict.why}
        told["corrections"] = [{"words": each.words, **each.edit.to_json()} for each in offered]
        print(json.dumps({"conflict": told}, ensure_ascii=False))
        return None
    print(f"{str(conflict)[0].upper()}{str(conflict)[1:]}")
    for number, each in enumerate(offered, 1):
        print(f"  {number}  {each.words}")
    if not offered or not sys.stdin.isatty():
        return None
    chosen: int = typer.prompt("Which (0: stop)", type=int, default=0)
    return chosen or None


def _roll(text: str | None) -> tuple[int, int] | None:
    try:
        return None if text is None else parse_roll(text)
    except RulesError as error:
        raise RecordError(f"--roll: {error}") from None


def _cube(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return () if text == "none" else tuple(word.strip() for word in text.split(","))


def _among(option: str, value: str | None, allowed: tuple[str, ...]) -> Any:
    if value is not None and value not in allowed:
        raise RecordError(f"{option}: expected {', '.join(allowed)}, got {value!r}")
    return value
