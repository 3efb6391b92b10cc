"""Specs for parsing the serialized Examples of a canned estimator: features, label and weight.

>>> import tensorflow as tf
>>> columns = [tf.feature_column.numeric_column("age")]
>>> spec = classifier_parse_example_spec(columns, label_key="clicked", weight_column="importance")
>>> sorted(spec)
['age', 'clicked', 'importance']

Pass the result to `tf.io.parse_example` or `tf.data.experimental.make_batched_features_dataset`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from legacy.estimator.canned import argument_texts
from legacy.estimator.docstrings import documented


@documented(argument_texts.PARSING)
def classifier_parse_example_spec(
    feature_columns: Iterable[Any],
    label_key: str,
    label_dtype: tf.DType = tf.int64,
    label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:
    """Returns the parsing spec for a classifier, whose label is one value per example.

    {args}

    Returns:
      A dict by key of `FixedLenFeature` or `VarLenFeature`. The label has the shape [1].

    Raises:
      ValueError: If the label or the weight is also a feature, or if `weight_column` is neither a
        key nor a `numeric_column`.
    """
    parsed = tf.feature_column.make_parse_example_spec(feature_columns)
    label = tf.io.FixedLenFeature((1,), label_dtype, label_default)
    return with_label_and_weight(parsed, label_key, label, weight_column)


@documented(argument_texts.PARSING)
def regressor_parse_example_spec(
    feature_columns: Iterable[Any],
    label_key: str,
    label_dtype: tf.DType = tf.float32,
    label_default: Any = None,
    label_dimension: int = 1,
    weight_column: Any = None,
) -> dict[str, Any]:
    """Returns the parsing spec for a regressor, whose label is a vector.

    {args}

    Returns:
      A dict by key of `FixedLenFeature` or `VarLenFeature`. The label has the shape
      [label_dimension].

    Raises:
      ValueError: If the label or the weight is also a feature, or if `weight_column` is neither a
        key nor a `numeric_column`.
    """
    parsed = tf.feature_column.make_parse_example_spec(feature_columns)
    label = tf.io.FixedLenFeature((label_dimension,), label_dtype, label_default)
    return with_label_and_weight(parsed, label_key, label, weight_column)


def with_label_and_weight(
    features: dict[str, Any], label_key: str, label: Any, weight_column: Any
) -> dict[str, Any]:
    """Adds a label and a weight to a parsing spec.

    Args:
      features: Parsing spec of the features, by key.
      label_key: Key of the label.
      label: Parsing spec of the label.
      weight_column: Key of the weight, a `numeric_column`, or None.

    Returns:
      The parsing spec of features, label and weight, features first.

    Raises:
      ValueError: If the label or the weight is also a feature, or if `weight_column` is neither a
        key nor a `numeric_column`.
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
    # The class of numeric columns has no public name.
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
