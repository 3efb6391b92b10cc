"""Tests of the k-means graph, as old programs run it by hand."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import factorization

tf1 = tf.compat.v1

POINTS = np.array([[0, 0], [0, 1], [9, 9], [9, 8]], np.float32)


def test_the_graph_finds_clusters_by_hand():
    with tf.Graph().as_default(), tf1.Session() as session:
        points = tf1.placeholder(tf.float32, [None, 2])
        graph = factorization.KMeans(points, 2, "kmeans_plus_plus", use_mini_batch=True)
        _, (indices,), (distances,), initialized, init_op, train_op = graph.training_graph()
        session.run(tf1.global_variables_initializer())
        session.run(init_op, {points: POINTS})
        assert session.run(initialized)
        for _ in range(3):
            session.run(train_op, {points: POINTS})
        found = session.run(indices, {points: POINTS}).tolist()
        assert found in ([0, 0, 1, 1], [1, 1, 0, 0])
        assert session.run(distances, {points: POINTS}).max() < 1


def test_what_left_tensorflow_says_so():
    with pytest.raises(AttributeError, match="WALSModel is not provided: its operations left"):
        _ = factorization.WALSModel
