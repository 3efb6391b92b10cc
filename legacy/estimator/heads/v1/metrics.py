"""Metrics of the v1 heads: pairs of a value and an update op, from tf.compat.v1.metrics.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     value, update = accuracy_at_threshold(tf.constant([1.0]), tf.constant([0.7]), None, 0.5)
>>> value.name
'accuracy_at_0.5/value:0'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.heads import argument_texts
from legacy.estimator.heads.metric_keys import MetricKeys
from legacy.estimator.heads.weights import broadcast_weights

tf1 = tf.compat.v1

Metric = tuple[tf.Tensor, tf.Tensor]


@documented(argument_texts.METRICS, labels="A numeric tensor.")
def indicator_labels_mean(
    labels: tf.Tensor, weights: Any = None, name: str | None = None
) -> Metric:
    """Returns the mean of labels that are 0 or 1.

    {args}
    """
    with tf1.name_scope(name, "labels_mean", (labels, weights)) as scope:
        labels = tf.cast(labels, name="labels", dtype=tf.float32)
        return tf1.metrics.mean(labels, broadcast_weights(weights, labels), name=scope)


def accuracy_baseline(labels_mean: Metric) -> Metric:
    """Returns the accuracy of always predicting the more frequent of two classes.

    Args:
      labels_mean: Mean of the labels, as a metric.
    """
    with tf1.name_scope(None, "accuracy_baseline", labels_mean):
        value, update = labels_mean
        return (
            tf.maximum(value, 1.0 - value, name="value"),
            tf.maximum(update, 1.0 - update, name="update_op"),
        )


@documented(argument_texts.METRICS)
def predictions_mean(
    predictions: tf.Tensor, weights: Any = None, name: str | None = None
) -> Metric:
    """Returns the mean of predictions.

    {args}
    """
    with tf1.name_scope(name, "predictions_mean", (predictions, weights)) as scope:
        predictions = tf.cast(predictions, name="predictions", dtype=tf.float32)
        return tf1.metrics.mean(predictions, broadcast_weights(weights, predictions), name=scope)


@documented(argument_texts.METRICS)
def auc(
    labels: tf.Tensor,
    predictions: tf.Tensor,
    weights: Any = None,
    curve: str = "ROC",
    name: str | None = None,
) -> Metric:
    """Returns the area under a curve.

    {args}
    """
    with tf1.name_scope(name, "auc", (predictions, labels, weights)) as scope:
        predictions = tf.cast(predictions, name="predictions", dtype=tf.float32)
        weights = broadcast_weights(weights, predictions)
        return tf1.metrics.auc(labels, predictions, weights, curve=curve, name=scope)


@documented(argument_texts.METRICS)
def accuracy_at_threshold(
    labels: tf.Tensor,
    predictions: tf.Tensor,
    weights: Any,
    threshold: float,
    name: str | None = None,
) -> Metric:
    """Returns the accuracy of predicting 1 wherever the probability reaches the threshold.

    {args}
    """
    values = (predictions, labels, weights, threshold)
    with tf1.name_scope(name, f"accuracy_at_{threshold}", values) as scope:
        answers = tf.cast(tf.greater_equal(predictions, threshold), tf.float32)
        return tf1.metrics.accuracy(labels, answers, weights, name=scope)


@documented(argument_texts.METRICS)
def precision_at_threshold(
    labels: tf.Tensor,
    predictions: tf.Tensor,
    weights: Any,
    threshold: float,
    name: str | None = None,
) -> Metric:
    """Returns the precision at a threshold.

    {args}
    """
    metric, scope = tf1.metrics.precision_at_thresholds, f"precision_at_{threshold}"
    return _at_one(metric, scope, labels, predictions, weights, threshold, name)


@documented(argument_texts.METRICS)
def recall_at_threshold(
    labels: tf.Tensor,
    predictions: tf.Tensor,
    weights: Any,
    threshold: float,
    name: str | None = None,
) -> Metric:
    """Returns the recall at a threshold.

    {args}
    """
    metric, scope = tf1.metrics.recall_at_thresholds, f"recall_at_{threshold}"
    return _at_one(metric, scope, labels, predictions, weights, threshold, name)


def _at_one(
    metric: Callable[..., Any],
    default_scope: str,
    labels: tf.Tensor,
    predictions: tf.Tensor,
    weights: Any,
    threshold: float,
    name: str | None,
) -> Metric:
    """Evaluates a metric of several thresholds at a single threshold."""
    with tf1.name_scope(name, default_scope, (predictions, labels, weights, threshold)) as scope:
        value, update = metric(labels, predictions, (threshold,), weights, name=scope)
        return tf.squeeze(value), tf.squeeze(update)


@documented(argument_texts.METRICS)
def at_thresholds(
    thresholds: Iterable[float],
    summary_key: Callable[[str], str],
    labels: tf.Tensor,
    predictions: tf.Tensor,
    weights: Any,
) -> dict[str, Metric]:
    """Returns accuracy, precision and recall at each threshold, by name.

    {args}
    """
    kinds = (
        (MetricKeys.ACCURACY_AT_THRESHOLD, accuracy_at_threshold),
        (MetricKeys.PRECISION_AT_THRESHOLD, precision_at_threshold),
        (MetricKeys.RECALL_AT_THRESHOLD, recall_at_threshold),
    )
    return {
        summary_key(key % threshold): metric(
            labels, predictions, weights, threshold, name=key % threshold
        )
        for threshold in thresholds
        for key, metric in kinds
    }
