"""``export``: a recording as a file for other programs and for people."""

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.records import NumberArgument, RecordOption, chosen_recording, record_path
from companion.records import Store
from companion.records.formats import Document, Form, write


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command(epilog="Example: companion export 3 --format text --out game.txt")(export)


def export(
    recording: NumberArgument = None,
    record: RecordOption = None,
    form: Annotated[
        Form, typer.Option("--format", help="Complete, for people, or for an analysis program.")
    ] = Form.json,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of the terminal.")] = None,
) -> None:
    """Write a recording: json (everything), text (for people), mat or sgf (for analysis programs; short and tabla)."""
    with Store.open(record_path(record), write=False) as store:
        chosen = chosen_recording(store, recording)
        events, inputs = store.events(chosen.id), store.inputs(chosen.id)
    text = write(Document(chosen.meta, tuple(events), tuple(inputs), id=chosen.id), form)
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, encoding="utf-8")
