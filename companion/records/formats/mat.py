"""MAT, the match file of Jellyfish: the lingua franca of the analysis programs (short and tabla only).

The form is that of shared knowledge about what gnubg and XG read, re-tested with gnubg 1.07: docs/formats.md says how.
"""

import zlib
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
from companion.records.formats.snowie import snowie
from companion.records.transcript import GameTranscript, Transcript
from companion.rules import Game, Position, UnreadableError
from companion.rules.ids import Snapshot, format_xgid
from companion.rules.position import OFF

NAME_BYTES = 31
_LEFT = 27
_WORDS = {"double": "Doubles => {}", "take": "Takes", "drop": "Drops", "beaver": "Beavers => {}"}


def write_mat(transcript: Transcript) -> str:
    """The file of a match of short or tabla; raises FormatError for other games."""
    house = must_be_short(transcript, "mat")
    lines = [*_head(transcript, house), "", f" {house.options.length} point match"]
    played = 0
    for index, game in enumerate(transcript.games, 1):
        lines += ["", f" Game {index}", *_game(transcript, house, game, played)]
        played += sum(isinstance(event, ev.PlayMade) for event in game.events)
    return "\n".join(lines) + "\n"


def plain_name(name: str) -> str:
    """A name without what the format would misread: at most 31 bytes, no colon, no comma."""
    cleaned = " ".join("".join(" " if c in ":," or not c.isprintable() else c for c in name).split())
    cleaned = cleaned.encode()[:NAME_BYTES].decode(errors="ignore").strip()
    return cleaned or "-"


def _head(transcript: Transcript, house: Game) -> Iterator[str]:
    meta, options = transcript.meta, house.options
    keys = {"event": "Event", "round": "Round", "place": "Site"}
    for key, title in keys.items():
        if isinstance(meta.get(key), str) and meta[key].strip():
            yield _tag(title, meta[key])
    for number, player in enumerate(("white", "black"), 1):
        yield _tag(f"Player {number}", transcript.name(player))  # type: ignore[arg-type]  # one of both
    if transcript.date:
        yield _tag("EventDate", "{:04}.{:02}.{:02}".format(*transcript.date))
        clock = str(meta.get("started"))[11:16]
        if len(clock) == 5:
            yield _tag("EventTime", clock.replace(":", "."))
    yield _tag("Transcriber", f"board-companion {__version__}")
    yield _tag("Match ID", str(_identity(transcript)))
    yield _tag("Variation", "Backgammon")
    yield _tag("Crawford", "On" if options.crawford else "Off")
    yield _tag("Jacoby", "On" if options.jacoby else "Off")
    yield _tag("Beaver", "On" if options.beaver else "Off")
    yield _tag("CubeLimit", str(options.cube_limit if options.cube else 1))
    yield from _remarks(transcript)


def _tag(key: str, value: str) -> str:
    return f'; [{key} "{_line(value)}"]'


def _line(text: str) -> str:
    return " ".join(text.replace('"', "'").replace("]", ")").split())[:200]


def _identity(transcript: Transcript) -> int:
    """A number that stays the same: without one, XG takes a file that is read again for another match."""
    meta = transcript.meta
    said = [str(meta.get(key)) for key in ("started", "source", "game", "players")]
    rolls = [str(event.dice) for event in transcript.events() if isinstance(event, ev.PlayMade)]
    return zlib.crc32("\n".join(said + rolls).encode("utf-8", "replace"))


def _remarks(transcript: Transcript) -> Iterator[str]:
    """What the format has no place for: why plays were illegal, and where nothing is known."""
    for game, step in transcript.steps():
        where = f"; {game.start.number}.{step.play}"
        match step.event:
            case ev.PlayMade(verdict="illegal", player=player, reasons=reasons):
                yield f"{where} {_name(player)}: illegal play that stood ({', '.join(reasons) or 'unknown'})"
            case ev.Gap():
                yield f"{where} gap: not seen what was played"


def _name(player: Player | None) -> str:
    return (player or "somebody").capitalize()


def _game(transcript: Transcript, house: Game, game: GameTranscript, played: int) -> Iterator[str]:
    names = [plain_name(transcript.name(player)) for player in ("white", "black")]
    left = f"{names[0]} : {game.score[0]}"
    yield f" {left:<31}{' ' if len(left) >= 31 else ''}{names[1]} : {game.score[1]}"
    rows = _Rows()
    found = list(plies(house, game, played))
    if house.options.crawford and [house.options.length - points for points in game.score].count(1) == 1:
        found = _without_cube(found)
    for ply, following in zip(found, [*found[1:], None], strict=True):
        if isinstance(ply, Jump):
            yield from rows.flush()
            yield _set_position(ply)
        elif isinstance(ply, CubePly):
            if word := _cube_word(ply, following):
                yield from rows.add(ply.player, f" {word}")
        else:
            yield from rows.add(ply.player, _cell(transcript, house, game, ply))
    yield from rows.flush()
    if game.result is not None:
        yield _win(house, game, game.result)


def _without_cube(found: list[Ply]) -> list[Ply]:
    """The plies of the Crawford game, in which gnubg reads a board that is set only where Black has just moved.

    Elsewhere the board is told as what the roll before it left, or White's roll after it.
    """
    safe: list[Ply] = []
    for ply in found:
        last = safe[-1] if safe else None
        if isinstance(ply, Jump) and (isinstance(last, Placed) or (isinstance(last, Moved) and last.player == "white")):
            safe[-1] = Placed(last.player, last.dice, ply.after, last.step)
        elif isinstance(last, Jump) and len(safe) == 1 and isinstance(ply, Moved) and ply.player == "white":
            safe[-1] = Placed(ply.player, ply.dice, ply.step.after, ply.step)
        else:
            safe.append(ply)
    return safe


def _cube_word(ply: CubePly, following: Ply | None) -> str:
    """What a cube action is called; a beaver is accepted by the next roll.

    gnubg waits for that roll, also into the next game: a beaver that is dropped is told as a double of the double, and
    one that is accepted without a roll as taken.
    """
    action, value = ply.event.action, ply.event.value
    if action == "accept":
        return "" if isinstance(following, Moved | Placed | Unplayed) else "Takes"
    if action == "beaver" and isinstance(following, CubePly) and following.event.action == "drop":
        action = "double"
    return _WORDS[action].format(value)


def _cell(transcript: Transcript, house: Game, game: GameTranscript, ply: Moved | Placed | Unplayed) -> str:
    match ply:
        case Moved(player=player, dice=dice, moves=moves, step=step):
            return f"{dice[0]}{dice[1]}: {_moves(house, player, moves, step.before)}".rstrip()
        case Placed(player=player, dice=dice, after=after):
            names = (plain_name(transcript.name("white")), plain_name(transcript.name("black")))
            text = snowie(house, after, player, dice, names, game.score, ply.step.cube)
            return f"{dice[0]}{dice[1]}: Illegal play ({text})"
        case Unplayed(player=player, dice=dice, before=before):
            # With one legal play gnubg would fill it in: the unchanged board says that it was not made.
            if len(house.plays(before, dice, player=player).results) == 1:
                return f"{dice[0]}{dice[1]}: Illegal play ({snowie(house, before, player, dice)})"
            return f"{dice[0]}{dice[1]}: ????"


def _moves(house: Game, player: Player, moves: tuple[tuple[int, int], ...], before: Position) -> str:
    """``13/7* 6/2``: from and to in the mover's numbers, the bar is 25 and off is 0."""
    points = list(house.seen(before, player).points)
    words = []
    for start, end in moves:
        hit = end != OFF and points[end - 1] == -1
        if end != OFF:
            points[end - 1] = max(points[end - 1], 0) + 1
        words.append(f"{start}/{end}{'*' if hit else ''}")
    return " ".join(words)


def _set_position(jump: Jump) -> str:
    """XG's line for a board that is set; gnubg reads it too."""
    try:
        letters = format_xgid(Snapshot(position=jump.after)).removeprefix("XGID=")[:26]
    except (UnreadableError, IndexError):
        letters = "-" * 26
    cube = jump.step.cube if jump.step else None
    log = (cube.value.bit_length() - 1) if cube else 0
    owner = {"white": "-", "black": "", None: ""}[cube.owner if cube else None]
    return f"; Set Pos={letters}/{owner}{log if cube and cube.owner else 0}"


def _win(house: Game, game: GameTranscript, result: ev.GameWon) -> str:
    points = f"Wins {result.points} point{'' if result.points == 1 else 's'}"
    over = " and the match" if 0 < house.options.length <= max(result.score.values(), default=0) else ""
    return " " * (6 if result.winner == "white" else 34) + points + over


class _Rows:
    """Numbered lines of two cells, the left player's first."""

    def __init__(self) -> None:
        self._number = 0
        self._left: str | None = None

    def add(self, player: Player, cell: str) -> Iterator[str]:
        if player == "white":
            yield from self.flush()
            self._left = cell
            return
        self._number += 1
        left = self._left or ""
        self._left = None
        # Two blanks at least: where the right cell has no colon, they tell where it begins.
        yield f"{self._number:3}) {left:<{_LEFT}}{'  ' if len(left) >= _LEFT else ' '}{cell}"

    def flush(self) -> Iterator[str]:
        if self._left is not None:
            yield from self.add("black", "")


__all__ = ["plain_name", "resigned", "write_mat"]
