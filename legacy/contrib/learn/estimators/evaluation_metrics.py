"""Metrics of an evaluation, and predictions split into examples.

ops = make({"accuracy": MetricSpec(metric_fn)}, features, labels, predictions)
updates, values = split(ops)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.contrib.learn.estimators.metric_spec import MetricSpec

tf1 = tf.compat.v1


def make(metrics: dict[Any, Any], features: Any, labels: Any, predictions: Any) -> dict[str, Any]:
    """Calls metric functions.

    Args:
      metrics: `MetricSpec`s by name. In older programs, functions of predictions and labels, by
        name or by (name, prediction's name).
      features: The features.
      labels: A tensor or a dict of tensors.
      predictions: A tensor or a dict of tensors.

    Returns:
      The return values of the functions, by name.

    Raises:
      ValueError: A metric does not match the predictions.
    """
    found = {}
    for name, metric in sorted(metrics.items(), key=lambda item: str(item[0])):
        if isinstance(metric, MetricSpec):
            found[name] = metric.create_metric_ops(features, labels, predictions)
        elif isinstance(name, tuple):
            found[name[0]] = _of_one_prediction(name, metric, labels, predictions)
        elif isinstance(predictions, dict):
            raise ValueError(
                "Metrics passed provide only name, no prediction, but predictions are dict. "
                f"Metrics: {metrics}, Predictions: {list(predictions)}."
            )
        else:
            found[name] = metric(predictions, _single(labels))
    return found


def _of_one_prediction(name: tuple[Any, ...], metric: Any, labels: Any, predictions: Any) -> Any:
    if len(name) != 2:
        raise ValueError(f"Invalid metric for {name}: a tuple with len {len(name)}, expected 2.")
    if not isinstance(predictions, dict):
        raise ValueError(
            f"Metric {name} names a prediction, but predictions are not dict: {predictions}."
        )
    key = name[1]
    own = labels[key] if isinstance(labels, dict) and key in labels else _single(labels)
    return metric(predictions[key], own)


def _single(labels: Any) -> Any:
    return next(iter(labels.values())) if isinstance(labels, dict) and len(labels) == 1 else labels


def split(metrics: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Separates the updates of metrics from their values.

    Args:
      metrics: Pairs (value, update op) or values, by name.

    Returns:
      The operation of all updates, or None if no metric has one, and the values by name.
    """
    pairs = {
        name: metric
        for name, metric in metrics.items()
        if isinstance(metric, (list, tuple)) and len(metric) == 2
    }
    updates = [update for _, update in pairs.values()]
    values = {name: pairs[name][0] if name in pairs else metrics[name] for name in metrics}
    return (tf.group(*tf.nest.flatten(updates)) if updates else None), values


def examples(batch: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    """Yields the examples of a batch of predictions.

    Args:
      batch: Arrays of shape [examples, ...] or SparseTensorValues, by name.
    """
    first = next(iter(batch.values()))
    sparse = isinstance(first, tf1.SparseTensorValue)
    for i in range(first.dense_shape[0] if sparse else first.shape[0]):
        yield {name: values[i] for name, values in batch.items()}


def concatenated(batches: list[Any]) -> Any:
    """Concatenates the predictions of several batches.

    Args:
      batches: Arrays of shape [examples, ...], or dicts of such arrays.
    """
    if not isinstance(batches[0], dict):
        return np.concatenate(batches, axis=0)
    return {name: np.concatenate([b[name] for b in batches], axis=0) for name in batches[0]}
