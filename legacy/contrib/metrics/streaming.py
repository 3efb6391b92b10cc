"""Streaming metrics that call tf.compat.v1.metrics under a new name and argument order.

value, update_op = streaming_precision_at_thresholds(predictions, labels, [0.3, 0.5])
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

_COLLECTIONS = (("metrics_collections", None), ("updates_collections", None), ("name", None))
_COMMON = (("weights", None), *_COLLECTIONS)
_PAIR = ("predictions", "labels")
_Metric = Callable[..., tuple[tf.Tensor, tf.Operation]]


def _metric(
    name: str, existing: Callable[..., Any], arguments: tuple[Any, ...], **new_names: str
) -> _Metric:
    """Returns a metric that calls an existing metric.

    Args:
      name: Name of the new metric.
      existing: Existing metric.
      arguments: Arguments of the new metric, as names or (name, default) pairs.
      **new_names: Argument names of the existing metric, by the names of the new metric.
    """
    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [
            inspect.Parameter(argument, keyword)
            if isinstance(argument, str)
            else inspect.Parameter(argument[0], keyword, default=argument[1])
            for argument in arguments
        ]
    )

    def metric(*args: Any, **kwargs: Any) -> Any:
        call_arguments = signature.bind(*args, **kwargs)
        return existing(
            **{new_names.get(key, key): value for key, value in call_arguments.arguments.items()}
        )

    metric.__name__ = metric.__qualname__ = name
    metric.__signature__ = signature
    metric.__doc__ = f"As `tf.compat.v1.metrics.{existing.__name__}`, called as {name}{signature}."
    return metric


_m = tf1.metrics

streaming_accuracy = _metric("streaming_accuracy", _m.accuracy, (*_PAIR, *_COMMON))
streaming_precision = _metric("streaming_precision", _m.precision, (*_PAIR, *_COMMON))
streaming_recall = _metric("streaming_recall", _m.recall, (*_PAIR, *_COMMON))
streaming_true_positives = _metric(
    "streaming_true_positives", _m.true_positives, (*_PAIR, *_COMMON)
)
streaming_true_negatives = _metric(
    "streaming_true_negatives", _m.true_negatives, (*_PAIR, *_COMMON)
)
streaming_false_positives = _metric(
    "streaming_false_positives", _m.false_positives, (*_PAIR, *_COMMON)
)
streaming_false_negatives = _metric(
    "streaming_false_negatives", _m.false_negatives, (*_PAIR, *_COMMON)
)

_AT_THRESHOLDS = (*_PAIR, "thresholds", ("weights", None))

streaming_true_positives_at_thresholds = _metric(
    "streaming_true_positives_at_thresholds", _m.true_positives_at_thresholds, _AT_THRESHOLDS
)
streaming_true_negatives_at_thresholds = _metric(
    "streaming_true_negatives_at_thresholds", _m.true_negatives_at_thresholds, _AT_THRESHOLDS
)
streaming_false_positives_at_thresholds = _metric(
    "streaming_false_positives_at_thresholds", _m.false_positives_at_thresholds, _AT_THRESHOLDS
)
streaming_false_negatives_at_thresholds = _metric(
    "streaming_false_negatives_at_thresholds", _m.false_negatives_at_thresholds, _AT_THRESHOLDS
)
streaming_precision_at_thresholds = _metric(
    "streaming_precision_at_thresholds",
    _m.precision_at_thresholds,
    (*_PAIR, "thresholds", *_COMMON),
)
streaming_recall_at_thresholds = _metric(
    "streaming_recall_at_thresholds", _m.recall_at_thresholds, (*_PAIR, "thresholds", *_COMMON)
)
streaming_auc = _metric(
    "streaming_auc",
    _m.auc,
    (
        *_PAIR,
        ("weights", None),
        ("num_thresholds", 200),
        ("metrics_collections", None),
        ("updates_collections", None),
        ("curve", "ROC"),
        ("name", None),
    ),
)
streaming_sensitivity_at_specificity = _metric(
    "streaming_sensitivity_at_specificity",
    _m.sensitivity_at_specificity,
    (*_PAIR, "specificity", ("weights", None), ("num_thresholds", 200), *_COLLECTIONS),
)
streaming_specificity_at_sensitivity = _metric(
    "streaming_specificity_at_sensitivity",
    _m.specificity_at_sensitivity,
    (*_PAIR, "sensitivity", ("weights", None), ("num_thresholds", 200), *_COLLECTIONS),
)

streaming_mean = _metric("streaming_mean", _m.mean, ("values", *_COMMON))
streaming_mean_tensor = _metric("streaming_mean_tensor", _m.mean_tensor, ("values", *_COMMON))
streaming_percentage_less = _metric(
    "streaming_percentage_less", _m.percentage_below, ("values", "threshold", *_COMMON)
)
streaming_mean_absolute_error = _metric(
    "streaming_mean_absolute_error", _m.mean_absolute_error, (*_PAIR, *_COMMON)
)
streaming_mean_squared_error = _metric(
    "streaming_mean_squared_error", _m.mean_squared_error, (*_PAIR, *_COMMON)
)
streaming_root_mean_squared_error = _metric(
    "streaming_root_mean_squared_error", _m.root_mean_squared_error, (*_PAIR, *_COMMON)
)
streaming_mean_relative_error = _metric(
    "streaming_mean_relative_error", _m.mean_relative_error, (*_PAIR, "normalizer", *_COMMON)
)
streaming_mean_cosine_distance = _metric(
    "streaming_mean_cosine_distance", _m.mean_cosine_distance, (*_PAIR, "dim", *_COMMON)
)
streaming_mean_iou = _metric("streaming_mean_iou", _m.mean_iou, (*_PAIR, "num_classes", *_COMMON))

streaming_sparse_recall_at_k = _metric(
    "streaming_sparse_recall_at_k", _m.recall_at_k, (*_PAIR, "k", ("class_id", None), *_COMMON)
)
streaming_sparse_precision_at_k = _metric(
    "streaming_sparse_precision_at_k",
    _m.precision_at_k,
    (*_PAIR, "k", ("class_id", None), *_COMMON),
)
streaming_sparse_average_precision_at_k = _metric(
    "streaming_sparse_average_precision_at_k",
    _m.average_precision_at_k,
    (*_PAIR, "k", *_COMMON),
)
streaming_sparse_precision_at_top_k = _metric(
    "streaming_sparse_precision_at_top_k",
    _m.precision_at_top_k,
    ("top_k_predictions", "labels", ("class_id", None), *_COMMON),
    top_k_predictions="predictions_idx",
)
sparse_recall_at_top_k = _metric(
    "sparse_recall_at_top_k",
    _m.recall_at_top_k,
    ("labels", "top_k_predictions", ("class_id", None), *_COMMON),
    top_k_predictions="predictions_idx",
)


def streaming_recall_at_k(
    predictions: tf.Tensor,
    labels: tf.Tensor,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[tf.Tensor, tf.Operation]:
    """Computes the share of examples whose label is among the k largest predictions.

    Args:
      predictions: Predictions of shape [examples, classes].
      labels: True class ids of shape [examples].
      k: Number of predictions to consider.
      weights: Weights of shape [examples], or None.
      metrics_collections: List of collections to add the value to, or None.
      updates_collections: List of collections to add the update op to, or None.
      name: Name scope of the operations.

    Returns:
      The value and the update op.
    """
    hits = tf.cast(tf1.math.in_top_k(predictions, labels, k), tf.float32)
    return tf1.metrics.mean(
        hits, weights, metrics_collections, updates_collections, name or f"recall_at_{k}"
    )
