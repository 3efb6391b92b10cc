"""Tests of pooling and gradient scaling that the oracle does not cover."""

import numpy as np
import tensorflow as tf

from legacy.contrib import layers


def test_pool_takes_any_number_of_dimensions():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        line = tf.constant(np.arange(6.0).reshape(1, 6, 1))
        found = session.run(layers.pool(line, 2, "MAX", stride=2))
        assert found[0, :, 0].tolist() == [1, 3, 5]
        dilated = session.run(layers.pool(line, [2], "AVG", dilation_rate=2))
        assert dilated[0, :, 0].tolist() == [1, 2, 3, 4]


def test_scale_gradient_scales_the_gradient_alone():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.constant([1.0, 2.0])
        y = layers.scale_gradient(x, 0.25)
        assert session.run([y, tf.gradients(y, x)[0]])[0].tolist() == [1.0, 2.0]
        assert session.run(tf.gradients(y, x)[0]).tolist() == [0.25, 0.25]
