"""Test of the v1 head that combines several heads."""

import tensorflow as tf

from legacy.estimator.heads import v1


def test_loss_of_merged_heads_is_by_head():
    head = v1.multi_head(
        [v1.regression_head(name="a"), v1.regression_head(name="b")], head_weights=[1.0, 2.0]
    )
    labels = {"a": tf.constant([[1.0]]), "b": tf.constant([[1.0]])}
    found = head.create_loss({}, "train", tf.constant([[2.0, 3.0]]), labels)
    assert float(found.training_loss) == 9.0
    assert {name: loss.numpy() for name, loss in found.unreduced_loss.items()} == {"a": 1, "b": 8}
    assert found.weights == {"a": 1.0, "b": 2.0}
