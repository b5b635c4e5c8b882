"""SGF, the file of gnubg: it also carries illegal plays and gaps, as positions that are set (short and tabla only)."""

from collections.abc import Iterator

from companion import __version__
from companion import events as ev
from companion.layout import Player
from companion.records.formats.plies import (
    CubePly,
    Jump,
    Moved,
    Placed,
    Ply,
    Unplayed,
    must_be_short,
    plies,
    resigned,
)
from companion.records.transcript import GameTranscript, Step, Transcript
from companion.rules import Game, Play, Position
from companion.rules.position import BAR, OFF

COLOURS: dict[Player, str] = {"white": "W", "black": "B"}
NAME_BYTES = 31


def write_sgf(transcript: Transcript) -> str:
    """The file of a match of short or tabla: a tree for each game. Raises FormatError for other games."""
    house = must_be_short(transcript, "sgf")
    trees, played, crawford_done = [], 0, False
    for index, game in enumerate(transcript.games):
        crawford = _crawford_game(house, game) and not crawford_done
        crawford_done = crawford_done or crawford
        nodes = [_root(transcript, house, game, index, crawford), *_nodes(house, game, played)]
        trees.append("(" + "\n".join(nodes) + ")\n")
        played += sum(isinstance(event, ev.PlayMade) for event in game.events)
    return "".join(trees)


def _crawford_game(house: Game, game: GameTranscript) -> bool:
    needed = [house.options.length - points for points in game.score]
    return house.options.crawford and needed.count(1) == 1


def _root(transcript: Transcript, house: Game, game: GameTranscript, index: int, crawford: bool) -> str:
    options, meta = house.options, transcript.meta
    score = "[ws:{}][bs:{}]".format(*game.score)
    parts = [
        f";FF[4]GM[6]CA[UTF-8]AP[board-companion:{__version__}]MI[length:{options.length}][game:{index}]{score}",
        *(f"P{COLOURS[player]}[{_text(_cut(transcript.name(player)))}]" for player in COLOURS),
    ]
    if transcript.date and not index:
        parts.append("DT[{:04}-{:02}-{:02}]".format(*transcript.date))
    for key, name in (("EV", "event"), ("RO", "round"), ("PC", "place"), ("AN", "transcriber"), ("GC", "comment")):
        if not index and isinstance(meta.get(name), str) and meta[name]:
            parts.append(f"{key}[{_text(meta[name])}]")
    rules = [
        name
        for name, holds in (
            ("NoCube", not options.cube),
            ("Crawford", options.crawford),
            ("CrawfordGame", crawford),
            ("Jacoby", options.jacoby),
        )
        if holds
    ]
    parts += [f"RU[{':'.join(rules)}]"] if rules else []
    if game.result is not None:
        how = "R" if resigned(house, game) else ""
        parts.append(f"RE[{COLOURS[game.result.winner]}+{game.result.points}{how}]")
    return "".join(parts)


def _nodes(house: Game, game: GameTranscript, played: int) -> Iterator[str]:
    """gnubg takes two boards that are set one after the other for one: the cube is told between them."""
    jumped: Jump | None = None
    placed: Step | None = None
    for ply in [*plies(house, game, played), None]:
        if isinstance(ply, Jump):
            jumped = ply
            continue
        if jumped is not None:
            if placed is not None:
                yield f";CV[{jumped.step.cube.value if jumped.step else 1}]"
            yield _set(jumped.after, ply.player if ply else "white", _why(jumped))
            jumped = None
        placed = ply.step if isinstance(ply, Placed) or (isinstance(ply, Moved) and ply.illegal) else None
        if ply is not None:
            yield from _node(ply)


def _node(ply: Moved | Placed | Unplayed | CubePly) -> Iterator[str]:
    match ply:
        case CubePly(player=player, event=event):
            word = {"double": "double", "beaver": "double", "take": "take", "accept": "take", "drop": "drop"}
            yield f";{COLOURS[player]}[{word[event.action]}]"
        case Moved(player=player, dice=dice, moves=moves) if not ply.illegal:
            yield f";{COLOURS[player]}[{dice[0]}{dice[1]}{_moves(player, moves)}]"
        case Moved(player=player, dice=dice, step=step) | Placed(player=player, dice=dice, step=step):
            yield f";PL[{COLOURS[player]}]DI[{dice[0]}{dice[1]}]"
            yield _set(step.after, player, _why(ply))
        case Unplayed(player=player, dice=dice):
            yield f";PL[{COLOURS[player]}]DI[{dice[0]}{dice[1]}]"


def _why(ply: Ply) -> str:
    """The comment of a position that is set: reason code and time."""
    if isinstance(ply, Jump) and ply.step is None:
        return "start position"
    step = ply.step
    assert step is not None
    what = "gap"
    if isinstance(step.event, ev.PlayMade):
        reasons = ", ".join(step.event.reasons) or "no legal move says so"
        what = f"illegal play: {reasons}" if step.event.verdict == "illegal" else "play without its dice"
    return f"{what}; {round(step.event.t, 3)} s"


def _set(position: Position, player: Player, comment: str) -> str:
    """A node that sets the whole board, one bracket for each checker."""
    white = [_letter(point, "white") * n for point, n in enumerate(position.points, 1) if n > 0]
    black = [_letter(point, "white") * -n for point, n in enumerate(position.points, 1) if n < 0]
    white.append("y" * position.bar[0])
    black.append("y" * position.bar[1])
    parts = [f";PL[{COLOURS[player]}]AE[a:y]"]
    for name, letters in (("AW", "".join(white)), ("AB", "".join(black))):
        parts.append(name + "".join(f"[{letter}]" for letter in letters) if letters else "")
    return "".join(parts) + f"C[{_text(comment)}]"


def _moves(player: Player, moves: Play) -> str:
    return "".join(_letter(start, player) + _letter(end, player) for start, end in moves)


def _letter(point: int, player: Player) -> str:
    """a to x are White's points 1 to 24, y is the bar, z is off."""
    if point in (BAR, OFF):
        return "y" if point == BAR else "z"
    return "abcdefghijklmnopqrstuvwx"[point - 1 if player == "white" else 24 - point]


def _cut(name: str) -> str:
    """gnubg keeps 31 bytes of a name: whole letters only."""
    line = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    return line.encode()[:NAME_BYTES].decode(errors="ignore").strip() or "-"


def _text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
