"""Where each player's points lie on the board as the camera sees it.

A *slot* is a place of the rectified board, without any game in it: ``T0`` … ``T11`` is the far row from left to right,
``B0`` … ``B11`` the near row. A *layout* says which point of which player a slot is (rules.md B1–B4). Standard library
only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

TOP_SLOTS = tuple(f"T{i}" for i in range(12))
BOTTOM_SLOTS = tuple(f"B{i}" for i in range(12))
SLOTS = TOP_SLOTS + BOTTOM_SLOTS
"""The 24 slots, in the order in which observations list them."""

Corner = Literal["TL", "TR", "BR", "BL"]
CORNERS: tuple[Corner, ...] = ("TL", "TR", "BR", "BL")
Shade = Literal["light", "dark"]
Player = Literal["white", "black"]

# White's path from the own 1-point to the 24-point, for each corner in which the home lies: along the home row away
# from the home corner, and back along the other row.
_PATHS: dict[Corner, tuple[str, ...]] = {
    "BR": BOTTOM_SLOTS[::-1] + TOP_SLOTS,
    "TL": TOP_SLOTS + BOTTOM_SLOTS[::-1],
    "BL": BOTTOM_SLOTS + TOP_SLOTS[::-1],
    "TR": TOP_SLOTS[::-1] + BOTTOM_SLOTS,
}
_MIRRORED: dict[Corner, Corner] = {"BR": "TR", "TR": "BR", "TL": "BL", "BL": "TL"}
_OPPOSITE: dict[Corner, Corner] = {"BR": "TL", "TL": "BR", "BL": "TR", "TR": "BL"}


@dataclass(frozen=True)
class Layout:
    """How this board is used.

    ``home`` is the corner, in the order TL, TR, BR, BL of the rectified board, where the **light** player bears off;
    ``same_way`` tells that both players travel the same way round (the long games, B2); ``white`` is the shade of the
    checkers that White plays.
    """

    home: Corner
    same_way: bool
    white: Shade = "light"

    @property
    def direction(self) -> Literal["counter-clockwise", "clockwise"]:
        """White's direction of travel, seen from above (B4)."""
        return "counter-clockwise" if self.white_home in ("BR", "TL") else "clockwise"

    @property
    def white_home(self) -> Corner:
        """The corner where White bears off."""
        if self.white == "light":
            return self.home
        return _OPPOSITE[self.home] if self.same_way else _MIRRORED[self.home]

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slot of White's points: element 0 is White's 1-point, element 23 the 24-point."""
        return _PATHS[self.white_home]

    @cached_property
    def _index(self) -> Mapping[str, int]:
        return {slot: index for index, slot in enumerate(self.slots)}

    def point(self, slot: str, player: Player) -> int:
        """The number 1 … 24 that ``player`` gives to the slot."""
        white = self._index[slot] + 1
        if player == "white":
            return white
        if self.same_way:
            return white + 12 if white <= 12 else white - 12
        return 25 - white

    def slot(self, point: int, player: Player) -> str:
        """The slot of ``player``'s point 1 … 24."""
        if not 1 <= point <= 24:
            raise ValueError(f"point: expected 1 to 24, got {point}")
        if player == "black":
            point = (point + 12 if point <= 12 else point - 12) if self.same_way else 25 - point
        return self.slots[point - 1]

    def player(self, shade: Shade) -> Player:
        """Who plays the light or the dark checkers."""
        return "white" if shade == self.white else "black"

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"home": self.home, "same_way": self.same_way, "white": self.white}
