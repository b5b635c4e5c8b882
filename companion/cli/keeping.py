"""How ``run`` and ``replay`` keep what they referee: the record, and the pictures where they are wanted."""

import hashlib
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import Settings
from companion.errors import RecordError
from companion.events import PlayMade
from companion.records.health import open_checked
from companion.records.pictures import Album, Limits, open_or_renew
from companion.records.recorder import Recorder, Steady
from companion.records.store import Store
from companion.records.summaries import refresh

if TYPE_CHECKING:
    from companion.pipeline import Rig


@dataclass(frozen=True)
class Kept:
    """What a game is kept in; ``album`` is None where no pictures are kept, ``path`` the file of the record."""

    record: Steady
    album: Album | None
    path: Path


def keep(
    stack: ExitStack,
    path: Path,
    meta: Mapping[str, Any],
    *,
    resume: bool = False,
    evidence: bool = False,
    limits: Limits | None = None,
    left: Callable[[Store], int | None] = lambda store: None,
) -> Kept:
    """Open the record, mend it when it is damaged, and begin a recording in it, or go on with one: with ``resume``
    with the same work, which is done again from its start, else with the one that ``left`` finds, at its end.

    Everything is closed with the stack; raises RecordError when there can be no record.
    """
    store = stack.enter_context(open_checked(path, say))
    found = left(store)
    if found is not None:
        begun = Recorder.go_on(store, found)
    else:
        begun = Recorder.resume(store, meta) if resume else Recorder.start(store, meta)
    record = Steady(begun, say)
    stack.callback(_close, record, store)
    pictures = open_or_renew(store.path, say, limits or Limits()) if evidence else None
    if pictures is None:
        return Kept(record, None, store.path)
    stack.callback(pictures.close)
    done = 0 if found is None else sum(isinstance(event, PlayMade) for event in store.events(found, 1))
    return Kept(record, Album(pictures, store, record.recording, say, turn=done + 1), store.path)


def limits_of(settings: Settings) -> Limits:
    """How many pictures are kept, and for how long."""
    return Limits(settings.evidence.quota_mb, settings.evidence.age_days)


def rig_meta(rig: "Rig", profile: str | None) -> dict[str, Any]:
    """What the record says of the rig (formats.md §8): which lens, board and house rules, and a number of the
    calibration that is another one whenever anything in it changes.
    """
    known = rig.calibration
    data = None if known is None else known.model_dump_json()
    return {
        "rig": {
            "lens": known.lens if known else None,
            "board": known.board if known else None,
            "calibration": None if data is None else hashlib.sha256(data.encode()).hexdigest()[:16],
            "profile": profile,
        }
    }


def say(line: str) -> None:
    """One line for the person (or the journal) that is not part of the output."""
    print("companion:", " ".join(line.split()), file=sys.stderr, flush=True)


def _close(record: Steady, store: Store) -> None:
    """Write what waits, and count the game for the history, so that nobody waits for that later."""
    try:
        record.close()
        refresh(store, [record.recording])
    except RecordError as error:
        say(str(error))
