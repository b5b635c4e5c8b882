"""Measure everything, and print it as docs/accuracy.md: ``python -m tests.bench DATA [--out docs/accuracy.md]``."""

import argparse
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

INTRODUCTION = """# Accuracy

How well pictures are read, and how recorded games come out. `make bench` measures all of it and prints this page;
nothing here is estimated. Pictures that a network was trained with are reported apart from those that it never saw; no
recorded game was ever trained with.
"""

PARTS = (
    ("Single pictures", "tests.bench.vision"),
    ("Recorded games", "tests.bench.games"),
)

GAMES = """A turn is *exact* when dice, play, player and verdict are right. An accusation is *false* when the dice were
not lifted over an illegal play. With `corners given` the field's corners are typed in, with `found` the program finds
them.
"""


def main() -> None:
    """Print the page, or write it to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with boards/, dice/, games/ and scenes/")
    parser.add_argument("--out", type=Path, help="write the page there too")
    options = parser.parse_args()
    page = [INTRODUCTION, f"Measured on {datetime.now(UTC):%Y-%m-%d} at commit {commit()}, {machine()}.\n"]
    print(*page, sep="\n", flush=True)
    for title, module in PARTS:
        page.append(f"## {title}\n")
        if module.endswith("games"):
            page.append(GAMES)
        done = subprocess.run(
            [sys.executable, "-m", module, str(options.data)], stdout=subprocess.PIPE, text=True, check=True
        )
        page.append(done.stdout)
        print(page[-1], flush=True)
    if options.out is not None:
        options.out.write_text("\n".join(page), encoding="utf-8")


def commit() -> str:
    """The commit that is measured, marked when the files are not those of the commit."""
    done = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def machine() -> str:
    """On what it was measured, as far as it matters."""
    import cv2

    return f"Python {platform.python_version()}, OpenCV {cv2.__version__}, {platform.machine()}"


if __name__ == "__main__":
    main()
