"""What an analysis program said of the plays of a recording, kept beside its events."""

import datetime
import json
from collections.abc import Mapping
from typing import Any

from companion.records.store import Store, to_body
from companion.records.transcript import Assessment


def keep(store: Store, recording: int, program: str, found: Mapping[int, Assessment]) -> None:
    """Keep an analysis of the latest version of a recording; earlier ones stay in the file."""
    version = store.versions(recording)[-1].number
    made = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    body = to_body({"program": program, "plays": {str(play): said.to_json() for play, said in found.items()}})
    with store.transaction() as connection:
        query = "SELECT coalesce(max(number), 0) + 1 FROM analyses WHERE recording = ? AND version = ?"
        number = connection.execute(query, [recording, version]).fetchone()[0]
        connection.execute("INSERT INTO analyses VALUES (?, ?, ?, ?, ?)", [recording, version, number, made, body])


def kept(store: Store, recording: int) -> dict[int, Assessment]:
    """The last analysis of the latest version of a recording, by the number of the play; empty when there is none.

    What was said of a version that has been corrected since does not count.
    """
    if store.schema < 3:
        return {}
    version = store.versions(recording)[-1].number
    with store.reading() as connection:
        query = "SELECT body FROM analyses WHERE recording = ? AND version = ? ORDER BY number DESC LIMIT 1"
        row = connection.execute(query, [recording, version]).fetchone()
        said: dict[str, Any] = json.loads(row[0])["plays"] if row else {}
    return {int(play): Assessment(**each) for play, each in said.items()}
