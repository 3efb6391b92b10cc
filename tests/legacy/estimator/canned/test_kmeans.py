"""Tests of k-means centers after batches. The oracle covers random choices."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.compat.v1 import estimator

KMeans = estimator.experimental.KMeans

POINTS = np.float32([[0, 1], [0, 3], [8, 8], [6, 8], [1, 2], [7, 5]])
MEANS = [[1 / 3, 2], [7, 7]]


def batches(size):
    return lambda: tf.data.Dataset.from_tensor_slices(POINTS).batch(size)


def test_centers_of_a_full_batch_are_means():
    kmeans = KMeans(2, initial_clusters="kmeans_plus_plus", use_mini_batch=False, seed=1)
    kmeans.train(lambda: batches(6)().repeat(), steps=3)
    centers = kmeans.cluster_centers()
    np.testing.assert_allclose(sorted(centers.tolist()), MEANS, rtol=1e-5)
    indices = list(kmeans.predict_cluster_index(batches(4)))
    assert [indices[0] == i for i in indices] == [True, True, False, False, True, False]
    first = next(kmeans.transform(batches(4)))
    np.testing.assert_allclose(first, np.linalg.norm(centers - POINTS[0], axis=1), rtol=1e-5)
    distances = np.square(POINTS - centers[indices]).sum()
    np.testing.assert_allclose(kmeans.score(batches(6)), distances, rtol=1e-5)


def test_mini_batches_collect_to_the_same_means():
    kmeans = KMeans(2, initial_clusters=POINTS[:3:2], mini_batch_steps_per_iteration=3)
    # Three steps collect points, and the fourth starts with the new centers.
    kmeans.train(lambda: batches(2)().repeat(), steps=4)
    np.testing.assert_allclose(kmeans.cluster_centers(), MEANS, rtol=1e-5)


def test_a_mini_batch_moves_centers_as_running_means():
    kmeans = KMeans(2, initial_clusters=POINTS[:3:2]).train(batches(2), steps=1)
    # The running mean of the center has three points: the initial center and both of the batch.
    expected = [(POINTS[0] + POINTS[0] + POINTS[1]) / 3, POINTS[2]]
    np.testing.assert_allclose(kmeans.cluster_centers(), expected, rtol=1e-5)


def test_random_centers_are_points_of_several_batches():
    kmeans = KMeans(6, use_mini_batch=True, mini_batch_steps_per_iteration=100)
    kmeans.train(lambda: batches(2)().repeat(), steps=1)
    assert sorted(kmeans.cluster_centers().tolist()) == sorted(POINTS.tolist())


def test_training_stops_when_the_loss_stays(tmp_path):
    kmeans = KMeans(2, str(tmp_path), POINTS[:3:2], use_mini_batch=False, relative_tolerance=1e-6)
    kmeans.train(lambda: batches(6)().repeat())
    assert kmeans.get_variable_value("global_step") == 3


def test_what_there_is_not_is_refused():
    with pytest.raises(ValueError, match="Unsupported initialization algorithm 'kmc2'"):
        KMeans(2, initial_clusters="kmc2")
    with pytest.raises(ValueError, match="Unsupported distance metric 'l1'"):
        KMeans(2, distance_metric="l1")
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least num_clusters points"):
        KMeans(5, initial_clusters="kmeans_plus_plus").train(batches(2), steps=1)
