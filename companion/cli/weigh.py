"""How well positions fit the pictures that were kept: the eyes look at them once more, for ``fix``."""

from collections.abc import Callable

from companion.events import PlayMade
from companion.layout import CORNERS, Layout
from companion.observation import Observation
from companion.records import Recording, Store
from companion.records.likely import NATS_FOR_A_CHECKER
from companion.records.pictures import Pictures, pictures_file
from companion.rules import Position
from companion.rules.games import get_game
from companion.table.words import contents


def weigher(store: Store, recording: Recording) -> Callable[[PlayMade, Position], float | None] | None:
    """How badly a position fits the picture kept after a play, in checkers; None where there are no pictures."""
    if not pictures_file(store.path).is_file():
        return None
    with Pictures.open(store.path) as pictures:
        kept = {picture.t: picture.jpeg for picture in pictures.of_recording(recording.id)}
    seen: dict[float, tuple[Observation, Layout]] = {}

    def weigh(play: PlayMade, position: Position) -> float | None:
        t = round(play.t, 3)
        if t not in kept or not play.board:
            return None
        if t not in seen:
            seen[t] = _look(kept[t], recording, Position.from_json(play.board))
        return badness(seen[t][0], position, seen[t][1])

    return weigh


def badness(seen: Observation, position: Position, layout: Layout) -> float:
    """How much less probable a position is than the most probable one, in checkers that stand elsewhere."""
    wanted = contents(position, layout)
    total = 0.0
    for slot, reading in seen.slots.items():
        if reading is not None:
            total += reading.log_likelihood(reading.best) - reading.log_likelihood(wanted[slot])
    return total / NATS_FOR_A_CHECKER


def _look(jpeg: bytes, recording: Recording, recorded: Position) -> tuple[Observation, Layout]:
    """What the eyes see in the picture, and the way round in which it fits the recorded board best."""
    from companion.vision.evidence import read_field

    seen = read_field(jpeg)
    known = recording.meta.get("layout") or {}
    same_way = get_game(str(recording.meta.get("game") or "long")).same_way
    homes = [known["home"]] if known.get("home") in CORNERS else list(CORNERS)
    layouts = [Layout(home, same_way, known.get("white") or "light") for home in homes]
    return seen, min(layouts, key=lambda layout: badness(seen, recorded, layout))
