"""Tests of the functions with which tests of heads check a spec."""

import pytest
import tensorflow as tf

from legacy.estimator import EstimatorSpec, RegressionHead
from legacy.private_api import head_checks

tf1 = tf.compat.v1


def test_spec_of_a_head():
    case = tf.test.TestCase()
    with tf.Graph().as_default(), tf1.Session() as session:
        logits = tf1.get_variable("logits", initializer=[[2.0]])
        spec = RegressionHead().create_estimator_spec(
            {}, "train", logits, labels=tf.constant([[5.0]]), train_op_fn=tf.identity
        )
        merged = tf1.summary.merge_all()
        head_checks.assert_no_hooks(case, spec)
        head_checks.initialize_variables(case, tf1.train.Scaffold())
        summary = session.run(merged)
    head_checks.assert_simple_summaries(case, {"loss": 9.0}, summary)
    with pytest.raises(AssertionError):
        head_checks.assert_simple_summaries(case, {"loss": 8.0}, summary)


def test_hooks_are_found():
    hooks = [tf1.train.NanTensorHook(None)]
    with tf.Graph().as_default():
        loss = tf.constant(1.0)
        spec = EstimatorSpec("train", loss=loss, train_op=loss.op, training_hooks=hooks)
    with pytest.raises(AssertionError):
        head_checks.assert_no_hooks(tf.test.TestCase(), spec)


def test_close_is_relative():
    with tf.Graph().as_default(), tf1.Session() as session:
        session.run(head_checks.assert_close([100.0, 0.1], [100.001, 0.1]))
        too_far = head_checks.assert_close(tf1.placeholder_with_default([0.1], [1]), [0.101])
        with pytest.raises(tf.errors.InvalidArgumentError, match="actual:"):
            session.run(too_far)
