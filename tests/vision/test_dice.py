"""Dice: found, read, and not invented."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.dice import CANVAS, DiceReader, _crop, _within, cut, decode, place_of, region_of

SCENES = Path(__file__).parents[1] / "data" / "scenes"
LABELS = [json.loads(line) for line in (SCENES / "labels.jsonl").read_text().splitlines()]
SPAN = (0.46, 0.54)


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


def test_a_peak_of_the_finder_becomes_a_box() -> None:
    maps = np.full((16, 10, 10), -9.0, np.float32)
    fine_row, fine_column = 7, 12
    cell = (fine_row % 2) * 2 + fine_column % 2
    maps[cell, fine_row // 2, fine_column // 2] = 4.0
    maps[4 + cell, fine_row // 2, fine_column // 2] = 0.25
    maps[8 + cell, fine_row // 2, fine_column // 2] = -0.25
    maps[12 + cell, fine_row // 2, fine_column // 2] = np.log(20 / 16)
    ((x, y, side, score),) = decode(maps)
    assert (x, y, side) == pytest.approx((12.75 * 4, 7.25 * 4, 20.0), abs=1e-3)
    assert score > 0.95


@pytest.mark.parametrize(
    ("xy", "place"),
    [
        ((0.2, 0.5), "left"),
        ((0.8, 0.1), "right"),
        ((0.5, 0.4), "bar"),
        ((1.03, 0.5), "rim"),
        ((0.3, -0.3), "outside"),
    ],
)
def test_the_place_of_a_die(xy: tuple[float, float], place: str) -> None:
    assert place_of(xy, SPAN) == place


def test_the_region_holds_the_board_and_stays_in_the_frame() -> None:
    corners = [[300, 200], [900, 220], [950, 700], [250, 690]]
    x, y, w, h = region_of((960, 1280), corners)
    assert x < 250
    assert y < 200
    assert x + w > 950
    assert y + h > 700
    assert x >= 0
    assert x + w <= 1280
    assert region_of((960, 1280), None) == (0, 0, 1280, 960)


@pytest.mark.parametrize("side", [20.0, 48.0, 400.0])
def test_a_cut_keeps_its_middle_in_the_middle(side: float) -> None:
    picture = np.zeros((600, 800, 3), np.uint8)
    cv2.circle(picture, (420, 260), max(2, int(side / 8)), (255, 255, 255), -1)
    rows, columns = np.nonzero(cut(picture, 420.5, 260.5, side)[..., 0] > 80)
    assert (columns.mean() + 0.5, rows.mean() + 0.5) == pytest.approx((24, 24), abs=1.2)


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label["file"])
def test_the_dice_of_a_scene_are_read(reader: DiceReader, label: dict) -> None:
    picture = cv2.imread(str(SCENES / label["file"]))
    dice = reader.read(picture, label["corners"])
    assert sorted(d.value for d in dice) == sorted(d["value"] for d in label["dice"])
    for die in dice:
        x, y, w, h = min(
            (d["bbox"] for d in label["dice"]), key=lambda b: abs(b[0] - die.box[0]) + abs(b[1] - die.box[1])
        )
        assert abs(die.box[0] + die.box[2] / 2 - x - w / 2) < w / 2
        assert abs(die.box[1] + die.box[3] / 2 - y - h / 2) < h / 2


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label["file"])
def test_small_dice_are_read_from_finer_pictures_of_them(reader: DiceReader, label: dict) -> None:
    picture = cv2.imread(str(SCENES / label["file"]))
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    corners = (np.array(label["corners"]) + 0.5) / 2 - 0.5
    details = []
    for die in label["dice"]:
        x, y, w, h = (2 * round(v / 2) for v in die["bbox"])
        left, top, right, bottom = max(0, x - w), max(0, y - h), x + 2 * w, y + 2 * h
        part = picture[top:bottom, left:right]
        details.append(((left / 2, top / 2, part.shape[1] / 2, part.shape[0] / 2), part))
    dice = reader.read(half, corners, details=details)
    whole = reader.read(picture, label["corners"])
    assert sorted(die.value for die in dice) == sorted(die["value"] for die in label["dice"])
    surest = [min(die.confidence for die in read) for read in (dice, whole)]
    assert surest[0] > 0.9 * surest[1]


def test_a_detail_is_where_the_frame_has_it() -> None:
    fine = np.zeros((480, 640, 3), np.uint8)
    cv2.circle(fine, (301, 201), 12, (255, 255, 255), -1)
    half = cv2.resize(fine, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    detail = (125.0, 75.0, 50.0, 50.0), fine[150:250, 250:350]
    x, y = 151.0, 100.0
    coarse, close = cut(half, x, y, 24.0), _crop(detail, x, y, 24.0)
    assert abs(coarse.astype(int) - close).mean() < 6
    assert _within((x, y, 16.0, 0.9), detail)
    assert not _within((128.0, 100.0, 16.0, 0.9), detail), "it shows a part"


def test_a_crop_of_one_die_is_read_without_a_board(reader: DiceReader) -> None:
    label = next(entry for entry in LABELS if entry["dice"])
    die = max(label["dice"], key=lambda d: d["bbox"][2])
    x, y, w, h = (int(v) for v in die["bbox"])
    picture = cv2.imread(str(SCENES / label["file"]))[
        max(y - h // 2, 0) : y + h + h // 2, max(x - w // 2, 0) : x + w + w // 2
    ]
    (seen,) = reader.read(cv2.resize(picture, (128, 128), interpolation=cv2.INTER_CUBIC), None)
    assert seen.value == die["value"]
    assert seen.place is None
    assert seen.xy is None


def test_a_plain_table_has_no_dice(reader: DiceReader) -> None:
    noise = np.random.default_rng(1).normal(120, 6, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    assert reader.read(noise, None) == ()


def test_small_pictures_and_odd_shapes_do_not_fail(reader: DiceReader) -> None:
    for shape in ((20, 900, 3), (9, 9, 3), (CANVAS + 1, 30, 3)):
        reader.read(np.zeros(shape, np.uint8), None)
