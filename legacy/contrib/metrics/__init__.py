"""tf.contrib.metrics: streaming metrics, which take predictions before labels.

    value, update_op = metrics.streaming_accuracy(predictions, labels)

Most metrics call tf.compat.v1.metrics with another name and another order of arguments.

Files in reading order:
streaming       renames the metrics of tf.compat.v1.metrics: streaming_accuracy
rates           computes rates of false predictions
correlation     computes covariance, correlation, counts and concatenations
classification  computes accuracy, confusion matrix and F1 score
aggregation     separates the values and the updates of several metrics
collecting      adds values and updates to collections
"""

import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib.metrics.aggregation import aggregate_metric_map, aggregate_metrics
from legacy.contrib.metrics.classification import accuracy, confusion_matrix, f1_score
from legacy.contrib.metrics.correlation import (
    count,
    streaming_concat,
    streaming_covariance,
    streaming_pearson_correlation,
)
from legacy.contrib.metrics.rates import (
    streaming_false_negative_rate,
    streaming_false_negative_rate_at_thresholds,
    streaming_false_positive_rate,
    streaming_false_positive_rate_at_thresholds,
)
from legacy.contrib.metrics.streaming import (
    sparse_recall_at_top_k,
    streaming_accuracy,
    streaming_auc,
    streaming_false_negatives,
    streaming_false_negatives_at_thresholds,
    streaming_false_positives,
    streaming_false_positives_at_thresholds,
    streaming_mean,
    streaming_mean_absolute_error,
    streaming_mean_cosine_distance,
    streaming_mean_iou,
    streaming_mean_relative_error,
    streaming_mean_squared_error,
    streaming_mean_tensor,
    streaming_percentage_less,
    streaming_precision,
    streaming_precision_at_thresholds,
    streaming_recall,
    streaming_recall_at_k,
    streaming_recall_at_thresholds,
    streaming_root_mean_squared_error,
    streaming_sensitivity_at_specificity,
    streaming_sparse_average_precision_at_k,
    streaming_sparse_precision_at_k,
    streaming_sparse_precision_at_top_k,
    streaming_sparse_recall_at_k,
    streaming_specificity_at_sensitivity,
    streaming_true_negatives,
    streaming_true_negatives_at_thresholds,
    streaming_true_positives,
    streaming_true_positives_at_thresholds,
)

set_difference = tf.sets.difference
set_intersection = tf.sets.intersection
set_size = tf.sets.size
set_union = tf.sets.union

__getattr__ = _missing.attribute_of("metrics")

__all__ = [
    "accuracy",
    "aggregate_metric_map",
    "aggregate_metrics",
    "confusion_matrix",
    "count",
    "f1_score",
    "set_difference",
    "set_intersection",
    "set_size",
    "set_union",
    "sparse_recall_at_top_k",
    "streaming_accuracy",
    "streaming_auc",
    "streaming_concat",
    "streaming_covariance",
    "streaming_false_negative_rate",
    "streaming_false_negative_rate_at_thresholds",
    "streaming_false_negatives",
    "streaming_false_negatives_at_thresholds",
    "streaming_false_positive_rate",
    "streaming_false_positive_rate_at_thresholds",
    "streaming_false_positives",
    "streaming_false_positives_at_thresholds",
    "streaming_mean",
    "streaming_mean_absolute_error",
    "streaming_mean_cosine_distance",
    "streaming_mean_iou",
    "streaming_mean_relative_error",
    "streaming_mean_squared_error",
    "streaming_mean_tensor",
    "streaming_pearson_correlation",
    "streaming_percentage_less",
    "streaming_precision",
    "streaming_precision_at_thresholds",
    "streaming_recall",
    "streaming_recall_at_k",
    "streaming_recall_at_thresholds",
    "streaming_root_mean_squared_error",
    "streaming_sensitivity_at_specificity",
    "streaming_sparse_average_precision_at_k",
    "streaming_sparse_precision_at_k",
    "streaming_sparse_precision_at_top_k",
    "streaming_sparse_recall_at_k",
    "streaming_specificity_at_sensitivity",
    "streaming_true_negatives",
    "streaming_true_negatives_at_thresholds",
    "streaming_true_positives",
    "streaming_true_positives_at_thresholds",
]
