"""Positions as the eyes name their contents, and illegal plays in words of moves."""

from companion.layout import Layout, Player
from companion.observation import Content
from companion.rules import Game, Position


def contents(position: Position, layout: Layout) -> dict[str, Content]:
    """What each slot holds in a position, as (light, dark)."""
    swap = layout.white == "dark"
    pairs = [(max(count, 0), max(-count, 0)) for count in position.points]
    return {slot: pair[::-1] if swap else pair for slot, pair in zip(layout.slots, pairs, strict=True)}


def difference(before: Position, after: Position, game: Game, player: Player) -> str:
    """An illegal play in words of moves: the mover's points that lost checkers and those that gained them."""
    before, after = game.seen(before, player), game.seen(after, player)
    change = [max(b, 0) - max(a, 0) for a, b in zip(before.points, after.points, strict=True)]
    lost = [p + 1 for p in range(24) for _ in range(-min(change[p], 0))] + [25] * max(0, before.bar[0] - after.bar[0])
    won = [p + 1 for p in range(24) for _ in range(max(change[p], 0))] + [0] * max(0, after.off[0] - before.off[0])
    names = {25: "bar", 0: "off"}
    pairs = zip(sorted(lost, reverse=True), sorted(won, reverse=True), strict=False)
    return " ".join(f"{names.get(a, a)}/{names.get(b, b)}" for a, b in pairs)
