"""Tests of metrics of the v1 heads."""

import pytest
import tensorflow as tf

from legacy.estimator.heads.v1 import metrics

tf1 = tf.compat.v1


LABELS, PROBABILITIES = [[1.0], [0.0], [1.0], [0.0]], [[0.9], [0.5], [0.4], [0.1]]


def value_of(make):
    """Returns a metric's value after one update."""
    with tf.Graph().as_default(), tf1.Session() as session:
        value, update = make(tf.constant(LABELS), tf.constant(PROBABILITIES))
        session.run(tf1.local_variables_initializer())
        session.run(update)
        return session.run(value)


@pytest.mark.parametrize(
    ("metric", "threshold", "expected"),
    [
        (metrics.accuracy_at_threshold, 0.3, 3 / 4),
        (metrics.precision_at_threshold, 0.3, 2 / 3),
        (metrics.recall_at_threshold, 0.6, 1 / 2),
    ],
)
def test_at_a_threshold(metric, threshold, expected):
    found = value_of(lambda labels, predictions: metric(labels, predictions, None, threshold))
    assert found == pytest.approx(expected)


def test_means_are_weighed():
    weights = [[3.0], [0.0], [1.0], [0.0]]
    found = value_of(lambda labels, predictions: metrics.predictions_mean(predictions, weights))
    assert found == pytest.approx((3 * 0.9 + 0.4) / 4)
    found = value_of(lambda labels, predictions: metrics.indicator_labels_mean(labels, 2.0))
    assert found == pytest.approx(0.5)


def test_the_area_under_the_curve():
    # Three of the four pairs of a positive and a negative example are in the right order.
    found = value_of(lambda labels, predictions: metrics.auc(labels, predictions))
    assert found == pytest.approx(0.75, abs=1e-3)
