"""Tests that synthetic images depend only on the seed and can be learned."""

import numpy as np
import pytest

from modern.data import synthetic
from modern.data.arrays import DataError


def accuracy_of_nearest_mean(dataset):
    train = dataset.train_features.reshape(len(dataset.train_features), -1).astype(np.float32)
    test = dataset.test_features.reshape(len(dataset.test_features), -1).astype(np.float32)
    means = np.stack([train[dataset.train_labels == n].mean(axis=0) for n in range(10)])
    # |test - mean|² without |test|², which is the same for every class.
    guesses = np.argmin((means**2).sum(axis=1) - 2 * test @ means.T, axis=1)
    return (guesses == dataset.test_labels).mean()


@pytest.mark.parametrize("image_shape", [(28, 28), (32, 32, 3)])
def test_can_be_learned(image_shape):
    dataset = synthetic.load(image_shape, seed=0, train_size=1000, test_size=500)
    assert accuracy_of_nearest_mean(dataset) > 0.95
    dataset.test_labels[:] = (dataset.test_labels + 1) % 10
    assert accuracy_of_nearest_mean(dataset) < 0.05


def test_sizes_and_balance():
    dataset = synthetic.load((28, 28), seed=0)
    assert dataset.train_features.shape == (8192, 28, 28)
    assert dataset.test_features.shape == (1024, 28, 28)
    assert set(np.bincount(dataset.train_labels)) == {819, 820}


def test_pixels_do_not_wrap_around():
    dataset = synthetic.load((28, 28), seed=0, train_size=2000, test_size=10)
    for number in range(10):
        images = dataset.train_features[dataset.train_labels == number].astype(int)
        assert (images.max(axis=0) - images.min(axis=0) < 2 * 96).all()


def test_a_seed_is_a_data_set():
    sizes = {"train_size": 20, "test_size": 10}
    first = synthetic.load((28, 28), seed=1, **sizes)
    again = synthetic.load((28, 28), seed=1, **sizes)
    other = synthetic.load((28, 28), seed=2, **sizes)
    np.testing.assert_array_equal(first.train_features, again.train_features)
    np.testing.assert_array_equal(first.test_labels, again.test_labels)
    assert (first.train_features != other.train_features).any()


def test_too_small_to_be_told_apart():
    with pytest.raises(DataError, match="at least 8×8"):
        synthetic.load((7, 28), seed=0)
