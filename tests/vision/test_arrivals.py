"""What arrived between two pictures at rest, and what is only light."""

import cv2
import numpy as np

from companion.vision.arrivals import PATIENCE, Arrivals

CORNERS = [(60.0, 60.0), (580.0, 60.0), (580.0, 420.0), (60.0, 420.0)]
DIE_PX = 19


def board() -> np.ndarray:
    """A board of grain and points, 640×480."""
    rng = np.random.default_rng(4)
    picture = np.full((480, 640, 3), (90, 130, 170), np.uint8)
    for i in range(12):
        triangle = np.array([[60 + i * 43, 60], [103 + i * 43, 60], [81 + i * 43, 200]])
        cv2.fillConvexPoly(picture, triangle, (40, 60, 120) if i % 2 else (150, 180, 200))
    return np.clip(picture + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def with_die(picture: np.ndarray, x: int, y: int) -> np.ndarray:
    out = picture.copy()
    cv2.rectangle(out, (x, y), (x + DIE_PX, y + DIE_PX), (30, 30, 190), -1)
    return out


def seen(arrivals: Arrivals, picture: np.ndarray, *, hand: bool = False) -> list[tuple[float, float]]:
    places = [(x, y) for x, y, _, _ in arrivals.look(picture, CORNERS, disturbed=True)]
    arrivals.keep(places, hand=hand)
    return places


def test_a_die_that_arrives_is_proposed_where_it_lies() -> None:
    arrivals = Arrivals()
    assert seen(arrivals, board()) == []
    places = seen(arrivals, with_die(board(), 300, 240))
    assert any(abs(x - 309) < 5 and abs(y - 249) < 5 for x, y in places)


def test_it_stays_proposed_while_it_is_read_and_is_forgotten_after_a_while() -> None:
    arrivals = Arrivals()
    seen(arrivals, board())
    places = seen(arrivals, with_die(board(), 300, 240))
    still = with_die(board(), 300, 240)
    assert arrivals.look(still, CORNERS, disturbed=False)
    arrivals.keep(places, hand=False)
    for _ in range(PATIENCE):
        arrivals.keep([], hand=False)
    assert arrivals.look(still, CORNERS, disturbed=False) == []


def test_more_light_is_no_arrival() -> None:
    arrivals = Arrivals()
    seen(arrivals, board())
    assert seen(arrivals, np.clip(board().astype(int) + 30, 0, 255).astype(np.uint8)) == []


def test_a_picture_with_a_hand_is_not_what_the_next_is_compared_with() -> None:
    arrivals = Arrivals()
    seen(arrivals, board())
    covered = board()
    cv2.rectangle(covered, (200, 150), (420, 400), (120, 150, 200), -1)
    seen(arrivals, covered, hand=True)
    places = seen(arrivals, with_die(board(), 300, 240))
    assert any(abs(x - 309) < 5 and abs(y - 249) < 5 for x, y in places)
