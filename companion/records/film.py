"""A recording as a film: the board after each play, what was played, and the kept pictures beside it."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from companion import events as ev
from companion.errors import RecordError
from companion.records.draw import HEIGHT, board_picture
from companion.records.fix import in_short
from companion.records.tally import names
from companion.rules import Position

TURN_S, END_S = 1.5, 4.0
"""How long a turn and an end of a game are shown, in seconds."""


@dataclass(frozen=True)
class Scene:
    """One picture of a film (RGB) and how long it is shown, in seconds."""

    picture: Image.Image
    seconds: float


def scenes(
    events: Sequence[ev.Event],
    meta: Mapping[str, object],
    *,
    pictures: Mapping[int, bytes] | None = None,
    clockwise: bool = False,
    font: Path | None = None,
) -> Iterator[Scene]:
    """The scenes of a recording; ``pictures`` are JPEGs by the number of the turn after which they were taken."""
    white, black = names(meta)
    score, turn, board = {"white": 0, "black": 0}, 0, None
    beside = None if not pictures else Image.new("RGB", (HEIGHT * 5 // 4, HEIGHT), "#7a5230")
    for event in events:
        if isinstance(event, ev.GameStarted):
            board, score = event.board, event.score
        elif isinstance(event, ev.PlayMade):
            turn, board = turn + 1, event.board
            if pictures and turn in pictures:
                beside = _kept(pictures[turn])
        elif isinstance(event, ev.Gap):
            board = event.board or board
        elif isinstance(event, ev.GameWon):
            score = event.score
        words = _words(event, turn)
        if board is None or words is None:
            continue
        standing = f"{white or 'White'} {score.get('white', 0)} : {score.get('black', 0)} {black or 'Black'}"
        position = Position.from_json(board)
        drawn = board_picture(position, clockwise=clockwise, caption=(words, standing), font=font)
        yield Scene(_joined(drawn, beside), END_S if isinstance(event, ev.GameWon) else TURN_S)


def write_gif(path: Path, shown: Sequence[Scene]) -> None:
    """Write an animated GIF that repeats; raises RecordError when there is nothing to show or no place for it."""
    if not shown:
        raise RecordError(f"{path}: expected a recording with a position, got none")
    first, *rest = [scene.picture.quantize(64) for scene in shown]
    durations = [round(1000 * scene.seconds) for scene in shown]
    first.save(path, format="GIF", save_all=True, append_images=rest, duration=durations, loop=0, optimize=False)


def _words(event: ev.Event, turn: int) -> str | None:
    """What is said of an event; None for one that is not shown."""
    match event:
        case ev.GameStarted():
            return f"Game {event.number}"
        case ev.PlayMade():
            wrong = f"  (illegal: {', '.join(event.reasons)})" if event.verdict == "illegal" else ""
            return f"{turn}  {in_short(event)}{wrong}"
        case ev.CubeAction():
            return f"{in_short(event)}: {event.value}"
        case ev.Gap():
            return "not seen"
        case ev.GameWon():
            return f"{event.winner} wins: {event.outcome}, {event.points}"
    return None


def _kept(jpeg: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(jpeg)).convert("RGB")
    return picture.resize((HEIGHT * 5 // 4, HEIGHT))


def _joined(drawn: Image.Image, beside: Image.Image | None) -> Image.Image:
    """Both pictures side by side, of even width and height, as films need it."""
    width = drawn.width + (beside.width if beside else 0)
    whole = Image.new("RGB", (width + width % 2, drawn.height + drawn.height % 2), "#7a5230")
    whole.paste(drawn, (0, 0))
    if beside:
        whole.paste(beside, (drawn.width, 0))
    return whole
