"""What to parse from serialized Examples for a canned estimator, as the v1 API has it.

>>> import tensorflow as tf
>>> columns = [tf.compat.v1.feature_column.numeric_column("age")]
>>> sorted(regressor_parse_example_spec(columns, label_key="price"))
['age', 'price']

Unlike the v2 API's functions these take columns of TensorFlow 1's old classes, and do not take
`sequence_numeric_column`, which has no such class.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from legacy.estimator.canned.v2.parse_example_spec import with_label_and_weight

tf1 = tf.compat.v1


def classifier_parse_example_spec(
    feature_columns: Iterable[Any],
    label_key: str,
    label_dtype: tf.DType = tf.int64,
    label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:
    """Returns what to parse for a classifier, whose label is one value per example.

    Args:
      feature_columns: The model's feature columns, also of TensorFlow 1's old classes.
      label_key: The label's key in the Example.
      label_dtype: Its type.
      label_default: The label of an Example without one.
      weight_column: The key of the example's weight, or a `numeric_column`.

    Returns:
      By key, a `FixedLenFeature` or `VarLenFeature`.

    Raises:
      ValueError: Label or weight is a feature as well, or `weight_column` is neither.
    """
    parsed = tf1.feature_column.make_parse_example_spec(feature_columns)
    label = tf.io.FixedLenFeature((1,), label_dtype, label_default)
    return with_label_and_weight(parsed, label_key, label, weight_column)


def regressor_parse_example_spec(
    feature_columns: Iterable[Any],
    label_key: str,
    label_dtype: tf.DType = tf.float32,
    label_default: Any = None,
    label_dimension: int = 1,
    weight_column: Any = None,
) -> dict[str, Any]:
    """Returns what to parse for a regressor, whose label is a vector.

    Args:
      feature_columns: The model's feature columns, also of TensorFlow 1's old classes.
      label_key: The label's key in the Example.
      label_dtype: Its type.
      label_default: The label of an Example without one.
      label_dimension: How many values a label has.
      weight_column: The key of the example's weight, or a `numeric_column`.

    Returns:
      By key, a `FixedLenFeature` or `VarLenFeature`.

    Raises:
      ValueError: Label or weight is a feature as well, or `weight_column` is neither.
    """
    parsed = tf1.feature_column.make_parse_example_spec(feature_columns)
    label = tf.io.FixedLenFeature((label_dimension,), label_dtype, label_default)
    return with_label_and_weight(parsed, label_key, label, weight_column)
