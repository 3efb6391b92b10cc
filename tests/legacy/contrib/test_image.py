"""Tests of projective transforms of images."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import image

IMAGE = np.arange(9, dtype="float32").reshape(3, 3)


def test_a_quarter_turn_is_counterclockwise():
    found = image.rotate(IMAGE, np.pi / 2).numpy()
    np.testing.assert_array_equal(found, np.rot90(IMAGE))
    batch = image.rotate(np.stack([IMAGE, IMAGE])[..., None], [0.0, np.pi]).numpy()[..., 0]
    np.testing.assert_array_equal(batch, [IMAGE, np.rot90(IMAGE, 2)])


def test_an_image_moves_right_and_down():
    found = image.translate(IMAGE, [1, 2]).numpy()
    assert found.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]


def test_composed_transforms_are_products_of_matrices():
    turn = image.angles_to_projective_transforms([0.3], 3, 3)
    move = image.translations_to_projective_transforms([1.0, 2.0])
    composed = image.compose_transforms(turn, move)
    expected = image.flat_transforms_to_matrices(turn) @ image.flat_transforms_to_matrices(move)
    np.testing.assert_allclose(image.flat_transforms_to_matrices(composed), expected, rtol=1e-5)
    np.testing.assert_allclose(image.matrices_to_flat_transforms(expected), composed, rtol=1e-5)


def test_what_is_refused():
    with pytest.raises(TypeError, match="rank between 2 and 4"):
        image.rotate(tf.zeros([3]), 0.0)
    with pytest.raises(TypeError, match="Invalid dtype"):
        image.rotate(tf.zeros([3, 3], tf.complex64), 0.0)
    with pytest.raises(ValueError, match="output_shape must be"):
        image.transform(IMAGE, tf.zeros([8]), output_shape=[3])
    with pytest.raises(AssertionError, match="transforms cannot be empty"):
        image.compose_transforms()
