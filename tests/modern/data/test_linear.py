"""Tests for the points of the linear regression."""

import numpy as np

from modern.data import linear


def test_shapes():
    dataset = linear.regression(0)
    assert dataset.train_features.shape == (4096, 10)
    assert dataset.train_labels.shape == (4096, 1)
    assert dataset.test_features.shape == (512, 10)
    assert dataset.test_labels.shape == (512, 1)
    arrays = (dataset.train_features, dataset.train_labels)
    assert {array.dtype for array in arrays} == {np.dtype(np.float32)}


def test_least_squares_finds_the_line():
    dataset = linear.regression(0)
    ones = np.ones((len(dataset.train_features), 1), np.float32)
    inputs = np.hstack([dataset.train_features, ones])
    found = np.linalg.lstsq(inputs, dataset.train_labels, rcond=None)[0]
    np.testing.assert_allclose(found[:-1], linear.WEIGHTS, atol=0.01)
    np.testing.assert_allclose(found[-1], linear.BIAS, atol=0.01)


def test_noise_is_what_is_left():
    dataset = linear.regression(5)
    left = dataset.test_labels - (dataset.test_features @ linear.WEIGHTS + linear.BIAS)
    assert 0.09 < left.std() < 0.11


def test_a_seed_is_a_data_set_and_no_point_is_in_both_splits():
    first, again, other = linear.regression(1), linear.regression(1), linear.regression(2)
    np.testing.assert_array_equal(first.train_labels, again.train_labels)
    assert (first.train_labels != other.train_labels).any()
    train = {point.tobytes() for point in first.train_features}
    assert not any(point.tobytes() in train for point in first.test_features)
