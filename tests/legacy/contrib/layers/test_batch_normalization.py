"""Tests of batch normalization and its moving averages. The oracle compares more arguments."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1


def test_the_fused_operation_divides_the_moving_variance_by_one_less(session):
    x = tf.constant([[1.0], [3.0]])
    outputs = layers.batch_norm(x, decay=0.5, updates_collections=None)
    session.run(tf1.global_variables_initializer())
    np.testing.assert_allclose(session.run(outputs), [[-1], [1]] / np.sqrt(1.001), rtol=1e-5)
    values = {v.op.name: session.run(v).tolist() for v in tf1.global_variables()}
    assert values == {
        "BatchNorm/beta": [0.0],
        "BatchNorm/moving_mean": [0.5 * 0 + 0.5 * 2],
        "BatchNorm/moving_variance": [0.5 * 1 + 0.5 * 2],
    }


def test_examples_have_weights_and_the_updates_are_collected(session):
    x = tf.constant([[1.0], [3.0]])
    outputs = layers.batch_norm(x, decay=0.5, batch_weights=[3.0, 1.0])
    session.run(tf1.global_variables_initializer())
    # The weighted mean is 1.5, and the weighted variance 0.75.
    expected = [[-0.5], [1.5]] / np.sqrt(0.751)
    np.testing.assert_allclose(session.run(outputs), expected, rtol=1e-5)
    session.run(tf1.get_collection(tf1.GraphKeys.UPDATE_OPS))
    with tf1.variable_scope("BatchNorm", reuse=True):
        assert session.run(tf1.get_variable("moving_mean")).tolist() == [0.75]
        assert session.run(tf1.get_variable("moving_variance")).tolist() == [0.5 + 0.75 / 2]


def test_renorm_has_no_weights():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="renorm is not supported with"):
        layers.batch_norm(tf.ones([2, 3]), renorm=True, batch_weights=[1.0, 1.0])
