"""Test of the updates of SDCA's weights. test_linear_sdca.py trains models."""

import tensorflow as tf

from legacy.estimator.canned import sdca

tf1 = tf.compat.v1


def test_weights_in_parts_are_the_weights():
    """A variable that is partitioned over parameter servers is updated part by part."""
    with tf.Graph().as_default(), tf1.Session() as session:
        parts = [tf1.Variable(tf.zeros([rows, 1]), name=f"part_{rows}") for rows in (3, 2)]
        rows, moves = tf.constant([1, 4, 3], tf.int64), tf.constant([[1.0], [2.0], [3.0]])
        updates = [*sdca._add_rows(parts, rows, moves), *sdca._add(parts, tf.ones([5, 1]))]
        session.run(tf1.global_variables_initializer())
        session.run(updates)
        assert session.run(tf.concat(parts, 0)).ravel().tolist() == [1, 2, 1, 4, 3]
