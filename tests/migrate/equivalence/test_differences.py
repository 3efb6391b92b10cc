import math

import numpy as np
import pytest
import scipy.stats

from migrate.equivalence import differences


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


def test_interval_within_margin_is_the_same_as_p_value_below_alpha():
    for mean in np.linspace(-0.12, 0.12, 49):
        found = differences.Difference(mean, 0.02, 7.0, "")
        low, high = found.interval(0.05)
        assert (max(abs(low), abs(high)) <= 0.1) == (found.p_value(0.1) <= 0.05)


@pytest.mark.parametrize("true", [0.0, 0.05, 0.1])
def test_pass_probability_is_the_rate_in_simulation(true):
    """Also the false alarms: at no difference the test fails as often as it says it does."""
    margin, sigma, runs, trials = 0.1, 0.06, 5, 4000
    rng = np.random.default_rng(7)
    passes = 0
    for _ in range(trials):
        deltas = dict(enumerate(rng.normal(true, sigma, runs)))
        found = differences.paired(deltas, dict.fromkeys(deltas, 0.0))
        low, high = found.interval(0.05)
        passes += max(abs(low), abs(high)) <= margin
    known = differences.Difference(true, sigma / math.sqrt(runs), runs - 1.0, "")
    expected = known.pass_probability(true, margin, 0.05)
    assert passes / trials == pytest.approx(expected, abs=4 * math.sqrt(0.25 / trials))


def test_a_difference_as_large_as_the_margin_passes_with_alpha():
    known = differences.Difference(0.0, 0.01, 9.0, "")
    assert known.pass_probability(0.1, 0.1, 0.05) == pytest.approx(0.05, abs=0.002)


def test_detectable_is_told_with_the_stated_probability():
    known = differences.Difference(0.0, 0.01, 5.0, "")
    true = known.detectable(0.1, 0.05)
    assert 0 < true < 0.1
    assert known.pass_probability(true, 0.1, 0.05) == pytest.approx(1 - differences.TOLD_WITH)


def test_too_noisy_to_pass_says_that_everything_is_told_unequal():
    known = differences.Difference(0.0, 1.0, 2.0, "")
    assert known.detectable(0.1, 0.05) == 0.0
    assert known.pass_probability(0.0, 0.1, 0.05) < 0.01


def test_no_spread_makes_a_point_of_the_interval():
    found = differences.welch([0.5, 0.5], [0.4, 0.4])
    assert found.interval(0.05) == pytest.approx((0.1, 0.1))
    assert found.p_value(0.2) == 0.0
    assert found.p_value(0.05) == 1.0
    assert found.pass_probability(0.3, 0.2, 0.05) == 0.0
    assert found.detectable(0.2, 0.05) == 0.2


def test_spread_in_one_way_only():
    found = differences.welch([0.5, 0.5, 0.5], [0.4, 0.5])
    assert found.freedom == pytest.approx(1.0)
