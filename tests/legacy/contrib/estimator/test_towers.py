"""Tests of replicate_model_fn after an error. The oracle compares its results."""

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.contrib.estimator import TowerOptimizer, replicate_model_fn

tf1 = tf.compat.v1


def test_an_optimizer_after_a_failed_model_fn_updates_its_variables():
    def model_fn(features, labels, mode):
        raise RuntimeError("no model")

    with tf.Graph().as_default(), tf1.Session() as session:
        replicated = replicate_model_fn(model_fn, devices=["/cpu:0", "/cpu:0"])
        with pytest.raises(RuntimeError, match="no model"):
            replicated(tf.zeros([2, 1]), tf.zeros([2]), estimator.ModeKeys.TRAIN)
        variable = tf1.get_variable("v", initializer=1.0)
        train_op = TowerOptimizer(tf1.train.GradientDescentOptimizer(0.5)).minimize(variable)
        session.run(tf1.global_variables_initializer())
        session.run(train_op)
        assert session.run(variable) == 0.5
