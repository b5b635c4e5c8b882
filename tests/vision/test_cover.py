"""What comes over the board: a hand from the edge is one, a few checkers that move are none."""

import cv2
import numpy as np

from companion.vision.cover import PATIENCE_S, CoverWatch
from tests.vision.tables import CORNERS, noisy, table, with_hand

BOARD = np.array(CORNERS)


def watch():
    watching = CoverWatch()
    watching.look(noisy(table(), 2, 1), BOARD, 0.0)
    watching.keep(hand=False)
    return watching


def test_a_board_at_rest_is_not_covered():
    assert watch().look(noisy(table(), 2, 2), BOARD, 1.0).board == 0.0


def test_an_arm_that_lies_still_is_seen_where_it_lies():
    cover = watch().look(noisy(with_hand(table()), 2, 2), BOARD, 1.0)
    assert cover.board > 1.0
    assert cover.slots
    assert all(slot in ("B0", "B1", "B2", "B3", "B4", "B5", "B6") for slot in cover.slots)


def test_light_that_changes_covers_nothing():
    brighter = np.clip(table().astype(np.float32) * 1.15, 0, 255).astype(np.uint8)
    assert watch().look(noisy(brighter, 2, 2), BOARD, 1.0).board == 0.0


def test_a_play_of_two_checkers_and_two_dice_is_no_hand():
    after = table()
    for x, y in ((190, 150), (420, 345)):
        cv2.circle(after, (x, y), 12, (240, 240, 240), -1)
    for x, y in ((300, 250), (330, 240)):
        cv2.rectangle(after, (x, y), (x + 10, y + 10), (30, 30, 200), -1)
    assert watch().look(noisy(after, 2, 2), BOARD, 1.0).board == 0.0


def test_what_stays_becomes_part_of_the_board():
    watching, arm = watch(), with_hand(table())
    assert watching.look(noisy(arm, 2, 2), BOARD, 1.0).board > 0
    watching.keep(hand=True)
    assert watching.look(noisy(arm, 2, 3), BOARD, 1.5 + PATIENCE_S).board == 0.0
    watching.keep(hand=False)
    assert watching.look(noisy(arm, 2, 4), BOARD, 2.0 + PATIENCE_S).board == 0.0


def test_a_board_that_moved_is_looked_at_anew():
    watching = watch()
    watching.forget()
    assert watching.look(noisy(with_hand(table()), 2, 2), BOARD, 1.0).board == 0.0
