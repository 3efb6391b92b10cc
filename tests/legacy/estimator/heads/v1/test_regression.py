"""Tests of the v1 head of a regressor."""

import pytest
import tensorflow as tf

from legacy.estimator.heads.v1.regression import RegressionHead

tf1 = tf.compat.v1


def test_each_label_may_have_its_weight():
    head = RegressionHead("w", label_dimension=2)
    features = {"w": tf.constant([[1.0, 0.0], [2.0, 3.0]])}
    logits, labels = tf.constant([[1.0, 1.0], [1.0, 1.0]]), tf.constant([[3.0, 9.0], [0.0, 2.0]])
    found = head.create_loss(features, "train", logits, labels)
    assert float(found.training_loss) == 1 * 4 + 2 * 1 + 3 * 1


def test_a_link_changes_predictions_and_not_the_logits():
    head = RegressionHead(inverse_link_fn=tf.square)
    with tf.Graph().as_default(), tf1.Session() as session:
        spec = head.create_estimator_spec({}, "infer", tf.constant([[3.0]]))
        found = session.run(spec.predictions)
    assert (found["predictions"], found["logits"]) == (9.0, 3.0)


def test_a_label_has_a_dimension():
    with pytest.raises(ValueError, match="Invalid label_dimension 0"):
        RegressionHead(label_dimension=0)
