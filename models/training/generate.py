"""Makes the synthetic pictures once.

``python -m models.training.generate --out DIR --n N``; it resumes where it stopped.
"""

import argparse
import json
from pathlib import Path

import cv2

from models.training.synthesis import make


def generate(out: Path, first: int, n: int, dice: int | None, *, printed: bool = False) -> None:
    """Writes NNNNNN.jpg with NNNNNN.json for each seed that is not there yet."""
    out.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + n):
        target = out / f"{seed:06d}.json"
        if target.exists():
            continue
        scene = make(seed, dice=dice, printed=printed)
        cv2.imwrite(str(target.with_suffix(".jpg")), scene.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        target.write_text(json.dumps(scene.truth | {"image": f"{seed:06d}.jpg", "seed": seed}))
        if (seed - first) % 200 == 199:
            print(f"{seed - first + 1} of {n} pictures", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--n", type=int, default=6000)
    parser.add_argument("--dice", type=int, help="so many dice in every picture, seen from near by")
    parser.add_argument("--printed", action="store_true", help="flat boards without a bar, with flat discs")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    generate(arguments.out, arguments.first, arguments.n, arguments.dice, printed=arguments.printed)


if __name__ == "__main__":
    main()
