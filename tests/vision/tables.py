"""Small drawn pictures of a board on a table, for tests that need pixels but no trained network."""

from typing import Any

import cv2
import numpy as np

CORNERS = ((160.0, 120.0), (480.0, 130.0), (520.0, 380.0), (110.0, 370.0))


def table(corners: Any = CORNERS, size: tuple[int, int] = (640, 480), seed: int = 1) -> Any:
    """A picture (480 × 640 × 3, uint8, BGR): wood-like texture, and a board with points whose field has these
    corners."""
    rng = np.random.default_rng(seed)
    grain = cv2.resize(rng.random((40, 12)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    picture = np.clip(90 + 40 * grain[..., None] * np.array([0.6, 0.8, 1.0]), 0, 255).astype(np.uint8)
    flat = np.full((300, 360, 3), (60, 90, 130), np.uint8)
    cv2.rectangle(flat, (20, 20), (340, 280), (150, 190, 210), -1)
    for i in range(12):
        x = 20 + i * 320 / 12
        tone = (30, 30, 60) if i % 2 else (230, 230, 240)
        for base, tip in ((20, 130), (280, 170)):
            quad = np.array([[x, base], [x + 320 / 12, base], [x + 160 / 12, tip]], np.int32)
            cv2.fillConvexPoly(flat, quad, tone, cv2.LINE_AA)
    field = np.array([[20, 20], [340, 20], [340, 280], [20, 280]], np.float32)
    matrix = cv2.getPerspectiveTransform(field, np.array(corners, np.float32))
    mask = cv2.warpPerspective(np.full(flat.shape[:2], 255, np.uint8), matrix, size)
    board = cv2.warpPerspective(flat, matrix, size)
    picture[mask > 127] = board[mask > 127]
    return picture


def noisy(picture: Any, sigma: float, seed: int) -> Any:
    """The picture with fresh noise."""
    noise = np.random.default_rng(seed).normal(0, sigma, picture.shape)
    return np.clip(picture.astype(np.float32) + noise, 0, 255).astype(np.uint8)


def with_hand(picture: Any) -> Any:
    """The picture with an arm that reaches over the board."""
    out = picture.copy()
    cv2.line(out, (0, 300), (330, 240), (120, 150, 210), 60)
    return out
