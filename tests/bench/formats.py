"""Matches of gnubg and random ones, written, read by gnubg and read back; and spoilt files. Prints figures.

``python -m tests.bench.formats --data ../shared/data [--matches 1000] [--gnubg 200] [--spoilt 20000]``
"""

import argparse
import json
import random
import re
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from companion import events as ev
from companion.records.formats import Document, Form, FormatError, read, read_file, write
from companion.records.formats.source import Source
from companion.records.transcript import Transcript
from tests.records.formats.dumps import read_by_gnubg, same
from tests.records.formats.matches import random_match
from tests.records.formats.spoil import spoiled

_BATCH = 40


def main() -> None:
    """Everything, or what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--gnubg", type=int, default=200)
    parser.add_argument("--spoilt", type=int, default=20_000)
    options = parser.parse_args()
    samples(options.data)
    with tempfile.TemporaryDirectory() as folder:
        given = {f"given-{file.stem}": read_file(file).transcript for file in gnubg_files(options.data)}
        compare("matches of DATA", given, Path(folder))
        compare("random matches", dict(random_short(options.gnubg)), Path(folder))
    there_and_back(options.matches)
    spoil(options.data, options.spoilt)
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB at most")


def gnubg_files(data: Path) -> list[Path]:
    """The matches that gnubg wrote."""
    return sorted((data / "matches" / "gnubg").glob("*.mat"))


def samples(data: Path) -> None:
    """Are the files of DATA read as their truth says, and the long games too?"""
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    for file in gnubg_files(data):
        truth = json.loads(file.with_suffix(".json").read_text())
        for form in (".mat", ".sgf"):
            counts[f"{form} of gnubg"] += 1
            counts[f"{form} of gnubg as the truth says"] += as_told(read_file(file.with_suffix(form)).transcript, truth)
    for file in sorted((data / "matches" / "long").glob("*.json")):
        made = long_match(json.loads(file.read_text()), file.stem)
        for form in (Form.json, Form.text):
            counts[f"long games as {form}"] += 1
            counts[f"long games as {form}, exact"] += read(Source("x", write(made, form))).transcript == made.transcript
    for key in sorted(counts):
        print(f"{key}: {counts[key]}")
    print(f"reading took {time.perf_counter() - began:.1f} s")


def as_told(match: Transcript, truth: dict[str, object]) -> bool:
    """Whether a match has the actions and the results of its truth."""
    for game, told in zip(match.games, truth["games"], strict=True):  # type: ignore[call-overload]
        made = [e for e in game.events if isinstance(e, ev.PlayMade | ev.CubeAction)]
        for event, action in zip(made, told["actions"], strict=True):
            if event.player != action["player"]:
                return False
            if isinstance(event, ev.PlayMade):
                if (list(event.dice or ()), event.board) != (action["dice"], action["board_after"]):
                    return False
            elif event.action != action["type"]:
                return False
        result = game.result
        if result is None or (result.winner, result.points) != (told["result"]["winner"], told["result"]["points"]):
            return False
    return True


def long_match(told: dict[str, object], name: str) -> Document:
    """A match of a long game, as a recording would hold it."""
    from companion.records.formats.scribe import Scribe
    from companion.rules import Position, get_game

    scribe = Scribe(get_game("long"))
    scribe.begin((0, 0))
    for turn in told["turns"]:  # type: ignore[attr-defined]
        moves = tuple(tuple(move) for move in turn["play"])
        scribe.play(turn["player"], tuple(turn["dice"]), moves, Position.from_json(turn["board_after"]))
    scribe.finish()
    meta = {"source": name, "game": "long", "options": scribe.house.options.to_json()}
    return Document(meta, tuple(scribe.events))


def random_short(count: int) -> Iterator[tuple[str, Transcript]]:
    """Matches that gnubg can read, with everything irregular."""
    for seed in range(count):
        game, rough = ("short", "tabla")[seed % 2], (0.0, 0.1, 0.3)[seed % 3]
        yield str(seed), random_match(seed, game, rough=rough, most_plays=300)


def compare(what: str, matches: dict[str, Transcript], folder: Path) -> None:
    """Let gnubg read both forms, and count what it read as it was meant."""
    counts: Counter[str] = Counter()
    names = list(matches)
    for at in range(0, len(names), _BATCH):
        files = [(folder / f"{name}.{form}", matches[name], form) for name in names[at : at + _BATCH]
                 for form in (Form.mat, Form.sgf)]  # fmt: skip
        for file, match, form in files:
            file.write_text(write(Document.of(match), form), encoding="utf-8")
        dumps = read_by_gnubg([file for file, _, _ in files], [match.house.options.jacoby for _, match, _ in files])
        for (file, match, form), dump in zip(files, dumps, strict=True):
            counts[form] += 1
            counts[f"{form} same"] += same(form, match, dump)
            if not same(form, match, dump):
                print(f"different: {file.name}")
    games = sum(len(match.games) for match in matches.values())
    plays = sum(isinstance(event, ev.PlayMade) for match in matches.values() for event in match.events())
    print(f"{what}: {len(matches)}, {games} games, {plays} plays; read by gnubg as they are: "
          f"mat {counts['mat same']} of {counts['mat']}, sgf {counts['sgf same']} of {counts['sgf']}")  # fmt: skip


def there_and_back(count: int) -> None:
    """Random matches of all ten games as json and text."""
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    for seed in range(count):
        made = Document.of(random_match(seed, rough=(0.0, 0.1, 0.4)[seed % 3], most_plays=40))
        for form in (Form.json, Form.text):
            text = write(made, form)
            again = read(Source("x", text))
            counts[f"{form} exact"] += again.transcript == made.transcript and write(again, form) == text
        counts["events"] += len(made.events)
    took = time.perf_counter() - began
    print(f"random matches of ten games: {count} with {counts['events']} events; exact there and back: "
          f"json {counts['json exact']}, text {counts['text exact']}; {took:.0f} s")  # fmt: skip


def spoil(data: Path, count: int) -> None:
    """Spoilt files: read, or refused with their place, and soon."""
    rng = random.Random(1)
    whole = [(Form(file.suffix[1:]), file.read_text()) for name in ("money_06", "money_09")
             for file in (data / "matches" / "gnubg").glob(f"{name}.[ms]*")]  # fmt: skip
    for seed in range(12):
        anything = Document.of(random_match(seed, rough=0.4, most_plays=15))
        short = Document.of(random_match(seed, "short", rough=0.4, most_plays=15))
        whole += [(form, write(anything, form)) for form in (Form.json, Form.text)]
        whole += [(form, write(short, form)) for form in (Form.mat, Form.sgf)]
    counts: Counter[str] = Counter()
    slowest = 0.0
    for _ in range(count):
        form, text = rng.choice(whole)
        spoilt = spoiled(rng, text)
        began = time.process_time()
        counts[outcome(form, spoilt)] += 1
        took = time.process_time() - began
        slowest = max(slowest, took)
        counts["over 2 s"] += took > 2.0
    print(f"spoilt files: {count}: {dict(counts)}; the slowest took {slowest:.2f} s of processor time")


def outcome(form: Form, text: str) -> str:
    """What came of reading it."""
    try:
        read(Source("file", text), form)
    except FormatError as error:
        return "refused with line and column" if re.fullmatch(r"file:\d+:\d+: .*", str(error)) else "refused, no place"
    except Exception as error:
        print(f"crash: {form}: {error!r}")
        return "crash"
    return "read"


if __name__ == "__main__":
    main()
