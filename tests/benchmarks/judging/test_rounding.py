"""Tests for the effect of rounding on exact checks."""

import dataclasses
import math

import numpy as np
import pytest

from benchmarks.judging import checks, rounding
from benchmarks.judging.margins import Margins
from migrate import equivalence

MARGINS = Margins(loss=0.02, metric=0.03, curve=0.2, exact=0.01)


def _check(name, deviation, a="legacy"):
    """Returns the exact check of a weight that moved by 1 and deviates by so much."""
    pair = checks.ExactPair(name, a, "single", {"w": np.array([1 + deviation])}, {"w": np.ones(1)})
    return checks.exact([pair], {"w": np.zeros(1)}, MARGINS)[0]


def test_each_number_becomes_its_neighbor():
    weights = {"w": np.array([1.0, -2.0, 0.0, 1e-3] * 50, np.float32), "step": np.array(3)}
    nudged = rounding.nudged(weights)
    assert nudged["w"].dtype == np.float32
    assert nudged["step"] == 3
    moved = nudged["w"] != weights["w"]
    np.testing.assert_array_equal(moved, weights["w"] != 0)
    np.testing.assert_allclose(nudged["w"], weights["w"], rtol=2e-7)
    assert {*np.sign(nudged["w"] - weights["w"])} == {-1.0, 0.0, 1.0}


@pytest.mark.parametrize(
    ("deviation", "effect", "outcome"),
    [
        (0.5, 1e-6, equivalence.DIFFERENT),  # Rounding hardly matters.
        (0.5, 0.04, equivalence.DIFFERENT),  # More than ten times the effect of rounding.
        (0.5, 0.06, equivalence.INCONCLUSIVE),
        (0.5, 3.0, equivalence.INCONCLUSIVE),
        (0.001, 3.0, equivalence.EQUIVALENT),  # Equal weights need no explanation.
    ],
)
def test_only_a_deviation_beyond_that_of_rounding_shows_a_difference(deviation, effect, outcome):
    found = _check("weights", deviation)
    (judged,) = rounding.with_control([found], _check("rounding", effect, "single, nudged"))
    assert judged.outcome == outcome
    assert ("Rounding explains it" in judged.detail) == (outcome == equivalence.INCONCLUSIVE)


def test_a_control_that_diverges_explains_anything():
    control = dataclasses.replace(_check("rounding", 1.0), statistic=None)
    (judged,) = rounding.with_control([_check("weights", 0.5)], control)
    assert judged.outcome == equivalence.INCONCLUSIVE
    assert "inf" in judged.detail


def test_weights_that_are_missing_or_not_finite_are_a_difference_without_a_control():
    found = _check("weights", math.nan)
    assert found.outcome == equivalence.DIFFERENT
    assert not rounding.needs_control([found, _check("equal", 0.0)])
    assert rounding.with_control([found], _check("rounding", 3.0)) == [found]
    assert rounding.needs_control([_check("weights", 0.5)])
