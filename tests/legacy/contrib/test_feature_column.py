"""Tests of the layer that reads columns of sequences."""

import pytest
import tensorflow as tf

from legacy import contrib
from legacy.contrib import feature_column

tf1 = tf.compat.v1


def test_lengths_that_differ_are_refused():
    two = [contrib.feature_column.sequence_numeric_column(name) for name in ("x", "y")]
    with tf.Graph().as_default(), tf1.Session() as session:
        features = {
            "x": tf.SparseTensor([[0, 0], [1, 0]], [1.0, 2.0], [2, 3]),
            "y": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1.0, 2.0, 3.0], [2, 3]),
        }
        _, lengths = contrib.feature_column.sequence_input_layer(features, two)
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(lengths)


def test_columns_are_concatenated_step_by_step(session):
    words = feature_column.sequence_categorical_column_with_identity("w", 2)
    columns = [
        feature_column.sequence_numeric_column("x"),
        tf.feature_column.indicator_column(words),
    ]
    indices = [[0, 0], [0, 1], [1, 0]]
    features = {
        "x": tf.SparseTensor(indices, [1.0, 2.0, 3.0], [2, 2]),
        "w": tf.SparseTensor(indices, tf.constant([1, 0, 1], tf.int64), [2, 2]),
    }
    inputs, lengths = feature_column.sequence_input_layer(features, columns)
    found, lengths = session.run([inputs, lengths])
    # Columns are in the order of their names.
    assert found.tolist() == [[[0, 1, 1], [1, 0, 2]], [[0, 1, 3], [0, 0, 0]]]
    assert lengths.tolist() == [2, 1]
    with pytest.raises(ValueError, match="must be of type _SequenceDenseColumn"):
        feature_column.sequence_input_layer(features, [words])
