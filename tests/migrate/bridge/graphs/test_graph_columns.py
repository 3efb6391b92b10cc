"""Tests for feature columns that TensorFlow creates only in graphs."""

import tensorflow as tf

from migrate.bridge.graphs import graph_columns


def test_columns_of_an_eager_program_share_a_table():
    assert tf.executing_eagerly()
    keys = [tf.feature_column.categorical_column_with_identity(name, 3) for name in ("a", "b")]
    columns = graph_columns.shared_embedding_columns(keys, 2)

    with tf.Graph().as_default():
        features = {"a": tf.constant([[0]]), "b": tf.constant([[1]])}
        outputs = tf.compat.v1.feature_column.input_layer(features, columns)
        variables = tf.compat.v1.global_variables()
        assert outputs.shape == (1, 2 * 2)
    assert [tuple(variable.shape) for variable in variables] == [(3, 2)]
