"""The account of a game: what the table does once it knows what happened.

Here the memory changes and events are made; what a picture means is for :mod:`companion.table.table` to find out.
"""

import math
from dataclasses import replace
from typing import Literal

from companion.events import (
    ClockRuns,
    CubeAction,
    Dice,
    Event,
    FlagFell,
    GameWon,
    Gap,
    IllegalPlay,
    MatchWon,
    PlayMade,
    Reading,
    Resigned,
    Rolled,
    Status,
    TurnSeen,
    VoidRoll,
)
from companion.inputs import InputKind
from companion.layout import Player
from companion.observation import Observation
from companion.rules import Game, LeftOver, Play, Position, RulesError, format_play
from companion.rules.match import Match
from companion.table import dice as dice_
from companion.table.clock import flag_falls, switched, waited, whose
from companion.table.cube import Cube, Situation, as_match, pressed
from companion.table.decide import Decider, Finding, Hypothesis, Turn, dice_hypotheses
from companion.table.evidence import Evidence
from companion.table.phases import TRANSITIONS, Phase
from companion.table.settings import TableSettings
from companion.table.state import Illegal, Provisional, Roll, TableState, other
from companion.table.words import contents, difference


class Account:
    """The memory of one table, and every way in which it changes."""

    def __init__(self, game: Game, settings: TableSettings, state: TableState) -> None:
        self.game = game
        self.settings = settings
        self.state = state
        self._decider = Decider(game, margin=settings.margin, illegal=settings.illegal, keep=settings.hypotheses)
        self._events: list[Event] = []
        self._t = 0.0
        self._seen: Observation | None = None
        self._told: tuple[object, ...] = (None, None, Phase.SETUP, "none", False)

    def _lifted_unplayed(self, roll: Roll) -> None:
        """Nothing was moved and other dice lie: thrown again, or a turn without a move; the next play will tell."""
        self.state = replace(self.state, roll=None, passed=roll if self.state.turn else None)
        self._go(Phase.WAITING_FOR_ROLL if self.state.turn else Phase.OPENING)

    def _settle_passed(self, mover: Player) -> None:
        """``mover`` plays the roll after one that was lifted unplayed: now it is known what that one was."""
        roll, turn = self.state.passed, self.state.turn
        self.state = replace(self.state, passed=None)
        if roll is None or turn is None:
            return
        if mover == turn:
            why = roll.void or dice_.perhaps_void_because(roll.lying, self.game.options)
            if roll.announced and why is not None:
                self._emit(VoidRoll(t=self._t, player=turn, dice=roll.dice, why=why))
            elif roll.announced and not roll.half_seen:
                self._emit(Gap(t=self._t, board=self.state.position.to_json()))  # thrown again, and nobody saw why
            return
        board = self.state.position
        if not roll.half_seen and self._decider.must_pass(replace(self._turn(roll), players=(turn,)), roll.dice, turn):
            self._announce_late(roll, turn, roll.dice)
            self._emit(
                PlayMade(t=self._t, player=turn, dice=roll.dice, play="", verdict="legal", board=board.to_json())
            )
        else:
            self._emit(Gap(t=self._t, board=board.to_json()))  # a move that was not seen, or a pass: nobody knows
        self.state = replace(self.state, turn=mover, played=self.state.played | {turn})

    def _begin(self, roll: Roll, *, announce: bool) -> None:
        if announce and not roll.announced:
            roll = replace(roll, announced=True)
            self._emit(Rolled(t=self._t, player=roll.player, dice=roll.dice, part=roll.part))
        roll = roll if roll.rolled_s is not None else replace(roll, rolled_s=round(self._t, 3))
        self.state = replace(self.state, roll=roll, unexplained_since=None)
        self._go(Phase.MOVING)

    def _announce_late(self, roll: Roll, player: Player, dice: Dice | None) -> None:
        if not roll.announced:
            self._emit(Rolled(t=self._t, player=roll.player or player, dice=dice, part=roll.part))

    def _commit(self, roll: Roll, finding: Finding, *, learn: bool = True) -> None:
        """A legal play is final; ``learn``: the picture shows the position after it."""
        best = finding.hypotheses[0]
        self._settle_passed(best.player)
        turn = self._turn(roll)
        dice = best.dice if self._dice_told(turn, best) else None
        self._announce_late(roll, best.player, dice)
        play, endings, again = self._decider.outcome(turn, best)
        self._tell_how(roll, best.player, self._others(turn, finding))
        self._emit(
            PlayMade(
                t=self._t,
                player=best.player,
                dice=dice,
                play=self._words(play, best.player),
                verdict="legal",
                board=best.after.to_json(),
                part=roll.part,
                confidence=round(finding.confidence, 4),
            )
        )
        sure = finding.kind == "legal" and finding.behind <= self.settings.fit
        if learn and finding.kind == "legal":
            self._learn(best.after)
        self.state = replace(self.state, trusted=sure)
        self._pass_turn(best.after, best.player, again=again)
        self._pass_on(tuple(ending.left_over for ending in endings if ending.left_over is not None))

    def _tell_how(
        self, roll: Roll, player: Player, others: tuple[Reading, ...], by: Literal["dice", "button", "cube"] = "dice"
    ) -> None:
        """What the record keeps of a turn beside its play (formats.md §8)."""
        one, two = (round(die.confidence, 4) for die in roll.lying)
        self._emit(
            TurnSeen(
                t=self._t,
                player=player,
                dice=roll.dice,
                sure=(one, two),
                rolled_s=roll.rolled_s,
                moved_s=roll.moved_s,
                lifted_s=roll.lifted_s,
                others=others,
                by="button" if roll.ended else by,
            )
        )

    def _others(self, turn: Turn, finding: Finding) -> tuple[Reading, ...]:
        """The hypotheses that were not taken."""
        best, *rest = finding.hypotheses
        return tuple(
            (each.player, *each.dice, self._words(self._decider.outcome(turn, each)[0], each.player), behind)
            for each in rest
            if math.isfinite(behind := round(best.log - each.log, 2))
        )

    def _dice_told(self, turn: Turn, best: Hypothesis) -> bool:
        """Whether the dice are known: read, or told by the play because no other dice allow it."""
        near = [dice for dice, log in turn.dice if log > turn.dice[0][1] - self.settings.margin]
        alike = {
            tuple(sorted(dice))
            for dice in near
            if len(near) > 1 and self._decider.judge(turn, dice, best.player, best.after).kind == "legal"
        }
        return len(alike) <= 1

    def _pass_on(self, left_over: tuple[LeftOver, ...]) -> None:
        """What the player could not move passes to the opponent, if anything of it can be made (X7)."""
        player, position = self.state.turn, self.state.position
        if not left_over or player is None or self.state.phase is not Phase.WAITING_FOR_ROLL:
            return
        if all(self.game.judge_left_over(position, each, position, player=player) for each in left_over):
            return
        self.state = replace(self.state, left_over=left_over)

    def _settle_left_over(self, evidence: Evidence) -> None:
        """The opponent's moves are over when the own dice are thrown: what was made of them?"""
        player, before = self.state.turn, self.state.position
        if player is None or not self.state.left_over:
            return
        turns = [self._left_over_turn(each, player) for each in self.state.left_over]
        findings = [(turn, self._decider.find(turn, evidence)) for turn in turns]
        turn, finding = next(((t, f) for t, f in findings if f.kind == "legal"), findings[0])
        if finding.kind == "uncertain":
            return
        doubted = not self.state.trusted or finding.perhaps_misread or not self._plainly(finding)
        if finding.kind == "illegal" and not finding.unmoved and doubted:
            return  # rather a turn that was missed, or a board that was misread
        after, text = finding.after, ""
        reasons: tuple[str, ...] = ()
        if finding.verdict is None:
            text = self._words(self._decider.outcome(turn, finding.hypotheses[0])[0], player)
        else:
            reasons = ("left-over",) if finding.unmoved else tuple(str(reason) for reason in finding.verdict.reasons)
            text = difference(before, after, self.game, player)
            self._emit(IllegalPlay(t=self._t, player=player, dice=turn.dice[0][0], reasons=reasons))
        self._emit(
            PlayMade(
                t=self._t,
                player=player,
                dice=turn.dice[0][0],
                play=text,
                verdict="illegal" if reasons else "legal",
                board=after.to_json(),
                part="left-over",
                reasons=reasons,
            )
        )
        self.state = replace(self.state, position=after, left_over=())

    def _plainly(self, finding: Finding) -> bool:
        """Whether what is seen looks like one illegal play, and not like a missed turn or a misread board."""
        return not finding.too_much and not finding.doubtful

    def _left_over_turn(self, left_over: LeftOver, player: Player) -> Turn:
        dice = (((left_over.die, left_over.die), 0.0),)
        return Turn(self.state.position, dice, (player,), self.state.played, left_over)

    def _notice(self, roll: Roll, finding: Finding) -> None:
        verdict = finding.verdict
        assert verdict is not None
        self._settle_passed(finding.player)
        dice = finding.dice or roll.dice
        self._announce_late(roll, finding.player, dice)
        reasons = tuple(str(reason) for reason in verdict.reasons)
        self._emit(
            IllegalPlay(
                t=self._t,
                player=finding.player,
                dice=dice,
                reasons=reasons,
                points=tuple(verdict.points),
            )
        )
        illegal = Illegal(finding.after, verdict, finding.player, dice)
        roll = replace(dice_.told(roll, dice), player=finding.player, announced=True)
        self.state = replace(self.state, illegal=illegal, roll=roll)
        self._go(Phase.ILLEGAL)

    def _stands(self, illegal: Illegal, roll: Roll, by: Literal["dice", "button", "cube"] = "dice") -> None:
        """The illegal play is accepted: the record keeps the true dice, the play and its reasons."""
        reasons = tuple(str(reason) for reason in illegal.verdict.reasons)
        text = difference(self.state.position, illegal.position, self.game, illegal.player)
        self._tell_how(roll, illegal.player, (), by)
        self._emit(
            PlayMade(
                t=self._t,
                player=illegal.player,
                dice=illegal.dice,
                play=text,
                verdict="illegal",
                board=illegal.position.to_json(),
                reasons=reasons,
            )
        )
        self.state = replace(self.state, illegal=None, trusted=False)  # nothing but the picture told its position
        self._pass_turn(illegal.position, illegal.player)

    def _pass_turn(self, position: Position, player: Player, *, again: bool = False) -> None:
        state = self.state
        spent = state.roll.lying if state.roll is not None and state.roll.ended else ()
        self.state = replace(
            state,
            position=position,
            turn=player if again else other(player),
            extra=again,
            left_over=(),
            played=state.played | {player},
            roll=None,
            spent=spent,
            unexplained_since=None,
        )
        winner = self.game.winner(position)
        if not self._possible_position(position):
            self._go(Phase.LOST)  # two colours on one point: no rule says how to go on, so the position is asked for
        elif winner is not None:
            self._game_over(position, winner)
        else:
            self._go(Phase.WAITING_FOR_ROLL)

    def _game_over(self, position: Position, winner: Player) -> None:
        cube = self.state.cube
        result = self.game.score(position, winner)
        match = replace(as_match(self._situation(), replace(cube, offer="", resigning=None)), turn=winner)
        self._end_game(match.won(winner, result), result.outcome)

    def _end_game(self, match: Match, outcome: str) -> None:
        """The game is over in ``match``; the cube goes back to the middle for the next one."""
        assert match.last is not None
        winner, points = match.last
        score = {"white": match.score[0], "black": match.score[1]}
        cube = Cube(crawford_done=match.crawford_done)
        self.state = replace(self.state, score=score, cube=cube, roll=None, illegal=None, left_over=(), passed=None)
        self._emit(GameWon(t=self._t, player=winner, winner=winner, outcome=outcome, points=points, score=score))
        self._go(Phase.GAME_OVER)
        if match.match_over:
            self._emit(MatchWon(t=self._t, player=winner, winner=winner, score=score))
            self._go(Phase.MATCH_OVER)

    def _press(self, kind: InputKind, side: Player, *, flagged: bool = False) -> None:
        """A press about cube or resignation; one that the rules do not allow now changes nothing."""
        try:
            cube, event, match = pressed(self._situation(), self.state.cube, kind, side, self._t)
        except RulesError:
            return
        self._emit(replace(event, flagged=True) if flagged and isinstance(event, CubeAction) else event)
        self.state = replace(self.state, cube=cube)
        if match.game_over:
            self._end_game(match, event.outcome if isinstance(event, Resigned) else "drop")
        elif cube.offer:
            self._go(Phase.CUBE_OFFERED)
        elif self.state.phase is Phase.CUBE_OFFERED:
            self._go(Phase.WAITING_FOR_ROLL)

    def _situation(self) -> Situation:
        state = self.state
        return Situation(
            game=self.game,
            position=state.position,
            turn=state.turn,
            rolled=state.roll is not None,
            part="left-over" if state.left_over else "extra" if state.extra else "own",
            first_play=not state.played,
            score=(state.score["white"], state.score["black"]),
        )

    def _gap(self, evidence: Evidence, turn: Player | None, *, confirmed: bool = False) -> None:
        """Go on from the board as it lies. What led there was not seen, and the record says so.

        Where one legal play of some roll explains it, the position is better known than by reading alone; whose turn it
        is the next play tells, since two turns may have been missed.
        """
        seen, free = evidence.free([self.state.position])
        position = seen.position(turn or "white")
        played = None if confirmed or turn is None or self.state.left_over else self._unseen_play(turn, evidence)
        if played is not None:
            position = played.after
        elif evidence.best_possible - free > self.settings.fit or not self._possible_position(position):
            return
        self._emit(Gap(t=self._t, board=position.to_json()))
        self.state = replace(
            self.state, position=position, trusted=confirmed, turn=None, roll=None, passed=None, illegal=None,
            extra=False, left_over=(), unexplained_since=None, played=frozenset({"white", "black"}),
        )  # fmt: skip
        self._go(Phase.WAITING_FOR_ROLL)

    def _unseen_play(self, turn: Player, evidence: Evidence) -> Hypothesis | None:
        """The only legal play of any roll that explains the board."""
        asked = Turn(self.state.position, (), (turn,), self.state.played)
        return self._decider.unseen(asked, evidence)

    def _possible_position(self, position: Position) -> bool:
        try:
            self.game.check(position)
        except RulesError:
            return False
        return True

    def _blind(self) -> None:
        if self.state.phase is not Phase.BLIND:
            self.state = replace(self.state, before_blind=self.state.phase)
            self._go(Phase.BLIND)

    def _words(self, play: Play, player: Player) -> str:
        return format_play(play, self.game.seen(self.state.position, player))

    def _learn(self, position: Position) -> None:
        """What the eyes misread, now that the position is known."""
        assert self._seen is not None
        layout = self.state.layout
        assert layout is not None
        self.state = replace(self.state, habits=self.state.habits.learned(self._seen, contents(position, layout)))

    def _learn_clutter(self) -> None:
        """No die lies now: what still looks like one is clutter, if it is unsure, off the board, or lay there before.

        A sure die that was not there before may be the first of the next roll.
        """
        assert self._seen is not None
        if not self._seen.dice:
            if self.state.bystanders:
                self.state = replace(self.state, bystanders=())
            return
        before = (*self.state.clutter, *self.state.bystanders)
        clutter = [
            die
            for die in self._seen.dice
            if die.confidence < self.settings.sure_die
            or die.place == "outside"
            or any(dice_.at(die, known) for known in before)
        ]
        self.state = replace(self.state, clutter=dice_.more_clutter(self.state.clutter, clutter), bystanders=())

    def _turn(self, roll: Roll) -> Turn:
        state = self.state
        both: tuple[Player, ...] = ("white", "black")
        players = both if state.turn is None or state.passed is not None else (state.turn,)
        dice = ((roll.dice, 0.0),) if roll.announced else dice_hypotheses(roll.lying)
        return Turn(state.position, dice, players, state.played)

    def _find(self, roll: Roll, evidence: Evidence) -> Finding:
        return self._decider.find(self._turn(roll), evidence)

    def _go(self, phase: Phase) -> None:
        if phase is self.state.phase:
            return
        assert phase in TRANSITIONS[self.state.phase], f"{self.state.phase} → {phase}"
        self.state = replace(self.state, phase=phase, provisional="none")

    def _note(self, provisional: Provisional) -> None:
        if provisional != self.state.provisional:
            self.state = replace(self.state, provisional=provisional)

    def _emit(self, event: Event) -> None:
        self._events.append(event)

    def _wait_for(self, t: float) -> None:
        """Go on to the time ``t``; what passed without a single frame was in nobody's power."""
        passed, self._t = t - self._t, t
        if self.state.clock is not None and passed > self.settings.blind_s:
            self.state = replace(self.state, clock=waited(self.state.clock, passed))

    def _tell_time(self, t: float) -> None:
        """With a game clock: whose time runs from ``t`` on, where that has changed, and whose is used up."""
        clock, wanted = self.state.clock, self.settings.clock
        if clock is None or wanted is None:
            return
        fallen = flag_falls(clock, t)
        if fallen is not None:
            clock = replace(clock, fallen=clock.fallen | {fallen})
            self._emit(FlagFell(t=self._t, player=fallen))
        now = switched(clock, whose(self.state, self.settings.policy), t, wanted.delay_s)
        if now.running != clock.running:
            left = {"white": now.left[0], "black": now.left[1]}
            self._emit(ClockRuns(t=self._t, player=now.running, left=left, delay_s=now.delay_s))
        if now is not self.state.clock:
            self.state = replace(self.state, clock=now)

    def _tell_status(self) -> None:
        """One status whenever the phase, the player on turn, the dice or the provisional verdict changed."""
        state = self.state
        dice = None if state.roll is None else state.roll.dice
        now = (state.turn, dice, state.phase, state.provisional, state.paused)
        if now == self._told:
            return
        self._told = now
        self._say("paused" if state.paused else state.phase.lower().replace("_", "-"))

    def _say(self, message: str, *details: str) -> None:
        """A status with a message for the players (a key of their texts)."""
        state = self.state
        self._emit(
            Status(
                t=self._t,
                player=state.turn,
                dice=None if state.roll is None else state.roll.dice,
                phase=state.phase,
                provisional=state.provisional,
                message=message,
                details=details,
            )
        )
