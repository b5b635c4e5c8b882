"""``stats``: dice, results, times and illegal plays, in numbers and plots."""

import json
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.records import (
    GameOption,
    PlayerOption,
    RecordOption,
    SinceOption,
    UntilOption,
    record_path,
    wanted_by,
)
from companion.errors import RecordError
from companion.records import Store
from companion.records.stats import ROLLS, Stats
from companion.records.summaries import Wanted, history, totals
from companion.records.tally import PLAYERS, Tally, add_up, names


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(epilog="Example: companion stats --player Anna --plots plots")(stats)


def stats(
    recording: Annotated[
        int | None, typer.Argument(metavar="[RECORDING]", help="Only this one, each side by itself.  [default: all]")
    ] = None,
    record: RecordOption = None,
    player: PlayerOption = None,
    game: GameOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="DIR", help="A folder for plots as SVG; of one recording the race."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Are the dice fair? Who won how, how long do turns take, and which rules were broken?"""
    wanted = wanted_by(player, game, since, until)
    with Store.open(record_path(record), write=False) as store:
        if recording is None:
            tallies: dict[str, Tally] = {player or "Everybody": totals(store, wanted)}
            if player is not None and not tallies[player] and not history(store, Wanted(player)):
                raise RecordError(f"--player: expected a name in {store.path}, got {player!r}")
        else:
            tallies = _sides(store, recording)
        if plots is not None:
            _plot(plots, tallies)
            if recording is not None:
                _plot_one(plots, store, recording)
    if as_json:
        print(json.dumps({name: Stats(tally).to_json() for name, tally in tallies.items()}, ensure_ascii=False))
        return
    for name, tally in tallies.items():
        print(name)
        print(*(f"  {line}" for line in Stats(tally).lines()), sep="\n")


def _sides(store: Store, recording: int) -> dict[str, Tally]:
    meta = store.recording(recording).meta
    _, tallies = add_up(recording, meta, store.events(recording))
    said = dict(zip(PLAYERS, names(meta), strict=True))
    shown = {player: said[player] or player.capitalize() for player in PLAYERS}
    if shown["white"] == shown["black"]:
        shown = {player: f"{name} ({player})" for player, name in shown.items()}
    return {shown[player]: tallies[player] for player in PLAYERS}


def _plot(folder: Path, tallies: dict[str, Tally]) -> None:
    """The plots of counts, all sides together."""
    from companion.records.plots import columns

    folder.mkdir(parents=True, exist_ok=True)
    total: dict[str, int] = {}
    for tally in tallies.values():
        for key, count in tally.items():
            total[key] = total.get(key, 0) + count
    read = Stats(total)
    n = sum(read.rolls.values())
    faces = {str(face): float(count) for face, count in enumerate(read.faces, 1)}
    rolls = {f"{high}-{low}": float(read.rolls[high, low]) for high, low in ROLLS}
    fair = {f"{high}-{low}": n * (1 if high == low else 2) / 36 for high, low in ROLLS}
    drawn = {
        "numbers": columns("Numbers", faces, dict.fromkeys(faces, n / 3)),
        "rolls": columns("Rolls", rolls, fair),
        "results": columns("Games won, by outcome", {k: float(v) for k, v in read.by("won").items()}),
        "illegal": columns("Illegal plays, by rule", {k: float(v) for k, v in read.by("illegal").items()}),
    }
    for name, text in drawn.items():
        (folder / f"{name}.svg").write_text(text, encoding="utf-8")


def _plot_one(folder: Path, store: Store, recording: int) -> None:
    """The race of the latest game, and how long its turns took."""
    from companion.records.plots import lines, race, times
    from companion.records.transcript import house_of

    events = store.events(recording)
    house = house_of(store.recording(recording).meta)
    (folder / "race.svg").write_text(lines("Pips to go", race(house, events), "turns"), encoding="utf-8")
    (folder / "times.svg").write_text(lines("Seconds for a turn", times(events), "own turns"), encoding="utf-8")
