"""Tests of normalization within an example, against numpy."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1

X = np.random.RandomState(0).normal(3.0, 2.0, (2, 2, 3, 4)).astype("float32")


def normalized(x, axes):
    return (x - x.mean(axes, keepdims=True)) / x.std(axes, keepdims=True)


def outputs_of(session, outputs):
    session.run(tf1.global_variables_initializer())
    return session.run(outputs)


def test_layer_norm(session):
    gamma = tf1.constant_initializer(2.0)
    with tf1.variable_scope("", initializer=gamma):
        found = outputs_of(session, layers.layer_norm(tf.constant(X)))
    np.testing.assert_allclose(found, normalized(X, (1, 2, 3)), rtol=1e-4, atol=1e-5)
    shapes = {v.op.name: v.shape.as_list() for v in tf1.model_variables()}
    assert shapes == {"LayerNorm/beta": [4], "LayerNorm/gamma": [4]}


@pytest.mark.parametrize(("data_format", "axes"), [("NHWC", (1, 2)), ("NCHW", (2, 3))])
def test_instance_norm(session, data_format, axes):
    outputs = layers.instance_norm(tf.constant(X), data_format=data_format)
    expected = normalized(X, axes)
    np.testing.assert_allclose(outputs_of(session, outputs), expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("mean_close_to_zero", [False, True])
def test_group_norm(session, mean_close_to_zero):
    outputs = layers.group_norm(tf.constant(X), groups=2, mean_close_to_zero=mean_close_to_zero)
    expected = normalized(X.reshape(2, 2, 3, 2, 2), (1, 2, 4)).reshape(X.shape)
    np.testing.assert_allclose(outputs_of(session, outputs), expected, rtol=1e-3, atol=1e-4)
    with pytest.raises(ValueError, match="4 channels is not commensurate with 3 groups"):
        layers.group_norm(tf.constant(X), groups=3)


def test_unit_norm(session):
    found = session.run(layers.unit_norm(tf.constant([[3.0, 4.0]]), dim=1))
    np.testing.assert_allclose(found, [[0.6, 0.8]], rtol=1e-5)
