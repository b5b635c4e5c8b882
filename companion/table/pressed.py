"""What the buttons and the page say to the table: the end of a turn, an answer, the cube, a pause, the position."""

from dataclasses import replace

from companion.inputs import Input, InputKind
from companion.layout import Player
from companion.observation import Settled
from companion.table.cube import CUBE_INPUTS
from companion.table.state import Illegal, Roll, other
from companion.table.watcher import Watcher


class Pressed(Watcher):
    """A watcher that takes inputs."""

    def _input(self, item: Input, settled: Settled | None) -> None:
        roll, illegal = self.state.roll, self.state.illegal
        if item.input is InputKind.ADJUST:
            self.state = replace(self.state, paused=not self.state.paused)
        elif item.input is InputKind.CONFIRM and settled is not None and self.state.layout is not None:
            self._gap(self._evidence(settled.seen, self.state.layout), self.state.turn, confirmed=True)
        elif illegal is not None and roll is not None and item.input in (InputKind.ACCEPT, InputKind.END_TURN):
            self._answered(illegal, roll, item.side)
        elif item.input is InputKind.END_TURN:
            if roll is not None and roll.void is None and (item.side in (None, roll.player) or roll.player is None):
                self.state = replace(self.state, roll=replace(roll, ended=True))
        elif item.input in CUBE_INPUTS and item.side is not None:
            if illegal is not None and roll is not None and item.input is InputKind.DOUBLE:
                self._doubled_after(illegal, roll, item.side)
            self._press(item.input, item.side)

    def _answered(self, illegal: Illegal, roll: Roll, side: Player | None) -> None:
        """The opponent accepts an illegal play with a button, where it need not be put right."""
        if side == illegal.player:
            return
        if self.settings.policy == "legal":
            self._say("must-correct")
        else:
            self._stands(illegal, roll, "button")

    def _doubled_after(self, illegal: Illegal, roll: Roll, side: Player) -> None:
        """The opponent who doubles accepts the illegal play (design.md §4), where accepting needs no button."""
        if side == other(illegal.player) and self.settings.policy != "demand":
            self._stands(illegal, roll, "cube")
