"""Test of baselines of the v1 API. The tests of the v2 API train both."""

import pytest
import tensorflow as tf

from legacy.compat.v1 import estimator


def test_the_loss_is_a_sum_and_a_named_optimizer_has_the_rate_of_baselines(tmp_path):
    def input_fn():
        return {"x": tf.zeros([4])}, tf.constant([[1.0], [2.0], [3.0], [4.0]])

    regressor = estimator.BaselineRegressor(str(tmp_path), optimizer="SGD")
    regressor.train(input_fn, steps=1)
    # The gradient of the summed squares at zero is minus twice the sum of labels, and 0.3 the rate.
    assert regressor.get_variable_value("baseline/bias") == pytest.approx(0.3 * 2 * 10)
