"""Streaming rates of false predictions.

value, update_op = streaming_false_positive_rate(predictions, labels)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib.metrics.collecting import collected

tf1 = tf.compat.v1

_Metric = tuple[tf.Tensor, tf.Tensor]


def _rate(name: str | None, default: str, wrong: _Metric, right: _Metric, collections: Any) -> Any:
    """Makes a metric of two counts: wrong among wrong and right."""
    with tf1.name_scope(name, default):
        value, update = (
            tf.math.divide_no_nan(each, each + other, name=part)
            for each, other, part in zip(wrong, right, ("value", "update_op"), strict=True)
        )
    return collected(value, update, *collections)


def streaming_false_positive_rate(
    predictions: tf.Tensor,
    labels: tf.Tensor,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> _Metric:
    """The share of false labels that are predicted true.

    Args:
      predictions: Booleans, or what casts to these.
      labels: The same, in the same shape.
      weights: In the same shape, or None.
      metrics_collections: Where the value is collected.
      updates_collections: Where the update op is collected.
      name: A name for the operations.

    Returns:
      The value and the update op; 0 where there are no such labels.
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
    """The share of true labels that are predicted false.

    Args:
      predictions: As in `streaming_false_positive_rate`.
      labels: As there.
      weights: As there.
      metrics_collections: As there.
      updates_collections: As there.
      name: As there.

    Returns:
      As there.
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
    """The share of false labels whose prediction is above each threshold.

    Args:
      predictions: Floats in [0, 1].
      labels: Booleans, or what casts to these, in the same shape.
      thresholds: In [0, 1].
      weights: As in `streaming_false_positive_rate`.
      metrics_collections: As there.
      updates_collections: As there.
      name: As there.

    Returns:
      The values of [thresholds] and the update op.
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
    """The share of true labels whose prediction is not above each threshold.

    Args:
      predictions: As in `streaming_false_positive_rate_at_thresholds`.
      labels: As there.
      thresholds: As there.
      weights: As there.
      metrics_collections: As there.
      updates_collections: As there.
      name: As there.

    Returns:
      As there.
    """
    return _rate(
        name,
        "false_negative_rate",
        tf1.metrics.false_negatives_at_thresholds(labels, predictions, thresholds, weights),
        tf1.metrics.true_positives_at_thresholds(labels, predictions, thresholds, weights),
        (metrics_collections, updates_collections),
    )
