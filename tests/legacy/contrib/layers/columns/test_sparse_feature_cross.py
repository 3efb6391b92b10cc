"""Tests of hashes of feature combinations, with the numbers of TensorFlow 1.15."""

import tensorflow as tf

from legacy.contrib.layers.columns import sparse_feature_cross


def column(values):
    indices = [[i, 0] for i in range(len(values))]
    return tf.SparseTensor(indices, values, [len(values), 1])


WORDS = ["a", "b", "c"]
OTHERS = ["x", "y", "z"]
NUMBERS = tf.constant([1, 2, 3], tf.int64)


def ids(features, key=None, buckets=100):
    return sparse_feature_cross.cross(features, buckets, key).values.numpy().tolist()


def test_without_a_key_the_old_hash_is_used():
    assert ids([column(WORDS), column(OTHERS)]) == [3, 20, 39]
    assert ids([column(WORDS), column(NUMBERS)]) == [34, 79, 29]
    assert ids([column(NUMBERS), column(WORDS)]) == [0, 34, 87]
    assert ids([column(WORDS), column(OTHERS), column(NUMBERS)]) == [24, 92, 66]


def test_with_a_key_the_new_one_is():
    default = sparse_feature_cross.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
    assert ids([column(WORDS), column(OTHERS)], default) == [92, 5, 80]
    assert ids([column(WORDS), column(NUMBERS)], 7) == [77, 93, 12]


def test_all_pairs_of_an_example_are_crossed_and_dense_features_too():
    words = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["a", "b", "c"], [3, 2])
    crossed = sparse_feature_cross.cross([words, tf.constant([["x"], ["y"], ["z"]])], 100)
    assert crossed.indices.numpy().tolist() == [[0, 0], [0, 1], [2, 0]]
    assert crossed.values.numpy().tolist() == [3, ids([column(["b"]), column(["x"])])[0], 39]
