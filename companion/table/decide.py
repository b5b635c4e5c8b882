"""Deciding with the rules: which legal play of the roll explains the picture best, or which illegal one.

Vision never decides alone (design.md §3). Every legal end position of every probable roll is a hypothesis; the k best
are kept with their log-probabilities. An illegal explanation must beat the best of them by a margin.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from companion.events import Dice
from companion.layout import Player
from companion.observation import SeenDie
from companion.rules import Ending, Game, LeftOver, LegalPlays, Play, Position, Verdict
from companion.table.evidence import Evidence, Positions, SeenPosition
from companion.table.progression import proposals
from companion.table.state import other

CLEAR = 0.98  # a die read with this probability is never rewritten
FITS = 3.0  # nats: an illegal play by the dice is so much more probable than one by others
_PASSED = 2.5  # nats by which it is less probable that a roll was left unplayed than that it was played
_MISREAD = frozenset(("not-the-dice", "backwards", "opponent-moved"))  # more often a misread board than a player's deed
_IMPROBABLE = 1e-3
_ANY: tuple[tuple[Dice, float], ...] = tuple(((a, b), 0.0) for a in range(1, 7) for b in range(a, 7))
_REMEMBERED = 64
_PAIRED = 150  # so many first plays are each followed by all second ones
_JUDGED = 8  # positions of a progression that are judged, a few milliseconds each


@dataclass(frozen=True)
class Hypothesis:
    """A legal way to explain a picture: who played what with which dice, and its log-probability in nats."""

    player: Player
    dice: Dice
    after: Position
    log: float


@dataclass(frozen=True)
class Turn:
    """What is asked: the position before, the dice as read, and who may have played.

    With ``left_over`` no dice are thrown: the player makes the moves that the opponent left (X7).
    """

    before: Position
    dice: tuple[tuple[Dice, float], ...]
    players: tuple[Player, ...]
    played: frozenset[Player]
    left_over: LeftOver | None = None


@dataclass(frozen=True)
class Finding:
    """The answer: the k best legal hypotheses, the free reading, and which kind of explanation wins.

    ``kind`` is ``legal`` (the best hypothesis, ahead by the margin), ``illegal`` (``verdict`` of ``after`` by
    ``player`` with the ``dice``) or ``uncertain``. ``unmoved``: the position before explains the
    picture best. ``contradictory``: nothing does, the readings do not even add up to thirty checkers. ``too_much``:
    more was moved than a player moves in one turn, so that a turn was missed, or the picture is misread. ``doubtful``:
    the opponent's checkers have moved by these dice, so that they were rather the opponent's. ``behind``:
    how many nats the best hypothesis is behind what the picture prefers point by point.
    """

    kind: Literal["legal", "illegal", "uncertain"]
    hypotheses: tuple[Hypothesis, ...]
    after: Position
    player: Player
    verdict: Verdict | None = None
    dice: Dice | None = None
    confidence: float = 0.0
    unmoved: bool = False
    contradictory: bool = False
    too_much: bool = False
    doubtful: bool = False
    behind: float = 0.0

    @property
    def perhaps_misread(self) -> bool:
        """Whether the broken rules are such as a misread board, or misread dice, seem to break."""
        reasons = () if self.verdict is None else self.verdict.reasons
        return bool(_MISREAD & {str(reason) for reason in reasons})


def dice_hypotheses(lying: Sequence[SeenDie]) -> tuple[tuple[Dice, float], ...]:
    """The probable values of two dice with their log-probabilities; a clearly read die has only one."""
    options = [_values(die) for die in lying]
    pairs = [((a, b), math.log(p) + math.log(q)) for a, p in options[0] for b, q in options[1]]
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))


def _values(die: SeenDie) -> list[tuple[int, float]]:
    if max(die.values) >= CLEAR:
        return [(die.value, 1.0)]
    return [(value, p) for value, p in enumerate(die.values, 1) if p > _IMPROBABLE]


def flags(turn: Turn, player: Player) -> tuple[bool, bool]:
    """Whether it is this player's first own roll, and the one of the player who did not start (L4)."""
    return player not in turn.played, player not in turn.played and bool(turn.played)


class Decider:
    """Explains pictures by the rules of one game.

    In nats: ``margin`` is how far the best legal play must be ahead of the second, ``illegal`` how much better an
    illegal explanation must be than any legal one. The ``keep`` best hypotheses are reported.
    """

    def __init__(self, game: Game, *, margin: float, illegal: float, keep: int) -> None:
        self.game = game
        self.margin = margin
        self.illegal = illegal
        self.keep = keep
        self._known: dict[tuple[object, ...], LegalPlays] = {}
        self._arrays: dict[int, tuple[LegalPlays, Positions]] = {}
        self._judged: dict[tuple[object, ...], Verdict] = {}
        self._cut_short = False
        self._found: tuple[Evidence | None, dict[Turn, Finding]] = (None, {})

    def legal(self, turn: Turn, dice: Dice, player: Player) -> LegalPlays:
        """All legal plays; those of the latest turn are remembered, since a turn is looked at many times."""
        first, second = flags(turn, player)
        key = (turn.before, turn.left_over, dice, player, first, second)
        if key not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
                self._arrays.clear()
            if turn.left_over is not None:
                self._known[key] = self.game.left_over_plays(turn.before, turn.left_over, player=player)
            else:
                self._known[key] = self.game.plays(
                    turn.before, dice, player=player, first_turn=first, second_player=second
                )
        return self._known[key]

    def judge(self, turn: Turn, dice: Dice, player: Player, after: Position) -> Verdict:
        """The verdict of the rules on an end position; the latest are remembered."""
        key = (turn.before, turn.left_over, turn.played, dice, player, after)
        if key not in self._judged:
            if len(self._judged) > _REMEMBERED:
                self._judged.clear()
            self._judged[key] = self._judge(turn, dice, player, after)
        return self._judged[key]

    def _judge(self, turn: Turn, dice: Dice, player: Player, after: Position) -> Verdict:
        if turn.left_over is not None:
            return self.game.judge_left_over(turn.before, turn.left_over, after, player=player)
        first, second = flags(turn, player)
        return self.game.judge(turn.before, dice, after, player=player, first_turn=first, second_player=second)

    def must_pass(self, turn: Turn, dice: Dice, player: Player) -> bool:
        """Whether no move is possible."""
        return self.judge(turn, dice, player, turn.before).kind == "legal"

    def outcome(self, turn: Turn, hypothesis: Hypothesis) -> tuple[Play, tuple[Ending, ...], bool]:
        """One play that leads there, how the turn may have ended, and whether another roll follows (X6)."""
        dice, player, after = hypothesis.dice, hypothesis.player, hypothesis.after
        if not self._listed(turn, dice):
            verdict = self.judge(turn, dice, player, after)
            return verdict.plays[0] if verdict.plays else (), verdict.endings, False
        legal = self.legal(turn, dice, player)
        return legal.results[after][0], legal.endings[after], legal.extra_roll

    def ranked(self, turn: Turn, evidence: Evidence) -> tuple[Hypothesis, ...]:
        """The best legal hypotheses, at most one for each end position of each player."""
        best: dict[tuple[Player, Position], Hypothesis] = {}
        for player in turn.players:
            for dice, log in turn.dice:
                ends = self._ends(turn, dice, player, evidence)
                scores = evidence.scores(ends) + log
                for index in np.argsort(-scores, kind="stable")[: self.keep].tolist():
                    after, score = ends.positions[index], float(scores[index])
                    known = best.get((player, after))
                    if known is None or score > known.log:
                        best[player, after] = Hypothesis(player, dice, after, score)
        return tuple(sorted(best.values(), key=lambda h: -h.log)[: self.keep])

    def _ends(self, turn: Turn, dice: Dice, player: Player, evidence: Evidence) -> Positions:
        """The legal end positions; of a progression, which has millions, those that the picture proposes."""
        if not self._listed(turn, dice):
            return Positions(self._proposed(turn, dice, player, evidence))
        legal = self.legal(turn, dice, player)
        known = self._arrays.get(id(legal))
        if known is None or known[0] is not legal:
            known = self._arrays[id(legal)] = (legal, Positions(legal.results))
        return known[1]

    def _proposed(self, turn: Turn, dice: Dice, player: Player, evidence: Evidence) -> list[Position]:
        """The legal ones of the positions that the picture proposes, until one is clearly behind the best."""
        game, before = self.game, turn.before
        cells = game.cells(before, player)
        if turn.left_over is not None:
            chain = game.left_over_chain(cells, turn.left_over)
        else:
            chain = game.chain(cells, dice[0], *flags(turn, player))
        legal = [before] if self.judge(turn, dice, player, before).kind == "legal" else []
        best = max((evidence.score(after) for after in legal), default=-math.inf)
        proposed = proposals(game, before, chain.doubles, player, evidence)
        for number, after in enumerate(proposed):
            score = evidence.score(after)
            if score < max(best - self.margin, evidence.best_possible - 1.25 * self.illegal):
                break
            if number == _JUDGED:
                self._cut_short = not legal
                break
            if self.judge(turn, dice, player, after).kind == "legal":
                legal.append(after)
                best = max(best, score)
        return legal

    def _listed(self, turn: Turn, dice: Dice) -> bool:
        """Whether the end positions are few enough to be listed."""
        if turn.left_over is not None:
            return not turn.left_over.then
        return not (self.game.law.progression and dice[0] == dice[1])

    def find(self, turn: Turn, evidence: Evidence) -> Finding:
        """Explain the picture of an ended turn; the answers for the latest picture are remembered."""
        if self._found[0] is not evidence:
            self._found = (evidence, {})
        findings = self._found[1]
        if turn not in findings:
            findings[turn] = self._find(turn, evidence)
        return findings[turn]

    def first_of_two(self, turn: Turn, then: tuple[tuple[Dice, float], ...], evidence: Evidence) -> Hypothesis | None:
        """The play of this turn when the next one, with the dice ``then``, lies on top of it in the same picture.

        Both are searched together; None unless one first play explains the picture, ahead of all others by the margin.
        """
        best: list[Hypothesis] = []
        for player in turn.players:
            next_turn = Turn(turn.before, then, (other(player),), turn.played | {player})
            for dice, log in turn.dice:
                if not self._listed(turn, dice) or self.legal(turn, dice, player).extra_roll:
                    continue
                ends = self.legal(turn, dice, player).results
                if len(ends) > _PAIRED or any(not self._listed(turn, each) for each, _ in then):
                    return None
                for after in ends:
                    second = self.ranked(replace(next_turn, before=after), evidence)
                    score = max((h.log for h in second if h.after != after), default=-math.inf)
                    best.append(Hypothesis(player, dice, after, score + log))
        best.sort(key=lambda h: -h.log)
        if not best or best[0].log < evidence.best_possible - self.illegal:
            return None
        return None if len(best) > 1 and best[1].log > best[0].log - self.margin else best[0]

    def unseen(self, turn: Turn, evidence: Evidence) -> Hypothesis | None:
        """The legal play of any roll that explains the picture, ahead of all others: its dice were seen by nobody."""
        hypotheses = self.ranked(replace(turn, dice=_ANY), evidence)
        if not hypotheses or hypotheses[0].after == turn.before:
            return None
        _, free = evidence.free([turn.before, *(h.after for h in hypotheses)])
        best, second = hypotheses[0].log, max((h.log for h in hypotheses[1:]), default=-math.inf)
        return hypotheses[0] if best >= max(free - self.margin, second + self.margin) else None

    def surely_played(self, turn: Turn, evidence: Evidence) -> tuple[Dice, Position] | None:
        """The dice and the end of the legal play that lies there beyond doubt; quicker than to ask what else may."""
        if evidence.against(turn.before) <= self.margin:
            return None
        hypotheses = self.ranked(turn, evidence)
        if not hypotheses or hypotheses[0].log < evidence.best_possible - self.illegal:
            return None
        finding = self._legal(hypotheses, evidence, unmoved=False)
        return (hypotheses[0].dice, finding.after) if finding.kind == "legal" else None

    def _find(self, turn: Turn, evidence: Evidence) -> Finding:
        self._cut_short = False
        hypotheses = self.ranked(turn, evidence)
        best = hypotheses[0] if hypotheses else Hypothesis(turn.players[0], turn.dice[0][0], turn.before, -math.inf)
        before = evidence.score(turn.before)
        played = max((h.log for h in hypotheses if h.after != turn.before), default=-math.inf)
        if best.log >= evidence.best_possible - self.illegal and (played > before or best.after == turn.before):
            return self._legal(hypotheses, evidence, before >= played)  # no reading of the board can beat it
        seen, free = evidence.free([turn.before, *(h.after for h in hypotheses)])
        # who can play does play: that nothing was moved must be clearly seen
        least = 0.0 if best.after == turn.before else self.margin + _PASSED
        unmoved = before >= max(played + least, free - self.illegal)
        if best.log >= free - self.illegal and (not unmoved or best.after == turn.before):
            return self._legal(hypotheses, evidence, unmoved)
        if evidence.best_possible - free > self.illegal:
            return Finding("uncertain", hypotheses, best.after, best.player, unmoved=unmoved, contradictory=True)
        player = mover(turn, seen)
        seen = as_meant(seen, turn.before, player, hits=self.game.law.movement.hits)
        after = turn.before if unmoved else seen.position(player)
        dice, verdict = self._broken(turn, player, after)
        if verdict.kind == "legal" or self._cut_short:
            return Finding("uncertain", hypotheses, after, player, unmoved=unmoved, contradictory=not hypotheses)
        too_much = not unmoved and self._too_much(turn, seen, player)
        doubtful = not unmoved and self._others_dice(turn, after, player)
        return Finding(
            "illegal", hypotheses, after, player, verdict, dice, unmoved=unmoved, too_much=too_much, doubtful=doubtful
        )

    def _broken(self, turn: Turn, player: Player, after: Position) -> tuple[Dice, Verdict]:
        """The dice with which this was most probably played, and which rules it breaks.

        Who breaks a rule moves by the dice that lie there: dice that fit the play are more probable than others.
        """
        first, log = turn.dice[0]
        verdict = self.judge(turn, first, player, after)
        if turn.left_over is None and _other_dice(verdict):
            for dice, other in turn.dice[1:]:
                if other < log - FITS:
                    break
                fits = self.judge(turn, dice, player, after)
                if not _other_dice(fits):
                    return dice, fits
        return first, verdict

    def whatever(self, turn: Turn, finding: Finding) -> bool:
        """Whether what was done is illegal whatever the dice show, and is not rather a board that was misread."""
        if finding.verdict is None or finding.perhaps_misread:
            return False
        return all(self.judge(turn, dice, finding.player, finding.after).kind == "illegal" for dice, _ in turn.dice)

    def _others_dice(self, turn: Turn, after: Position, player: Player) -> bool:
        """Whether the opponent's checkers have gone as far as these dice say: then a turn was missed before."""
        dice = turn.dice[0][0]
        before, then = (_pips(self.game.seen(position, other(player))) for position in (turn.before, after))
        gone = before - then
        return turn.left_over is None and gone in (sum(dice), *({2 * sum(dice)} if dice[0] == dice[1] else ()))

    def _too_much(self, turn: Turn, seen: SeenPosition, player: Player) -> bool:
        """Whether more checkers have moved than in one turn, well or badly played."""
        dice = turn.dice[0][0]
        most = (20 if self.game.law.progression else 4) if dice[0] == dice[1] or turn.left_over else 2
        own, others = displaced(turn.before, seen, player)
        return own > most + 1 or others > 1 + (most if self.game.law.movement.hits else 0)

    def _legal(self, hypotheses: tuple[Hypothesis, ...], evidence: Evidence, unmoved: bool) -> Finding:
        best = hypotheses[0]
        ahead = best.log - hypotheses[1].log if len(hypotheses) > 1 else math.inf
        kind: Literal["legal", "uncertain"] = "legal" if ahead >= self.margin else "uncertain"
        confidence = 1 / sum(math.exp(h.log - best.log) for h in hypotheses)
        behind = evidence.best_possible - best.log
        return Finding(kind, hypotheses, best.after, best.player, confidence=confidence, unmoved=unmoved, behind=behind)


def _pips(position: Position) -> int:
    """How far the mover's checkers have to go in all; the mover is White."""
    return 25 * position.bar[0] + sum(max(0, count) * number for number, count in enumerate(position.points, 1))


def _other_dice(verdict: Verdict) -> bool:
    """Whether the play was not made with these dice."""
    return any(str(reason) == "not-the-dice" for reason in verdict.reasons)


def as_meant(seen: SeenPosition, before: Position, player: Player, *, hits: bool) -> SeenPosition:
    """What was seen, with everything that is out of play where it belongs, on the bar or off, wherever it was put."""
    bar, off = list(seen.bar), list(seen.off)
    for side, mine in enumerate((player == "white", player == "black")):
        out, was = bar[side] + off[side], before.bar[side] + before.off[side]
        if out == was:
            bar[side] = before.bar[side]
        elif mine:  # nobody puts own checkers on the bar
            bar[side] = min(bar[side], before.bar[side])
        elif hits and out > was:
            bar[side] = out - before.off[side]
        off[side] = out - bar[side]
    return replace(seen, bar=(bar[0], bar[1]), off=(off[0], off[1]))


def displaced(before: Position, seen: SeenPosition, player: Player) -> tuple[int, int]:
    """How many of the player's checkers, and of the opponent's, have left the point where they stood."""
    white = sum(max(0, max(count, 0) - now[0]) for count, now in zip(before.points, seen.points, strict=True))
    black = sum(max(0, max(-count, 0) - now[1]) for count, now in zip(before.points, seen.points, strict=True))
    white, black = white + max(0, before.bar[0] - seen.bar[0]), black + max(0, before.bar[1] - seen.bar[1])
    return (white, black) if player == "white" else (black, white)


def mover(turn: Turn, seen: SeenPosition) -> Player:
    """Whose checkers moved: the player on turn, else the one with more changes."""
    if len(turn.players) == 1:
        return turn.players[0]
    changes = {"white": 0, "black": 0}
    for count, (white, black) in zip(turn.before.points, seen.points, strict=True):
        changes["white"] += abs(max(count, 0) - white)
        changes["black"] += abs(max(-count, 0) - black)
    return "white" if changes["white"] >= changes["black"] else "black"
