"""Tests for loss curves: they stay within the envelope, and other courses differ from noise."""

import numpy as np
import pytest

from migrate import equivalence


def curve_of(rate=1.0, noise=0.0, seed=0, end=1000, points=50):
    seen = np.linspace(end / points, end, points)
    wobble = np.random.default_rng(seed).normal(scale=noise, size=points)
    return list(zip(seen, 0.3 + 2 * np.exp(-rate * seen / 300) + wobble, strict=True))


def by_seed(*curves):
    return dict(enumerate(curves))


def checked(curves, reference=None, margin=0.1, **how):
    reference = reference or [curve_of(noise=0.05, seed=s) for s in range(len(curves))]
    return equivalence.trajectory(
        "t", "a", "b", by_seed(*curves), by_seed(*reference), margin, **how
    )


def noisy(rate=1.0, noise=0.05, first=10, runs=6):
    return [curve_of(rate, noise, seed) for seed in range(first, first + runs)]


def test_noise_of_single_batches_is_equivalent():
    check = checked(noisy())
    assert check.outcome == equivalence.EQUIVALENT
    assert 0 < check.statistic < check.limit


@pytest.mark.parametrize(("rate", "sign"), [(0.6, 1), (1.8, -1)])
def test_slower_and_faster_courses_are_different(rate, sign):
    check = checked(noisy(rate))
    assert check.outcome == equivalence.DIFFERENT
    assert np.sign(check.numbers["difference"]) == sign
    assert check.detail.startswith("Examples ")
    assert "of 1000: difference" in check.detail


def test_one_odd_run_is_inconclusive():
    """A single run outside the envelope is no evidence against its way."""
    check = checked([curve_of(0.6), *noisy(runs=5)])
    assert check.outcome == equivalence.INCONCLUSIVE
    assert check.more_seeds > 0


def test_equal_ways_are_seldom_different_however_noisy():
    outcomes = [
        checked(noisy(noise=0.3, first=100 * t), noisy(noise=0.3, first=100 * t + 50)).outcome
        for t in range(100)
    ]
    # A check without a plan has a level of 5 %.
    assert outcomes.count(equivalence.DIFFERENT) <= 5
    assert outcomes.count(equivalence.INCONCLUSIVE) > 50


def test_a_restart_in_the_middle_is_different():
    curves = [[(x, 2.3 if 400 < x < 500 else y) for x, y in curve] for curve in noisy()]
    assert checked(curves).outcome == equivalence.DIFFERENT


def test_sparse_curves_are_compared_too():
    sparse = [curve_of(points=25) for _ in range(4)]
    assert checked(sparse, [curve_of(points=50) for _ in range(4)]).passed


def steep(ends, rate=1.0):
    """Returns the curve of a loss that falls fast at first. Each point is a mean since the last."""
    totals = [0.3 * x + 100 / rate * (1 - np.exp(-rate * x / 50)) for x in (0, *ends)]
    return list(zip(ends, np.diff(totals) / np.diff((0, *ends)), strict=True))


def test_a_run_sampled_seldom_is_compared_over_its_own_pieces():
    reference = [steep(range(10, 1001, 10), rate) for rate in (0.98, 0.99, 1.01, 1.02)]
    ends = [140, 260, 380, 500, 620, 750, 880, 1000]  # never at the end of a stretch
    own = checked([steep(ends)] * 4, reference, 0.05)
    assert own.passed
    slower = checked([steep(ends, rate=0.5)] * 4, reference, 0.05)
    assert slower.outcome == equivalence.DIFFERENT


def test_order_and_repeated_points_do_not_matter():
    curves = noisy()
    straight = checked(curves)
    assert checked([curve[::-1] for curve in curves]).statistic == pytest.approx(straight.statistic)
    repeated = [curve + curve[:5] for curve in curves]
    assert checked(repeated).statistic == pytest.approx(straight.statistic)


@pytest.mark.parametrize("level", [2.0, 0.3])
def test_a_reference_that_does_not_fall_shows_nothing(level):
    flat = [(x, level) for x, _ in curve_of()]
    check = checked([flat] * 3, [flat] * 3)
    assert check.outcome == equivalence.INCONCLUSIVE
    assert "would pass" in check.detail


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        ([(0, 1.0)], "of a with seed 0 has fewer than two points"),
        ([(0, 2.3), (300, 1.0)], "share 300 of 1000"),
        ([(250 * i, 2.3 / i) for i in (1, 2, 3, 4)], "too few points for 6 stretches"),
    ],
)
def test_cannot_tell(curve, words):
    check = checked([curve, curve_of()])
    assert check.outcome == equivalence.INCONCLUSIVE
    assert check.statistic is None
    assert words in check.detail


def test_other_seeds_cannot_be_paired():
    curves = {1: curve_of(), 2: curve_of()}
    check = equivalence.trajectory("t", "a", "b", curves, {1: curve_of(), 3: curve_of()}, 0.1)
    assert check.outcome == equivalence.INCONCLUSIVE
    assert "seeds [2, 3]" in check.detail


def test_a_way_that_diverges_alone_is_different():
    lost = [(x, np.nan) for x, _ in curve_of()]
    assert checked([lost, curve_of()]).outcome == equivalence.DIFFERENT
    assert checked([lost, curve_of()], [lost, curve_of()]).outcome == equivalence.INCONCLUSIVE
