"""Short ways to say what happened, for the tests of what is shown."""

from companion import events as ev
from companion.layout import Player

START: ev.Board = {
    "points": [0] * 11 + [-15] + [0] * 11 + [15],
    "bar": {"white": 0, "black": 0},
    "off": {"white": 0, "black": 0},
}
NIL = {"white": 0, "black": 0}


def started(t: float = 0.0) -> ev.GameStarted:
    return ev.GameStarted(t=t, game="long", board=START, score=NIL)


def rolled(t: float, player: Player = "white", dice: ev.Dice = (6, 1)) -> ev.Rolled:
    return ev.Rolled(t=t, player=player, dice=dice)


def played(t: float, player: Player = "white", play: str = "24/18 18/17", **more: object) -> ev.PlayMade:
    values = {"dice": (6, 1), "verdict": "legal", "board": START} | more
    return ev.PlayMade(t=t, player=player, play=play, **values)  # type: ignore[arg-type]


def illegal(t: float, player: Player = "white", reason: str = "head") -> ev.IllegalPlay:
    return ev.IllegalPlay(t=t, player=player, dice=(6, 1), reasons=(reason,), points=(24,))


def status(t: float, phase: str, player: Player | None = None, **more: object) -> ev.Status:
    return ev.Status(t=t, phase=phase, player=player, **more)  # type: ignore[arg-type]


def won(t: float, winner: Player = "white") -> ev.GameWon:
    return ev.GameWon(t=t, winner=winner, outcome="mars", points=2, score={"white": 2, "black": 0})
