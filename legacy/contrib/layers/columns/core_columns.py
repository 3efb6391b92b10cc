"""Mixins that make contrib.layers columns work in tf.feature_column layers and tf.estimator models.

    age = contrib.layers.real_valued_column("age")
    classifier = tf.estimator.DNNClassifier([10], [age])
    net = tf.feature_column.input_layer(features, [age])

These layers and models use the column protocol of TensorFlow 1: methods with a leading underscore.
Their argument `inputs` computes the features on demand.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def _protocol_classes() -> dict[str, type]:
    """Returns the column classes that tf.compat.v1.feature_column accepts, by name.

    They have no public name. This function finds them among the base classes of a column.
    """
    # The unwrapped functions do not log a deprecation warning.
    numeric = inspect.unwrap(tf.feature_column.numeric_column)("any")
    column = inspect.unwrap(tf.feature_column.bucketized_column)(numeric, [0.0])
    return {base.__name__: base for base in type(column).__mro__}


_CLASSES = _protocol_classes()
_Dense, _Categorical = _CLASSES["_DenseColumn"], _CLASSES["_CategoricalColumn"]


class _OnDemand:
    """Dict-like view of `inputs`, as `FeatureColumn.transform` reads the features."""

    def __init__(self, inputs: Any) -> None:
        self._inputs = inputs

    def __contains__(self, key: Any) -> bool:
        return True  # The inputs themselves raise an error for a missing feature.

    def __getitem__(self, key: Any) -> Any:
        return self._inputs.get(key)


class _Column:
    """Part of the column protocol that all columns share."""

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return self.config

    def _transform_feature(self, inputs: Any) -> Any:
        return self.transform(_OnDemand(inputs))


class DenseColumn(_Column, _Dense):
    """Column that `input_layer` accepts. Subclasses define `_variable_shape`."""

    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Sequence[str] | None = None, trainable: Any = None
    ) -> tf.Tensor:
        return self.deep_input(inputs.get(self))


class CategoricalColumn(_Column, _Categorical):
    """Column of ids, whose weights `linear_model` looks up."""

    @property
    def _num_buckets(self) -> int:
        return self.length

    def _get_sparse_tensors(
        self, inputs: Any, weight_collections: Sequence[str] | None = None, trainable: Any = None
    ) -> Any:
        value = inputs.get(self)
        ids, weights = self.id_tensor(value), self.weight_tensor(value)
        return _Categorical.IdWeightPair(ids, weights)
