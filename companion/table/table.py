"""The table: what happened, from settled pictures and inputs.

One handler for each phase looks at a settled picture and says what follows. All times are times of frames and inputs,
so that a replay gives the same events, to the byte.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from companion.attention import Attention, Box
from companion.events import (
    BoardMoved,
    Event,
    GameStarted,
    Gap,
    Rolled,
    TakenBack,
    Unfinished,
    VoidRoll,
)
from companion.inputs import Input, InputKind
from companion.layout import Corner, Layout, Player, Shade
from companion.observation import SeenDie, Settled
from companion.rules import Game, Position
from companion.table import dice as dice_
from companion.table.clock import wound
from companion.table.decide import Finding, Hypothesis, dice_hypotheses
from companion.table.evidence import Evidence
from companion.table.memory import plain, recalled
from companion.table.phases import Phase
from companion.table.pressed import Pressed
from companion.table.settings import TableSettings
from companion.table.start import layouts, recognised
from companion.table.state import Illegal, Roll, TableState, other
from companion.table.words import contents


class Table(Pressed):
    """Follows one game after another on one board.

    ``home`` is the corner where the light player bears off (None: read from the start position); ``start`` a position
    to begin from instead of the start position, with ``home`` known.
    """

    def __init__(
        self,
        game: Game,
        settings: TableSettings | None = None,
        *,
        home: Corner | None = None,
        white: Shade = "light",
        start: Position | None = None,
    ) -> None:
        self._start = start or game.start
        self._given = start is not None
        self._possible = layouts(home, game.same_way, white)
        layout = self._possible[0] if home else None
        settings = settings or TableSettings()
        state = TableState(Phase.SETUP, layout, self._start, clock=wound(settings.clock))
        super().__init__(game, settings, state)
        self._settled_t: float | None = None
        self._handlers: dict[Phase, Callable[[Settled, Evidence], None]] = {
            Phase.OPENING: self._await_roll,
            Phase.WAITING_FOR_ROLL: self._await_roll,
            Phase.MOVING: self._follow,
            Phase.TURN_ENDED: self._follow,
            Phase.ILLEGAL: self._corrected_or_stands,
            Phase.LOST: self._found_again,
            Phase.CUBE_OFFERED: self._offered,
        }

    @property
    def layout(self) -> Layout | None:
        """How the board is used, once it is known."""
        return self.state.layout

    def step(self, t: float, settled: Settled | None, inputs: Sequence[Input] = ()) -> tuple[Event, ...]:
        """Take the inputs up to the time ``t`` and the settled picture of that time, if there is one."""
        self._events = []
        self._wait_for(t)
        self._settled_t = t if self._settled_t is None else self._settled_t
        for item in inputs:
            self._input(item, settled)
            self._tell_time(item.t)
        if settled is not None and not self.state.paused:
            self._settled_t = t
            self._look(settled)
        elif t - self._settled_t > self.settings.blind_s:
            self._blind()
        self._tell_time(t)
        self._tell_status()
        return tuple(self._events)

    def finish(self, t: float) -> tuple[Event, ...]:
        """The input has ended: say what is still open."""
        self._events, self._t = [], t
        roll = self.state.roll
        if roll is not None and roll.announced:
            self._emit(Unfinished(t=t, player=roll.player, dice=roll.dice))
        return tuple(self._events)

    def remembered(self) -> dict[str, Any]:
        """Everything that this table knows, as JSON: what must outlive a power cut."""
        return {
            "state": plain(self.state),
            "start": plain(self._start),
            "given": self._given,
            "settled_t": self._settled_t,
            "t": self._t,
        }

    def recall(self, memory: Mapping[str, Any]) -> None:
        """Be in the state that was remembered; raises RecordError when it is none."""
        self.state = recalled(TableState, memory.get("state"))
        self._start = recalled(Position, memory.get("start"))
        self._given = bool(memory.get("given"))
        self._latest, self._weighed, self._settled_t = None, (), memory.get("settled_t")
        self._t = float(memory.get("t") or 0.0)
        clock = self.state.clock or wound(self.settings.clock)
        self.state = replace(self.state, clock=clock if self.settings.clock else None)

    def attention(self) -> Attention:
        """Where the camera and the eyes should look next."""
        state = self.state
        expected = None if state.layout is None else contents(state.position, state.layout)
        return Attention(phase=state.phase, expected=expected, regions=self._wanted_closer())

    def _wanted_closer(self) -> tuple[Box, ...]:
        """Where dice that cannot be read lie in a still picture; those of a roll that was told are known."""
        if self._seen is None or self._settled_t != self._t or self.state.phase not in self._handlers:
            return ()
        roll = self.state.roll
        known = (*self.state.clutter, *self.state.spent, *(roll.lying if roll is not None and roll.announced else ()))
        return dice_.unread(self._seen.dice, known, self.settings.sure_die)

    # What a settled picture means

    def _look(self, settled: Settled) -> None:
        self._seen = settled.seen
        if self._bumped(settled):
            return
        phase = self.state.phase
        if phase in (Phase.SETUP, Phase.GAME_OVER):
            self._set_up(settled)
        layout = self.state.layout
        if layout is None:
            return
        handler = self._handlers.get(self.state.phase)
        if handler is not None:
            evidence = self._evidence(settled.seen, layout)
            handler(settled, evidence)
            self._note_mislaid(evidence)

    def _bumped(self, settled: Settled) -> bool:
        """Whether the board cannot be seen where it was; says once when it moved, resumes when it fits again."""
        residual_px = settled.seen.board.residual_px
        if residual_px == math.inf:
            self._blind()
            return True
        if self.state.phase is Phase.BLIND and self.state.before_blind is not None:
            self._go(self.state.before_blind)
        if residual_px > self.settings.bumped_px and self.state.bumped_at != settled.since_s:
            self.state = replace(self.state, bumped_at=settled.since_s)
            self._emit(BoardMoved(t=self._t, player=self.state.turn, residual_px=round(residual_px, 1)))
        return False

    def _set_up(self, settled: Settled) -> None:
        """Wait for the start position (or the given one), and learn from it which way round the board is used."""
        possible = self._possible if self.state.layout is None else (self.state.layout,)
        layout = recognised(settled.seen, self._start, possible, self.settings.start)
        if layout is None:
            return
        state = self.state
        number = state.number + 1 if state.phase is Phase.GAME_OVER else state.number
        kept = {name: getattr(state, name) for name in ("score", "spent", "cube")} | {"number": number}
        clock = None if state.clock is None else replace(state.clock, last=None)
        self.state = TableState(state.phase, layout, self._start, clock=clock, **kept)
        if self._given:
            self.state = replace(self.state, played=frozenset({"white", "black"}))
        self._learn(self._start)
        self._learn_clutter()
        board = self._start.to_json()
        self._emit(GameStarted(t=self._t, game=self.game.name, board=board, number=number, score=dict(state.score)))
        self._go(Phase.WAITING_FOR_ROLL if self._given else Phase.OPENING)
        self._start, self._given = self.game.start, False

    def _await_roll(self, settled: Settled, evidence: Evidence) -> None:
        lying = self._lying(settled)
        if self.state.roll is not None:
            self._follow_void(settled, evidence, lying)
        elif len(lying) == 2:
            part: Literal["own", "extra"] = "extra" if self.state.extra else "own"
            self._take_roll(Roll((lying[0], lying[1]), self._thrower(), part=part), settled, evidence)
        elif len(lying) == 1 and settled.still_s >= self.settings.accuse_s:
            self._take_half(lying[0], settled, evidence)
        elif not lying:
            self._learn_clutter()
            if not self.state.left_over:
                self._check_position(evidence)

    def _roll_at_once(self, settled: Settled, evidence: Evidence) -> None:
        """The dice that end a turn are the next roll, unless the game or the account has ended there.

        What the play before has just told about the eyes counts already.
        """
        if self.state.phase in (Phase.WAITING_FOR_ROLL, Phase.OPENING):
            layout = self.state.layout
            self._await_roll(settled, evidence if layout is None else self._evidence(settled.seen, layout))

    def _take_half(self, die: SeenDie, settled: Settled, evidence: Evidence) -> None:
        """One die was found for some time: the play may tell the other one."""
        if self.state.left_over:
            return
        if evidence.against(self.state.position) > self.settings.fit:
            self._go(Phase.LOST)
            return
        part: Literal["own", "extra"] = "extra" if self.state.extra else "own"
        self._begin(dice_.half_seen(die, self._thrower(), part), announce=False)

    def _take_roll(self, roll: Roll, settled: Settled, evidence: Evidence) -> None:
        """Two dice lie: a valid roll, or one that must be thrown again. Unsure dice get another look first."""
        state, layout = self.state, self.state.layout
        assert layout is not None
        sure = self._sure(roll)
        if not sure and settled.still_s < self.settings.accuse_s - 1e-6:
            return
        self._settle_left_over(evidence)
        if not self._continues(roll, evidence):
            self._go(Phase.LOST)
            self._gap(evidence, state.turn)
            roll = replace(roll, player=None)
            if self.state.phase is Phase.LOST:
                return
        why = dice_.void_because(roll.lying, self.game.options, layout, roll.player)
        if self.state.phase is Phase.OPENING:
            roll = replace(roll, opening=True, for_start=self._for_start(roll, split=why == "split"))
            why = None if why == "split" else why  # each player throws one die for the start (O1)
        if why is not None:
            self.state = replace(self.state, roll=replace(roll, void=why))
            self._emit(VoidRoll(t=self._t, player=roll.player, dice=roll.dice, why=why))
            return
        self._begin(replace(roll, void=None), announce=sure and not roll.for_start)

    def _follow_void(self, settled: Settled, evidence: Evidence, lying: tuple[SeenDie, ...]) -> None:
        """A void roll lies: it is lifted and thrown again, put straight, or played on, and then it counts (D1)."""
        roll = self.state.roll
        assert roll is not None
        what = dice_.change(roll, lying)
        if what == "same":
            roll = dice_.updated(roll, lying)
            self.state = replace(self.state, roll=roll)
            layout = self.state.layout
            assert layout is not None
            straight = dice_.void_because(lying, self.game.options, layout, roll.player) is None
            if (straight and dice_.surely_flat(lying)) or self._played_on(roll, evidence):
                self._begin(replace(roll, void=None), announce=self._sure(roll))
        elif what in ("none", "new"):
            if self._played_on(roll, evidence):
                self._begin(replace(roll, void=None), announce=self._sure(roll))
                self._follow(settled, evidence)
                return
            self.state = replace(self.state, roll=None, passed=roll if self._no_move(roll) else None)
            if what == "new":
                self._await_roll(settled, evidence)

    def _follow(self, settled: Settled, evidence: Evidence) -> None:
        """A roll is being played: watch while its dice lie, decide when they are lifted."""
        roll = self.state.roll
        assert roll is not None
        lying = self._lying(settled)
        what = dice_.change(roll, lying)
        if what == "same" and roll.half_seen:
            if len(lying) == 2:
                roll = replace(roll, lying=(lying[0], lying[1]), half_seen=False)
                self.state = replace(self.state, roll=roll)
        elif what == "same":
            roll = dice_.updated(roll, lying)
            roll = replace(roll, in_hand=False) if roll.in_hand else roll
            self._note_bystanders(settled, lying)
            roll = self._timed(roll, evidence)
            sure = self._sure(roll)
            if sure and not roll.announced and not roll.for_start:
                roll = replace(roll, announced=True)
                self._emit(Rolled(t=self._t, player=roll.player, dice=roll.dice, part=roll.part))
            roll = self._with_play(roll, evidence)
            if roll is not self.state.roll:
                self.state = replace(self.state, roll=roll)
            if self.settings.mode == "teach":
                self._provisional(self._find(roll, evidence), evidence)
        elif roll.lifted_s is None and what in ("none", "new"):
            roll = replace(roll, lifted_s=round(self._t, 3))
            self.state = replace(self.state, roll=roll)
        if what == "none":
            self._learn_clutter()
        if roll.ended or what in ("none", "new"):
            self._decide(settled, evidence, rolled_again=what == "new")
        if what == "new":
            self._roll_at_once(settled, evidence)

    def _note_bystanders(self, settled: Settled, lying: tuple[SeenDie, ...]) -> None:
        others = tuple(die for die in settled.seen.dice if not any(dice_.at(die, known) for known in lying))
        if others != self.state.bystanders:
            self.state = replace(self.state, bystanders=others)

    def _decide(self, settled: Settled, evidence: Evidence, *, rolled_again: bool) -> None:
        """The turn has ended: a legal play is final, an illegal one is noticed, the rest waits for a better picture."""
        roll = self.state.roll
        assert roll is not None
        finding = self._find(roll, evidence)
        if roll.in_hand and finding.unmoved:
            return
        if roll.half_seen and finding.unmoved:
            self._give_up_half(finding, rolled_again=rolled_again)
            return
        if finding.kind == "legal" or (finding.kind == "uncertain" and rolled_again and not finding.contradictory):
            self._commit(roll, finding)
            return
        if roll.half_seen and not self._decider.whatever(self._turn(roll), finding):
            self._give_up_half(finding, rolled_again=rolled_again)
            return
        if rolled_again and not finding.unmoved and self._two_plays(roll, settled, finding, evidence):
            return
        if finding.kind == "illegal" and (self._had_played(roll, finding) or self._other_played(roll, evidence)):
            return
        self._go(Phase.TURN_ENDED)
        if finding.contradictory and rolled_again:
            self.state = replace(self.state, roll=None)
            self._go(Phase.LOST)
        elif finding.kind == "illegal" and rolled_again and finding.unmoved:
            self._lifted_unplayed(roll)
        elif finding.unmoved and roll.opening:
            return  # thrown for the start, and lifted to be thrown again or played
        elif finding.kind == "illegal":
            needed = self.settings.pass_s if finding.unmoved or roll.in_hand else self.settings.accuse_s
            if settled.still_s < needed - 1e-6 and not rolled_again:
                return
            if self._may_accuse(roll, finding):
                self._notice(roll, finding)
            else:  # the position before may have been misread, or a turn was missed: a gap, and no accusation
                self._gap(evidence, self.state.turn)

    def _give_up_half(self, finding: Finding, *, rolled_again: bool) -> None:
        """No legal play tells the die that was not found: the roll is forgotten, what was done with it is a gap."""
        if finding.unmoved or rolled_again:
            passed = self.state.roll if finding.unmoved and self.state.turn else None
            self.state = replace(self.state, roll=None, passed=passed)
            self._go(Phase.WAITING_FOR_ROLL if finding.unmoved else Phase.LOST)

    def _had_played(self, roll: Roll, finding: Finding) -> bool:
        """Whether a legal play lay there with the dice, and since then only the opponent has moved."""
        if roll.played is None or len(self._turn(roll).players) > 1:
            return False
        (dice, played), player = roll.played, finding.player
        if not _same_checkers(played, finding.after, player):
            return False
        best = Hypothesis(player, dice, played, 0.0)
        made = replace(finding, kind="legal", hypotheses=(best,), after=played, confidence=1.0)
        self._commit(roll, made, learn=False)
        return True

    def _two_plays(self, roll: Roll, settled: Settled, finding: Finding, evidence: Evidence) -> bool:
        """Whether the next roll, which lies there, has been played already: then both plays are told apart together."""
        lying = self._lying(settled)
        if roll.half_seen or len(lying) != 2:
            return False
        first = self._decider.first_of_two(self._turn(roll), dice_hypotheses(lying), evidence)
        if first is None:
            return False
        made = replace(
            finding, kind="legal", hypotheses=(first,), after=first.after, player=first.player, confidence=1.0
        )
        self._commit(roll, made, learn=False)
        return True

    def _other_played(self, roll: Roll, evidence: Evidence) -> bool:
        """Whether it was the other player's turn after all: a turn was missed, and a gap stands for it."""
        turn = self.state.turn
        if turn is None or self.state.extra:
            return False
        other_turn = replace(self._turn(roll), players=(other(turn),))
        finding = self._decider.find(other_turn, evidence)
        if finding.kind != "legal" or finding.unmoved:
            return False
        self._emit(Gap(t=self._t, board=self.state.position.to_json()))
        self.state = replace(self.state, turn=other(turn), passed=None)
        self._commit(replace(roll, player=other(turn)), finding)
        return True

    def _offered(self, settled: Settled, evidence: Evidence) -> None:
        """A double waits for its answer: dice thrown by the offerer are a take (design.md §4)."""
        turn = self.state.turn
        if turn is not None and self.state.cube.offer == "doubled" and len(self._lying(settled)) == 2:
            self._press(InputKind.TAKE, other(turn), flagged=True)
            self._roll_at_once(settled, evidence)

    def _corrected_or_stands(self, settled: Settled, evidence: Evidence) -> None:
        """After a noticed illegal play: taken back, corrected, or accepted by the opponent's roll (D3)."""
        roll, illegal = self.state.roll, self.state.illegal
        assert roll is not None
        assert illegal is not None
        lying = self._lying(settled)
        unplayed = illegal.position == self.state.position
        back = self._put_back(illegal, evidence)
        # after a play that was put back the same dice lie there again, unless they surely show something else
        same = dice_.same_values(roll, lying) or (back and not unplayed and dice_.perhaps_same_values(roll, lying))
        if back and (same or (len(lying) != 2 and not unplayed)):
            self._emit(TakenBack(t=self._t, player=illegal.player, dice=illegal.dice))
            again = roll if len(lying) != 2 else dice_.updated(roll, lying)
            self.state = replace(self.state, illegal=None, roll=replace(again, in_hand=len(lying) != 2, ended=False))
            self._go(Phase.MOVING)
        elif (
            self.settings.policy != "demand"  # there only the button accepts
            and len(lying) == 2
            and (not same or self._opponent_played(illegal, lying, evidence))
        ):
            if not self._corrected(roll, illegal, evidence):
                self._stands(illegal, roll)
            self._roll_at_once(settled, evidence)
        elif (
            (not lying or roll.ended)
            and settled.still_s >= self.settings.accuse_s
            and not self._corrected(roll, illegal, evidence)
        ):
            self._check_position(evidence, illegal.position)

    def _corrected(self, roll: Roll, illegal: Illegal, evidence: Evidence) -> bool:
        """Whether a legal play of the same roll lies there now in the place of the illegal one."""
        finding = self._find(roll, evidence)
        better = evidence.score(finding.after) > evidence.score(illegal.position) + self.settings.margin
        if finding.kind != "legal" or finding.after == self.state.position or not better:
            return False
        self.state = replace(self.state, illegal=None)
        self._commit(replace(roll, announced=True), finding)
        return True

    # When the board does not fit

    def _check_position(self, evidence: Evidence, also: Position | None = None) -> None:
        """Without dice nothing may change: a board that differs for long is unexplained; ``also`` may lie there."""
        expected = [self.state.position, *([] if also is None else [also])]
        if min(evidence.against(position) for position in expected) <= self.settings.fit:
            if self.state.unexplained_since is not None:
                self.state = replace(self.state, unexplained_since=None)
        elif self.state.unexplained_since is None:
            self.state = replace(self.state, unexplained_since=self._t)
        elif self._t - self.state.unexplained_since >= self.settings.lost_s:
            self.state = replace(self.state, illegal=None, roll=None)
            self._go(Phase.LOST)

    def _found_again(self, settled: Settled, evidence: Evidence) -> None:
        """The board is unexplained: it is put right, or new dice are thrown on it, which confirms it with a gap."""
        if evidence.against(self.state.position) <= self.settings.fit:
            self.state = replace(self.state, unexplained_since=None)
            self._go(Phase.WAITING_FOR_ROLL if self.state.turn else Phase.OPENING)
        elif self._lying(settled):
            self._gap(evidence, self.state.turn)
            self._roll_at_once(settled, evidence)


def _same_checkers(one: Position, another: Position, player: Player) -> bool:
    """Whether the checkers of a player stand alike in two positions."""
    me, sign = (0, 1) if player == "white" else (1, -1)
    points = zip(one.points, another.points, strict=True)
    return one.off[me] == another.off[me] and all(max(0, a * sign) == max(0, b * sign) for a, b in points)
