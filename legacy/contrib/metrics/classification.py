"""Accuracy, confusion matrix and F1 score of tf.contrib.metrics.

share = accuracy(predictions, labels)  # Of this batch alone.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.metrics.collecting import collect

tf1 = tf.compat.v1


def accuracy(
    predictions: tf.Tensor, labels: tf.Tensor, weights: Any = None, name: str | None = None
) -> tf.Tensor:
    """Computes the share of correct predictions in a batch.

    Args:
      predictions: Predicted classes: booleans, integers or strings.
      labels: True classes, with the type and shape of the predictions.
      weights: A scalar, weights with the shape of the labels, or None.
      name: Name scope of the operations.

    Returns:
      A float32 scalar.

    Raises:
      ValueError: A type is unsupported, or the types differ.
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
    """Counts predictions by label, with a row for each label and a column for each prediction.

    Args:
      labels: True class ids of shape [examples].
      predictions: Predicted class ids of shape [examples].
      num_classes: Number of classes. The default is the largest class id plus 1.
      dtype: Type of the counts.
      name: Name scope of the operations.
      weights: Weights of shape [examples], or None.

    Returns:
      The counts, of shape [num_classes, num_classes].
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
    """Computes the F1 score at the best of several thresholds.

    The F1 score is the harmonic mean of precision and recall.

    Args:
      labels: Labels that can be cast to booleans.
      predictions: Floats in [0, 1], with the shape of the labels.
      weights: Weights with the shape of the labels, or None.
      num_thresholds: Number of thresholds to try.
      metrics_collections: List of collections to add the value to, or None.
      updates_collections: List of collections to add the update op to, or None.
      name: Name scope of the operations.

    Returns:
      The value and the update op.
    """
    # The outer thresholds lie just outside of [0, 1], so that even predictions of 0 and 1 are
    # above the lowest and below the highest threshold.
    epsilon = 1e-7
    inner = [(i + 1) / (num_thresholds - 1) for i in range(num_thresholds - 2)]
    thresholds = [-epsilon, *inner, 1.0 + epsilon]
    with tf1.variable_scope(name, "f1", [labels, predictions, weights]):
        counts = {
            kind: getattr(tf1.metrics, f"{kind}_at_thresholds")(
                labels, predictions, thresholds, weights
            )
            for kind in ("true_positives", "false_positives", "false_negatives")
        }
        value, update = (
            _best_f1(*[counts[kind][i] for kind in counts], epsilon=epsilon) for i in (0, 1)
        )
    return collect(value, update, metrics_collections, updates_collections)


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
