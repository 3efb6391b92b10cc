"""Tests for feeding a graph."""

import numpy as np
import tensorflow as tf

from migrate import batches
from migrate.verify.sides import feeding

tf1 = tf.compat.v1


def test_feeds_dense_and_sparse_parts():
    sparse = batches.Sparse(np.array([[0, 1], [1, 0]]), np.array([5, 6]), np.array([2, 2]))
    with tf.Graph().as_default():
        dense = feeding.placeholder(tf.TensorSpec([None], tf.int64))
        words = feeding.placeholder(tf.SparseTensorSpec([None, 2], tf.int64))
        total = tf.sparse.to_dense(words) * dense[:, tf.newaxis]
        with tf1.Session(config=feeding.session_config()) as session:
            feeds = {
                dense: feeding.feed_value(np.array([10, 100])),
                words: feeding.feed_value(sparse),
            }
            found = session.run(total, feeds)

    np.testing.assert_array_equal(found, [[0, 50], [600, 0]])


def test_a_missing_part_has_no_placeholder():
    assert feeding.placeholder(None) is None
