"""Tests for the exact tier: weights after the same steps must agree, and the check can fail."""

import numpy as np
import pytest

from migrate import equivalence

INITIAL = {"kernel": np.full((2, 3), 0.5), "bias": np.zeros(3)}
TRAINED = {"kernel": np.full((2, 3), 0.5 + 1e-3), "bias": np.full(3, 2e-3)}


def checked(weights_a, **how):
    how.setdefault("initial", INITIAL)
    return equivalence.exact("w", "a", "b", weights_a, TRAINED, **how)


def test_rounding_passes():
    assert checked({k: w * (1 + 1e-7) for k, w in TRAINED.items()}).passed


def test_barely_moved_weights_cannot_hide_an_error():
    halved = {k: (w + INITIAL[k]) / 2 for k, w in TRAINED.items()}
    assert not checked(halved).passed
    assert checked(halved, initial=None, rtol=0.6).statistic < 0.6


def test_untrained_variable_is_named():
    check = checked({**TRAINED, "bias": INITIAL["bias"]})
    assert not check.passed
    assert "worst is bias" in check.detail


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ({"kernel": TRAINED["kernel"]}, "only b has bias"),
        ({**TRAINED, "extra": np.ones(1)}, "only a has extra"),
        ({**TRAINED, "bias": np.zeros(4)}, "bias is (4,) in a and (3,) in b"),
        ({**TRAINED, "bias": np.array([0, np.nan, 0])}, "a has NaN or infinity in bias"),
        ({**TRAINED, "bias": np.array([0, np.inf, 0])}, "a has NaN or infinity in bias"),
        ({}, "only b has bias, kernel"),
    ],
)
def test_structure_is_named(weights, words):
    check = checked(weights)
    assert check.outcome == equivalence.DIFFERENT
    assert check.statistic is None
    assert words in check.detail


def test_many_names_are_shortened():
    check = checked({**TRAINED, **{f"v{i}": np.ones(1) for i in range(9)}})
    assert "v4 and 4 more" in check.detail


def test_reference_that_is_not_finite_accuses_nobody():
    broken = {**TRAINED, "bias": np.array([0, np.nan, 0])}
    check = equivalence.exact("w", "a", "b", TRAINED, broken, initial=INITIAL)
    assert check.outcome == equivalence.INCONCLUSIVE


def test_reference_that_did_not_move_is_inconclusive():
    check = checked(TRAINED, initial=TRAINED)
    assert check.outcome == equivalence.INCONCLUSIVE
    assert "b has not moved" in check.detail


def test_still_variable_is_named_but_does_not_fail():
    initial = {**INITIAL, "bias": TRAINED["bias"]}
    check = checked(TRAINED, initial=initial)
    assert check.passed
    assert "Too still to be tested: bias" in check.detail


def test_integers_must_be_equal():
    weights = {"kernel": np.ones(2), "global_step": np.int64(10_000)}
    start = {"kernel": np.zeros(2), "global_step": np.int64(0)}
    late = {**weights, "global_step": np.int64(10_001)}
    assert equivalence.exact("w", "a", "b", weights, weights, initial=start).passed
    check = equivalence.exact("w", "a", "b", late, weights, initial=start)
    assert not check.passed
    assert "global_step" in check.detail


def test_integers_alone_are_no_proof():
    step = {"global_step": np.int64(10)}
    assert equivalence.exact("w", "a", "b", step, step).outcome == equivalence.INCONCLUSIVE


def test_no_variables_are_no_proof():
    assert equivalence.exact("w", "a", "b", {}, {}).outcome == equivalence.INCONCLUSIVE


def test_initial_weights_must_fit():
    with pytest.raises(ValueError, match="initial weights: bias"):
        checked(TRAINED, initial={"kernel": INITIAL["kernel"]})
