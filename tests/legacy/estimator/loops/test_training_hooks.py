"""Tests of the hooks that Estimator adds to a training."""

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.loops import training_hooks
from tests.legacy.estimator.models import dataset, model_fn

tf1 = tf.compat.v1


def test_a_loss_that_is_not_a_number_ends_the_training(tmp_path):
    def diverged(features, labels, mode):
        spec = model_fn(features, labels, mode)
        return spec._replace(loss=spec.loss * float("nan"))

    with pytest.raises(estimator.NanLossDuringTrainingError):
        estimator.Estimator(diverged, tmp_path / "m").train(dataset, steps=1)


def test_the_last_checkpoint_waits_for_the_end(tmp_path):
    with tf.Graph().as_default():
        step = tf1.train.create_global_step()
        increment = tf1.assign_add(step, 1)
        hook = training_hooks.ChiefSaverHook(3, checkpoint_dir=str(tmp_path), save_steps=1)
        with tf1.train.SingularMonitoredSession([hook]) as session:
            for _ in range(3):
                session.run(increment)
            assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-2")
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-3")
