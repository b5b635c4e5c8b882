"""Observations without pictures: what perfect, or slightly unsure, eyes would see of a position."""

from collections.abc import Sequence

from companion.layout import Layout
from companion.observation import Content, Observation, Reading, SeenBoard, SeenDie
from companion.rules import Position

CORNERS = ((100.0, 100.0), (900.0, 100.0), (900.0, 700.0), (100.0, 700.0))
CORNER_ORDER_LAYOUT = Layout("BR", same_way=True)


def reading(content: Content, sure: float = 0.99) -> Reading:
    light, dark = content
    near = [(light + step, dark) for step in (-1, 1) if light and light + step >= 0]
    near += [(light, dark + step) for step in (-1, 1) if dark and dark + step >= 0]
    near = near or [(1, 0), (0, 1)]
    return Reading({content: sure} | {c: (1 - sure) / len(near) for c in near if c != content})


def die(
    value: int,
    x: float = 600.0,
    y: float = 400.0,
    *,
    sure: float = 0.999,
    cocked: float = 0.01,
    place: str = "right",
    on_checker: float = 0.0,
) -> SeenDie:
    values = [(1 - sure) / 5] * 6
    values[value - 1] = sure
    return SeenDie(tuple(values), cocked, 0.99, (x, y, 18.0, 18.0), place, None, on_checker)  # type: ignore[arg-type]


def pair(dice: Sequence[int], x: float = 600.0, y: float = 400.0, **more: object) -> tuple[SeenDie, ...]:
    return tuple(die(v, x + 60.0 * i, y, **more) for i, v in enumerate(dice))  # type: ignore[arg-type]


def observe(
    t: float,
    position: Position,
    layout: Layout,
    dice: Sequence[SeenDie] = (),
    *,
    mixed: dict[int, Content] | None = None,
    sure: float = 0.99,
    hand: float = 0.0,
    motion: float = 0.0,
    bar_seen: bool = True,
    off_seen: bool = False,
) -> Observation:
    """``mixed`` overrides White's points with (white, black) contents that a position cannot hold."""
    slots = {}
    for index, slot in enumerate(layout.slots):
        count = position.points[index]
        content = (max(count, 0), max(-count, 0))
        content = (mixed or {}).get(index + 1, content)
        slots[slot] = reading(content if layout.white == "light" else content[::-1], sure)
    bar = position.bar if layout.white == "light" else position.bar[::-1]
    off = position.off if layout.white == "light" else position.off[::-1]
    return Observation(
        t=t,
        board=SeenBoard(CORNERS, "given"),
        slots=slots,
        bar=reading(bar, sure) if bar_seen else None,
        off=reading(off, sure) if off_seen else None,
        dice=tuple(dice),
        hand=hand,
        motion=motion,
        full=motion < 0.5,
    )
