"""A disputed turn as one ZIP file: everything that is known about it, for whoever has to decide.

The file holds ``turn.json`` (roll, both positions, play, verdict, broken rules and their text, the legal plays nearest
to what was played, every event of the turn, hashes of the pictures), ``turn.txt`` (the same for people), ``before.svg``
and ``after.svg``, and in ``pictures/`` the pictures of the turn and of the turns around it that are kept.
"""

import hashlib
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion import events as ev
from companion.errors import RecordError
from companion.records.account import At, follow, judged
from companion.records.files import told
from companion.records.pictures import Picture, Pictures, pictures_file
from companion.records.store import Recording, Store
from companion.records.transcript import house_of
from companion.rules import Game, Position, RulesError, format_play
from companion.rules.diagram import format_diagram
from companion.rules.svg import draw

FORMAT, VERSION = "companion-turn", 1
AROUND = 1
"""The pictures of so many turns before and after are added."""
RULES: dict[str, str] = {
    "checker-count": "Checkers appeared or vanished: each player has fifteen.",
    "opponent-moved": "A checker of the other colour was moved without a hit.",
    "backwards": "M1: a checker went back.",
    "blocked-point": "L2, H2: a checker landed on a point that the opponent closes.",
    "blocked-way": "D5: a checker that used several dice could not stand on a point between.",
    "bar-first": "H3: another checker was moved while one waited on the bar.",
    "head": "L3, L4, X3, F2: more checkers left the head than may.",
    "bear-off-early": "M5: a checker was borne off while another was not at home.",
    "bear-off-wrong-point": "M6, X4: the die does not bear off from that point.",
    "home-move": "X4, X9: a checker was moved inside the home once all were there.",
    "not-the-dice": "The change cannot be made with these dice.",
    "block": "L5, L6, F3: six points are held that must not be.",
    "larger-die": "M3: either die could be played but not both, and the smaller was.",
    "not-full": "M2: more of the dice could be played; also a progression that was stopped too early.",
    "passed-but-could-move": "M4: nothing was moved although something could be.",
    "wrong-player": "The opponent was on turn.",
    "moved-before-roll": "Checkers were moved before the dice were thrown.",
    "left-over": "X7: the dice were thrown before the moves that the opponent left were made.",
    "void-roll": "D1: the roll did not count.",
    "cube": "C1–C4: the cube was offered out of turn, or by the wrong player.",
}
"""What each rule says, in a sentence, with its place in docs/rules.md."""
_STAMP = (1980, 1, 1, 0, 0, 0)  # the same turn gives the same file, to the byte


def write_turn(store: Store, recording: Recording, turn: int, path: Path, version: int | None = None) -> None:
    """Write the final play number ``turn`` (from 1) of a recording as a ZIP file.

    Raises RecordError when there is no such turn, or the file cannot be written.
    """
    events = store.events(recording.id, version)
    data = turn_data(recording, events, turn)
    kept = _pictures(store, recording.id, data["t"])
    listed = [{"file": _name(p), "turn": p.turn, "kind": p.kind, "t": p.t, "sha256": p.sha256} for p in kept]
    data["pictures"] = [
        entry | {"unchanged": hashlib.sha256(p.jpeg).hexdigest() == p.sha256}
        for entry, p in zip(listed, kept, strict=True)
    ]
    files: dict[str, str | bytes] = {
        "turn.json": json.dumps(data, ensure_ascii=False, indent=1) + "\n",
        "turn.txt": "\n".join(in_words(data)) + "\n",
        "before.svg": draw(Position.from_json(data["before"])),
        "after.svg": draw(Position.from_json(data["after"])),
        **{_name(picture): picture.jpeg for picture in kept},
    }
    with told(path), zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _STAMP), content)


def turn_data(recording: Recording, events: Sequence[ev.Event], turn: int) -> dict[str, Any]:
    """What is known about a turn, without its pictures."""
    house = house_of(recording.meta)
    at, before, segment, number = At(house.start, over=True), At(house.start), [], 0
    for event in events:
        segment.append(event)
        if isinstance(event, ev.PlayMade):
            number += 1
            if number == turn:
                return _data(house, recording, before, segment, event, turn)
        at = follow(house, at, event)
        if isinstance(event, ev.PlayMade):
            segment = []
        before = at
    raise RecordError(f"--turn: expected a turn from 1 to {number}, got {turn}")


def _data(
    house: Game, recording: Recording, at: At, segment: Sequence[ev.Event], play: ev.PlayMade, turn: int
) -> dict[str, Any]:
    nearest: list[str] = []
    after = Position.from_json(play.board)
    try:
        if play.player is not None and play.dice is not None:
            verdict = judged(house, at, play.player, play.dice, after, play.part)
            seen = house.seen(at.position, play.player)
            nearest = [format_play(each, seen) for each in verdict.plays]
    except RulesError:
        nearest = []
    return {
        "format": FORMAT,
        "version": VERSION,
        "recording": recording.to_json(),
        "turn": turn,
        "t": play.t,
        "player": play.player,
        "roll": None if play.dice is None else list(play.dice),
        "before": at.position.to_json(),
        "after": play.board,
        "play": play.play,
        "verdict": play.verdict,
        "confidence": play.confidence,
        "rules": [{"rule": reason, "text": RULES.get(reason, "")} for reason in play.reasons],
        "legal": nearest,
        "score": {"white": at.score[0], "black": at.score[1]},
        "cube": {"value": at.cube.value, "owner": at.cube.owner},
        "events": [event.to_json() for event in segment],
    }


def in_words(data: dict[str, Any]) -> list[str]:
    """The turn for people."""
    roll = "unknown" if data["roll"] is None else f"{data['roll'][0]}-{data['roll'][1]}"
    lines = [
        f"Recording {data['recording']['id']}, turn {data['turn']}, at {data['t']:.1f} s",
        f"{(data['player'] or 'somebody').capitalize()} rolled {roll} and played {data['play'] or 'nothing'}",
        f"Verdict: {data['verdict']}",
        *(f"  {rule['rule']}: {rule['text']}".rstrip(": ") for rule in data["rules"]),
    ]
    if data["verdict"] == "illegal" and data["legal"]:
        lines.append(f"Legal would have been, for example: {'; '.join(data['legal'])}")
    for title, key in (("Before", "before"), ("After", "after")):
        lines += ["", f"{title} (w White, b Black, White's numbers):", format_diagram(Position.from_json(data[key]))]
    pictures = data.get("pictures", [])
    lines += ["", f"{len(pictures)} pictures are kept." if pictures else "No pictures of this turn are kept."]
    return lines


def _pictures(store: Store, recording: int, t: float) -> list[Picture]:
    """The pictures around the play that was recorded at ``t``; none of a turn that was inserted later."""
    if not pictures_file(store.path).is_file():
        return []
    plays = [event.t for event in store.events(recording, 1) if isinstance(event, ev.PlayMade)]
    if t not in plays:
        return []
    with Pictures.open(store.path) as pictures:
        return pictures.of_turn(recording, plays.index(t) + 1, AROUND)


def _name(picture: Picture) -> str:
    return f"pictures/{picture.turn:04}-{picture.kind}-{picture.t:010.3f}.jpg"
