"""Checks features and feature columns before a canned model is built.

>>> import tensorflow as tf
>>> all_v2([tf.feature_column.numeric_column("age")])
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import tensorflow as tf

# TensorFlow exports these classes for the Keras layers that take feature columns. No other public
# name distinguishes v2 columns from v1 columns.
FeatureColumn = tf.__internal__.feature_column.FeatureColumn
DenseColumn = tf.__internal__.feature_column.DenseColumn


def check_features(features: Any) -> None:
    """Checks that features are a dict, as feature columns require.

    Args:
      features: Features from an input_fn.

    Raises:
      ValueError: If they are of another type.
    """
    if not isinstance(features, dict):
        raise ValueError(
            f"features should be a dictionary of `Tensor`s. Given type: {type(features)}. Return "
            "one from the input_fn, by the names that the feature columns ask for."
        )


def all_v2(columns: Iterable[Any]) -> bool:
    """Returns True if all columns are those of `tf.feature_column` in TensorFlow 2.

    Args:
      columns: Feature columns.

    Returns:
      False if any column is of the older kind. These are columns from functions that exist only in
      `tf.compat.v1.feature_column`, such as `shared_embedding_columns`, and columns built on them.
    """
    return all(isinstance(c, FeatureColumn) and c._is_v2_column for c in columns)


def refuse_v1(columns: Iterable[Any]) -> None:
    """Checks that an estimator of the v2 API gets v2 columns only.

    Args:
      columns: Feature columns.

    Raises:
      ValueError: If any column is a v1 column.
    """
    if not all_v2(columns):
        raise ValueError(
            "Received a feature column from TensorFlow v1, but this is a TensorFlow v2 Estimator. "
            "Use the columns of tf.feature_column (TensorFlow 2) with it, or the Estimator of "
            "tf.compat.v1.estimator with columns of tf.compat.v1.feature_column. Given: "
            f"{list(columns)}"
        )


def by_name(columns: Any) -> list[Any]:
    """Sorts v2 feature columns by name.

    Args:
      columns: A column or an iterable of columns.

    Returns:
      The sorted columns.

    Raises:
      ValueError: If `columns` is empty, if two columns have the same name, or if an item is not a
        v2 column.
    """
    if isinstance(columns, Mapping):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    # A column is a named tuple and therefore iterable itself.
    columns = [columns] if isinstance(columns, FeatureColumn) else list(columns)
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    by_key: dict[str, Any] = {}
    for column in columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError(
                "Items of feature_columns must be a FeatureColumn. "
                f"Given (type {type(column)}): {column}."
            )
        if column.name in by_key:
            raise ValueError(
                f"Duplicate feature column name found for columns: {column} and "
                f"{by_key[column.name]}. Drop one of them, or give the feature a second name."
            )
        by_key[column.name] = column
    return [by_key[name] for name in sorted(by_key)]


def is_categorical(column: Any) -> bool:
    """Returns True if a v2 column yields ids, for which a linear model looks up weights."""
    return hasattr(column, "get_sparse_tensors") and hasattr(column, "num_buckets")


def serialized(columns: Iterable[Any]) -> list[Any]:
    """Serializes v2 feature columns for `deserialized`.

    Args:
      columns: Feature columns.
    """
    serialize = tf.__internal__.feature_column.serialize_feature_column
    return [serialize(column) for column in columns]


def deserialized(
    configs: Iterable[Any], custom_objects: Mapping[str, Any] | None = None
) -> list[Any]:
    """Restores feature columns from the configurations that `serialized` returned.

    Args:
      configs: Configurations of feature columns.
      custom_objects: Objects by name that the configurations refer to and Keras does not know.
    """
    deserialize = tf.__internal__.feature_column.deserialize_feature_column
    return [deserialize(config, custom_objects) for config in configs]


def scope_name(column: Any) -> str:
    """Returns the name of a column as a scope name, with "_" for invalid characters.

    Letters, digits and "_.-" are valid.
    """
    return re.sub(r"[^A-Za-z0-9_.\-]", "_", column.name)


def check_batch_sizes(tensors: Sequence[tf.Tensor], columns: Sequence[Any]) -> None:
    """Checks that the statically known batch sizes agree.

    Args:
      tensors: A tensor of shape [batch_size, ...] for each column.
      columns: The columns.

    Raises:
      ValueError: If two batch sizes differ.
    """
    sizes: Iterator[tuple[int, Any]] = (
        (t.shape[0], column) for t, column in zip(tensors, columns, strict=True)
    )
    sizes = ((size, column) for size, column in sizes if size is not None)
    first = next(sizes, None)
    for size, column in sizes:
        if size != first[0]:
            raise ValueError(
                "Batch size (first dimension) of each feature must be same. Batch size of columns "
                f"({first[1].name}, {column.name}): ({first[0]}, {size})"
            )
