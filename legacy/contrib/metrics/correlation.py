"""Streaming covariance, correlation, counts and concatenations.

value, update_op = streaming_pearson_correlation(predictions, labels)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.metrics.collecting import collect

tf1 = tf.compat.v1

_Metric = tuple[tf.Tensor, tf.Tensor]


def _local(name: str, shape: list[int | None], dtype: tf.DType = tf.float32) -> tf.Variable:
    """Returns a new local variable. A dimension of None has size 0 at first and can grow."""
    return tf1.Variable(
        tf.zeros([size or 0 for size in shape], dtype),
        name=name,
        trainable=False,
        collections=[tf1.GraphKeys.LOCAL_VARIABLES, tf1.GraphKeys.METRIC_VARIABLES],
        shape=tf.TensorShape(shape),
        use_resource=True,
    )


def count(
    values: tf.Tensor,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> _Metric:
    """Counts the values of all batches, or sums their weights.

    Args:
      values: Tensor of any shape.
      weights: Weights with the shape of the values, or None.
      metrics_collections: List of collections to add the value to, or None.
      updates_collections: List of collections to add the update op to, or None.
      name: Name scope of the operations.

    Returns:
      The value, a float32 scalar, and the update op.
    """
    with tf1.variable_scope(name, "count", [values, weights]):
        total = _local("count", [])
        new = tf.ones_like(values, tf.float32)
        if weights is not None:
            new *= tf.cast(weights, tf.float32)
        update = tf1.assign_add(total, tf.reduce_sum(new))
        return collect(tf.identity(total), update, metrics_collections, updates_collections)


def streaming_covariance(
    predictions: tf.Tensor,
    labels: tf.Tensor,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> _Metric:
    """Computes the unbiased covariance of predictions and labels.

    Args:
      predictions: Numeric predictions.
      labels: Numeric labels, with the shape of the predictions.
      weights: Weights with the shape of the labels, or None.
      metrics_collections: List of collections to add the value to, or None.
      updates_collections: List of collections to add the update op to, or None.
      name: Name scope of the operations.

    Returns:
      The value and the update op. The value is a float32 scalar, and 0 for fewer than two values.
    """
    with tf1.variable_scope(name, "covariance", [predictions, labels, weights]):
        value, update = _covariance(predictions, labels, weights)
        return collect(value, update, metrics_collections, updates_collections)


def _covariance(predictions: tf.Tensor, labels: tf.Tensor, weights: Any) -> _Metric:
    """Merges the moments of a batch into the moments of all earlier batches.

    The moments are centered, because the difference of raw sums would lose digits.
    """
    x, y = tf.cast(predictions, tf.float32), tf.cast(labels, tf.float32)
    w = tf.ones_like(x) if weights is None else tf.cast(weights, tf.float32) * tf.ones_like(x)
    total, mean_x, mean_y = _local("count", []), _local("mean_x", []), _local("mean_y", [])
    moment = _local("comoment", [])
    new = tf.reduce_sum(w)
    new_x = tf.math.divide_no_nan(tf.reduce_sum(x * w), new)
    new_y = tf.math.divide_no_nan(tf.reduce_sum(y * w), new)
    old_total, old_x, old_y = (tf.identity(v) for v in (total, mean_x, mean_y))
    share = tf.math.divide_no_nan(new, old_total + new)
    increment = tf.reduce_sum(w * (x - new_x) * (y - new_y))
    increment += (new_x - old_x) * (new_y - old_y) * old_total * share
    # All old values are read before an update changes them.
    with tf.control_dependencies([increment, share, old_total]):
        updates = [
            tf1.assign_add(total, new),
            tf1.assign_add(mean_x, (new_x - old_x) * share),
            tf1.assign_add(mean_y, (new_y - old_y) * share),
            tf1.assign_add(moment, increment),
        ]

    def value_of(moment: tf.Tensor, total: tf.Tensor) -> tf.Tensor:
        return tf.where(total > 1.0, tf.math.divide_no_nan(moment, total - 1.0), 0.0)

    value = value_of(tf.identity(moment), tf.identity(total))
    with tf.control_dependencies(updates):
        return value, value_of(tf.identity(updates[3]), tf.identity(updates[0]))


def streaming_pearson_correlation(
    predictions: tf.Tensor,
    labels: tf.Tensor,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> _Metric:
    """Computes the Pearson correlation of predictions and labels.

    See `streaming_covariance` for the arguments.

    Returns:
      The value, a float32 scalar, and the update op.
    """
    with tf1.variable_scope(name, "pearson_r", [predictions, labels, weights]):
        covariances = streaming_covariance(predictions, labels, weights, name="covariance")
        x = streaming_covariance(predictions, predictions, weights, name="variance_predictions")
        y = streaming_covariance(labels, labels, weights, name="variance_labels")
        value, update = (covariances[i] / (tf.sqrt(x[i]) * tf.sqrt(y[i])) for i in (0, 1))
        return collect(value, update, metrics_collections, updates_collections)


def streaming_concat(
    values: tf.Tensor,
    axis: int = 0,
    max_size: int | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> _Metric:
    """Concatenates the values of all batches.

    Args:
      values: Tensor whose dimensions are static, except along the axis.
      axis: Axis to concatenate along.
      max_size: Maximum size along the axis. None keeps all values.
      metrics_collections: List of collections to add the value to, or None.
      updates_collections: List of collections to add the update op to, or None.
      name: Name scope of the operations.

    Returns:
      The value, and the update op, which returns the size along the axis.

    Raises:
      ValueError: The axis is out of range, or another dimension is unknown.
    """
    with tf1.variable_scope(name, "streaming_concat", [values]):
        values = tf.convert_to_tensor(values)
        rank = values.shape.rank
        if rank is None or not -rank <= axis < rank:
            raise ValueError(f"axis = {axis} not in [-{rank}, {rank}) for {values}")
        axis %= rank
        shape = values.shape.as_list()
        other_dimensions = shape[:axis] + shape[axis + 1 :]
        if any(size is None for size in other_dimensions):
            raise ValueError(f"all dimensions of `values` other than axis must be known: {shape}")
        shape[axis] = None
        array = _local("array", shape, values.dtype)
        old_values = array.read_value()
        all_values = tf.concat([old_values, values], axis)
        if max_size is not None:
            rows = tf.range(tf.minimum(max_size, tf.shape(all_values)[axis]))
            all_values = tf.gather(all_values, rows, axis=axis)
        update = tf.shape(tf1.assign(array, all_values))[axis]
        return collect(old_values, update, metrics_collections, updates_collections)
