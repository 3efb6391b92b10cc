"""Streaming rates of false predictions.

value, update_op = streaming_false_positive_rate(predictions, labels)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.metrics.collecting import collect

tf1 = tf.compat.v1

_Metric = tuple[tf.Tensor, tf.Tensor]


def _rate(name: str | None, default: str, wrong: _Metric, right: _Metric, collections: Any) -> Any:
    """Returns a metric from two counts: wrong / (wrong + right)."""
    with tf1.name_scope(name, default):
        value, update = (
            tf.math.divide_no_nan(numerator, numerator + other, name=part)
            for numerator, other, part in zip(wrong, right, ("value", "update_op"), strict=True)
        )
    return collect(value, update, *collections)


def streaming_false_positive_rate(
    predictions: tf.Tensor,
    labels: tf.Tensor,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> _Metric:
    """Computes the share of false labels that are predicted true.

    Args:
      predictions: Predictions that can be cast to booleans.
      labels: Labels that can be cast to booleans, with the shape of the predictions.
      weights: Weights with the shape of the labels, or None.
      metrics_collections: List of collections to add the value to, or None.
      updates_collections: List of collections to add the update op to, or None.
      name: Name scope of the operations.

    Returns:
      The value and the update op. The value is 0 if no label is false.
    """
    return _rate(
        name,
        "false_positive_rate",
        tf1.metrics.false_positives(labels, predictions, weights),
        tf1.metrics.true_negatives(labels, predictions, weights),
        (metrics_collections, updates_collections),
    )


def streaming_false_negative_rate(
    predictions: tf.Tensor,
    labels: tf.Tensor,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> _Metric:
    """Computes the share of true labels that are predicted false.

    See `streaming_false_positive_rate` for the arguments. The value is 0 if no label is true.
    """
    return _rate(
        name,
        "false_negative_rate",
        tf1.metrics.false_negatives(labels, predictions, weights),
        tf1.metrics.true_positives(labels, predictions, weights),
        (metrics_collections, updates_collections),
    )


def streaming_false_positive_rate_at_thresholds(
    predictions: tf.Tensor,
    labels: tf.Tensor,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> _Metric:
    """Computes the share of false labels whose prediction is above each threshold.

    Args:
      predictions: Floats in [0, 1].
      labels: Labels that can be cast to booleans, with the shape of the predictions.
      thresholds: Thresholds in [0, 1].
      weights: Weights with the shape of the labels, or None.
      metrics_collections: List of collections to add the value to, or None.
      updates_collections: List of collections to add the update op to, or None.
      name: Name scope of the operations.

    Returns:
      The values, of shape [number of thresholds], and the update op.
    """
    return _rate(
        name,
        "false_positive_rate",
        tf1.metrics.false_positives_at_thresholds(labels, predictions, thresholds, weights),
        tf1.metrics.true_negatives_at_thresholds(labels, predictions, thresholds, weights),
        (metrics_collections, updates_collections),
    )


def streaming_false_negative_rate_at_thresholds(
    predictions: tf.Tensor,
    labels: tf.Tensor,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> _Metric:
    """Computes the share of true labels whose prediction is at most each threshold.

    See `streaming_false_positive_rate_at_thresholds` for the arguments and results.
    """
    return _rate(
        name,
        "false_negative_rate",
        tf1.metrics.false_negatives_at_thresholds(labels, predictions, thresholds, weights),
        tf1.metrics.true_positives_at_thresholds(labels, predictions, thresholds, weights),
        (metrics_collections, updates_collections),
    )
