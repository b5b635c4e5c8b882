"""What a settled picture says about the roll and the board: answers for the table, which acts on them."""

from collections.abc import Sequence
from dataclasses import replace

from companion.layout import Layout, Player
from companion.observation import Observation, SeenDie, Settled
from companion.rules import Game
from companion.table import dice as dice_
from companion.table.account import Account
from companion.table.decide import Finding, Turn, dice_hypotheses
from companion.table.evidence import Evidence
from companion.table.phases import Phase
from companion.table.settings import TableSettings
from companion.table.state import Illegal, Provisional, Roll, TableState, other


class Watcher(Account):
    """An account whose pictures can be asked."""

    def __init__(self, game: Game, settings: TableSettings, state: TableState) -> None:
        super().__init__(game, settings, state)
        self._latest: tuple[tuple[object, ...], Evidence] | None = None
        self._weighed: tuple[object, ...] = ()

    def _evidence(self, seen: Observation, layout: Layout) -> Evidence:
        """The picture as evidence; the same one as long as neither the readings nor what is known of them change."""
        same = (seen.slots, seen.bar, seen.off, self.state.habits, layout)
        if self._latest is None or any(a is not b for a, b in zip(same, self._latest[0], strict=True)):
            habits = self.state.habits
            self._latest = same, Evidence(habits.softened(seen), layout, habits.tall_doubt)
        return self._latest[1]

    def _sure(self, roll: Roll) -> bool:
        """Whether both dice were read beyond doubt."""
        return min(die.confidence for die in roll.lying) >= self.settings.sure_die

    def _timed(self, roll: Roll, evidence: Evidence) -> Roll:
        """The roll whose dice lie, with the time at which a checker first stood elsewhere."""
        if roll.lifted_s is not None:
            roll = replace(roll, lifted_s=None)  # they were hidden, or laid back
        if roll.moved_s is None and evidence.against(self.state.position) > self.settings.margin:
            roll = replace(roll, moved_s=round(self._t, 3))
        return roll

    def _thrower(self) -> Player | None:
        """Who throws next; not known after a roll that was lifted unplayed."""
        return None if self.state.passed is not None else self.state.turn

    def _for_start(self, roll: Roll, *, split: bool) -> bool:
        """Whether dice before the first play only tell who starts; equal ones are a tie where they are kept (O2)."""
        if self.game.options.opening == "keep":
            return roll.dice[0] == roll.dice[1]
        return split

    def _continues(self, roll: Roll, evidence: Evidence) -> bool:
        """Whether the board under a new roll is the one that was left, or one to which its play has led already."""
        if evidence.against(self.state.position) <= self.settings.fit:
            return True
        return self._find(roll, evidence).kind == "legal"

    def _no_move(self, roll: Roll) -> bool:
        """Whether the thrower could not move: then a void roll that is lifted may have counted as a turn."""
        turn = self.state.turn
        if turn is None or roll.player is None:
            return False
        return self._decider.must_pass(self._turn(roll), roll.dice, turn)

    def _played_on(self, roll: Roll, evidence: Evidence) -> bool:
        """Whether checkers were moved: a void roll that is played on counts by agreement, well or badly played."""
        finding = self._find(roll, evidence)
        return not finding.unmoved and finding.kind in ("legal", "illegal")

    def _with_play(self, roll: Roll, evidence: Evidence) -> Roll:
        """The roll with the legal play that lies there now, if one does."""
        if self._weighed == (roll.dice, evidence):
            return roll
        self._weighed = (roll.dice, evidence)
        played = self._decider.surely_played(self._turn(roll), evidence)
        return roll if played is None or played == roll.played else replace(roll, played=played)

    def _may_accuse(self, roll: Roll, finding: Finding) -> bool:
        """Whether an illegal play is beyond doubt: the position before it is known, board and dice were read right."""
        if not self.state.trusted or not self._plainly(finding):
            return False
        return roll.announced or self._sure(roll) or not finding.perhaps_misread

    def _provisional(self, finding: Finding, evidence: Evidence) -> None:
        """What the play so far would be, if the dice were lifted now; only a hint, and only ``teach`` shows it."""
        if finding.unmoved or evidence.against(self.state.position) <= self.settings.margin:
            return self._note("none")
        kinds: dict[str, Provisional] = {"legal": "legal", "uncertain": "none", "illegal": "illegal"}
        kind = kinds[finding.kind]
        if finding.verdict is not None and finding.verdict.kind == "incomplete":
            kind = "incomplete"
        self._note(kind)

    def _note_mislaid(self, evidence: Evidence) -> None:
        """Between two turns: whether what is out of play lies on the wrong tray or the bar; told once, no offence."""
        if self.state.phase is not Phase.WAITING_FOR_ROLL:
            return
        mislaid = evidence.mislaid(self.state.position)
        if mislaid != self.state.mislaid:
            self.state = replace(self.state, mislaid=mislaid)
            if mislaid:
                self._say("mislaid")

    def _opponent_played(self, illegal: Illegal, lying: Sequence[SeenDie], evidence: Evidence) -> bool:
        """Dice of the same values lie: they are the opponent's when the opponent's checkers have moved by them."""
        if not self._possible_position(illegal.position):
            return False
        played = self.state.played | {illegal.player}
        dice = dice_hypotheses(lying)
        turn = Turn(illegal.position, dice, (other(illegal.player),), played)
        best = next(iter(self._decider.ranked(turn, evidence)), None)
        others = max(evidence.score(illegal.position), evidence.score(self.state.position))
        return best is not None and best.after != illegal.position and best.log > others + self.settings.margin

    def _put_back(self, illegal: Illegal, evidence: Evidence) -> bool:
        """Whether the position before the illegal play lies there, which a turn that was left unplayed never left."""
        before = self.state.position
        fits = evidence.against(before) <= self.settings.fit
        return fits and (
            illegal.position == before
            or evidence.score(before) > evidence.score(illegal.position) + self.settings.margin
        )

    def _lying(self, settled: Settled) -> tuple[SeenDie, ...]:
        """The dice that matter, without clutter and without those of a turn that a button has ended."""
        roll = self.state.roll
        seen = dice_.lying(settled.seen.dice)
        lying = dice_.the_two(dice_.without_clutter(seen, self.state.clutter), roll)
        if not self.state.spent:
            return lying
        spent = Roll((self.state.spent[0], self.state.spent[1]), None)
        if dice_.change(spent, lying) in ("same", "one"):
            return ()
        self.state = replace(self.state, spent=())
        return lying
