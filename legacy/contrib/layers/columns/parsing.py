"""Functions of contrib.layers that parse tf.Examples into the features of columns.

features = parse_feature_columns_from_examples(serialized, columns)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from legacy.contrib.layers.columns.base import FeatureColumn
from legacy.contrib.layers.columns.real_valued_columns import _RealValuedColumn, real_valued_column

tf1 = tf.compat.v1


def check_feature_columns(feature_columns: Any) -> None:
    """Raises an error if a column occurs twice.

    Args:
      feature_columns: Feature columns.

    Raises:
      ValueError: A column occurs twice, or `feature_columns` is a dict.
    """
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    keys: set[str] = set()
    for column in feature_columns:
        if column.key in keys:
            raise ValueError(
                f"Duplicate feature column key found for column: {column.name}. This usually means "
                "that the column is almost identical to another column, and one must be discarded."
            )
        keys.add(column.key)


def in_order(feature_columns: Iterable[FeatureColumn]) -> list[FeatureColumn]:
    """Returns the distinct columns, sorted by key, as the layers use them."""
    return sorted(set(feature_columns), key=lambda column: column.key)


def parse_feature_columns_from_examples(
    serialized: tf.Tensor,
    feature_columns: Iterable[FeatureColumn],
    name: str | None = None,
    example_names: Any = None,
) -> dict[Any, Any]:
    """Parses tf.Examples and transforms their features.

    Args:
      serialized: Serialized examples, a vector of strings.
      feature_columns: Feature columns.
      name: Name of the operation.
      example_names: Names of the examples, for error messages.

    Returns:
      Features by name, and transformed features by column.
    """
    check_feature_columns(feature_columns)
    features = tf1.io.parse_example(
        serialized,
        create_feature_spec_for_parsing(feature_columns),
        name=name,
        example_names=example_names,
    )
    for column in in_order(feature_columns):
        column.transformed(features)
    return features


def transform_features(
    features: dict[Any, Any], feature_columns: Iterable[FeatureColumn]
) -> dict[Any, Any]:
    """Returns the transformed features by column."""
    features = dict(features)
    check_feature_columns(feature_columns)
    return {column: column.transformed(features) for column in in_order(feature_columns)}


def create_feature_spec_for_parsing(feature_columns: Any) -> dict[str, Any]:
    """Returns the parsing specs of the features of columns.

    Args:
      feature_columns: Feature columns, or a dict of them.

    Returns:
      Parsing specs by feature name, such as `{"age": tf.io.FixedLenFeature(...)}`.

    Raises:
      TypeError: An element is not a feature column.
    """
    if isinstance(feature_columns, dict):
        feature_columns = feature_columns.values()
    spec: dict[str, Any] = {}
    for column in feature_columns:
        if not isinstance(column, FeatureColumn):
            raise TypeError(
                "feature_columns should only contain instances of _FeatureColumn. Given column is "
                f"{column}"
            )
        spec.update(column.config)
    return spec


def make_place_holder_tensors_for_base_features(
    feature_columns: Iterable[FeatureColumn],
) -> dict[str, Any]:
    """Returns placeholders for the features of columns, by feature name."""
    placeholders: dict[str, Any] = {}
    for name, spec in create_feature_spec_for_parsing(feature_columns).items():
        if isinstance(spec, tf.io.VarLenFeature):
            placeholders[name] = tf1.sparse_placeholder(spec.dtype, name=f"Placeholder_{name}")
        else:
            shape = (None, spec.shape[0])
            placeholders[name] = tf1.placeholder(spec.dtype, shape, name=f"Placeholder_{name}")
    return placeholders


def infer_real_valued_columns(features: Any) -> list[Any]:
    """Returns a real-valued column for each feature.

    Args:
      features: Features by name, or a single tensor, which is named "".

    Raises:
      ValueError: A feature is sparse or not numeric.
    """
    if not isinstance(features, dict):
        features = {"": features}
    return [_infer(name, tensor) for name, tensor in features.items()]


def _infer(name: str, tensor: Any) -> _RealValuedColumn:
    if isinstance(tensor, tf.SparseTensor):
        raise ValueError(
            "SparseTensor is not supported for auto detection. Please define corresponding "
            f"FeatureColumn for tensor {name} {tensor}."
        )
    if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        raise ValueError(
            "Non integer or non floating types are not supported for auto detection. Please define "
            f"corresponding FeatureColumn for tensor {name} {tensor}."
        )
    dimension = tensor.shape[1:].num_elements()
    return real_valued_column(name, dimension=dimension, dtype=tensor.dtype)


def parse_feature_columns_from_sequence_examples(
    serialized: tf.Tensor,
    context_feature_columns: Iterable[FeatureColumn] | None,
    sequence_feature_columns: Iterable[FeatureColumn] | None,
    name: str | None = None,
    example_name: Any = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parses a tf.SequenceExample.

    Args:
      serialized: Serialized example, a string.
      context_feature_columns: Columns of the context, whose features hold for the whole example.
      sequence_feature_columns: Columns of the sequence, whose features each step has.
      name: Name of the operation.
      example_name: Name of the example, for error messages.

    Returns:
      The context features and the sequence features, each by name.
    """
    context = list(context_feature_columns or [])
    steps = list(sequence_feature_columns or [])
    for columns in (context, steps):
        check_feature_columns(columns)
    return tf.io.parse_single_sequence_example(
        tf.reshape(serialized, []),
        create_feature_spec_for_parsing(context),
        {key: _of_steps(spec) for key, spec in create_feature_spec_for_parsing(steps).items()},
        example_name,
        name,
    )


def _of_steps(spec: Any) -> Any:
    if isinstance(spec, tf.io.VarLenFeature):
        return spec
    # A default value means that an example may lack the feature. The feature then has no steps.
    return tf.io.FixedLenSequenceFeature(
        spec.shape, spec.dtype, allow_missing=spec.default_value is not None
    )
