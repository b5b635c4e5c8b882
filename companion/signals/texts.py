"""Every text that a player reads on the display, by its key. ``{0}``, ``{1}`` … are the details of the message.

The keys are those of ``events.Status.message`` and of :mod:`companion.signals.scoreboard`. A reason is a
rule's id (``RULES``), a void roll's cause an entry of ``VOID``. The tables are English; what the functions
answer is in the language of now (:mod:`companion.languages`). ``names`` are the players' own, by side.
"""

from collections.abc import Mapping

from companion.languages import N_, _, plural
from companion.signals.scoreboard import Message, Scoreboard

Names = Mapping[str, str]

NAMES = {"white": N_("White"), "black": N_("Black")}

PHASES = {
    "SETUP": N_("Set up the start position"),
    "OPENING": N_("Roll for the start"),
    "WAITING_FOR_ROLL": N_("{player} to roll"),
    "MOVING": N_("{player} to play"),
    "TURN_ENDED": N_("Looking…"),
    "ILLEGAL": N_("{player}: illegal play"),
    "CUBE_OFFERED": N_("Take or drop?"),
    "BLIND": N_("The board cannot be seen"),
    "LOST": N_("Please check the board"),
    "GAME_OVER": N_("Game over"),
    "MATCH_OVER": N_("Match over"),
}

MESSAGES = {
    "void-roll": N_("Roll again: {0}"),
    "illegal-play": N_("Illegal: {0}"),
    "illegal-play-at": N_("Illegal: {0} (point {1})"),
    "must-correct": N_("It must be put right first"),
    "mislaid": N_("A checker lies on the wrong side"),
    "taken-back": N_("Taken back, thank you"),
    "stands": N_("It stands: {0}"),
    "no-move": N_("No move"),
    "cube-double": N_("{0} doubles to {1}"),
    "cube-take": N_("{0} takes: {1}"),
    "cube-drop": N_("{0} drops"),
    "cube-beaver": N_("{0} beavers: {1}"),
    "cube-accept": N_("{0} accepts"),
    "resigned": N_("{0} resigns ({1})"),
    "game-won": N_("{0} wins: {1}, {2}"),
    "match-won": N_("{0} wins the match"),
    "gap": N_("Something was not seen"),
    "gap-closed": N_("Going on from here"),
    "board-moved": N_("The board was moved"),
    "flag-fell": N_("{0}: the time is up"),
    "unfinished": N_("The game is not finished"),
    "pairing": N_("Code of the page: {0}"),
    "uncertain": N_("Not certain, please check"),
    "lost": N_("Please check the board"),
    "paused": N_("Paused: put the checkers straight"),
    "blind": N_("The board cannot be seen"),
    "camera-lost": N_("The camera does not answer"),
    "switching-off": N_("Switching off"),
    "disk-full": N_("Nothing is being recorded: the disk is full or broken"),
}

VOID = {
    "cocked": N_("a die is cocked"),
    "split": N_("the dice lie on both halves"),
    "rim": N_("a die lies on the rim"),
    "outside": N_("a die lies outside"),
    "on-checker": N_("a die stands on a checker"),
}

RULES = {
    "backwards": N_("a checker went backwards"),
    "not-the-dice": N_("not what the dice say"),
    "blocked-point": N_("that point is closed"),
    "blocked-way": N_("the way is closed"),
    "head": N_("too many left the head"),
    "block": N_("six in a row are not allowed"),
    "not-full": N_("more could be played"),
    "larger-die": N_("the larger die must be played"),
    "bar-first": N_("enter from the bar first"),
    "bear-off-early": N_("not all are home"),
    "bear-off-wrong-point": N_("borne off from the wrong point"),
    "home-move": N_("no moves inside the home"),
    "opponent-moved": N_("the opponent's checker was moved"),
    "checker-count": N_("the number of checkers changed"),
    "passed-but-could-move": N_("a play was possible"),
    "wrong-player": N_("it was not your turn"),
    "moved-before-roll": N_("moved before the roll"),
    "left-over": N_("the left-over moves were not played"),
    "void-roll": N_("the roll was void"),
    "cube": N_("the cube may not be offered now"),
}

OUTCOMES = {
    "single": N_("single"),
    "oin": N_("oin"),
    "mars": N_("mars"),
    "home-mars": N_("home mars"),
    "koks": N_("koks"),
    "drop": N_("dropped cube"),
}

CAPTIONS = {
    "score": N_("Score"),
    "pips": N_("Pips"),
    "legal": N_("Legal:"),
    "no-move": N_("No move"),
    "cube": N_("Cube"),
    "clock": N_("Time"),
}
"""What stands above the large figures of the display."""


def name_of(player: str | None, names: Names | None = None) -> str:
    """The player's own name, or White and Black; empty when nobody is meant."""
    if player is None:
        return ""
    return (names or {}).get(player) or _(NAMES.get(player, player))


def caption(key: str) -> str:
    """What stands above the large figures of the display."""
    return _(CAPTIONS[key])


def reason_text(reason: str) -> str:
    """A broken rule in words; the bare id of a rule that has none."""
    return _(RULES[reason]) if reason in RULES else reason


def outcome_text(outcome: str) -> str:
    """How a game was won, in words."""
    return _(OUTCOMES[outcome]) if outcome in OUTCOMES else outcome


def points_text(points: int) -> str:
    """``1 point``, ``4 points``."""
    return plural("{0} point", "{0} points", points).format(points)


def phase_text(view: Scoreboard, names: Names | None = None) -> str:
    """One line: what the table waits for, and from whom."""
    if view.player is None and view.phase in ("WAITING_FOR_ROLL", "MOVING"):
        return _("Roll") if view.phase == "WAITING_FOR_ROLL" else _("Play")
    text = PHASES.get(view.phase)
    return view.phase if text is None else _(text).format(player=name_of(view.player, names))


def message_text(message: Message, names: Names | None = None) -> str:
    """The text of a message; empty when there is none, and the bare key when it has no text."""
    key, details = message.key, message.details
    if key == "illegal-play" and len(details) > 1 and details[1]:
        key = "illegal-play-at"
    words = [_word(detail, names) for detail in details]
    if key == "game-won" and len(details) > 2 and details[2].isdigit():
        words[2] = points_text(int(details[2]))
    text = MESSAGES.get(key)
    return key if text is None else _(text).format(*words, *[""] * 3).strip(" :")


def _word(detail: str, names: Names | None) -> str:
    if detail in NAMES:
        return name_of(detail, names)
    text = RULES.get(detail) or VOID.get(detail) or OUTCOMES.get(detail)
    return detail if text is None else _(text)
