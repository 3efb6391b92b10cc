"""Tests that a training logs the lines of an Estimator, at the level at which it did."""

import logging
import re

import numpy as np
import pytest
import tensorflow as tf
import tf_keras
from absl import logging as absl_logging

from legacy import estimator as tf_estimator
from modern import porting
from modern.porting.training import log_lines

X = np.arange(12, dtype="f").reshape(6, 2)


@pytest.fixture
def lines(request):
    """Returns the lines of both logs. Restores their levels afterwards."""
    found = []
    handler = logging.Handler()
    handler.emit = lambda record: found.append(record.getMessage())
    logs = (tf.get_logger(), absl_logging.get_absl_logger())
    levels, verbosity = [log.level for log in logs], absl_logging.get_verbosity()
    for log in logs:
        log.addHandler(handler)
    yield found
    absl_logging.set_verbosity(verbosity)
    for log, level in zip(logs, levels, strict=True):
        log.removeHandler(handler)
        log.setLevel(level)


def data():
    return tf.data.Dataset.from_tensor_slices((X, X[:, :1])).batch(2)


def compiled():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(tf_keras.optimizers.legacy.SGD(0.001), "mse")
    return model


def model_fn(features, labels, mode):
    tf1 = tf.compat.v1
    with tf1.variable_scope("dense"):
        kernel = tf1.get_variable("kernel", [2, 1], initializer=tf1.ones_initializer())
        bias = tf1.get_variable("bias", [1], initializer=tf1.zeros_initializer())
    loss = tf.reduce_mean((tf.matmul(features, kernel) + bias - labels) ** 2)
    optimizer = tf1.train.GradientDescentOptimizer(0.001)
    train_op = optimizer.minimize(loss, tf1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def losses(lines):
    """Returns the steps and losses, and the loss of the final step."""
    found = [re.match(r"loss = (\S+), step = (\d+)", line) for line in lines]
    final = [re.match(r"Loss for final step: (\S+)\.$", line) for line in lines]
    steps = {int(match[2]): float(match[1]) for match in found if match}
    return steps, [float(match[1]) for match in final if match]


def test_the_lines_are_those_of_the_estimator(lines, tmp_path):
    tf.get_logger().setLevel(logging.INFO)
    config = tf_estimator.RunConfig(str(tmp_path), log_step_count_steps=2)
    tf_estimator.Estimator(model_fn, config=config).train(lambda: data().repeat(2))
    steps, final = losses(lines)
    # A session may read the step before or after the training op increments it.
    assert [step // 2 for step in steps] == [0, 1, 2]
    lines.clear()
    compiled().fit(data(), epochs=2, callbacks=[log_lines.LogLoss(2)], verbose=0)
    new_steps, new_final = losses(lines)
    assert [*new_steps] == [0, 2, 4]
    assert [*new_steps.values()] == pytest.approx([*steps.values()], rel=1e-4)
    assert new_final == pytest.approx(final, rel=1e-4)
    assert any(line.startswith("global_step/sec: ") for line in lines)


def test_a_training_with_replicas_logs_too(lines):
    tf.get_logger().setLevel(logging.INFO)
    with tf.distribute.MirroredStrategy(["CPU:0"]).scope():
        model = compiled()
    for _ in range(2):  # The second training begins at step 3.
        model.fit(data(), callbacks=[log_lines.LogLoss(2)], verbose=0)
    assert [*losses(lines)[0]] == [0, 2, 3, 5]


def test_the_level_of_absl_counts_too_and_other_levels_log_nothing(lines):
    compiled().fit(data(), callbacks=porting.callbacks(), verbose=0)
    assert lines == []
    absl_logging.set_verbosity(absl_logging.INFO)
    compiled().fit(data(), callbacks=porting.callbacks(), verbose=0)
    assert [*losses(lines)[0]] == [0]


def test_an_evaluation_logs_its_results(lines):
    tf.get_logger().setLevel(logging.INFO)
    model = compiled()
    model.fit(data(), verbose=0)
    loss = porting.evaluate(model, data())["loss"]
    assert lines[-1] == f"Saving dict for global step 3: global_step = 3, loss = {loss}"
