"""How fast one picture is read beside YOLO11n: ``python -m tests.bench.speed DATA YOLO11N.onnx``.

One process, the same pictures, the same ``cv2.dnn``, two threads. A full read (checkers, bar, dice; corners known, as
at the table) of 1280×960 frames against one pass of YOLO11n at 640 px with the weights of chance, as ``make
bench-vision`` exports it from ultralytics' own description: only its speed is compared. Each figure is the least of
several rounds that take turns, so that other load on the machine harms both alike. The motion gate stands beside a loop
that only adds up the pixels of a frame.
"""

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.frame import Frame
from companion.vision.eyes import Eyes
from companion.vision.geometry import as_corners
from companion.vision.motion import MotionGate

SIZE = (1280, 960)
PICTURES = 8
ROUNDS = 5
THREADS = 2
WANTED = 4.0
MOST_MIB = 350
ORDER = ("TL", "TR", "BR", "BL")


def pictures(scenes: Path) -> list[tuple[Any, Any]]:
    """Some frames of 1280×960 with their corners."""
    found = []
    for path in sorted(scenes.glob("*.json")):
        truth = json.loads(path.read_text())
        image = cv2.imread(str(path.with_suffix(".jpg"))) if "board" in truth else None
        if image is not None and image.shape[1::-1] == SIZE and not truth["hand"]["present"]:
            found.append((image, as_corners([truth["board"]["inner_corners_px"][c] for c in ORDER])))
        if len(found) == PICTURES:
            break
    return found


def seconds(work: Callable[[], Any]) -> float:
    """How long it takes once."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def resident_mib() -> float:
    """The most memory this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def reading(image: Any, corners: Any) -> Callable[[], Any]:
    """A full read of this frame by eyes that know the board; the clock goes on so that each is a still frame."""
    eyes, number = Eyes(corners), iter(range(1, 1000))
    for t in (0.0, 0.1, 0.2, 0.3):
        eyes.observe(Frame(image, t, 0))

    def read() -> None:
        turn = next(number)
        seen = eyes.observe(Frame(image, 0.3 + 0.1 * turn, turn))
        assert seen.full

    return read


def of_yolo(net: Any, image: Any) -> Callable[[], Any]:
    """One pass of YOLO11n over this frame, with its input made as ultralytics makes it."""

    def run() -> None:
        net.setInput(cv2.dnn.blobFromImage(image, 1 / 255, (640, 640), swapRB=True))
        net.forward()

    return run


def gate(image: Any, corners: Any) -> tuple[float, float]:
    """Seconds of the motion gate for a frame, and of adding up its pixels."""
    motion = MotionGate()
    motion.watch(corners)
    motion.motion(image)
    both = [(seconds(lambda: motion.motion(image)), seconds(lambda: cv2.sumElems(image))) for _ in range(60)]
    return min(g for g, _ in both), min(s for _, s in both)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("yolo", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(THREADS)
    frames = pictures(options.data / "scenes")
    reads = [reading(image, corners) for image, corners in frames]
    gate_s, sum_s = gate(*frames[0])
    ours_s = [min(seconds(read) for _ in range(2)) for read in reads]
    memory = resident_mib()
    net = cv2.dnn.readNetFromONNX(str(options.yolo))
    passes = [of_yolo(net, image) for image, _ in frames]
    yolo_s = [min(seconds(run) for _ in range(2)) for run in passes]
    for _ in range(ROUNDS):
        for i, (read, run) in enumerate(zip(reads, passes, strict=True)):
            ours_s[i], yolo_s[i] = min(ours_s[i], seconds(read)), min(yolo_s[i], seconds(run))
    ours, yolo = 1000 * float(np.mean(ours_s)), 1000 * float(np.mean(yolo_s))
    print(f"OpenCV {cv2.__version__}, {THREADS} threads, {len(frames)} pictures of {SIZE[0]}×{SIZE[1]}\n")
    print("| what | measured | wanted |\n|---|---|---|")
    print(f"| one full read | {ours:.0f} ms | |")
    print(f"| YOLO11n, 640 px | {yolo:.0f} ms | |")
    print(f"| times as fast | {yolo / ours:.1f} | {WANTED:.0f} |")
    print(f"| resident memory | {memory:.0f} MiB | {MOST_MIB} |")
    print(f"| motion gate, a frame | {1000 * gate_s:.2f} ms (adding up its pixels: {1000 * sum_s:.2f}) | 2 |")


if __name__ == "__main__":
    main()
