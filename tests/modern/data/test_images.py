"""Tests for resizing and padding images, and for repeating grey in each channel."""

import numpy as np
import pytest

from modern.data import images
from modern.data.arrays import ArrayDataset, DataError


def dataset_of(features):
    labels = np.zeros(len(features), np.int64)
    return ArrayDataset("some", features, labels, features, labels)


def random_images(*shape):
    return np.random.default_rng(0).integers(0, 256, shape, np.uint8)


def test_resize_to_the_same_size_changes_nothing():
    given = random_images(3, 8, 8)
    np.testing.assert_array_equal(images.resize(given, (8, 8)), given)


@pytest.mark.parametrize("size", [(28, 28), (32, 32), (9, 50)])
def test_resize_keeps_a_constant(size):
    np.testing.assert_allclose(images.resize(np.full((1, 8, 8), 7.0), size), 7.0, rtol=1e-12)


def test_resize_puts_pixel_centres_where_they_belong():
    ramp = np.arange(8.0)[np.newaxis, np.newaxis].repeat(8, axis=1)
    across = images.resize(ramp, (8, 32))[0, 3]
    np.testing.assert_allclose(across, np.clip((np.arange(32) + 0.5) / 4 - 0.5, 0, 7))
    down = images.resize(ramp.transpose(0, 2, 1), (32, 8))[0, :, 3]
    np.testing.assert_allclose(down, across)


def test_adapt_pads_grey_and_repeats_it():
    given = random_images(2, 4, 6)
    adapted = images.adapt(dataset_of(given), (8, 6, 3)).train_features
    assert adapted.shape == (2, 8, 6, 3)
    assert adapted.dtype == np.uint8
    np.testing.assert_array_equal(adapted[:, 2:6, :, 1], given)
    assert not adapted[:, :2].any()
    assert not adapted[:, 6:].any()


def test_adapt_pads_colour():
    given = random_images(2, 4, 4, 3)
    adapted = images.adapt(dataset_of(given), (6, 6, 3)).test_features
    np.testing.assert_array_equal(adapted[:, 1:5, 1:5], given)
    assert adapted.sum() == given.sum()


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ((28, 28), (27, 28)),  # Would be cut.
        ((28, 28), (29, 28)),  # Cannot be in the middle.
        ((32, 32, 3), (32, 32)),  # Would lose its colour.
        ((32, 32, 3), (32, 32, 1)),
    ],
)
def test_what_does_not_fit(found, wanted):
    with pytest.raises(DataError, match="'some' has images of shape .*not cropped"):
        images.adapt(dataset_of(random_images(2, *found)), wanted)
