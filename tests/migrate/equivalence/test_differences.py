"""Tests of `differences`, which tests the difference of two means against a margin."""

import math

import numpy as np
import pytest
import scipy.stats

from migrate import equivalence
from migrate.equivalence import differences
from migrate.equivalence.sequential import Levels


def test_welch_agrees_with_scipy():
    a, b = [1.0, 2.0, 1.5, 1.1], [1.0, 1.2, 1.7]
    found = differences.welch(a, b)
    theirs = scipy.stats.ttest_ind(a, b, equal_var=False)
    assert found.mean == pytest.approx(np.mean(a) - np.mean(b))
    assert found.mean / found.error == pytest.approx(theirs.statistic)
    assert 2 * scipy.stats.t.sf(found.mean / found.error, found.freedom) == pytest.approx(
        theirs.pvalue
    )


def test_paired_agrees_with_scipy_and_ignores_order():
    a, b = {3: 1.0, 1: 2.0, 2: 1.5}, {1: 1.9, 2: 1.2, 3: 1.1}
    found = differences.paired(a, b)
    theirs = scipy.stats.ttest_rel([a[s] for s in (1, 2, 3)], [b[s] for s in (1, 2, 3)])
    low, high = theirs.confidence_interval(0.9)
    assert found.interval(0.05) == pytest.approx((low, high))


def test_pairing_narrows_the_interval_when_seeds_explain_the_spread():
    seeds = {1: 0.31, 2: 0.52, 3: 0.40, 4: 0.46}
    other = {1: 0.32, 2: 0.53, 3: 0.40, 4: 0.45}
    apart = differences.welch(list(seeds.values()), list(other.values()))
    together = differences.paired(seeds, other)
    assert together.mean == pytest.approx(apart.mean)
    assert together.error < apart.error / 5


def test_equivalent_is_the_same_as_both_one_sided_tests_reject():
    for mean in np.linspace(-0.12, 0.12, 49):
        found = differences.Difference(mean, 0.02, 7.0, "")
        distances = np.array([0.1 - mean, 0.1 + mean])
        rejected = scipy.stats.t.sf(distances / 0.02, 7.0).max() <= 0.05
        outcome = found.outcome(0.1, Levels(0.05, 0.01))
        assert (outcome == equivalence.EQUIVALENT) == rejected


@pytest.mark.parametrize(
    ("mean", "outcome"),
    [
        (0.0, equivalence.EQUIVALENT),
        (0.09, equivalence.INCONCLUSIVE),  # within the margin, but the interval is not
        (0.11, equivalence.INCONCLUSIVE),  # outside the margin, but the interval reaches into it
        (0.3, equivalence.DIFFERENT),
        (-0.3, equivalence.DIFFERENT),
    ],
)
def test_outcomes_of_a_test_against_a_margin(mean, outcome):
    found = differences.Difference(mean, 0.02, 7.0, "")
    assert found.outcome(0.1, Levels(0.05, 0.01)) == outcome


def test_no_difference_is_found_without_evidence():
    """A wide interval around zero is inconclusive, not different."""
    found = differences.Difference(0.014, 0.06, 4.0, "")
    assert found.outcome(0.05, Levels(0.05, 0.05)) == equivalence.INCONCLUSIVE


@pytest.mark.parametrize("mean", [0.0, 0.03, 0.2])
def test_seeds_to_decide_are_the_fewest(mean):
    levels = Levels(0.02, 0.001)
    found = differences.Difference(mean, 0.1 / 2, 3.0, "")
    seeds = 4 + differences.seeds_to_decide(found, 0.1, levels)

    def outcome(count):
        later = differences.Difference(mean, 0.1 / math.sqrt(count), count - 1.0, "")
        return later.outcome(0.1, levels)

    assert outcome(seeds) != equivalence.INCONCLUSIVE
    assert outcome(seeds - 1) == equivalence.INCONCLUSIVE


def test_no_number_of_seeds_decides_a_difference_of_the_margin():
    found = differences.Difference(0.1, 0.05, 3.0, "")
    assert differences.seeds_to_decide(found, 0.1, Levels(0.05, 0.05)) is None


def test_no_spread_makes_a_point_of_the_interval():
    found = differences.welch([0.5, 0.5], [0.4, 0.4])
    assert found.interval(0.05) == pytest.approx((0.1, 0.1))
    assert found.outcome(0.2, Levels(0.05, 0.05)) == equivalence.EQUIVALENT
    assert found.outcome(0.05, Levels(0.05, 0.05)) == equivalence.DIFFERENT


def test_spread_in_one_way_only():
    found = differences.welch([0.5, 0.5, 0.5], [0.4, 0.5])
    assert found.freedom == pytest.approx(1.0)
