"""Matches of gnubg and random ones, written, read by gnubg and read back. Prints figures.

``python -m tests.bench.formats --data ../shared/data [--parts samples gnubg back] [--matches 1000] [--gnubg 200]
[--first 0]``: a random match is made as its number says, so that a run can be done in parts. Spoilt files:
``tests.bench.spoilt``. Times are processor time.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from companion import events as ev
from companion.records.formats import Document, Form, read, read_file, write
from companion.records.formats.plies import Moved, Placed, Unplayed, plies
from companion.records.formats.source import Source
from companion.records.transcript import Transcript
from companion.rules import GAMES
from tests.records.formats.dumps import read_by_gnubg, same
from tests.records.formats.matches import random_match

PARTS = ("samples", "gnubg", "back")
_BATCH = 40
_OWN = (Form.json, Form.text)


def main() -> int:
    """Everything, or what the options ask for; 1 when anything came out otherwise than it went in."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--matches", type=int, default=1000, help="there and back")
    parser.add_argument("--gnubg", type=int, default=200, help="random matches for gnubg")
    parser.add_argument("--first", type=int, default=0, help="the number of the first random match")
    options = parser.parse_args()
    wrong = samples(options.data) if "samples" in options.parts else 0
    if "gnubg" in options.parts:
        with tempfile.TemporaryDirectory() as folder:
            given = {f"given-{file.stem}-{form}": read_file(file.with_suffix(f".{form}")).transcript
                     for file in gnubg_files(options.data) for form in (Form.mat, Form.sgf)}  # fmt: skip
            numbers = range(options.first, options.first + options.gnubg)
            wrong += compare("matches of DATA, read from mat and from sgf", given, Path(folder))
            wrong += compare("random matches", dict(random_short(numbers)), Path(folder))
    if "back" in options.parts:
        wrong += there_and_back(range(options.first, options.first + options.matches))
    return int(wrong > 0)


def gnubg_files(data: Path) -> list[Path]:
    """The matches that gnubg wrote."""
    return sorted((data / "matches" / "gnubg").glob("*.mat"))


def samples(data: Path) -> int:
    """Are the files of DATA read as their truth says, and the long games too? How many are not."""
    counts: Counter[str] = Counter()
    began = time.process_time()
    for file in gnubg_files(data):
        truth = json.loads(file.with_suffix(".json").read_text())
        for form in (".mat", ".sgf"):
            counts[f"{form} of gnubg"] += 1
            made = read_file(file.with_suffix(form))
            counts[f"{form} of gnubg, as the truth says"] += as_told(made.transcript, truth)
            counts[f"{form} of gnubg, exact through json and text"] += all(exact(made, each) for each in _OWN)
    for file in sorted((data / "matches" / "long").glob("*.json")):
        made = long_match(json.loads(file.read_text()), file.stem)
        counts["long games"] += 1
        counts["long games, exact through json and text"] += all(exact(made, form) for form in _OWN)
    for key in sorted(counts):
        print(f"{key}: {counts[key]}")
    print(f"reading took {time.process_time() - began:.1f} s")
    return sum(count - counts[key] for kind, count in counts.items() for key in counts if key.startswith(f"{kind}, "))


def exact(made: Document, form: Form) -> bool:
    """Whether a form gives the match back, and the same text again."""
    text = write(made, form)
    again = read(Source("x", text))
    return again.transcript == made.transcript and write(again, form) == text


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


def random_short(numbers: range) -> Iterator[tuple[str, Transcript]]:
    """Matches that gnubg can read, with everything irregular; every tenth is played to 25 points, to its end."""
    for seed in numbers:
        game, rough = ("short", "tabla")[seed % 2], (0.0, 0.1, 0.3)[seed % 3]
        to_25 = {"length": 25} if seed % 10 == 0 else None
        yield str(seed), random_match(seed, game, rough=rough, most_plays=6000 if to_25 else 300, options=to_25)


def compare(what: str, matches: dict[str, Transcript], folder: Path) -> int:
    """Let gnubg read both forms, and count what it read as it was meant; how many files it read otherwise."""
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
    kinds: Counter[str] = Counter()
    for match in matches.values():
        kinds.update(told(match))
    print(f"{what}: {len(matches)}, {kinds['games']} games, {kinds['plays']} plays; read by gnubg as they are: "
          f"mat {counts['mat same']} of {counts['mat']}, sgf {counts['sgf same']} of {counts['sgf']}")  # fmt: skip
    print("  among them: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())), flush=True)
    return counts["mat"] + counts["sgf"] - counts["mat same"] - counts["sgf same"]


def told(match: Transcript) -> Counter[str]:
    """How often a match has what is hard to tell."""
    counts: Counter[str] = Counter(games=len(match.games))
    house, played = match.house, 0
    for game in match.games:
        for ply in plies(house, game, played):
            counts["rolls given up"] += isinstance(ply, Unplayed)
            event = None if ply.step is None else ply.step.event
            illegal = isinstance(event, ev.PlayMade) and event.verdict == "illegal"
            counts["illegal plays told as moves"] += isinstance(ply, Moved) and illegal
            counts["illegal plays told as boards"] += isinstance(ply, Placed) and illegal
        played += sum(isinstance(event, ev.PlayMade) for event in game.events)
        needed = [house.options.length - points for points in game.score]
        counts["Crawford games"] += house.options.crawford and needed.count(1) == 1
        counts["starts in the middle"] += game.start.board != house.start.to_json()
    counts["plays"] = played
    for event in match.events():
        if isinstance(event, ev.CubeAction):
            counts[{"double": "doubles", "accept": "beavers accepted"}.get(event.action, f"{event.action}s")] += 1
        counts["gaps"] += isinstance(event, ev.Gap)
        counts["resignations"] += isinstance(event, ev.Resigned)
    players = "".join(match.name(player) for player in ("white", "black"))  # type: ignore[arg-type]  # both
    counts["with Cyrillic names"] = any("\u0400" <= c < "\u0500" for c in players)
    counts["with colons or commas in names"] = any(c in ":," for c in players)
    counts["to 25 points"] = house.options.length == 25
    counts["to 25 points, to the end"] = house.options.length == 25 and match.games[-1].match_result is not None
    return counts


def there_and_back(numbers: range) -> int:
    """Random matches of all ten games as json and text; how many came back otherwise."""
    counts: Counter[str] = Counter()
    began = time.process_time()
    for seed in numbers:
        made = Document.of(random_match(seed, rough=(0.0, 0.1, 0.4)[seed % 3], most_plays=40))
        for form in _OWN:
            counts[form] += exact(made, form)
        counts[made.transcript.house.name] += 1
        counts["events"] += len(made.events)
    took = time.process_time() - began
    games = sum(counts[name] > 0 for name in GAMES)
    print(f"random matches of {games} games: {len(numbers)} with {counts['events']} events; exact there and back: "
          f"json {counts['json']}, text {counts['text']}; {took:.0f} s of processor time")  # fmt: skip
    return 2 * len(numbers) - counts["json"] - counts["text"]


if __name__ == "__main__":
    sys.exit(main())
