"""Tests of optimizers that the oracle does not cover."""

import numpy as np
import tensorflow as tf

from legacy.contrib import opt

tf1 = tf.compat.v1


def test_lazy_adam_leaves_rows_alone_that_adam_goes_on_moving():
    with tf.Graph().as_default(), tf1.Session() as session:
        table = tf1.get_variable("table", initializer=np.ones((3, 1), "float32"))
        row = tf1.placeholder(tf.int32, [1])
        loss = tf.reduce_sum(tf.gather(table, row))
        step = opt.LazyAdamOptimizer(0.1).minimize(loss)
        session.run(tf1.global_variables_initializer())
        session.run(step, {row: [0]})
        before = session.run(table)
        session.run(step, {row: [2]})
        after = session.run(table)
    assert before[0] < 1
    assert (before[:2] == after[:2]).all()
    assert after[2] < 1


def test_decay_waits_for_the_gradient():
    with tf.Graph().as_default(), tf1.Session() as session:
        weight = tf1.get_variable("weight", initializer=2.0)
        optimizer = opt.extend_with_decoupled_weight_decay(tf1.train.GradientDescentOptimizer)
        step = optimizer(weight_decay=lambda: 0.5, learning_rate=0.1).minimize(weight**2)
        session.run(tf1.global_variables_initializer())
        session.run(step)
        # The gradient at 2.0 is 4. If the decay came first, the gradient would be 2.
        assert session.run(weight) == np.float32(2.0 * 0.5 - 0.1 * 4.0)
