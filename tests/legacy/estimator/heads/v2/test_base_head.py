"""Tests of `base_head`, which defines Head, and builds train ops and summaries."""

import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator
from legacy.estimator.heads.v2 import base_head

tf1 = tf.compat.v1


class OwnHead(estimator.Head):
    """A user's head that has no spec."""

    name = "own"
    logits_dimension = 1
    loss_reduction = "sum"

    def loss(self, labels, logits, features=None, mode=None, regularization_losses=None):
        return tf.reduce_sum(logits)

    def predictions(self, logits, keys=None):
        return {"logits": logits}

    def metrics(self, regularization_losses=None):
        return {}

    def update_metrics(self, eval_metrics, features, logits, labels, mode=None, **kwargs):
        return eval_metrics


class TpuHead(OwnHead):
    """A head that defines only its spec for TPUs. The other spec follows from it."""

    def _create_tpu_estimator_spec(self, features, mode, logits, **kwargs):
        del features, kwargs

        class Spec:
            def as_estimator_spec(self):
                return estimator.EstimatorSpec(mode, predictions=logits)

        return Spec()


def test_head_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        estimator.Head()


def test_own_head_without_a_spec_is_told_so():
    with pytest.raises(NotImplementedError, match=r"must implement `create_estimator_spec\(\)`"):
        OwnHead().create_estimator_spec({}, "train", None)


def test_own_head_with_a_spec_for_tpus():
    with tf.Graph().as_default():
        logits = tf.constant([[1.0]])
        assert TpuHead().create_estimator_spec({}, "infer", logits).predictions is logits


def test_update_ops_run_with_the_training_step():
    with tf.Graph().as_default(), tf1.Session() as session:
        count = tf1.get_variable("count", initializer=0)
        train_op = base_head.create_estimator_spec_train_op(
            None,
            train_op_fn=lambda loss: tf.no_op(),
            update_ops=[tf1.assign_add(count, 1)],
            regularized_training_loss=tf.constant(1.0),
        )
        session.run(tf1.global_variables_initializer())
        session.run(train_op)
        assert session.run(count) == 1


@pytest.mark.parametrize(("reduction", "expected"), [("sum_over_batch_size", 0.5), ("sum", 1.0)])
def test_mean_loss_is_divided_by_the_replicas(reduction, expected):
    # In a graph the devices are only names, and only the loss is computed.
    with tf.Graph().as_default(), tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]).scope():
        scaled = base_head.create_estimator_spec_train_op(
            None,
            train_op_fn=None,
            optimizer=_Recorder(),
            trainable_variables=[],
            regularized_training_loss=tf.constant(1.0),
            loss_reduction=reduction,
        )
        with tf1.Session() as session:
            assert session.run(scaled) == expected


class _Recorder:
    def get_updates(self, loss, params):
        return [loss]


def test_optimizer_of_the_new_keras_kind_is_refused_with_advice():
    with pytest.raises(ValueError, match=r"Use tf_keras\.optimizers\.legacy\.SGD"):
        base_head.validate_v2_optimizer(tf_keras.optimizers.SGD())


def test_optimizer_of_v1_is_refused_with_advice():
    with pytest.raises(ValueError, match="is not a tf.keras.optimizers.Optimizer.* train_op_fn"):
        base_head.validate_v2_optimizer(tf1.train.GradientDescentOptimizer(0.1))
