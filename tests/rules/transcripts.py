"""Whole random games as golden files; ``python -m tests.rules.transcripts`` writes them anew."""

from pathlib import Path

from companion.rules import GAMES, LeftOver, format_play, get_game
from tests.rules.boards import Part, play_out

FOLDER = Path(__file__).parents[1] / "data" / "transcripts"
SEED = 7


def transcript(name: str) -> str:
    """A game in lines: player, roll (or what was left over), play, and the position after it."""
    game = get_game(name)
    parts = list(play_out(game, SEED))
    lines = [f"{name}, seed {SEED}: dice and plays at random"]
    lines += [_line(part, game.turned(part.before) if part.player == "black" else part.before) for part in parts]
    winner = game.winner(parts[-1].after)
    if winner:
        lines.append("{} wins: {} {}".format(winner, *game.result(parts[-1].after, winner)))
    return "\n".join(lines) + "\n"


def _line(part: Part, seen: object) -> str:
    if isinstance(part.dice, LeftOver):
        thrown = f"{part.dice.moves_left}x{part.dice.die}" + "".join(f" 4x{die}" for die in part.dice.then)
    else:
        thrown = "{}{}".format(*part.dice)
    play = format_play(part.play, seen, grouped=True) or "-"
    return f"{part.player} {part.part} {thrown}: {play} | {part.after}"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in GAMES:
        (FOLDER / f"{each}.txt").write_text(transcript(each), encoding="utf-8")
