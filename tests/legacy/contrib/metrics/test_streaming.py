"""Tests of metrics under the names of TensorFlow 1."""

import inspect

import pytest
import tensorflow as tf

from legacy.contrib import metrics

tf1 = tf.compat.v1


def update_of(session, pair):
    session.run(tf1.local_variables_initializer())
    return session.run(pair[1])


def test_predictions_come_first(session):
    # One of two predictions is right, and one of one label is found.
    predictions, labels = tf.constant([1, 1]), tf.constant([0, 1])
    assert update_of(session, metrics.streaming_precision(predictions, labels)) == 0.5
    assert update_of(session, metrics.streaming_recall(predictions, labels)) == 1.0
    weighed = metrics.streaming_accuracy(predictions, labels, [3.0, 1.0], name="mine")
    assert update_of(session, weighed) == 0.25
    assert weighed[0].op.name == "mine/value"


def test_other_names_of_arguments(session):
    labels = tf.constant([[0], [2]], tf.int64)
    top = tf.constant([[0, 1], [1, 0]], tf.int64)
    found = metrics.streaming_sparse_precision_at_top_k(top_k_predictions=top, labels=labels)
    assert update_of(session, found) == 0.25
    assert list(inspect.signature(metrics.streaming_percentage_less).parameters)[:2] == [
        "values",
        "threshold",
    ]
    with pytest.raises(TypeError, match="missing a required argument: 'top_k_predictions'"):
        metrics.streaming_sparse_precision_at_top_k(predictions_idx=top, labels=labels)


def test_recall_at_k(session):
    predictions = tf.constant([[0.1, 0.5, 0.4], [0.6, 0.3, 0.1]])
    found = metrics.streaming_recall_at_k(predictions, tf.constant([2, 2]), 2)
    assert update_of(session, found) == 0.5
    assert found[0].op.name == "recall_at_2/value"
