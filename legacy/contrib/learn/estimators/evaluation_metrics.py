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
    metric_ops = {}
    for name, metric in sorted(metrics.items(), key=lambda item: str(item[0])):
        if isinstance(metric, MetricSpec):
            metric_ops[name] = metric.create_metric_ops(features, labels, predictions)
        elif isinstance(name, tuple):
            metric_ops[name[0]] = _of_one_prediction(name, metric, labels, predictions)
        elif isinstance(predictions, dict):
            raise ValueError(
                "Metrics passed provide only name, no prediction, but predictions are dict. "
                f"Metrics: {metrics}, Predictions: {list(predictions)}."
            )
        else:
            metric_ops[name] = metric(predictions, _single(labels))
    return metric_ops


def _of_one_prediction(name: tuple[Any, ...], metric: Any, labels: Any, predictions: Any) -> Any:
    if len(name) != 2:
        raise ValueError(f"Invalid metric for {name}: a tuple with len {len(name)}, expected 2.")
    if not isinstance(predictions, dict):
        raise ValueError(
            f"Metric {name} names a prediction, but predictions are not dict: {predictions}."
        )
    key = name[1]
    labels_of_key = labels[key] if isinstance(labels, dict) and key in labels else _single(labels)
    return metric(predictions[key], labels_of_key)


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


def examples(batch: Any) -> Iterator[Any]:
    """Yields the examples of a batch of predictions.

    Args:
      batch: An array of shape [examples, ...], a SparseTensorValue, or a dict of these.
    """
    if not isinstance(batch, dict):
        yield from (
            (example[""] for example in examples({"": batch})) if _is_sparse(batch) else batch
        )
        return
    first_value = next(iter(batch.values()))
    for i in range(first_value.dense_shape[0] if _is_sparse(first_value) else first_value.shape[0]):
        yield {name: _example(values, i) for name, values in batch.items()}


def concatenated(batches: list[Any]) -> Any:
    """Concatenates the predictions of several batches.

    Args:
      batches: Arrays of shape [examples, ...], SparseTensorValues, or dicts of these.
    """
    if not isinstance(batches[0], dict):
        return _concatenate(batches)
    return {name: _concatenate([b[name] for b in batches]) for name in batches[0]}


def _is_sparse(values: Any) -> bool:
    return isinstance(values, tf1.SparseTensorValue)


def _example(values: Any, i: int) -> Any:
    if not _is_sparse(values):
        return values[i]
    is_of_example = values.indices[:, 0] == i
    return tf1.SparseTensorValue(
        values.indices[is_of_example, 1:], values.values[is_of_example], values.dense_shape[1:]
    )


def _concatenate(parts: list[Any]) -> Any:
    if not _is_sparse(parts[0]):
        return np.concatenate(parts, axis=0)
    indices, examples = [], 0
    for part in parts:
        indices.append(part.indices.copy())
        indices[-1][:, 0] += examples
        examples += part.dense_shape[0]
    shape = np.max([part.dense_shape for part in parts], axis=0)
    shape[0] = examples
    return tf1.SparseTensorValue(
        np.concatenate(indices), np.concatenate([part.values for part in parts]), shape
    )
