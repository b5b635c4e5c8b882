"""``export``, ``import``, ``analyse``: matches as files of other programs, of people, and what gnubg says of them."""

from pathlib import Path
from typing import Annotated

import typer

from companion.cli import pictures
from companion.cli.records import NumberArgument, RecordOption, chosen_recording, record_path
from companion.records import Store
from companion.records.dispute import write_turn
from companion.records.formats import Document, Form, read_file, write

Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="mat, sgf, json or text; .xg and .bgf as an extra.")]


DRAWN = ("svg", "gif", "mp4")
"""A board, and films; everything else is a text."""


def _form(text: str) -> str:
    if text not in (*Form, *DRAWN):
        raise typer.BadParameter(f"expected one of {', '.join((*Form, *DRAWN))}, got {text!r}")
    return text


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("export", epilog="Example: companion export 3 --format sgf --out game.sgf")(export)
    app.command("import", epilog="Example: companion import game.mat")(import_)
    app.command("analyse", epilog="Example: companion analyse 3")(analyse)


def export(
    recording: NumberArgument = None,
    record: RecordOption = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            parser=_form,
            metavar="|".join((*Form, *DRAWN)),
            help="Complete, for people, for analysis programs, a board, a film.",
        ),
    ] = Form.json,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of the terminal.")] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", min=1, help="Only this disputed turn, with its pictures: --out FILE.zip.")
    ] = None,
) -> None:
    """Write a recording: json (everything), text (for people), mat or sgf (for analysis programs; short and tabla), svg
    (the board), gif or mp4 (all of it).
    """
    if turn is not None and out is None:
        raise typer.BadParameter("--turn needs a file: --out FILE.zip")
    if form in DRAWN and out is None:
        raise typer.BadParameter(f"--format {form} needs a file: --out FILE.{form}")
    with Store.open(record_path(record), write=False) as store:
        if turn is not None and out is not None:
            write_turn(store, chosen_recording(store, recording), turn, out)
            return
        if form in DRAWN and out is not None:
            _drawn(store, recording, form, out)
            return
        document = _document(store, recording)
    text = write(document, Form(form))
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, encoding="utf-8")


def _drawn(store: Store, number: int | None, form: str, out: Path) -> None:
    """The board as it stands at the end, or the whole recording as a film."""
    chosen = chosen_recording(store, number)
    events = store.events(chosen.id)
    if form == "svg":
        pictures.write_svg(out, chosen.meta, events)
    else:
        gif, mp4 = (out, None) if form == "gif" else (None, out)
        pictures.write_films(gif, mp4, chosen, events, store.path)


def import_(files: Files, record: RecordOption = None) -> None:
    """Read matches from files into the record; when one of them cannot be read, none is taken."""
    from companion.records import analyses

    documents = [(file, _read(file)) for file in files]
    with Store.open(record_path(record)) as store:
        for file, document in documents:
            number = store.add(document.meta, document.events, document.inputs)
            if document.analysis:
                analyses.keep(store, number, str(file), document.analysis)
            plays = sum(event.name == "play" for event in document.events)
            print(f"{file}: recording {number}, {len(document.transcript.games)} games, {plays} plays")


def analyse(
    recording: NumberArgument = None,
    record: RecordOption = None,
    depth: Annotated[int, typer.Option(min=0, max=4, help="How many plies gnubg looks ahead.")] = 2,
) -> None:
    """Let gnubg judge a match of short or tabla: errors and luck of each play go into the record and its text."""
    from companion.records import analyses
    from companion.records.formats.analyse import analyse as judged
    from companion.records.formats.analyse import totals

    path = record_path(record)
    with Store.open(path, write=False) as store:
        chosen = chosen_recording(store, recording)
        document = _document(store, chosen.id)
    transcript = document.transcript
    found = judged(transcript, depth=depth)
    with Store.open(path) as store:
        analyses.keep(store, chosen.id, f"gnubg, {depth} plies", found)
    for player, plays, lost, lost_cube, luck in totals(transcript, found):
        name = transcript.name(player)
        print(f"{name}: {plays} plays, lost {lost:.3f} by plays and {lost_cube:.3f} by the cube, luck {luck:+.3f}")


def _document(store: Store, number: int | None) -> Document:
    """A recording with everything that is known of it."""
    from companion.records import analyses

    chosen = chosen_recording(store, number)
    events, inputs = store.events(chosen.id), store.inputs(chosen.id)
    return Document(chosen.meta, tuple(events), tuple(inputs), analyses.kept(store, chosen.id), chosen.id)


def _read(file: Path) -> Document:
    if file.suffix.lower() in (".xg", ".bgf"):
        from companion.records.formats.foreign import read_foreign

        return read_foreign(file)
    return read_file(file)
