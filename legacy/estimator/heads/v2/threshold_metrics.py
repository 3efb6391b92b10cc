"""Metrics of accuracy, precision and recall at thresholds of the probability.

>>> list(create([0.5], lambda name: name + "/mine"))[0]
'accuracy/positive_threshold_0.5/mine'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.heads.metric_keys import MetricKeys

_KEYS = (
    MetricKeys.ACCURACY_AT_THRESHOLD,
    MetricKeys.PRECISION_AT_THRESHOLD,
    MetricKeys.RECALL_AT_THRESHOLD,
)


def create(
    thresholds: Iterable[float], summary_key: Callable[[str], str]
) -> dict[str, tf_keras.metrics.Metric]:
    """Creates metrics by name, three for each threshold.

    Args:
      thresholds: Probabilities in (0, 1).
      summary_key: Function that adds the head's name to the name of a metric.
    """
    kinds = tf_keras.metrics
    found: dict[str, tf_keras.metrics.Metric] = {}
    for threshold in thresholds:
        accuracy, precision, recall = (summary_key(key % threshold) for key in _KEYS)
        found[accuracy] = kinds.BinaryAccuracy(name=accuracy, threshold=threshold)
        found[precision] = kinds.Precision(name=precision, thresholds=threshold)
        found[recall] = kinds.Recall(name=recall, thresholds=threshold)
    return found


def update(
    metrics: Mapping[str, tf_keras.metrics.Metric],
    thresholds: Iterable[float],
    summary_key: Callable[[str], str],
    labels: tf.Tensor,
    probabilities: tf.Tensor,
    weights: Any,
) -> None:
    """Updates the metrics with a batch.

    Args:
      metrics: Metrics by name, including those from `create`.
      thresholds: Probabilities in (0, 1), as in `create`.
      summary_key: Function that adds the head's name to the name of a metric, as in `create`.
      labels: A tensor of 0 and 1.
      probabilities: Probabilities, in the shape of the labels.
      weights: A tensor that can be broadcast to the labels, or a number.
    """
    for threshold in thresholds:
        for key in _KEYS:
            metrics[summary_key(key % threshold)].update_state(
                labels, probabilities, sample_weight=weights
            )
