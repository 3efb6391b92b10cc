"""Tests of depthwise and separable convolutions."""

import numpy as np
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1

IMAGE = np.array([[1, 10], [2, 20], [3, 30]], "float32").reshape(1, 3, 1, 2)


def weights_of(values):
    return tf1.constant_initializer(values)


def test_each_channel_has_its_weights(session):
    outputs = layers.separable_conv2d(
        tf.constant(IMAGE),
        None,
        [2, 1],
        padding="VALID",
        weights_initializer=weights_of([1.0, 3.0, 2.0, 4.0]),
    )
    session.run(tf1.global_variables_initializer())
    assert session.run(outputs)[0, :, 0].tolist() == [[5.0, 110.0], [8.0, 180.0]]
    names = [v.op.name for v in tf1.model_variables()]
    assert names == ["SeparableConv2d/depthwise_weights", "SeparableConv2d/biases"]


def test_channels_are_mixed(session):
    outputs = layers.separable_conv2d(
        tf.constant(IMAGE),
        1,
        1,
        weights_initializer=weights_of([1.0, 2.0]),
        pointwise_initializer=weights_of([1.0, -0.01]),
    )
    session.run(tf1.global_variables_initializer())
    expected = [1 - 0.2, 2 - 0.4, 3 - 0.6]
    np.testing.assert_allclose(session.run(outputs).ravel(), expected, rtol=1e-5)


def test_all_channels_have_the_same_weights(session):
    outputs = layers.conv2d_in_plane(
        tf.constant(IMAGE), [2, 1], padding="VALID", weights_initializer=weights_of([1.0, -1.0])
    )
    backwards = layers.conv2d_in_plane(
        tf.constant(IMAGE), [2, 1], padding="VALID", weights_initializer=weights_of([-1.0, 1.0])
    )
    session.run(tf1.global_variables_initializer())
    assert not session.run(outputs).any()  # The relu of negative differences.
    assert session.run(backwards)[0, :, 0].tolist() == [[1.0, 10.0], [1.0, 10.0]]
