"""Tests for equivalence of means: three outcomes, and the seeds that would decide an open one."""

import numpy as np
import pytest

from migrate import equivalence
from migrate.equivalence import sequential


def test_equal_ways_are_equivalent():
    check = equivalence.tost("x", "a", "b", [0.50, 0.51, 0.49], [0.50, 0.49, 0.51], 0.1)
    assert check.outcome == equivalence.EQUIVALENT
    assert check.limit == 0.1
    assert check.statistic == max(abs(check.numbers["low"]), abs(check.numbers["high"]))
    assert check.more_seeds is None


@pytest.mark.parametrize("shift", [-0.2, 0.2])
def test_a_difference_beyond_the_margin_is_different_in_both_directions(shift):
    b = [0.50, 0.51, 0.49]
    check = equivalence.tost("x", "a", "b", [x + shift for x in b], b, 0.1)
    assert check.outcome == equivalence.DIFFERENT
    assert check.statistic > check.limit


def test_a_wide_interval_is_inconclusive_and_says_how_many_seeds_would_decide():
    samples_a, samples_b = ({1: 0.1, 2: 0.9, 3: 0.4}, {1: 0.2, 2: 0.75, 3: 0.44})
    check = equivalence.tost_paired("x", "a", "b", samples_a, samples_b, 0.1)
    assert check.outcome == equivalence.INCONCLUSIVE
    assert check.more_seeds > 0
    assert f"{check.more_seeds} more seeds would decide" in check.detail


def test_stricter_levels_decide_less():
    samples = ({1: 0.5, 2: 0.56, 3: 0.54}, {1: 0.5, 2: 0.53, 3: 0.55})
    once = equivalence.tost_paired("x", "a", "b", *samples, 0.06)
    look = sequential.Plan((3, 30)).levels(3)
    assert once.outcome == equivalence.EQUIVALENT
    assert equivalence.tost_paired("x", "a", "b", *samples, 0.06, look).outcome != once.outcome


@pytest.mark.parametrize(
    ("samples", "words", "outcome"),
    [
        ([0.5], "Fewer than two runs", equivalence.INCONCLUSIVE),
        ([], "Fewer than two runs", equivalence.INCONCLUSIVE),
        ([0.5, np.nan], "1 of 2 runs of a and 0 of 2 of b", equivalence.DIFFERENT),
        ([0.5, np.inf], "ended without a finite value", equivalence.DIFFERENT),
    ],
)
def test_figures_that_cannot_be_compared(samples, words, outcome):
    check = equivalence.tost("x", "a", "b", samples, [0.5, 0.5], 0.1)
    assert check.outcome == outcome
    assert check.statistic is None
    assert words in check.detail


def test_a_reference_that_diverges_accuses_nobody():
    check = equivalence.tost("x", "a", "b", [np.nan, 0.5], [np.nan, 0.5], 0.1)
    assert check.outcome == equivalence.INCONCLUSIVE


def test_no_spread():
    assert equivalence.tost("x", "a", "b", [0.5, 0.5], [0.55, 0.55], 0.1).passed
    check = equivalence.tost("x", "a", "b", [0.5, 0.5], [0.7, 0.7], 0.1)
    assert check.outcome == equivalence.DIFFERENT


@pytest.mark.parametrize("margin", [0, -0.1, float("nan"), float("inf")])
def test_margin_must_be_positive(margin):
    with pytest.raises(ValueError, match="margin="):
        equivalence.tost("x", "a", "b", [1, 2], [1, 2], margin)


def test_pairs_need_the_same_seeds():
    check = equivalence.tost_paired("x", "a", "b", {1: 0.5, 2: 0.5}, {1: 0.5, 3: 0.5}, 0.1)
    assert check.outcome == equivalence.INCONCLUSIVE
    assert "seeds [2, 3]" in check.detail


def test_pairs_need_two_seeds():
    one = equivalence.tost_paired("x", "a", "b", {1: 0.5}, {1: 0.5}, 0.1)
    assert one.outcome == equivalence.INCONCLUSIVE
    assert "Fewer than two seeds" in one.detail
