"""Tests of convolutions."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1

ones = tf1.ones_initializer()


def test_a_window_is_summed_and_biases_are_added(session):
    image = np.arange(9.0, dtype="float32").reshape(1, 3, 3, 1)
    outputs = layers.conv2d(
        tf.constant(image),
        2,
        2,
        padding="VALID",
        weights_initializer=ones,
        biases_initializer=tf1.constant_initializer([-9.0, 1.0]),
    )
    session.run(tf1.global_variables_initializer())
    found = session.run(outputs)[0]
    sums = np.array([[8, 12], [20, 24]])
    np.testing.assert_array_equal(found[..., 0], np.maximum(sums - 9, 0))
    np.testing.assert_array_equal(found[..., 1], sums + 1)
    assert [v.op.name for v in tf1.model_variables()] == ["Conv/weights", "Conv/biases"]


def test_a_rate_spreads_the_window(session):
    line = tf.constant([[[1.0], [2.0], [4.0], [8.0]]])
    outputs = layers.conv1d(line, 1, 2, padding="VALID", rate=2, weights_initializer=ones)
    session.run(tf1.global_variables_initializer())
    assert session.run(outputs)[0, :, 0].tolist() == [5.0, 10.0]


def test_the_rank_belongs_to_the_layer():
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match="expects input with rank 5, got 4"):
            layers.conv3d(tf.ones([1, 2, 2, 1]), 1, 2)
        with pytest.raises(ValueError, match="Invalid data_format: 'HWC'"):
            layers.convolution(tf.ones([1, 2, 2, 1]), 1, 2, data_format="HWC")
