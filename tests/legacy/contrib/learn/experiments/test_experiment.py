"""Test of Experiment with an Estimator of tf.estimator. The oracle compares local runs."""

import pytest
import tensorflow as tf

from legacy import estimator as core
from legacy.contrib import learn
from tests.legacy.contrib.learn.experiments.models import input_fn


def test_an_estimator_of_tf_estimator(tmp_path):
    def core_model_fn(features, labels, mode):
        weight = tf.compat.v1.get_variable("weight", [])
        step = tf.compat.v1.train.get_global_step()
        op = tf.compat.v1.assign_add(step, 1)
        return core.EstimatorSpec(mode, loss=tf.square(weight - labels), train_op=op)

    config = learn.RunConfig(model_dir=str(tmp_path), save_checkpoints_steps=1)
    estimator = core.Estimator(core_model_fn, config=config)
    experiment = learn.Experiment(
        estimator, input_fn, input_fn, train_steps=2, eval_steps=1, check_interval_secs=None
    )
    metrics, exports = experiment.train_and_evaluate()
    assert (metrics["global_step"], exports) == (2, [])
    assert estimator.config.uid() == config.uid()
    with pytest.raises(ValueError, match="`eval_metrics` must be `None`"):
        learn.Experiment(estimator, input_fn, input_fn, eval_metrics={})
    with pytest.raises(ValueError, match=r"must implement `tf\.contrib\.learn\.Evaluable`"):
        learn.Experiment(object(), input_fn, input_fn)
