"""Tests of heads with one kind of label."""

import tensorflow as tf

from legacy import estimator
from legacy.estimator import heads

tf1 = tf.compat.v1


def test_loss_that_a_subclass_overrides_is_trained():
    class Doubled(estimator.RegressionHead):
        def loss(self, *args, **kwargs):
            return 2 * super().loss(*args, **kwargs)

    with tf.Graph().as_default(), tf1.Session() as session:
        spec = Doubled().create_estimator_spec(
            {}, "train", tf.constant([[1.0]]), tf.constant([[4.0]]), train_op_fn=tf.identity
        )
        assert session.run([spec.loss, spec.train_op]) == [18.0, 18.0]


def test_regularization_losses_are_added_to_the_reduced_loss():
    head = heads.RegressionHead(loss_reduction="sum")
    assert float(head.loss([[3.0], [3.0]], [[1.0], [1.0]], {}, None, [0.5, 0.25])) == 8.75
