"""Tests of the v1 head of two classes."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.estimator.heads.v1.binary_class import BinaryClassHead

tf1 = tf.compat.v1


def test_losses_are_cross_entropies_that_are_weighed_and_summed():
    head = BinaryClassHead("w", label_vocabulary=["no", "yes"])
    labels, features = tf.constant([["yes"], ["no"]]), {"w": tf.constant([[1.0], [3.0]])}
    found = head.create_loss(features, "train", tf.constant([[2.0], [0.0]]), labels)
    expected = np.log1p(np.exp(-2.0)) + 3 * np.log(2.0)
    assert float(found.training_loss) == pytest.approx(expected)
    assert found.processed_labels.numpy().tolist() == [[1.0], [0.0]]


def test_metrics_at_thresholds():
    head = BinaryClassHead(thresholds=[0.25], name="h")
    with tf.Graph().as_default(), tf1.Session() as session:
        # The probabilities are 0.5, 0.73 and 0.12.
        logits = tf.constant([[0.0], [1.0], [-2.0]])
        spec = head.create_estimator_spec({}, "eval", logits, tf.constant([[1], [0], [0]]))
        session.run(tf1.local_variables_initializer())
        session.run([update for _, update in spec.eval_metric_ops.values()])
        found = session.run({name: value for name, (value, _) in spec.eval_metric_ops.items()})
    assert found["precision/positive_threshold_0.25/h"] == pytest.approx(0.5)
    assert found["recall/positive_threshold_0.25/h"] == pytest.approx(1.0)
    assert found["accuracy/h"] == pytest.approx(1 / 3)
    assert found["accuracy_baseline/h"] == pytest.approx(2 / 3)
