"""Every text that a player reads, in English, by its key. ``{0}``, ``{1}`` … are the details of the message.

The keys are those of ``events.Status.message`` and of :mod:`companion.signals.scoreboard`. A reason is a
rule's id (``RULES``), a void roll's cause an entry of ``VOID``.
"""

from companion.signals.scoreboard import Message, Scoreboard

NAMES = {"white": "White", "black": "Black"}

PHASES = {
    "SETUP": "Set up the start position",
    "OPENING": "Roll for the start",
    "WAITING_FOR_ROLL": "{player} to roll",
    "MOVING": "{player} to play",
    "TURN_ENDED": "Looking…",
    "ILLEGAL": "{player}: illegal play",
    "CUBE_OFFERED": "Take or drop?",
    "BLIND": "The board cannot be seen",
    "LOST": "Please check the board",
    "GAME_OVER": "Game over",
    "MATCH_OVER": "Match over",
}

MESSAGES = {
    "void-roll": "Roll again: {0}",
    "illegal-play": "Illegal: {0}",
    "illegal-play-at": "Illegal: {0} (point {1})",
    "taken-back": "Taken back, thank you",
    "stands": "It stands: {0}",
    "no-move": "No move",
    "cube-double": "{0} doubles to {1}",
    "cube-take": "{0} takes: {1}",
    "cube-drop": "{0} drops",
    "cube-beaver": "{0} beavers: {1}",
    "cube-accept": "{0} accepts",
    "resigned": "{0} resigns ({1})",
    "game-won": "{0} wins: {1}, {2} points",
    "game-won-1": "{0} wins: {1}, 1 point",
    "match-won": "{0} wins the match",
    "gap": "Something was not seen",
    "gap-closed": "Going on from here",
    "board-moved": "The board was moved",
    "unfinished": "The game is not finished",
    "uncertain": "Not certain, please check",
    "lost": "Please check the board",
    "paused": "Paused: put the checkers straight",
    "blind": "The board cannot be seen",
}

VOID = {
    "cocked": "a die is cocked",
    "split": "the dice lie on both halves",
    "rim": "a die lies on the rim",
    "outside": "a die lies outside",
    "on-checker": "a die stands on a checker",
}

RULES = {
    "backwards": "a checker went backwards",
    "not-the-dice": "not what the dice say",
    "blocked-point": "that point is closed",
    "blocked-way": "the way is closed",
    "head": "too many left the head",
    "block": "six in a row are not allowed",
    "not-full": "more could be played",
    "larger-die": "the larger die must be played",
    "bar-first": "enter from the bar first",
    "bear-off-early": "not all are home",
    "bear-off-wrong-point": "borne off from the wrong point",
    "home-move": "no moves inside the home",
    "opponent-moved": "the opponent's checker was moved",
    "checker-count": "the number of checkers changed",
    "passed-but-could-move": "a play was possible",
    "wrong-player": "it was not your turn",
    "moved-before-roll": "moved before the roll",
    "left-over": "the left-over moves were not played",
    "void-roll": "the roll was void",
    "cube": "the cube may not be offered now",
}


def phase_text(view: Scoreboard) -> str:
    """One line: what the table waits for, and from whom."""
    if view.player is None and "{player}" in PHASES.get(view.phase, ""):
        return "Roll" if view.phase == "WAITING_FOR_ROLL" else "Play"
    return PHASES.get(view.phase, view.phase).format(player=NAMES.get(view.player or "", ""))


def message_text(message: Message) -> str:
    """The text of a message; empty when there is none, and the bare key when it has no text."""
    key, details = message.key, message.details
    if key == "illegal-play" and len(details) > 1 and details[1]:
        key = "illegal-play-at"
    if key == "game-won" and details[2:] == ("1",):
        key = "game-won-1"
    pattern = MESSAGES.get(key, key)
    return pattern.format(*[_word(detail) for detail in details], *[""] * 3).strip(" :")


def _word(detail: str) -> str:
    return NAMES.get(detail) or RULES.get(detail) or VOID.get(detail) or detail
