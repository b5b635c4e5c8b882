"""``export``: a recording as a file for other programs and for people."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.records import NumberArgument, RecordOption, chosen_recording, record_path
from companion.records import Store
from companion.records.formats.text import to_json, to_text


class Format(StrEnum):
    """What ``export`` writes."""

    json = "json"
    text = "text"


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command(epilog="Example: companion export 3 --format text --out game.txt")(export)


def export(
    recording: NumberArgument = None,
    record: RecordOption = None,
    form: Annotated[Format, typer.Option("--format", help="Complete, or readable.")] = Format.json,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of the terminal.")] = None,
) -> None:
    """Write a recording as JSON (everything) or as a text for people."""
    with Store.open(record_path(record), write=False) as store:
        chosen = chosen_recording(store, recording)
        events, inputs = store.events(chosen.id), store.inputs(chosen.id)
    if form is Format.json:
        text = json.dumps(to_json(chosen, events, inputs), ensure_ascii=False, indent=1)
    else:
        text = "\n".join(to_text(chosen, events))
    if out is None:
        print(text)
    else:
        out.write_text(text + "\n", encoding="utf-8")
