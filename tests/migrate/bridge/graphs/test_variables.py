"""Tests for the variables of a bridged model."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from tests.migrate.bridge import small
from tests.modern import programs


def test_variables_must_be_the_same_each_time():
    names = iter(["w", "v"])

    def model_fn(features, labels, mode):
        loss = tf.reduce_mean(tf.get_variable(next(names), [2]) ** 2)
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    model = bridge.KerasModelFn(model_fn)
    with pytest.raises(bridge.BridgeError, match="requests the variable 'v'.*same variables"):
        model.fit(*small.data(), verbose=0)


def counting_steps(features, labels, mode):
    """Counts training steps in a local variable."""
    loss = tf.losses.mean_squared_error(labels, small.model(features))
    train_op = None
    if mode == tf_estimator.ModeKeys.TRAIN:
        train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        seen = tf.get_variable("seen", [], initializer=tf.zeros_initializer(),
                               trainable=False, collections=["local_variables"])  # fmt: skip
        train_op = tf.group(train_op, seen.assign_add(1.0))
    metrics = {"mean": tf.metrics.mean(labels)} if mode == tf_estimator.ModeKeys.EVAL else None
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


def test_evaluations_leave_what_training_counts():
    model = bridge.KerasModelFn(counting_steps)
    means = [
        model.fit(small.input_fn(), validation_data=small.input_fn(), verbose=0).history["val_mean"]
        for _ in range(2)
    ]
    assert float(model._variables.by_name["seen"]) == 8
    assert means[0] == means[1] == [pytest.approx(float(small.data()[1].mean()), rel=1e-5)]


@pytest.mark.parametrize("optimizer", ["AdamOptimizer", "LazyAdamOptimizer"])
def test_parameter_servers_do_not_split_the_parts_of_a_variable_again(optimizer):
    program = "tests.migrate.bridge.graphs.split_model"
    found, expected, devices = programs.printed_by(program, optimizer)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-4, atol=1e-6, err_msg=name)
    parts = {devices[f"split/dense/kernel/part_{number}"] for number in (0, 1)}
    assert parts == {f"/job:ps/replica:0/task:{number}/device:CPU:0" for number in (0, 1)}
