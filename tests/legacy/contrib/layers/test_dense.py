"""Tests of fully connected layers."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1

ones = tf1.ones_initializer()


def test_the_last_dimension_is_multiplied(session):
    x = np.arange(12.0, dtype="float32").reshape(2, 2, 3)
    known = {"weights": ["mine"]}
    outputs = layers.fully_connected(
        tf.constant(x - 5), 2, weights_initializer=ones, variables_collections=known
    )
    older = layers.legacy_linear(
        tf.constant(x), 2, weight_init=ones, bias_init=tf1.constant_initializer(0.5), name="old"
    )
    session.run(tf1.global_variables_initializer())
    expected = np.repeat((x - 5).sum(-1, keepdims=True), 2, axis=-1)
    np.testing.assert_array_equal(session.run(outputs), np.maximum(expected, 0))
    np.testing.assert_array_equal(session.run(older), expected + 15.5)
    assert [v.op.name for v in tf1.get_collection("mine")] == ["fully_connected/weights"]
    assert [v.op.name for v in tf1.trainable_variables()][2:] == ["old/weights", "old/bias"]


def test_biases_are_by_channel(session):
    images = tf.zeros([1, 2, 1, 1])
    biases = tf1.constant_initializer([1.0, -2.0])
    outputs = layers.bias_add(images, tf.nn.relu, biases, data_format="NCHW")
    assert outputs.shape == images.shape
    session.run(tf1.global_variables_initializer())
    (variable,) = tf1.model_variables()
    assert session.run(variable).tolist() == [1.0, -2.0]
    with pytest.raises(ValueError, match="NCHW only supports 4D"):
        layers.bias_add(tf.zeros([1, 2]), data_format="NCHW")


def test_the_number_of_outputs_is_an_integer():
    with pytest.raises(ValueError, match="num_outputs type should be int"):
        layers.fully_connected(tf.zeros([1, 2]), 2.0)
