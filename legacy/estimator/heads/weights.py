"""Reads the weight of each example from the features.

>>> import tensorflow as tf
>>> logits = tf.zeros([2, 1])
>>> features = {"importance": tf.constant([1, 3])}
>>> get_weights_and_check_match_logits(features, "importance", logits).numpy().tolist()
[[1.0], [3.0]]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

_SHAPES = "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]"
_SHAPES_PER_LOGIT = (
    "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or "
    "[D0, D1, ... DN, logits_dimension]"
)


def get_weights_and_check_match_logits(
    features: Mapping[str, Any] | None,
    weight_column: Any,
    logits: tf.Tensor,
    allow_per_logit_weights: bool = False,
) -> Any:
    """Returns the weights of the examples in a shape that can be multiplied by the loss.

    Args:
      features: Dict of features by name. May be None if `weight_column` is None.
      weight_column: Name of a feature, a `tf.feature_column.numeric_column`, or None. For the v1
        heads it may be any dense column.
      logits: A tensor, [D0, ..., DN, logits_dimension].
      allow_per_logit_weights: If true, weights may have a separate value for each logit.

    Returns:
      A float32 tensor, [D0, ..., DN, 1] or the shape of the logits. 1.0 if `weight_column` is None.

    Raises:
      TypeError: If the column is of another kind.
      ValueError: If the feature is missing or sparse, or (eagerly) if its shape does not fit.
      InvalidArgumentError: If its shape does not fit, when the graph runs.
    """
    values = (*(features or {}).values(), logits)
    with tf1.name_scope(None, "weights", values) as scope:
        if weight_column is None:
            return 1.0
        weights = _dense_tensor(_as_column(weight_column), features)
        if not (weights.dtype.is_floating or weights.dtype.is_integer):
            raise ValueError(f"Weight column should be castable to float. Given: {weights.dtype}")
        weights = tf.cast(weights, name="weights", dtype=tf.float32)
        if tf.executing_eagerly():
            return _checked_eagerly(weights, logits, allow_per_logit_weights)
        return _checked_in_graph(weights, logits, allow_per_logit_weights, scope)


def broadcast_weights(weights: Any, values: tf.Tensor) -> tf.Tensor | None:
    """Broadcasts weights to the shape of the values. Metrics of means require equal shapes.

    Args:
      weights: A tensor that can be broadcast to the values, a number, or None.
      values: A tensor.

    Returns:
      A float32 tensor of the same shape as the values, or None.
    """
    return None if weights is None else weights * tf.ones_like(values, dtype=tf.float32)


def _as_column(weight_column: Any) -> Any:
    if isinstance(weight_column, str):
        weight_column = tf.feature_column.numeric_column(key=weight_column, shape=(1,))
    if not hasattr(weight_column, "get_dense_tensor"):
        raise TypeError(
            "Weight column must be either a string or NumericColumn. Given type: "
            f"{type(weight_column)}."
        )
    return weight_column


class _Features:
    """The features in the form that a dense column reads, its `transformation_cache`."""

    def __init__(self, features: Mapping[str, Any] | None) -> None:
        self._features = features or {}

    def get(self, key: Any, state_manager: Any) -> Any:
        """Returns a feature by name, or the transformed feature of a column."""
        if not isinstance(key, str):
            return key.transform_feature(self, state_manager)
        if key not in self._features:
            raise ValueError(f"Feature {key} is not in features dictionary.")
        feature = tf1.convert_to_tensor_or_sparse_tensor(self._features[key])
        if feature.shape.rank == 0:
            raise ValueError(f"Feature (key: {key}) cannot have rank 0. Given: {feature}")
        # Dense columns expect [batch, values].
        if feature.shape.rank == 1 and not isinstance(feature, tf.SparseTensor):
            return tf.expand_dims(feature, -1)
        return feature


def _dense_tensor(column: Any, features: Mapping[str, Any] | None) -> tf.Tensor:
    return column.get_dense_tensor(_Features(features), None)


def _checked_eagerly(weights: tf.Tensor, logits: tf.Tensor, per_logit: bool) -> tf.Tensor:
    weights_shape, logits_shape = tuple(weights.shape), tuple(logits.shape)
    if weights_shape == logits_shape[:-1]:
        return tf.expand_dims(weights, -1)
    if weights_shape == (*logits_shape[:-1], 1) or (per_logit and weights_shape == logits_shape):
        return weights
    message = _SHAPES_PER_LOGIT if per_logit else _SHAPES
    raise ValueError(f"{message}, logits_shape: {logits_shape}. weights_shape: {weights_shape}.")


def _checked_in_graph(
    weights: tf.Tensor, logits: tf.Tensor, per_logit: bool, scope: str
) -> tf.Tensor:
    message = _SHAPES_PER_LOGIT if per_logit else _SHAPES
    weights_shape = tf1.shape(weights, name="weights_shape")
    logits_shape = tf1.shape(logits, name="logits_shape")
    data = ["logits_shape: ", logits_shape, "weights_shape: ", weights_shape]
    ranks = (weights.shape.rank, logits.shape.rank)
    if None not in ranks and ranks[0] == ranks[1] - 1:
        check = tf1.debugging.assert_equal(
            logits_shape[:-1], weights_shape, message=message, data=data
        )
        with tf.control_dependencies([check]):
            return tf.expand_dims(weights, -1, name=scope)
    one_each = tf.concat([logits_shape[:-1], [1]], axis=0)
    if per_logit:
        shape_checks = [
            tf.reduce_all(tf.equal(shape, weights_shape)) for shape in (logits_shape, one_each)
        ]
        check = tf.debugging.Assert(tf.reduce_any(shape_checks), data=[message, *data])
    else:
        check = tf1.debugging.assert_equal(one_each, weights_shape, message=message, data=data)
    with tf.control_dependencies([check]):
        # The identity makes the check run whenever the weights are read.
        return tf.identity(weights, name=scope)
