"""Tests for variables that a graph writes and a session would not."""

import re

import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from tests.migrate.bridge import small


def test_moving_averages_that_never_ran_are_found():
    def model_fn(features, labels, mode):
        hidden = tf.layers.batch_normalization(features["x"], training=True)
        loss = tf.losses.mean_squared_error(labels, tf.layers.dense(hidden, 1))
        step = tf.train.get_or_create_global_step()
        train_op = tf.train.AdamOptimizer().minimize(loss, step)  # without UPDATE_OPS
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    with pytest.raises(bridge.BridgeError) as error:
        small.build(model_fn)
    message = str(error.value)
    assert "batch_normalization/moving_" in message
    assert "(and 1 more)" in message
    assert "UPDATE_OPS" in message
    assert re.search(r"test_graph_writes.py, line \d+: hidden = tf.layers.batch_normal", message)


def test_writing_in_evaluation_is_found():
    def model_fn(features, labels, mode):
        step = tf.train.get_or_create_global_step()
        tf.assign_add(step, 1)
        return tf_estimator.EstimatorSpec(mode, loss=tf.reduce_mean(labels))

    model = bridge.KerasModelFn(model_fn)
    with pytest.raises(bridge.BridgeError, match="writes 'global_step' in mode 'eval'.*line"):
        model.evaluate(*small.data(), verbose=0)
