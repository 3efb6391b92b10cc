"""Test of transposed convolutions."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1


def test_a_stride_multiplies_the_size(session):
    kernel = tf1.constant_initializer([1.0, 2.0, 3.0, 4.0])
    image = tf.constant([[[[1.0], [10.0]]]])
    outputs = layers.conv2d_transpose(image, 1, 2, stride=2, weights_initializer=kernel)
    volume = layers.conv3d_transpose(
        image[:, None], 1, 1, weights_initializer=tf1.ones_initializer()
    )
    session.run(tf1.global_variables_initializer())
    assert session.run(outputs)[0, ..., 0].tolist() == [[1, 2, 10, 20], [3, 4, 30, 40]]
    np.testing.assert_array_equal(session.run(volume), session.run(image[:, None]))
    with pytest.raises(ValueError, match="data_format"):
        layers.conv2d_transpose(image, 1, 2, data_format="NWC")
