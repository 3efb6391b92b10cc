"""Test of metrics at thresholds."""

import tensorflow as tf

from legacy.estimator.heads.v2.metrics import at_thresholds, update_at_thresholds


def test_each_threshold_has_its_metrics():
    def key(name):
        return f"{name}/h"

    metrics = at_thresholds([0.25, 0.75], key)
    labels, probabilities = tf.constant([[1], [0], [1]]), tf.constant([[0.9], [0.5], [0.3]])
    weights = tf.constant([[1.0], [1.0], [2.0]])
    update_at_thresholds(metrics, [0.25, 0.75], key, labels, probabilities, weights)
    assert {name: float(metric.result()) for name, metric in metrics.items()} == {
        "accuracy/positive_threshold_0.25/h": 0.75,
        "precision/positive_threshold_0.25/h": 0.75,
        "recall/positive_threshold_0.25/h": 1.0,
        "accuracy/positive_threshold_0.75/h": 0.5,
        "precision/positive_threshold_0.75/h": 1.0,
        "recall/positive_threshold_0.75/h": tf.constant(1 / 3).numpy(),
    }
