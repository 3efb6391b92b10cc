"""Tests of metrics of classes."""

import pytest
import tensorflow as tf

from legacy.contrib import metrics

tf1 = tf.compat.v1


def test_accuracy_is_weighed():
    predictions, labels = tf.constant([1, 0, 2, 2]), tf.constant([1, 1, 2, 0])
    assert float(metrics.accuracy(predictions, labels)) == 0.5
    assert float(metrics.accuracy(predictions, labels, weights=[3, 1, 1, 1])) == pytest.approx(
        4 / 6
    )
    with pytest.raises(ValueError, match="Predictions should have bool, integer, or string"):
        metrics.accuracy(tf.constant([1.0]), tf.constant([1]))
    with pytest.raises(ValueError, match="labels differ"):
        metrics.accuracy(tf.constant([1]), tf.constant([1], tf.int64))


def test_labels_come_first_in_a_confusion_matrix():
    assert metrics.confusion_matrix([1, 1, 0], [0, 1, 0]).numpy().tolist() == [[1, 0], [1, 1]]


def test_the_best_f1_score(session):
    labels, predictions = tf.constant([1, 0, 1, 0]), tf.constant([0.9, 0.8, 0.3, 0.1])
    value, update = metrics.f1_score(labels, predictions)
    session.run(tf1.local_variables_initializer())
    session.run(update)
    # Above a threshold between 0.1 and 0.3, precision is 2/3 and recall 1.
    assert session.run(value) == pytest.approx(0.8, rel=1e-4)
