"""Tests of the v1 head of several labels."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.estimator.heads.v1.multi_label import MultiLabelHead

tf1 = tf.compat.v1
LOGITS = np.float32([[1.0, -1.0], [0.0, 2.0]])


def test_the_loss_is_the_mean_over_classes_and_examples():
    head = MultiLabelHead(2, label_vocabulary=["a", "b"])
    labels = tf.SparseTensor([[0, 0], [1, 0]], ["a", "b"], [2, 1])
    found = head.create_loss({}, "train", tf.constant(LOGITS), labels)
    assert found.processed_labels.numpy().tolist() == [[1, 0], [0, 1]]
    expected = np.log1p(np.exp([[-1.0, -1.0], [0.0, -2.0]])).mean()
    assert float(found.training_loss) == pytest.approx(expected)


def test_a_class_of_its_own_metrics():
    head = MultiLabelHead(2, classes_for_class_based_metrics=[1])
    with tf.Graph().as_default(), tf1.Session() as session:
        labels = tf.constant([[1, 0], [0, 1]])
        spec = head.create_estimator_spec({}, "eval", tf.constant(LOGITS), labels)
        value, update = spec.eval_metric_ops["probability_mean/class1"]
        session.run(tf1.local_variables_initializer())
        session.run(update)
        found = session.run(value)
    assert found == pytest.approx((1 / (1 + np.exp(1.0)) + 1 / (1 + np.exp(-2.0))) / 2)
