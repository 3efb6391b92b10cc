"""Tests of layers without weights."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers


def test_scale_gradient_scales_the_gradient_alone():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.constant([1.0, 2.0])
        y = layers.scale_gradient(x, 0.25)
        assert session.run([y, tf.gradients(y, x)[0]])[0].tolist() == [1.0, 2.0]
        assert session.run(tf.gradients(y, x)[0]).tolist() == [0.25, 0.25]


def test_maxout_takes_the_largest_of_each_group(session):
    x = tf.constant([[1.0, 5.0, 2.0, 3.0]])
    assert session.run(layers.maxout(x, 2)).tolist() == [[5.0, 3.0]]
    with pytest.raises(ValueError, match="is not a multiple of num_units"):
        layers.maxout(x, 3)


@pytest.mark.parametrize("first", [False, True])
def test_images_and_sequences_are_each_others_inverse(session, first):
    images = np.arange(24.0).reshape(2, 3, 2, 2)
    rows = layers.images_to_sequence(tf.constant(images))
    assert rows.shape == [2, 6, 2]
    assert session.run(rows)[:, 1].tolist() == images[0, 1].tolist()
    to = "channels_first" if first else "channels_last"
    expected = images.transpose(0, 3, 1, 2) if first else images
    again = session.run(layers.sequence_to_images(rows, 3, to))
    np.testing.assert_array_equal(again, expected)


def test_the_position_of_a_peak(session):
    image = np.full([1, 3, 3, 1], -100.0, "float32")
    image[0, 0, 2] = 100.0
    found = layers.spatial_softmax(tf.constant(image))
    session.run(tf.compat.v1.global_variables_initializer())
    np.testing.assert_allclose(session.run(found), [[-1.0, 1.0]], atol=1e-6)
