"""``backup``, ``forget``, ``recover``: care for the record."""

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.records import RecordOption, record_path
from companion.errors import RecordError
from companion.records import Store, record_file


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command(epilog="Example: companion backup --out /media/stick")(backup)
    app.command(epilog="Example: companion forget --player Anna")(forget)
    app.command(epilog="Example: companion recover")(recover)


def backup(
    record: RecordOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to.  [default: backups, beside the record]")
    ] = None,
    keep: Annotated[int, typer.Option("--keep", min=1, help="So many copies are kept there.")] = 7,
) -> None:
    """Copy the record, also while a game is being recorded."""
    from companion.records.upkeep import backup as copied

    path = record_file(record_path(record))
    print(copied(path, out or path.parent / "backups", keep))


def forget(
    record: RecordOption = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Take this name, and pictures of the games, out.")
    ] = None,
    games: Annotated[bool, typer.Option("--games", help="With --player: delete the games too.")] = False,
    pictures: Annotated[bool, typer.Option("--pictures", help="Delete all pictures.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a player or all pictures, so that nothing of them is left in the files."""
    if (player is None) == (not pictures):
        raise typer.BadParameter("expected one of --player NAME and --pictures")
    if games and player is None:
        raise typer.BadParameter("--games goes with --player NAME")
    path = record_file(record_path(record))
    if pictures:
        _forget_pictures(path, yes=yes)
    else:
        _forget_player(path, player or "", games=games, yes=yes)
    if list((path.parent / "backups").glob("record-*.sqlite")):
        print(f"Older copies in {path.parent / 'backups'} are as they were: delete them, or make a new one.")


def recover(record: RecordOption = None) -> None:
    """Check everything in the record; when it is damaged, keep the file aside and go on with what can be read."""
    from companion.records.health import damage
    from companion.records.health import recover as mended

    path = record_file(record_path(record))
    if not path.is_file():
        raise RecordError(f"{path}: expected a record, got no such file")
    problem = damage(path, thorough=True)
    print(f"{path}: the record is whole" if problem is None else mended(path, problem))


def _forget_pictures(path: Path, *, yes: bool) -> None:
    from companion.records.upkeep import forget_pictures

    if not yes:
        typer.confirm(f"Delete all pictures beside {path}?", abort=True)
    print(f"{forget_pictures(path)} pictures deleted.")


def _forget_player(path: Path, player: str, *, games: bool, yes: bool) -> None:
    from companion.records.upkeep import forget_player, of_player

    with Store.open(path, write=False) as store:
        found = len(of_player(store, player))
    if not found:
        raise RecordError(f"--player: expected a name in {path}, got {player!r}")
    what = "and their games" if games else "and the pictures of their games"
    if not yes:
        typer.confirm(f"Take {player} {what} out of {found} recordings?", abort=True)
    with Store.open(path) as store:
        numbers = forget_player(store, player, games=games)
    print(f"{len(numbers)} recordings {'deleted' if games else 'no longer have the name, nor pictures'}.")
