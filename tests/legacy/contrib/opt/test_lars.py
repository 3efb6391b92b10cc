"""Tests of learning rates by layer."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import opt

tf1 = tf.compat.v1


def test_a_step_is_proportional_to_the_norm_of_the_variable(session):
    weight = tf1.get_variable("weight", initializer=[3.0, 4.0])
    bias = tf1.get_variable("bias", initializer=[3.0, 4.0])
    optimizer = opt.LARSOptimizer(10.0, 0.0, weight_decay=0.1, eeta=0.01, skip_list=["bias"])
    step = optimizer.minimize(2 * tf.reduce_sum(weight[0]) + tf.reduce_sum(bias))
    session.run(tf1.global_variables_initializer())
    session.run(step)
    rate = 10.0 * 0.01 * 5 / (2 + 0.1 * 5)
    expected = np.array([3.0, 4.0]) - rate * (np.array([2.0, 0.0]) + 0.1 * np.array([3.0, 4.0]))
    np.testing.assert_allclose(session.run(weight), expected, rtol=1e-5)
    np.testing.assert_allclose(session.run(bias), [3.0 - 10, 4.0 - 10], rtol=1e-5)


def test_a_momentum_is_not_negative():
    with pytest.raises(ValueError, match="momentum should be positive: -1"):
        opt.LARSOptimizer(0.1, momentum=-1)
