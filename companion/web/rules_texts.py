"""The house rules in words: what each option means, for people who never read a manual."""

from typing import Any

from companion.languages import N_, _
from companion.rules import GAMES, OPTIONS, get_game

GAME_TEXTS = {
    "long": N_("Long nardy"),
    "nardgammon": N_("Nardgammon"),
    "mad": N_("Mad nardy"),
    "gulbar": N_("Gul bara"),
    "mad-gulbar": N_("Mad gul bara"),
    "khachapuri": N_("Khachapuri"),
    "fevga": N_("Fevga"),
    "mad-fevga": N_("Mad fevga (giul)"),
    "short": N_("Short nardy (backgammon)"),
    "tabla": N_("Bulgarian tabla"),
}

OPTION_TEXTS = {
    "direction": N_("Which way White's checkers travel, seen from above."),
    "opening_dice": N_("How many dice each player throws to see who starts."),
    "opening": N_("Whether the starter throws again or plays the two numbers just thrown."),
    "next_start": N_("Who starts the next game of a match."),
    "void_rolls": N_("Which rolls must be thrown again: all the regulations name, only cocked dice, or none."),
    "roll_area": N_("Where both dice must land to count."),
    "dice_sets": N_("Whether the players share one pair of dice or have a pair each."),
    "first_play_doubles": N_("With these doubles two checkers may leave the head in the first play."),
    "second_player_any_double": N_(
        "The second player may take two from the head with any double that one cannot play."
    ),
    "block": N_("When six points in a row may be held."),
    "block_in_passing": N_("Whether a forbidden block may exist in the middle of a play."),
    "scoring": N_("How a win is counted: single, mars, koks, or by checkers left."),
    "factors": N_("What mars, koks and the other wins are worth in your house."),
    "length": N_("Points that win the match; 0 is play for money, without an end."),
    "cube": N_("Whether the doubling cube is in use."),
    "cube_limit": N_("The highest number of the cube."),
    "crawford": N_("No doubling in the one game after a player comes within a point of winning."),
    "jacoby": N_("Mars and koks count only after the cube was turned."),
    "beaver": N_("The taker may double again at once and keep the cube."),
}
TITLES = {
    "direction": N_("Direction"),
    "opening_dice": N_("Dice for the start"),
    "opening": N_("Opening"),
    "next_start": N_("Next start"),
    "void_rolls": N_("Void rolls"),
    "roll_area": N_("Where dice land"),
    "dice_sets": N_("Dice"),
    "first_play_doubles": N_("First-play doubles"),
    "second_player_any_double": N_("Second player's doubles"),
    "block": N_("Block"),
    "block_in_passing": N_("Block in passing"),
    "scoring": N_("Scoring"),
    "factors": N_("Factors"),
    "length": N_("Match length"),
    "cube": N_("Doubling cube"),
    "cube_limit": N_("Limit of the cube"),
    "crawford": N_("Crawford"),
    "jacoby": N_("Jacoby"),
    "beaver": N_("Beaver"),
}
CHOICE_TEXTS = {
    "counter-clockwise": N_("counter-clockwise"),
    "clockwise": N_("clockwise"),
    "one": N_("one die each"),
    "two": N_("two dice each"),
    "reroll": N_("throws again"),
    "keep": N_("plays these numbers"),
    "winner": N_("the winner"),
    "opening-roll": N_("whoever throws more"),
    "strict": N_("all that the regulations name"),
    "cocked": N_("only cocked dice"),
    "off": N_("none"),
    "one-half": N_("both on one half"),
    "own-right": N_("on the own right half"),
    "any": N_("anywhere on the board"),
    "shared": N_("one pair for both"),
    "own": N_("a pair for each"),
    "ahead": N_("when an opponent's checker is ahead"),
    "home": N_("when an opponent's checker is at home"),
    "not-all": N_("unless all fifteen are shut in"),
    "allowed": N_("allowed"),
    "forbidden": N_("forbidden"),
    "oin-mars": N_("oin and mars"),
    "mars-koks": N_("single, mars and koks"),
    "home-mars": N_("mars, home mars and koks"),
    "checkers-left": N_("by checkers left, mars and koks"),
    "unborne": N_("by checkers left"),
}
_EXPERT = ("factors", "length")
"""Not in the list of options: the length has a field of its own, factors belong into a profile."""


def options_of(game: str, values: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """The options that a game has, as the set-up page shows them; raises RulesError for values that do not fit."""
    plain = get_game(game, values or {}).options.to_json()
    return [
        {
            "name": name,
            "title": _(TITLES[name]),
            "text": _(OPTION_TEXTS[name]),
            "choices": [] if isinstance(plain[name], bool) else _choices(option.expected),
            "flag": isinstance(plain[name], bool),
            "value": ",".join(map(str, plain[name])) if isinstance(plain[name], list) else plain[name],
        }
        for name, option in OPTIONS.items()
        if name not in _EXPERT and game in option.games
    ]


def _choices(expected: str) -> list[tuple[str, str]]:
    """The values of an option with their texts; none where it takes a number or a list."""
    values = expected.split(" | ") if " | " in expected else []
    return [(value, _(CHOICE_TEXTS.get(value, value))) for value in values]


def games() -> list[tuple[str, str]]:
    """All games with their titles."""
    return [(name, _(GAME_TEXTS[name])) for name in GAMES]
