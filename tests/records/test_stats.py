"""The chi-squared test against tables, and what it says of fair and of loaded dice."""

import random
from collections import Counter

import pytest

from companion.records.plots import columns, lines, race
from companion.records.stats import SUSPICIOUS, Stats, chi2_tail
from companion.records.transcript import house_of
from tests.records.games import meta, play_game


@pytest.mark.parametrize(
    ("dof", "critical", "p"),
    [  # from a table of the distribution
        (1, 3.841, 0.05), (1, 10.828, 0.001), (5, 11.070, 0.05), (5, 1.145, 0.95), (5, 20.515, 0.001),
        (20, 31.410, 0.05), (20, 10.851, 0.95), (20, 45.315, 0.001),
    ],
)  # fmt: skip
def test_the_tail_of_the_distribution_is_that_of_the_table(dof: int, critical: float, p: float) -> None:
    assert chi2_tail(critical, dof) == pytest.approx(p, rel=2e-3)


def test_the_tail_ends_at_one_and_at_nothing() -> None:
    assert chi2_tail(0.0, 5) == 1.0
    assert 0.0 <= chi2_tail(500.0, 5) < 1e-100


def thrown(n: int, faces: str = "123456", seed: int = 3) -> Stats:
    dice, counts = random.Random(seed), Counter[str]()
    for _ in range(n):
        pair = sorted((dice.choice(faces), dice.choice("123456")), reverse=True)
        counts[f"dice:{''.join(pair)}"] += 1
    return Stats(counts)


def test_fair_dice_are_fair_and_a_loaded_one_is_found() -> None:
    fair = thrown(3000)
    assert min(fair.fair_faces.p, fair.fair_rolls.p, fair.fair_doubles.p) > SUSPICIOUS
    loaded = thrown(3000, "1234566")
    assert loaded.fair_faces.p < SUSPICIOUS
    assert "suspicious" in "\n".join(loaded.lines())


def test_p_is_as_often_small_as_it_says() -> None:
    small = sum(thrown(400, seed=seed).fair_rolls.p < 0.1 for seed in range(300))
    assert 15 <= small <= 48


def test_dice_that_fall_alike_are_found_though_every_number_is_as_frequent() -> None:
    dice = random.Random(5)
    alike = Stats(Counter(f"dice:{n}{n}" for n in (dice.randint(1, 6) for _ in range(600))))
    assert alike.fair_faces.p > SUSPICIOUS
    assert alike.fair_doubles.p < SUSPICIOUS


def test_nothing_thrown_says_nothing() -> None:
    empty = Stats({})
    assert empty.fair_faces.p == 1.0
    assert "too few rolls" in "\n".join(empty.lines())
    assert thrown(179).fair_faces.enough
    assert not thrown(179).fair_rolls.enough
    assert empty.to_json()["pips"] is None
    assert all(isinstance(line, str) for line in empty.lines())


def test_a_race_begins_at_the_pips_of_the_start() -> None:
    events = play_game(2, "short")
    pips = race(house_of(meta("short")), events)
    assert (pips["white"][0], pips["black"][0]) == (167, 167)
    assert min(pips["white"][-1], pips["black"][-1]) == 0
    assert race(house_of(meta("long")), play_game(2, "long"))["black"][0] == 15 * 24


def test_plots_are_svg_and_names_are_escaped() -> None:
    for text in (columns("A & B", {"<": 1.0, "b": 0.0}, {"b": 2.0}), lines("x", {"white": [1.0, 2.0]}, "turns")):
        assert text.startswith("<svg")
        assert text.rstrip().endswith("</svg>")
    assert "A &amp; B" in columns("A & B", {})
