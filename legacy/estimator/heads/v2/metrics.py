"""Keras metrics of the v2 heads: at thresholds of the probability, and an accuracy baseline.

>>> list(at_thresholds([0.5], lambda name: name + "/mine"))[0]
'accuracy/positive_threshold_0.5/mine'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import tensorflow as tf
import tf_keras

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.metric_keys import MetricKeys

_KEYS = (
    MetricKeys.ACCURACY_AT_THRESHOLD,
    MetricKeys.PRECISION_AT_THRESHOLD,
    MetricKeys.RECALL_AT_THRESHOLD,
)


@documented(argument_texts.METRICS)
def at_thresholds(
    thresholds: Iterable[float], summary_key: Callable[[str], str]
) -> dict[str, tf_keras.metrics.Metric]:
    """Creates metrics by name, three for each threshold.

    {args}
    """
    kinds = tf_keras.metrics
    metrics: dict[str, tf_keras.metrics.Metric] = {}
    for threshold in thresholds:
        accuracy, precision, recall = (summary_key(key % threshold) for key in _KEYS)
        metrics[accuracy] = kinds.BinaryAccuracy(name=accuracy, threshold=threshold)
        metrics[precision] = kinds.Precision(name=precision, thresholds=threshold)
        metrics[recall] = kinds.Recall(name=recall, thresholds=threshold)
    return metrics


@documented(
    argument_texts.METRICS, metrics="Metrics by name, including those from `at_thresholds`."
)
def update_at_thresholds(
    metrics: Mapping[str, tf_keras.metrics.Metric],
    thresholds: Iterable[float],
    summary_key: Callable[[str], str],
    labels: tf.Tensor,
    probabilities: tf.Tensor,
    weights: Any,
) -> None:
    """Updates the metrics with a batch.

    {args}
    """
    for threshold in thresholds:
        for key in _KEYS:
            metrics[summary_key(key % threshold)].update_state(
                labels, probabilities, sample_weight=weights
            )


class AccuracyBaseline(tf_keras.metrics.Metric):
    """Accuracy of always predicting the more frequent class.

    Args:
      label_mean: Mean of the labels in [0, 1]. The accuracy is computed from it.
      name: Name of the metric.
    """

    def __init__(self, label_mean: tf_keras.metrics.Mean, name: str) -> None:
        super().__init__(name=name)
        self._label_mean = label_mean

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Does nothing. The result depends on the mean of the labels only."""

    def follow(self) -> None:
        """Registers an update op, because EstimatorSpec requires one for each metric.

        Call this after the mean of the labels has been updated.
        """
        self.add_update(tf.no_op())

    def result(self) -> tf.Tensor:
        """Returns the accuracy, a scalar. It is 0 before the first label."""
        total, count = self._label_mean.total, self._label_mean.count
        return tf.math.divide_no_nan(tf.maximum(total, count - total), count)
