"""Synthetic pictures: the truth says what the picture shows."""

import numpy as np

from companion.vision.rectify import Rectifier
from models.training.synthesis import make


def test_a_seed_gives_the_same_scene_again() -> None:
    first, second = make(5, (640, 480)), make(5, (640, 480))
    assert (first.picture == second.picture).all()
    assert first.truth == second.truth


def test_counts_agree_with_the_checkers_that_are_placed() -> None:
    for seed in range(4):
        truth = make(seed, (320, 240)).truth
        for point in truth["points"]:
            men = [m["side"] for m in truth["checkers"] if m["where"] == point["slot"]]
            assert (men.count("light"), men.count("dark")) == (point["light"], point["dark"])


def test_checkers_from_above_lie_on_their_points() -> None:
    for seed in range(6):
        truth = make(seed, (640, 480)).truth
        board = truth["board"]
        corners = tuple((x, y) for x, y in board["inner_corners_px"].values())
        share = board["half_w_mm"] / board["size_mm"][0]
        rectifier = Rectifier(corners, (share, 1 - share))
        low = [m for m in truth["checkers"] if m["where"] != "bar" and m["layer"] == 0 and not m["tilted"]]
        if not low:
            continue
        top, _ = rectifier.strip_points(np.array([m["top_px"] for m in low], np.float32))
        columns = top[:, 0] / 24 - 1
        slots = [int(m["where"][1:]) + (int(m["where"][1:]) > 5) + 0.5 for m in low]
        assert np.median(np.abs(columns - slots)) < 0.8


def test_dice_lie_inside_their_boxes() -> None:
    dice = [d for seed in range(8) for d in make(seed, (640, 480)).truth["dice"]]
    assert dice
    for die in dice:
        x0, y0, x1, y1 = die["bbox_px"]
        quad = np.array(die["top_quad_px"])
        assert (quad[:, 0] > x0 - 1).all()
        assert (quad[:, 0] < x1 + 1).all()
        assert (quad[:, 1] > y0 - 1).all()
        assert (quad[:, 1] < y1 + 1).all()
        assert 1 <= die["value"] <= 6
