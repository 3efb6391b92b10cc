"""contrib.metrics: streaming metrics and their like."""

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)

PREDICTED = np.array([0.1, 0.8, 0.4, 0.9, 0.3, 0.6], "float32")
LABELS = np.array([0, 1, 1, 1, 0, 0], "float32")
WEIGHTS = np.array([1, 2, 1, 0.5, 1, 3], "float32")
CLASSES = np.array([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3], [0.2, 0.3, 0.5]], "float32")
IDS = np.array([[1], [2], [0]], "int64")


def made(tf):
    m = tf.contrib.metrics
    p, y, w = (tf.constant(each) for each in (PREDICTED, LABELS, WEIGHTS))
    classes, ids = tf.constant(CLASSES), tf.constant(IDS)
    above = tf.greater(p, 0.5)
    bits = tf.cast(y, tf.bool)
    found = {
        "streaming_concat": m.streaming_concat(p),
        "streaming_concat limited": m.streaming_concat(classes, axis=0, max_size=4),
        "streaming_concat other axis": m.streaming_concat(classes, axis=1),
        "count": m.count(p),
        "count weighted": m.count(p, weights=w),
        "f1_score": m.f1_score(y, p),
        "streaming_auc": m.streaming_auc(p, y, curve="PR"),
        "streaming_recall_at_k": m.streaming_recall_at_k(classes, ids[:, 0], 2),
        "streaming_mean_relative_error": m.streaming_mean_relative_error(p, y, y + 1.0),
        "streaming_mean_cosine_distance": m.streaming_mean_cosine_distance(classes, classes, 1),
        "streaming_mean_iou": m.streaming_mean_iou(above, bits, 2),
        "streaming_mean": m.streaming_mean(p, w),
        "streaming_mean_tensor": m.streaming_mean_tensor(p),
        "streaming_percentage_less": m.streaming_percentage_less(p, 0.5),
        "streaming_sparse_precision_at_top_k": m.streaming_sparse_precision_at_top_k(
            tf.constant([[1, 0], [0, 2], [2, 1]], tf.int64), ids
        ),
        "sensitivity": m.streaming_sensitivity_at_specificity(p, y, 0.5),
        "specificity": m.streaming_specificity_at_sensitivity(p, y, 0.5),
    }
    for name in (
        "streaming_accuracy",
        "streaming_precision",
        "streaming_recall",
        "streaming_true_positives",
        "streaming_false_negatives",
        "streaming_false_positive_rate",
        "streaming_false_negative_rate",
    ):
        found[name] = getattr(m, name)(above, bits)
        found[name + " weighted"] = getattr(m, name)(above, bits, weights=w)
    for name in (
        "streaming_mean_absolute_error",
        "streaming_mean_squared_error",
        "streaming_root_mean_squared_error",
        "streaming_covariance",
        "streaming_pearson_correlation",
    ):
        found[name] = getattr(m, name)(p, y)
        found[name + " weighted"] = getattr(m, name)(p, y, w)
    for name in (
        "streaming_precision_at_thresholds",
        "streaming_recall_at_thresholds",
        "streaming_false_positive_rate_at_thresholds",
        "streaming_false_negative_rate_at_thresholds",
        "streaming_true_negatives_at_thresholds",
    ):
        found[name] = getattr(m, name)(p, bits, [0.2, 0.5])
    for name in (
        "streaming_sparse_recall_at_k",
        "streaming_sparse_precision_at_k",
        "streaming_sparse_average_precision_at_k",
    ):
        found[name] = getattr(m, name)(classes, ids, 2)
    return found


def run(tf, folder):
    m = tf.contrib.metrics
    metrics = made(tf)
    values, updates = m.aggregate_metric_map(metrics)
    ones = {
        "accuracy": m.accuracy(tf.constant([1, 2, 3]), tf.constant([1, 2, 4])),
        "accuracy weighted": m.accuracy(
            tf.constant([1, 2, 3]), tf.constant([1, 2, 4]), weights=[1.0, 1.0, 2.0]
        ),
        "confusion": m.confusion_matrix([0, 1, 1], [0, 1, 0], num_classes=2),
        "set size": m.set_size(tf.contrib.metrics.set_union([[1, 2]], [[2, 3]])),
    }
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        found = {"updates": [facts.plain(session.run(updates)) for _ in range(2)]}
        found["values"] = facts.plain(session.run(values))
        found["ones"] = facts.plain(session.run(ones))
    found["shapes"] = {name: str(values[name].shape) for name in sorted(values)}
    found["errors"] = [
        facts.error(m.aggregate_metrics)[0],
        facts.error(m.accuracy, tf.constant([1.0]), tf.constant([1.0]))[0],
        facts.error(m.streaming_concat, tf.constant(1.0))[0],
    ]
    pairs = m.aggregate_metrics(metrics["count"], metrics["f1_score"])
    found["aggregated"] = [len(each) for each in pairs]
    return found
