"""Equivalence of means, with the power of the test in words."""

import numpy as np
import pytest

from migrate import equivalence


def test_equal_ways_pass_with_power_in_words():
    check = equivalence.tost("x", "a", "b", [0.50, 0.51, 0.49], [0.50, 0.49, 0.51], 0.1)
    assert check.passed
    assert check.limit == 0.1
    assert "Power: truly equal ways pass with probability" in check.detail
    assert f"{check.numbers['detectable']:.3g} or more" in check.detail
    assert check.numbers["pass_if_equal"] > 0.9


@pytest.mark.parametrize("shift", [-0.12, 0.12])
def test_a_difference_beyond_the_margin_fails_in_both_directions(shift):
    b = [0.50, 0.51, 0.49]
    assert not equivalence.tost("x", "a", "b", [x + shift for x in b], b, 0.1).passed


def test_not_significantly_different_is_not_equivalent():
    check = equivalence.tost("x", "a", "b", [0.1, 0.9], [0.2, 0.85], 0.1)
    assert not check.passed
    assert check.numbers["p_value"] > 0.05


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        ([0.5], "fewer than two runs"),
        ([], "fewer than two runs"),
        ([0.5, np.nan], "1 of 4 runs ended without a finite value"),
    ],
)
def test_cannot_tell(samples, words):
    check = equivalence.tost("x", "a", "b", samples, [0.5, 0.5], 0.1)
    assert not check.passed
    assert check.statistic is None
    assert words in check.detail


def test_no_spread():
    assert equivalence.tost("x", "a", "b", [0.5, 0.5], [0.55, 0.55], 0.1).passed
    check = equivalence.tost("x", "a", "b", [0.5, 0.5], [0.7, 0.7], 0.1)
    assert not check.passed
    assert "do not differ at all" in check.detail


@pytest.mark.parametrize("margin", [0, -0.1, float("nan"), float("inf")])
def test_margin_must_be_positive(margin):
    with pytest.raises(ValueError, match="margin="):
        equivalence.tost("x", "a", "b", [1, 2], [1, 2], margin)


@pytest.mark.parametrize("alpha", [0, 0.5])
def test_alpha_must_be_small(alpha):
    with pytest.raises(ValueError, match="alpha="):
        equivalence.tost_paired("x", "a", "b", {1: 1, 2: 2}, {1: 1, 2: 2}, 1, alpha)


def test_pairs_need_the_same_seeds():
    check = equivalence.tost_paired("x", "a", "b", {1: 0.5, 2: 0.5}, {1: 0.5, 3: 0.5}, 0.1)
    assert not check.passed
    assert "seeds [2, 3]" in check.detail


def test_pairs_need_two_seeds_and_finite_figures():
    one = equivalence.tost_paired("x", "a", "b", {1: 0.5}, {1: 0.5}, 0.1)
    assert not one.passed
    assert "fewer than two seeds" in one.detail
    bad = {1: np.nan, 2: 0.5}
    assert not equivalence.tost_paired("x", "a", "b", bad, {1: 0.5, 2: 0.5}, 0.1).passed
