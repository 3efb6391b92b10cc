"""What to parse from serialized Examples for a canned estimator: its features, label and weight.

>>> import tensorflow as tf
>>> columns = [tf.feature_column.numeric_column("age")]
>>> spec = classifier_parse_example_spec(columns, label_key="clicked", weight_column="importance")
>>> sorted(spec)
['age', 'clicked', 'importance']

The result is what `tf.io.parse_example` and `tf.data.experimental.make_batched_features_dataset`
take.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf


def classifier_parse_example_spec(
    feature_columns: Iterable[Any],
    label_key: str,
    label_dtype: tf.DType = tf.int64,
    label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:
    """Returns what to parse for a classifier, whose label is one value per example.

    Args:
      feature_columns: The model's feature columns.
      label_key: The label's key in the Example.
      label_dtype: Its type; tf.string where the classifier has a `label_vocabulary`.
      label_default: The label of an Example without one; None makes that an error.
      weight_column: The key of the example's weight, or a `numeric_column`; None for no weights.

    Returns:
      By key, a `FixedLenFeature` or `VarLenFeature`; the label's has the shape [1].

    Raises:
      ValueError: Label or weight is a feature as well, or `weight_column` is neither.
    """
    parsed = tf.feature_column.make_parse_example_spec(feature_columns)
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
      feature_columns: The model's feature columns.
      label_key: The label's key in the Example.
      label_dtype: Its type.
      label_default: The label of an Example without one; None makes that an error.
      label_dimension: How many values a label has.
      weight_column: The key of the example's weight, or a `numeric_column`; None for no weights.

    Returns:
      By key, a `FixedLenFeature` or `VarLenFeature`; the label's has the shape [label_dimension].

    Raises:
      ValueError: Label or weight is a feature as well, or `weight_column` is neither.
    """
    parsed = tf.feature_column.make_parse_example_spec(feature_columns)
    label = tf.io.FixedLenFeature((label_dimension,), label_dtype, label_default)
    return with_label_and_weight(parsed, label_key, label, weight_column)


def with_label_and_weight(
    features: dict[str, Any], label_key: str, label: Any, weight_column: Any
) -> dict[str, Any]:
    """Adds a label and a weight to what is parsed.

    Args:
      features: By key, what to parse for the features.
      label_key: The label's key.
      label: What to parse for the label.
      weight_column: A key, a `numeric_column`, or None.

    Returns:
      All of it by key, features first.

    Raises:
      ValueError: Label or weight is a feature as well, or `weight_column` is neither.
    """
    if label_key in features:
        raise ValueError(
            f"label should not be used as feature: label_key={label_key!r} is one of the features "
            f"{list(features)}. Leave it out of feature_columns, or name another key."
        )
    parsed = {**features, label_key: label}
    if weight_column is None:
        return parsed
    if isinstance(weight_column, str):
        weight_column = tf.feature_column.numeric_column(weight_column)
    # The class that this function makes has no public name.
    if not isinstance(weight_column, type(tf.feature_column.numeric_column("any"))):
        raise ValueError(
            "weight_column should be an instance of tf.feature_column.numeric_column, or a key. "
            f"Given type: {type(weight_column)} value: {weight_column}"
        )
    if weight_column.key in parsed:
        raise ValueError(
            f"weight_column should not be used as feature: {weight_column.key!r} is one of "
            f"{list(parsed)}. Leave it out of feature_columns, or name another key."
        )
    return {**parsed, **weight_column.parse_example_spec}
