"""Whether a record is whole, and what is done when it is not.

A damaged file is never changed: it is kept aside, and what can be read of it becomes the record, of every recording up
to its last good play. Where events between are lost, a gap stands for them.
"""

import datetime
import json
import os
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import RecordError, RecordUnwritable
from companion.events import Event, Gap
from companion.inputs import Input
from companion.records import files, schema
from companion.records.files import told
from companion.records.pages import Row, read_pages
from companion.records.store import Store, record_file, to_body

LARGE = 64_000_000
"""A file of more bytes (some 1,500 matches) is read from end to end only when it was not closed well."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def open_checked(path: Path, say: Callable[[str], None]) -> Store:
    """Open a record to write to it, and mend it when it is damaged; ``say`` is told in one line what was recovered.

    Raises RecordError when the file is another one, newer, or cannot be written.
    """
    path = record_file(path)
    problem = damage(path, brief=_closed_well(path))
    if problem is not None:
        say(recover(path, problem))
    return Store.open(path)


def damage(path: Path, *, thorough: bool = False, brief: bool = False) -> str | None:
    """What is wrong with a record, in a few words, or None when it is whole (or not there).

    Every page is checked, and that every event is JSON; ``thorough`` also reads what it says, ``brief`` looks only at
    the size of the file and at the latest recording.
    """
    if not path.exists() or not path.stat().st_size:
        return None
    if brief:
        return _at_a_glance(path)
    connection = files.connect(path, write=False)
    try:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        if found != "ok":
            return found.splitlines()[-1]
        version = schema.check(connection, str(path))
        for table in ((), ("events", "inputs"), ("events", "inputs", "corrected"))[min(version, 2)]:
            if connection.execute(f"SELECT 1 FROM {table} WHERE json_valid(body) IS NOT 1 LIMIT 1").fetchone():
                return f"a line of its {table} is not whole"
        return _unreadable(path) if thorough else None
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
            with told(path):
                raise
        return files.in_a_line(error)
    except UnicodeDecodeError as error:  # what SQLite wanted to quote is no text
        return files.in_a_line(error)
    finally:
        connection.close()


def _closed_well(path: Path) -> bool:
    """Whether the program that wrote to a large file last has closed it: SQLite then takes the log away.

    To read a large file takes long on a memory card, and players wait.
    """
    log = files.with_its_log(path)[1]
    return path.exists() and path.stat().st_size > LARGE and not log.exists()


def _at_a_glance(path: Path) -> str | None:
    try:
        with Store.open(path, write=False) as store:
            with store.reading() as connection:
                pages = connection.execute("PRAGMA page_count").fetchone()[0]
                size = pages * connection.execute("PRAGMA page_size").fetchone()[0]
            if size != path.stat().st_size:
                return f"{size} bytes expected, {path.stat().st_size} found"
            latest = store.recordings()[-1:]
            for recording in latest:
                store.events(recording.id)
    except RecordUnwritable:
        raise
    except RecordError as error:
        if "damaged" not in str(error):
            raise
        return str(error).removeprefix(f"{path}: ")
    return None


def recover(path: Path, problem: str = "") -> str:
    """Make a new record of what can be read of a damaged one, keep that aside, and say in one line what came of it."""
    path = record_file(path)
    with told(path):
        found = salvage(path)
        fresh = path.with_name(f"{path.name}.recovering")
        _remove(fresh)
        with Store.open(fresh) as store:
            found.write(store)
        aside = _aside(path)
        for old, kept in zip(files.with_its_log(path)[1:3], files.with_its_log(aside)[1:3], strict=True):
            if old.exists():
                os.replace(old, kept)
        _keep(path, aside)
        os.replace(fresh, path)
        _remove(fresh)
        _sync(path.parent)
    why = f" ({problem})" if problem else ""
    return f"{path}: the file was damaged{why}: {found}; the damaged file is {aside.name}"


@dataclass
class Salvaged:
    """What could be read of a damaged file, by recording."""

    metas: dict[int, dict[str, Any]] = field(default_factory=dict)
    events: dict[int, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    inputs: dict[int, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    versions: dict[tuple[int, int], tuple[Any, ...]] = field(default_factory=dict)
    corrected: dict[tuple[int, int], dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    evidence: set[tuple[Any, ...]] = field(default_factory=set)
    analyses: set[tuple[Any, ...]] = field(default_factory=set)
    lost: int = 0

    def take(self, row: Row) -> None:
        """Sort a row into the table to which it must have belonged; what belongs to none is left out."""
        match row:
            case (int(number), (None, str(text))):
                if (meta := _json(text)) is not None:
                    self.metas[number] = meta
            case (None, (int(recording), int(seq), str(text))):
                data = _json(text) or {}
                if "event" in data and _reads(Event.from_json, data):
                    self.events[recording][seq] = text
                elif "input" in data and _reads(Input.from_json, data):
                    self.inputs[recording][seq] = text
            case (None, (int(recording), int(version), int(seq), str(text))):
                if _reads(Event.from_json, _json(text) or {}):
                    self.corrected[recording, version][seq] = text
            case (None, (int(recording), int(number), str(), str(edit), int(), int()) as version):
                if _json(edit) is not None:
                    self.versions[recording, number] = version
            case (None, (int(), int(), str(), float() | int(), str()) as witness):
                self.evidence.add(witness)
            case (None, (int(), int(), int(), str(), str(text)) as analysis):
                if _json(text) is not None:
                    self.analyses.add(analysis)

    def write(self, store: Store) -> None:
        """Write what is known of each recording into a new record, and the corrections that are whole."""
        known = sorted({*self.metas, *self.events})
        with store.transaction() as connection:
            for number in known:
                meta = self.metas.get(number) or {"game": self._game(number)}
                lost = _holes(self.events[number]) + _holes(self.inputs[number])
                self.lost += lost
                meta = meta | {"recovered": {"lost": lost}} if lost else meta
                connection.execute("INSERT INTO recordings (id, meta) VALUES (?, ?)", [number, to_body(meta)])
                inputs = [body for _, body in sorted(self.inputs[number].items())]
                store.append_bodies(number, _with_gaps(self.events[number]), inputs)
            for (recording, number), version in sorted(self.versions.items()):
                bodies = _beginning(self.corrected[recording, number])
                if recording in known and len(bodies) == version[-1]:
                    connection.execute("INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?)", version)
                    rows = [(recording, number, seq, body) for seq, body in enumerate(bodies)]
                    connection.executemany("INSERT INTO corrected VALUES (?, ?, ?, ?)", rows)
            witnesses = [row for row in sorted(self.evidence) if row[0] in known]
            connection.executemany("INSERT OR IGNORE INTO evidence VALUES (?, ?, ?, ?, ?)", witnesses)
            analyses = [row for row in sorted(self.analyses) if row[0] in known]
            connection.executemany("INSERT OR IGNORE INTO analyses VALUES (?, ?, ?, ?, ?)", analyses)

    def __str__(self) -> str:
        numbers = sorted({*self.metas, *self.events})
        if not numbers:
            return "nothing could be recovered"
        known = [body for number in numbers for _, body in sorted(self.events[number].items())]
        plays = [body for body in known if '"event":"play"' in body]
        lost = f", {self.lost} events between are lost" if self.lost else ""
        last = f", the last at {json.loads(plays[-1])['t']:.1f} s of recording {numbers[-1]}" if plays else ""
        return f"{len(numbers)} recordings with {len(plays)} plays were recovered{last}{lost}"

    def _game(self, number: int) -> str:
        first = json.loads(self.events[number].get(0, "{}"))
        return str(first.get("game", ""))


def salvage(path: Path) -> Salvaged:
    """Everything that can be read of the file."""
    found = Salvaged()
    for row in read_pages(path).rows():
        found.take(row)
    return found


def _beginning(lines: Mapping[int, str]) -> list[str]:
    """The lines from number 0 on, up to the first that is missing."""
    whole: list[str] = []
    while (line := lines.get(len(whole))) is not None:
        whole.append(line)
    return whole


def _holes(lines: Mapping[int, str]) -> int:
    """How many lines are missing before the last one."""
    return max(lines, default=-1) + 1 - len(lines)


def _with_gaps(lines: Mapping[int, str]) -> list[str]:
    """The lines in order, and a gap wherever some are missing before the last one."""
    whole: list[str] = []
    following = 0
    for number, line in sorted(lines.items()):
        if number != following:
            whole.append(to_body(Gap(t=json.loads(line)["t"])))
        whole.append(line)
        following = number + 1
    return whole


def _unreadable(path: Path) -> str | None:
    """Read everything; what cannot be read."""
    try:
        with Store.open(path, write=False) as store:
            for recording in store.recordings():
                for version in store.versions(recording.id):
                    store.events(recording.id, version.number)
                store.inputs(recording.id)
    except RecordUnwritable:
        raise
    except RecordError as error:
        return str(error).removeprefix(f"{path}: ")
    return None


def _json(text: str) -> dict[str, Any] | None:
    try:
        data = json.loads(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _reads(read: Callable[[Any], object], data: Any) -> bool:
    try:
        read(data)
    except (ValueError, TypeError, KeyError, OSError):
        return False
    return True


def _aside(path: Path) -> Path:
    """A name beside the record that is not taken yet."""
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%S")
    names: Iterable[str] = (f"{path.stem}.damaged-{now}{more}{path.suffix}" for more in ("", *map(str, range(1, 99))))
    return next(path.with_name(name) for name in names if not path.with_name(name).exists())


def _keep(path: Path, aside: Path) -> None:
    """Give the file a second name, or copy it where the disk has no second names (FAT)."""
    try:
        os.link(path, aside)
    except OSError:
        shutil.copy2(path, aside)


def _remove(path: Path) -> None:
    for each in files.with_its_log(path):
        each.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Make sure that the names are on the disk too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
