"""Checkers: slots, bar and hands of single frames."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.layout import BOTTOM_SLOTS, SLOTS, TOP_SLOTS
from companion.observation import READABLE
from companion.vision.checkers import CONTENTS, CheckerReader, reading

SCENES = Path(__file__).parents[1] / "data" / "scenes"
LABELS = [json.loads(line) for line in (SCENES / "labels.jsonl").read_text().splitlines()]

UNKNOWN = {"d0040.jpg": ["B0"]}
"""Dark green men on a green point, of a set never trained with: reported as unknown. Remove it when mended."""


@pytest.fixture(scope="module")
def reader() -> CheckerReader:
    return CheckerReader()


def content(entry: list) -> tuple[int, int]:
    shade, count = entry
    return {"l": (count, 0), "d": (0, count), "": (0, 0)}[shade]


def picture_of(label: dict) -> np.ndarray:
    return cv2.imread(str(SCENES / label["file"]))


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label["file"])
def test_every_slot_of_a_scene_is_read_but_for_what_is_known_to_be_unknown(reader: CheckerReader, label: dict) -> None:
    got = reader.read(picture_of(label), label["corners"])
    entries = label["points"]["top_row"] + label["points"]["bottom_row"]
    wrong = [s for s, e in zip(SLOTS, entries, strict=True) if got.slots[s].best != content(e)]
    assert [s for s in wrong if got.slots[s].confidence >= READABLE] == []
    assert wrong == UNKNOWN.get(label["file"], [])
    assert got.hand < 0.5


def test_turned_corners_give_the_turned_board(reader: CheckerReader) -> None:
    label = LABELS[0]
    turned = reader.read(picture_of(label), label["corners"][2:] + label["corners"][:2])
    entries = label["points"]["top_row"]
    read = [turned.slots[s].best for s in reversed(BOTTOM_SLOTS)]
    assert read == [content(e) for e in entries]


def test_probabilities_of_a_slot_sum_to_about_one(reader: CheckerReader) -> None:
    got = reader.read(picture_of(LABELS[0]), LABELS[0]["corners"])
    for slot in TOP_SLOTS:
        assert 0.97 < sum(got.slots[slot].probabilities.values()) < 1.0001


def test_nothing_certain_is_read_where_there_is_no_board(reader: CheckerReader) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    got = reader.read(noise, [[60, 60], [580, 60], [600, 420], [40, 420]])
    certain = [s for s in SLOTS if got.slots[s].best != (0, 0) and got.slots[s].confidence > 0.95]
    assert len(certain) < 6


def test_unlikely_contents_are_left_out() -> None:
    p = np.zeros(len(CONTENTS))
    p[CONTENTS.index((3, 0))], p[CONTENTS.index((2, 0))] = 0.9, 0.1
    assert reading(p, CONTENTS).probabilities == pytest.approx({(3, 0): 0.9, (2, 0): 0.1})
