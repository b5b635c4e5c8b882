"""What the rules raise.

RulesError               (ValueError)  the base; ``str(error)`` is one clear line
├── UnreadableError                    a text or a record that cannot be read
├── PositionError                      a position that cannot be; the message carries the whole position
├── OptionError                        an unknown game or option, a wrong value, an impossible combination
├── TooManyPlays                       more end positions than may be listed: ask ``judge`` about one of them
└── MatchError                         an action that is not allowed now; ``what`` says which right is missing
"""


class RulesError(ValueError):
    """The base of all errors of the rules."""


class UnreadableError(RulesError):
    """A text form or a JSON form cannot be read."""


class PositionError(RulesError):
    """A position is not possible in this game."""


class OptionError(RulesError):
    """A game, an option or a profile is unknown, has a wrong value, or does not go with the others."""


class TooManyPlays(RulesError):
    """A progression has more end positions than the limit."""


class MatchError(RulesError):
    """A match action is not allowed now.

    ``what`` is ``cube`` (a right of the cube is missing), or says in words what is wrong.
    """

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what}: {why}")
        self.what = what
