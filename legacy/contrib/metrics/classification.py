"""Metrics of classes that are no streaming metrics of tf.compat.v1.metrics.

share = accuracy(predictions, labels)  # Of this batch alone.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.metrics.collecting import collected

tf1 = tf.compat.v1


def accuracy(
    predictions: tf.Tensor, labels: tf.Tensor, weights: Any = None, name: str | None = None
) -> tf.Tensor:
    """The share of right predictions in a batch.

    Args:
      predictions: Booleans, integers or strings.
      labels: The same, in the same shape.
      weights: A scalar or in the same shape, or None.
      name: A name for the operations.

    Returns:
      A float32 scalar.

    Raises:
      ValueError: The types are others or differ.
    """
    predictions, labels = tf.convert_to_tensor(predictions), tf.convert_to_tensor(labels)
    for title, values in (("Labels", labels), ("Predictions", predictions)):
        if not (values.dtype.is_integer or values.dtype in (tf.bool, tf.string)):
            raise ValueError(
                f"{title} should have bool, integer, or string dtype, not {values.dtype!r}"
            )
    if predictions.dtype != labels.dtype:
        raise ValueError(f"Dtypes of predictions ({predictions.dtype}) and labels differ.")
    with tf1.name_scope(name, "accuracy", [predictions, labels]):
        right = tf.cast(tf.equal(predictions, labels), tf.float32)
        if weights is None:
            return tf.reduce_mean(right)
        weights = tf.cast(weights, tf.float32) * tf.ones_like(right)
        return tf.reduce_sum(right * weights) / tf.reduce_sum(weights)


def confusion_matrix(
    labels: tf.Tensor,
    predictions: tf.Tensor,
    num_classes: int | None = None,
    dtype: tf.DType = tf.int32,
    name: str | None = None,
    weights: Any = None,
) -> tf.Tensor:
    """Counts predictions by label: a row for each label, a column for each prediction.

    Args:
      labels: Class ids of [examples].
      predictions: Class ids of [examples].
      num_classes: How many classes; None is as many as there are.
      dtype: The counts' type.
      name: A name for the operations.
      weights: Of [examples], or None.

    Returns:
      The counts, of [num_classes, num_classes].
    """
    return tf1.confusion_matrix(labels, predictions, num_classes, dtype, name, weights)


def f1_score(
    labels: tf.Tensor,
    predictions: tf.Tensor,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[tf.Tensor, tf.Tensor]:
    """The greatest harmonic mean of precision and recall over thresholds.

    Args:
      labels: Booleans, or what casts to these.
      predictions: Floats in [0, 1], in the same shape.
      weights: In the same shape, or None.
      num_thresholds: How many thresholds are tried.
      metrics_collections: Where the value is collected.
      updates_collections: Where the update op is collected.
      name: A name for the operations.

    Returns:
      The value and the update op.
    """
    # Just outside of [0, 1] at both ends, so that each prediction is on either side once.
    epsilon = 1e-7
    inner = [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
    thresholds = [-epsilon, *inner, 1.0 + epsilon]
    with tf1.variable_scope(name, "f1", [labels, predictions, weights]):
        found = {
            kind: getattr(tf1.metrics, f"{kind}_at_thresholds")(
                labels, predictions, thresholds, weights
            )
            for kind in ("true_positives", "false_positives", "false_negatives")
        }
        value, update = (
            _best_f1(*[found[kind][i] for kind in found], epsilon=epsilon) for i in (0, 1)
        )
    return collected(value, update, metrics_collections, updates_collections)


def _best_f1(
    true_positives: tf.Tensor,
    false_positives: tf.Tensor,
    false_negatives: tf.Tensor,
    *,
    epsilon: float,
) -> tf.Tensor:
    precision = true_positives / (epsilon + true_positives + false_positives)
    recall = true_positives / (epsilon + true_positives + false_negatives)
    return tf.reduce_max(2.0 * precision * recall / (precision + recall + epsilon))
