"""Test of the projection of cell wrappers."""

import pytest
import tensorflow as tf

from legacy.contrib.rnn.projection import Projection

tf1 = tf.compat.v1


def test_inputs_are_joined_and_multiplied(session):
    inputs = [tf.constant([[1.0, 2.0]]), tf.constant([[3.0]])]
    kernel = tf1.constant_initializer([[1.0, 0.0], [0.0, 1.0], [10.0, 100.0]])
    with tf1.variable_scope("mine", initializer=kernel):
        project = Projection(inputs, 2)
    outputs = project(inputs)
    session.run(tf1.global_variables_initializer())
    assert session.run(outputs).tolist() == [[31.0, 302.0]]
    assert [v.op.name for v in tf1.global_variables()] == ["mine/kernel", "mine/bias"]
    with pytest.raises(ValueError, match="2D arguments with known columns"):
        Projection([tf.zeros([3])], 2)
