"""How well positions fit the pictures that were kept: the eyes look at them once more, for ``fix``."""

import json
from collections.abc import Callable

from companion.events import PlayMade
from companion.layout import CORNERS, Layout
from companion.observation import Observation
from companion.records import Recording, Store
from companion.records.pictures import Pictures, pictures_file
from companion.rules import Position
from companion.rules.games import get_game
from companion.table.words import contents

NATS_FOR_A_CHECKER = 6.0
"""So much worse, in nats, does a picture fit when one checker stands elsewhere (two slots read wrong)."""


def weigher(store: Store, recording: Recording) -> Callable[[int, Position], float | None] | None:
    """How badly a position fits the picture kept after a turn, in checkers; None where there are no pictures."""
    if not pictures_file(store.path).is_file():
        return None
    boards = [event.board for event in store.events(recording.id, 1) if isinstance(event, PlayMade)]
    seen: dict[int, tuple[Observation, Layout] | None] = {}

    def weigh(turn: int, position: Position) -> float | None:
        if turn not in seen:
            seen[turn] = _look(store, recording, turn, boards[turn - 1]) if 0 < turn <= len(boards) else None
        known = seen[turn]
        return None if known is None else badness(known[0], position, known[1])

    return weigh


def badness(seen: Observation, position: Position, layout: Layout) -> float:
    """How much less probable a position is than the most probable one, in checkers that stand elsewhere."""
    wanted = contents(position, layout)
    total = 0.0
    for slot, reading in seen.slots.items():
        if reading is not None:
            total += reading.log_likelihood(reading.best) - reading.log_likelihood(wanted[slot])
    return total / NATS_FOR_A_CHECKER


def _look(store: Store, recording: Recording, turn: int, board: object) -> tuple[Observation, Layout] | None:
    """What the eyes see in the picture, and the way round in which it fits the recorded board best."""
    with Pictures.open(store.path) as pictures:
        kept = [picture for picture in pictures.of_turn(recording.id, turn) if picture.kind == "after"]
    if not kept:
        return None
    from companion.vision.evidence import read_field

    seen = read_field(kept[-1].jpeg)
    meta = json.loads(json.dumps(dict(recording.meta)))
    known = meta.get("layout") or {}
    same_way = get_game(str(meta.get("game") or "long")).same_way
    homes = [known["home"]] if known.get("home") in CORNERS else list(CORNERS)
    layouts = [Layout(home, same_way, known.get("white") or "light") for home in homes]
    recorded = Position.from_json(board)
    return seen, min(layouts, key=lambda layout: badness(seen, recorded, layout))
