"""Tests of the graph of k-means by hand. test_kmeans.py trains the Estimator."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.estimator.canned import clustering

tf1 = tf.compat.v1
POINTS = [[3.0, 4.0], [0.0, 2.0], [5.0, 0.0]]


@pytest.mark.parametrize(
    ("metric", "centers", "indices", "distances"),
    [
        (
            clustering.SQUARED_EUCLIDEAN_DISTANCE,
            [[0.0, 2.0], [4.0, 4.0]],
            [1, 0, 1],
            [1.0, 0.0, 17.0],
        ),
        (clustering.COSINE_DISTANCE, [[0.0, 1.0], [1.0, 0.0]], [0, 0, 1], [0.2, 0.0, 0.0]),
    ],
)
def test_distances_to_the_nearest_center(metric, centers, indices, distances):
    with tf.Graph().as_default(), tf1.Session() as session:
        graph = clustering.Clustering(tf.constant(POINTS), 2, centers, metric)
        session.run(tf1.global_variables_initializer())
        session.run(graph.initialize())
        found = session.run(graph.infer())
    assert found.indices.tolist() == indices
    np.testing.assert_allclose(found.distances, distances, atol=1e-6)
    np.testing.assert_allclose(found.all_distances.min(axis=1), distances, atol=1e-6)


def test_a_function_chooses_centers_until_there_are_enough():
    missing = []

    def first_points(points, number):
        missing.append(number)
        return points[0][:1]

    with tf.Graph().as_default(), tf1.Session() as session:
        points = tf1.placeholder(tf.float32, [None, 2])
        graph = clustering.Clustering(points, 2, first_points)
        initialize = graph.initialize()
        session.run(tf1.global_variables_initializer())
        done = []
        for row in ([[1.0, 1.0]], [[7.0, 8.0]]):
            session.run(initialize, {points: row})
            done.append(bool(session.run(graph.initialized)))
        assert done == [False, True]
        assert session.run(graph.centers).tolist() == [[1.0, 1.0], [7.0, 8.0]]
