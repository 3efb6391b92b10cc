"""Tests of optimizers with weight decay."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import opt

tf1 = tf.compat.v1


def test_decay_waits_for_the_gradient():
    with tf.Graph().as_default(), tf1.Session() as session:
        weight = tf1.get_variable("weight", initializer=2.0)
        optimizer = opt.extend_with_decoupled_weight_decay(tf1.train.GradientDescentOptimizer)
        step = optimizer(weight_decay=lambda: 0.5, learning_rate=0.1).minimize(weight**2)
        session.run(tf1.global_variables_initializer())
        session.run(step)
        # The gradient at 2.0 is 4. If the decay came first, the gradient would be 2.
        assert session.run(weight) == np.float32(2.0 * 0.5 - 0.1 * 4.0)


def test_only_rows_with_a_gradient_decay(session):
    table = tf1.get_variable("table", initializer=np.full((3, 1), 2.0, "float32"))
    optimizer = opt.MomentumWOptimizer(0.5, learning_rate=0.1, momentum=0.0)
    step = optimizer.minimize(tf.reduce_sum(tf.gather(table, [1])))
    session.run(tf1.global_variables_initializer())
    session.run(step)
    np.testing.assert_allclose(session.run(table), [[2.0], [1.0 - 0.1], [2.0]], rtol=1e-6)


def test_variables_that_decay_are_chosen(session):
    a, b = (tf1.get_variable(name, initializer=2.0) for name in "ab")
    optimizer = opt.AdamWOptimizer(0.5, learning_rate=0.0)
    pairs = optimizer.compute_gradients(a + b)
    step = optimizer.apply_gradients(pairs, decay_var_list=[b])
    session.run(tf1.global_variables_initializer())
    session.run(step)
    assert session.run([a, b]) == [2.0, pytest.approx(1.0)]
