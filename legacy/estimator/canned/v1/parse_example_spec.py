"""Specs for parsing the serialized Examples of a canned estimator, in the v1 API.

>>> import tensorflow as tf
>>> columns = [tf.compat.v1.feature_column.numeric_column("age")]
>>> sorted(regressor_parse_example_spec(columns, label_key="price"))
['age', 'price']

Unlike the functions of the v2 API, these accept columns of the old classes of TensorFlow 1. They do
not accept `sequence_numeric_column`, which has no old class.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from legacy.estimator.canned import argument_texts
from legacy.estimator.canned.v2.parse_example_spec import with_label_and_weight
from legacy.estimator.docstrings import documented

tf1 = tf.compat.v1

_TEXTS = argument_texts.PARSING | {
    "feature_columns": "Feature columns of the model, including the old classes of TensorFlow 1."
}


@documented(_TEXTS)
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
      A dict by key of `FixedLenFeature` or `VarLenFeature`.

    Raises:
      ValueError: If the label or the weight is also a feature, or if `weight_column` is neither a
        key nor a `numeric_column`.
    """
    parsed = tf1.feature_column.make_parse_example_spec(feature_columns)
    label = tf.io.FixedLenFeature((1,), label_dtype, label_default)
    return with_label_and_weight(parsed, label_key, label, weight_column)


@documented(_TEXTS)
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
      A dict by key of `FixedLenFeature` or `VarLenFeature`.

    Raises:
      ValueError: If the label or the weight is also a feature, or if `weight_column` is neither a
        key nor a `numeric_column`.
    """
    parsed = tf1.feature_column.make_parse_example_spec(feature_columns)
    label = tf.io.FixedLenFeature((label_dimension,), label_dtype, label_default)
    return with_label_and_weight(parsed, label_key, label, weight_column)
