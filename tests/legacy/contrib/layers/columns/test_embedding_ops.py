"""Tests of embedding lookups."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib.layers.columns import embedding_ops

TABLE = np.array([[1.0, 2.0], [3.0, 4.0], [8.0, 6.0]], "float32")


@pytest.mark.parametrize(
    ("combiner", "first"),
    [("sum", [9.0, 8.0]), ("mean", [4.5, 4.0]), ("sqrtn", [9 / 2**0.5, 8 / 2**0.5])],
)
def test_rows_are_combined_and_negative_ids_ignored(combiner, first):
    ids = tf.SparseTensor(
        [[0, 0], [0, 1], [0, 2], [1, 0]], tf.constant([0, 2, -1, -1], tf.int64), [2, 3]
    )
    found = embedding_ops.safe_embedding_lookup_sparse(
        [tf.constant(TABLE)], ids, combiner=combiner, default_id=1
    )
    np.testing.assert_allclose(found, [first, [3.0, 4.0]], rtol=1e-6)


def test_long_rows_are_clipped():
    ids = tf.SparseTensor([[0, 0]], tf.constant([2], tf.int64), [1, 1])
    found = embedding_ops.safe_embedding_lookup_sparse(
        [tf.constant(TABLE)], ids, combiner="sum", max_norm=5.0
    )
    np.testing.assert_allclose(found, [[4.0, 3.0]], rtol=1e-6)


def test_ids_of_any_shape():
    found = embedding_ops.embedding_lookup_unique(tf.constant(TABLE), [[2, 0], [2, 2]])
    np.testing.assert_array_equal(found, TABLE[[[2, 0], [2, 2]]])


@pytest.mark.parametrize(
    ("dense", "ignored", "values"),
    [([["a", ""]], None, [b"a"]), ([[0, 5]], None, [5]), ([[0, 5]], 5, [0])],
)
def test_one_value_is_left_out(dense, ignored, values):
    found = embedding_ops.dense_to_sparse_tensor(dense, ignored)
    assert found.values.numpy().tolist() == values
    assert found.dense_shape.numpy().tolist() == [1, 2]
