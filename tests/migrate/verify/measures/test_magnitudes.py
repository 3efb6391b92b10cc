"""Tests for the forward pass from much smaller and much larger weights."""

import numpy as np
import pytest
import tensorflow as tf

from migrate.verify.measures import activations, magnitudes
from tests.migrate.verify import tiny, tiny_runs


def test_multiplies_the_trained_weights_of_another_case():
    with tiny_runs.opened() as case:
        before = dict(case.weights)
        other = magnitudes.scaled(case, magnitudes.LARGE)

    for name, value in before.items():
        np.testing.assert_array_equal(other.weights[name], 16 * value)
        np.testing.assert_array_equal(case.weights[name], value)


@pytest.mark.parametrize(
    ("factor", "state"),
    [(magnitudes.SMALL, activations.SAME), (magnitudes.LARGE, activations.OFF)],
)
def test_large_weights_reach_a_ceiling(factor, state):
    def build_model():
        return tiny.port(activation=lambda x: tf.clip_by_value(x, -6.0, 6.0))

    with tiny_runs.opened(build_model) as case:
        assert activations.compare(case, "eval").states[0] == activations.SAME
        other, layers = magnitudes.compare(case, factor)

    assert layers.states[0] == state
    assert other.weights["logits/bias"] == pytest.approx(factor * case.weights["logits/bias"])
