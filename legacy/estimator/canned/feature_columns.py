"""What canned models ask of features and feature columns before they build anything.

>>> import tensorflow as tf
>>> all_v2([tf.feature_column.numeric_column("age")])
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import tensorflow as tf

# TensorFlow exports these for the Keras layers that take feature columns, and for nobody else;
# there is no other public way to tell a v2 column from a v1 column.
FeatureColumn = tf.__internal__.feature_column.FeatureColumn
DenseColumn = tf.__internal__.feature_column.DenseColumn


def check_features(features: Any) -> None:
    """Checks that features are a dict, as feature columns need them.

    Args:
      features: What an input function returned.

    Raises:
      ValueError: They are something else.
    """
    if not isinstance(features, dict):
        raise ValueError(
            f"features should be a dictionary of `Tensor`s. Given type: {type(features)}. Return "
            "one from the input_fn, by the names that the feature columns ask for."
        )


def all_v2(columns: Iterable[Any]) -> bool:
    """Says whether all columns are those of `tf.feature_column` in TensorFlow 2.

    Args:
      columns: Feature columns.

    Returns:
      False where one is of the older kind: what `tf.compat.v1.feature_column` makes under its own
      names, as `shared_embedding_columns`, and what is built on such a column.
    """
    return all(isinstance(c, FeatureColumn) and c._is_v2_column for c in columns)


def refuse_v1(columns: Iterable[Any]) -> None:
    """Checks that an estimator of the v2 API was given v2 columns.

    Args:
      columns: Feature columns.

    Raises:
      ValueError: One of them is a v1 column.
    """
    if not all_v2(columns):
        raise ValueError(
            "Received a feature column from TensorFlow v1, but this is a TensorFlow v2 Estimator. "
            "Use the columns of tf.feature_column (TensorFlow 2) with it, or the Estimator of "
            "tf.compat.v1.estimator with columns of tf.compat.v1.feature_column. Given: "
            f"{list(columns)}"
        )


def by_name(columns: Any) -> list[Any]:
    """Returns v2 feature columns in the order of their names.

    Args:
      columns: One column or an iterable of them.

    Returns:
      The columns, sorted.

    Raises:
      ValueError: There is none, two have one name, or one is something else.
    """
    if isinstance(columns, Mapping):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    # A column is a named tuple, so iterable itself.
    columns = [columns] if isinstance(columns, FeatureColumn) else list(columns)
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    named: dict[str, Any] = {}
    for column in columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError(
                "Items of feature_columns must be a FeatureColumn. "
                f"Given (type {type(column)}): {column}."
            )
        if column.name in named:
            raise ValueError(
                f"Duplicate feature column name found for columns: {column} and "
                f"{named[column.name]}. Drop one of them, or give the feature a second name."
            )
        named[column.name] = column
    return [named[name] for name in sorted(named)]


def is_categorical(column: Any) -> bool:
    """Says whether a v2 column gives ids, of which a linear model looks up weights."""
    return hasattr(column, "get_sparse_tensors") and hasattr(column, "num_buckets")


def serialized(columns: Iterable[Any]) -> list[Any]:
    """Returns what `deserialized` makes v2 feature columns from.

    Args:
      columns: The columns.
    """
    serialize = tf.__internal__.feature_column.serialize_feature_column
    return [serialize(column) for column in columns]


def deserialized(
    configs: Iterable[Any], custom_objects: Mapping[str, Any] | None = None
) -> list[Any]:
    """Returns the feature columns that `serialized` was given.

    Args:
      configs: What it returned.
      custom_objects: By name, what the configurations refer to and Keras does not know.
    """
    deserialize = tf.__internal__.feature_column.deserialize_feature_column
    return [deserialize(config, custom_objects) for config in configs]


def scope_name(column: Any) -> str:
    """Returns a column's name as a scope's: all but letters, digits and "_.-" is "_"."""
    return re.sub(r"[^A-Za-z0-9_.\-]", "_", column.name)


def check_batch_sizes(tensors: Sequence[tf.Tensor], columns: Sequence[Any]) -> None:
    """Checks that batch sizes, where they are known while the graph is built, agree.

    Args:
      tensors: A tensor of shape [batch_size, ...] for each column.
      columns: The columns.

    Raises:
      ValueError: Two differ.
    """
    known: Iterator[tuple[int, Any]] = (
        (t.shape[0], column) for t, column in zip(tensors, columns, strict=True)
    )
    known = ((size, column) for size, column in known if size is not None)
    first = next(known, None)
    for size, column in known:
        if size != first[0]:
            raise ValueError(
                "Batch size (first dimension) of each feature must be same. Batch size of columns "
                f"({first[1].name}, {column.name}): ({first[0]}, {size})"
            )
