"""Where the pictures come from, and which of them training never sees.

Every source yields ``Sample``s with the truth in one form. Held out: one board style and one checker
palette of the rendered scenes (never seen in training), and a random tenth of the rest. The recorded
games are for evaluation only.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

UNSEEN_STYLES = ("ornate",)
UNSEEN_PALETTES = ("marble_ivory_green",)
SLOTS = tuple(f"{row}{i}" for row in "TB" for i in range(12))


@dataclass
class Sample:
    """One picture with what is known about it.

    ``part`` is train, seen (held out, known styles), unseen, game or photo.
    """

    name: str
    picture: np.ndarray
    corners: np.ndarray
    span: tuple[float, float]
    counts: np.ndarray
    bar: np.ndarray
    tops: np.ndarray
    top_sides: np.ndarray
    top_rows: np.ndarray
    hidden: np.ndarray
    hand: float
    part: str
    dice: list[dict[str, Any]] = field(default_factory=list)
    dice_complete: bool = True
    still: bool = True
    cube: list[float] | None = None


def from_truth(name: str, picture: np.ndarray, truth: dict[str, Any], part: str) -> Sample:
    """A sample from the truth of a rendered or synthetic scene."""
    board = truth["board"]
    corners = np.array([board["inner_corners_px"][k] for k in ("TL", "TR", "BR", "BL")], np.float32)
    side = (board["half_w_mm"] - 6 * board["point_w_mm"]) / 2
    a = (board["half_w_mm"] - max(side, 0)) / board["size_mm"][0]
    by_slot = {p["slot"]: p for p in truth["points"]}
    counts = np.array([[by_slot[s]["light"], by_slot[s]["dark"]] for s in SLOTS], np.int64)
    men = [c for c in truth["checkers"] if c["where"][0] in "TB" and c["where"] != "bar"]
    cube = truth.get("cube")
    return Sample(
        name,
        picture,
        corners,
        (a, 1 - a),
        counts,
        np.array([truth["bar"]["light"], truth["bar"]["dark"]]),
        np.array([c["top_px"] for c in men], np.float32).reshape(-1, 2),
        np.array([c["side"] == "dark" for c in men], np.int64),
        np.array([c["where"][0] == "B" for c in men], np.int64),
        _hidden(truth, by_slot),
        hand_share(truth),
        part,
        truth["dice"],
        cube=cube["bbox_px"] if cube and "bbox_px" in cube else None,
        still=truth.get("still", True),
    )


def _hidden(truth: dict[str, Any], by_slot: dict[str, dict[str, Any]]) -> np.ndarray:
    """The share of each slot that a hand covers; -1 where it is not known.

    Rendered scenes tell the box of the hand and how much is seen of each checker: what lies outside the box
    is free, a slot with checkers that are hardly seen is covered.
    """
    hand = truth["hand"]
    if hand.get("known"):
        return np.array([by_slot[s].get("hidden", -1.0) for s in SLOTS], np.float32)
    if not hand["present"]:
        return np.zeros(24, np.float32)
    x0, y0, x1, y1 = hand.get("bbox_px", (0, 0, 1e6, 1e6))
    shares = []
    for slot in SLOTS:
        corners = np.array(by_slot[slot]["tri_px"])
        low, high = corners.min(0), corners.max(0)
        apart = high[0] < x0 or low[0] > x1 or high[1] < y0 or low[1] > y1
        seen = [c["visible"] for c in truth["checkers"] if c["where"] == slot and c["layer"] == 0 and not c["tilted"]]
        shares.append(0.0 if apart else 1.0 if seen and min(seen) < 0.3 else -1.0)
    return np.array(shares, np.float32)


def hand_share(truth: dict[str, Any]) -> float:
    """1 when a hand covers something of the board, 0 when there is none, -1 when it is hardly there."""
    hand = truth["hand"]
    if not hand["present"]:
        return 0.0
    share = hand.get("board_fraction", 0.05)
    return 1.0 if share > 0.01 else -1.0 if share > 0 else 0.0


def part_of(truth: dict[str, Any], index: int) -> str:
    """Which part a rendered scene belongs to."""
    if truth["board"]["style"] in UNSEEN_STYLES or truth.get("checker_palette") in UNSEEN_PALETTES:
        return "unseen"
    return "seen" if index % 10 == 3 else "train"


def rendered(folder: Path) -> Iterator[Sample]:
    """The rendered scenes of a folder (``*.json`` beside ``*.jpg``)."""
    for index, path in enumerate(sorted(folder.glob("*.json"))):
        truth = json.loads(path.read_text())
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        if picture is not None and "board" in truth:
            yield from_truth(path.stem, picture, truth, part_of(truth, index))


def synthetic(folder: Path) -> Iterator[Sample]:
    """The synthetic pictures; every fortieth is held out."""
    for index, path in enumerate(sorted(folder.glob("*.json"))):
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        if picture is not None:
            truth = json.loads(path.read_text())
            yield from_truth(path.stem, picture, truth, "synthetic" if index % 40 == 7 else "train")


def game(folder: Path) -> Iterator[Sample]:
    """One still of each moment of a recorded game, from its video.

    The moments are where the video changes most.
    """
    lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    frames = _frames(folder / "video.mp4")
    small = [cv2.resize(f, (240, 180), interpolation=cv2.INTER_AREA).astype(np.float32) for f in frames]
    change = np.array([np.sort(np.abs(a - b).max(2).ravel())[-25] for a, b in pairwise(small)])
    cuts = np.sort(np.argsort(change)[::-1][: len(lines) - 1]) + 1
    for index, (a, b) in enumerate(zip([0, *cuts], [*cuts, len(frames)], strict=True)):
        yield from_truth(f"{folder.name}-{index:04d}", frames[(a + b) // 2], lines[index], "game")


def _frames(video: Path) -> list[np.ndarray]:
    capture, frames = cv2.VideoCapture(str(video)), []
    while True:
        ok, frame = capture.read()
        if not ok:
            return frames
        frames.append(frame)


def photographs(folder: Path, *, measure: bool) -> Iterator[Sample]:
    """The photographs of boards: those for training, or all of them for measuring."""
    for line in (folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        if label["use"] != "train" and not measure:
            continue
        picture = cv2.imread(str(folder / label["file"]))
        counts = np.full((24, 2), -1, np.int64)
        for i, entry in enumerate(label["points"]["top_row"] + label["points"]["bottom_row"]):
            if entry is not None:
                counts[i] = {"l": [entry[1], 0], "d": [0, entry[1]], "": [0, 0]}.get(entry[0], [-1, -1])
        bar = label["points"].get("bar") or {"l": -1, "d": -1}
        none = np.zeros(0, np.int64)
        yield Sample(
            label["file"],
            picture,
            np.array(label["corners"], np.float32),
            _span(label.get("bar_span")),
            counts,
            np.array([bar["l"], bar["d"]]),
            np.zeros((0, 2), np.float32),
            none,
            none,
            np.zeros(24, np.float32),
            0.0,
            "photo",
            [d | {"bbox_px": _corners(d["bbox"])} for d in label["dice"]],
            label.get("dice_status", "").startswith("complete"),
        )


def _span(given: object) -> tuple[float, float]:
    """The bar's span; a printed board without a bar has an empty one in the middle."""
    return (float(given[0]), float(given[1])) if isinstance(given, list) else (0.5, 0.5)


def _corners(box: list[float]) -> list[float]:
    x, y, w, h = box
    return [x, y, x + w, y + h]
