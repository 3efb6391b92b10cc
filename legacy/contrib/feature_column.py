"""tf.contrib.feature_column: columns of sequences, and the layer that reads them.

    tokens = feature_column.sequence_categorical_column_with_hash_bucket("tokens", 1000)
    columns = [tf.feature_column.embedding_column(tokens, 8)]
    inputs, lengths = feature_column.sequence_input_layer(features, columns)
    outputs, state = tf.nn.dynamic_rnn(cell, inputs, lengths, dtype=tf.float32)

The columns later moved to tf.feature_column. The names here are aliases of those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.estimator.canned import feature_columns as columns_lib

tf1 = tf.compat.v1

sequence_categorical_column_with_hash_bucket = (
    tf.feature_column.sequence_categorical_column_with_hash_bucket
)
sequence_categorical_column_with_identity = (
    tf.feature_column.sequence_categorical_column_with_identity
)
sequence_categorical_column_with_vocabulary_file = (
    tf.feature_column.sequence_categorical_column_with_vocabulary_file
)
sequence_categorical_column_with_vocabulary_list = (
    tf.feature_column.sequence_categorical_column_with_vocabulary_list
)
sequence_numeric_column = tf.feature_column.sequence_numeric_column


class _Transformed:
    """Cache of transformed features, with the interface that columns of TensorFlow 1 expect."""

    def __init__(self, features: Mapping[str, Any]) -> None:
        self.cache = tf.__internal__.feature_column.FeatureTransformationCache(features)

    def get(self, key: Any) -> Any:
        return self.cache.get(key, None)


def sequence_input_layer(
    features: Mapping[str, Any],
    feature_columns: Any,
    weight_collections: Sequence[str] | None = None,
    trainable: bool = True,
) -> tuple[tf.Tensor, tf.Tensor]:
    """Concatenates the sequence columns of each example into one sequence of vectors.

    Args:
      features: Sparse tensors of shape [batch, steps, ...], by feature name.
      feature_columns: Dense columns of sequences. All columns of an example have the same length.
      weight_collections: Additional graph collections that the variables are added to.
      trainable: If true, the variables are trainable.

    Returns:
      The sequences, float32 of shape [batch, steps, values], and their lengths, int64 of shape
      [batch].

    Raises:
      ValueError: A column is not a dense sequence column.
    """
    columns = columns_lib.by_name(feature_columns)
    tensors, lengths = [], []
    with tf1.variable_scope(
        None, default_name="sequence_input_layer", values=list(features.values())
    ):
        transformed = _Transformed(features)
        for column in columns:
            with tf1.variable_scope(None, default_name=columns_lib.scope_name(column)):
                dense, length = _read_column(column, transformed, weight_collections, trainable)
            size = tf.shape(dense)
            values = column.variable_shape.num_elements()
            tensors.append(tf.reshape(dense, [size[0], size[1], values]))
            lengths.append(length)
        columns_lib.check_batch_sizes(tensors, columns)
        return tf.concat(tensors, -1), _all_equal(lengths)


def _read_column(
    column: Any, transformed: _Transformed, collections: Sequence[str] | None, trainable: bool
) -> Any:
    if hasattr(column, "_get_sequence_dense_tensor"):
        # Creates variables by get_variable, with the names that old checkpoints contain.
        return column._get_sequence_dense_tensor(transformed, collections, trainable)
    if hasattr(column, "get_sequence_dense_tensor"):
        return column.get_sequence_dense_tensor(transformed.cache, None)
    raise ValueError(
        "All feature_columns must be of type _SequenceDenseColumn. You can wrap a "
        "sequence_categorical_column with an embedding_column or indicator_column. "
        f"Given (type {type(column)}): {column}"
    )


def _all_equal(lengths: Sequence[tf.Tensor]) -> tf.Tensor:
    checks = [tf1.assert_equal(lengths[0], length) for length in lengths[1:]]
    with tf.control_dependencies(checks):
        return tf.identity(lengths[0])


__getattr__ = _missing.attribute_of("feature_column")

__all__ = [
    "sequence_categorical_column_with_hash_bucket",
    "sequence_categorical_column_with_identity",
    "sequence_categorical_column_with_vocabulary_file",
    "sequence_categorical_column_with_vocabulary_list",
    "sequence_input_layer",
    "sequence_numeric_column",
]
