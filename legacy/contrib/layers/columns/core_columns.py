"""How the columns of contrib.layers work in tf.feature_column's layers and tf.estimator's models.

    age = contrib.layers.real_valued_column("age")
    classifier = tf.estimator.DNNClassifier([10], [age])
    net = tf.feature_column.input_layer(features, [age])

These ask a column for what TensorFlow 1 called its protocol: methods with a leading underscore,
which are given the features, made on demand, as `inputs`.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def _protocol_classes() -> dict[str, type]:
    """Returns the classes that tf.compat.v1.feature_column takes, which have no public name."""
    # Unwrapped, the functions do not log that they are deprecated.
    numeric = inspect.unwrap(tf.feature_column.numeric_column)("any")
    column = inspect.unwrap(tf.feature_column.bucketized_column)(numeric, [0.0])
    return {each.__name__: each for each in type(column).__mro__}


_CLASSES = _protocol_classes()
_Dense, _Categorical = _CLASSES["_DenseColumn"], _CLASSES["_CategoricalColumn"]


class _OnDemand:
    """The features of `inputs`, as `FeatureColumn.transform` reads them."""

    def __init__(self, inputs: Any) -> None:
        self._inputs = inputs

    def __contains__(self, key: Any) -> bool:
        return True  # The inputs raise an error of their own for what there is not.

    def __getitem__(self, key: Any) -> Any:
        return self._inputs.get(key)


class _Column:
    """What all columns are asked for."""

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return self.config

    def _transform_feature(self, inputs: Any) -> Any:
        return self.transform(_OnDemand(inputs))


class DenseColumn(_Column, _Dense):
    """A column that `input_layer` takes. A class of these has a `_variable_shape`."""

    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Sequence[str] | None = None, trainable: Any = None
    ) -> tf.Tensor:
        return self.deep_input(inputs.get(self))


class CategoricalColumn(_Column, _Categorical):
    """A column of ids, of which `linear_model` looks up weights."""

    @property
    def _num_buckets(self) -> int:
        return self.length

    def _get_sparse_tensors(
        self, inputs: Any, weight_collections: Sequence[str] | None = None, trainable: Any = None
    ) -> Any:
        made = inputs.get(self)
        ids, weights = self.id_tensor(made), self.weight_tensor(made)
        return _Categorical.IdWeightPair(ids, weights)
