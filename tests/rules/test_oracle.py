"""Samples of the oracle's records; ``make bench-rules`` asks all of them."""

from pathlib import Path

import pytest

from tests.rules.oracle import differences, read

SAMPLES = sorted((Path(__file__).parents[1] / "data" / "oracle").glob("*.gz"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name.split(".")[0])
def test_the_answers_are_those_of_the_records(path):
    assert list(differences(path)) == []


def test_there_are_samples_of_every_kind():
    kept = {key for path in SAMPLES for record in read(path) for key in record}
    assert kept >= {"legal", "max_dice", "plays", "turn_prime", "ends", "extra_roll", "leftover", "candidates"}
    assert kept >= {"must", "outcome", "expect"}
