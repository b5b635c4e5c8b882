"""Spoilt files of matches and spoilt records: read, mended or refused in one line; never a crash, never long.

``python -m tests.bench.spoilt --data ../shared/data [--texts 20000] [--stores 4000] [--first 0]``: a file is spoilt as
its number says, so that a run can be done in parts. Times are processor time, memory is that of the whole process.
"""

import argparse
import random
import re
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from companion.errors import RecordError
from companion.records import Store
from companion.records.formats import Document, Form, FormatError, read, write
from companion.records.formats.source import Source
from companion.records.health import damage, open_checked
from companion.records.store import FILE_NAME
from companion.records.summaries import history
from tests.records.formats.matches import random_match
from tests.records.formats.spoil import spoiled
from tests.records.games import meta, play_game

LIMIT_S = 2.0
LIMIT_MB = 300
GOOD = ("read", "refused with line and column", "whole", "mended", "refused")
RAM = Path("/dev/shm")


def main() -> int:
    """Spoil and read; 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--stores", type=int, default=4_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first file")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.texts)
    wrong = texts(options.data, numbers) + stores(range(options.first, options.first + options.stores))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"memory: {most} MiB at most")
    return int(wrong > 0 or most > LIMIT_MB)


def texts(data: Path, numbers: range) -> int:
    """Files of matches; how many came out otherwise than they should."""
    whole = _whole(data)

    def one(rng: random.Random) -> str:
        form, text = rng.choice(whole)
        return outcome(form, spoiled(rng, text))

    return _all("spoilt files", numbers, one)


def stores(numbers: range) -> int:
    """Records, looked at as they are and then opened to go on with them."""
    with tempfile.TemporaryDirectory(dir=RAM if RAM.is_dir() else None) as name:
        folder = Path(name)
        path = folder / FILE_NAME
        _some_record(path)
        whole = path.read_bytes()

        def one(rng: random.Random) -> str:
            for old in folder.iterdir():
                old.unlink()
            path.write_bytes(_spoilt_bytes(rng, whole))
            return _looked_at(path) or _opened(path)

        return _all("spoilt records", numbers, one)


def outcome(form: Form, text: str) -> str:
    """What came of reading a file."""
    try:
        read(Source("file", text), form)
    except FormatError as error:
        return "refused with line and column" if re.fullmatch(r"file:\d+:\d+: .*", str(error)) else f"no place: {error}"
    except Exception as error:
        return f"crash: {form}: {error!r}"
    return "read"


def _all(what: str, numbers: range, one: Callable[[random.Random], str]) -> int:
    counts: Counter[str] = Counter()
    slowest = 0.0
    for number in numbers:
        began = time.process_time()
        result = one(random.Random(f"{what} {number}"))
        took = time.process_time() - began
        slowest = max(slowest, took)
        late = took > LIMIT_S
        if late or result not in GOOD:
            print(f"number {number}: {result}, {took:.2f} s", flush=True)
        counts["over 2 s" if late else result if result in GOOD else "WRONG"] += 1
        done = number - numbers.start + 1
        if done % 1000 == 0 or done == len(numbers):  # what is printed last counts, also when the run is cut short
            said = ", ".join(f"{count} {key}" for key, count in counts.most_common())
            print(f"{what} {numbers.start} to {number}: {said}; the slowest took {slowest:.2f} s", flush=True)
    return counts["over 2 s"] + counts["WRONG"]


def _whole(data: Path) -> list[tuple[Form, str]]:
    """Files of every form that are as they should be: of gnubg and of our own."""
    found = [(Form(file.suffix[1:]), file.read_text()) for name in ("money_06", "money_09")
             for file in sorted((data / "matches" / "gnubg").glob(f"{name}.[ms]*"))]  # fmt: skip
    for seed in range(12):
        anything = Document.of(random_match(seed, rough=0.4, most_plays=15))
        short = Document.of(random_match(seed, "short", rough=0.4, most_plays=15))
        found += [(form, write(anything, form)) for form in (Form.json, Form.text)]
        found += [(form, write(short, form)) for form in (Form.mat, Form.sgf)]
    return found


def _some_record(path: Path) -> None:
    """Three recordings, one of them corrected, closed well."""
    with Store.open(path) as store:
        for seed in range(3):
            events = play_game(seed, turns=40)
            number = store.begin(meta())
            for at in range(0, len(events), 8):
                store.append(number, events[at : at + 8])
        store.correct(1, events[:20], {"edits": []})
        store.witness(1, 3, "roll", 2.5, "ab" * 32)


def _spoilt_bytes(rng: random.Random, whole: bytes) -> bytes:
    """The file after one to three mutations: bytes changed, zeroed, lost, doubled, or the end cut off."""
    data = bytearray(whole)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data)) if rng.random() < 0.7 else rng.randrange(min(200, len(data)))
        length = rng.choice((1, 1, 4, 100, 512, 4096, 20_000))
        match rng.randrange(5):
            case 0:
                data[at : at + length] = rng.randbytes(min(length, len(data) - at))
            case 1:
                data[at : at + length] = bytes(min(length, len(data) - at))
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = data[at : at + length]
            case 4:
                del data[max(at, 1) :]
        if not data:
            return b""
    return bytes(data)


def _looked_at(path: Path) -> str | None:
    """Read a record as it is; what went wrong, if it was no error of ours in one line."""
    try:
        with Store.open(path, write=False) as store:
            history(store)
            for recording in store.recordings():
                store.events(recording.id)
                store.inputs(recording.id)
    except RecordError as error:
        return None if "\n" not in str(error) else f"two lines: {error}"
    except Exception as error:
        return f"crash while looked at: {error!r}"
    return None


def _opened(path: Path) -> str:
    """Open a record to go on with it; afterwards a game can be recorded."""
    said: list[str] = []
    try:
        with open_checked(path, said.append) as store:
            store.append(store.begin(meta()), play_game(1, turns=1))
        if said and (problem := damage(path, thorough=True)):
            return f"mended, and then: {problem}"
    except RecordError as error:
        return "refused" if "\n" not in str(error) else f"two lines: {error}"
    except Exception as error:
        return f"crash while opened: {error!r}"
    return "mended" if said else "whole"


if __name__ == "__main__":
    sys.exit(main())
