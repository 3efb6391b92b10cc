"""Test of LazyAdam that the oracle does not cover."""

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
