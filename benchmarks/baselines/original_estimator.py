"""Trains mnist_cnn on the real tf.estimator, for a Python that has TensorFlow 2.15.

    TF_CONFIG=... PYTHON benchmarks/baselines/original_estimator.py MNIST_NPZ MODEL_DIR OUTPUT_JSON

It is the baseline of `legacy`. The chief writes the steady throughput of all trainers, computed
from the global step. It does not use this toolkit.
"""

import json
import sys
import time
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow import estimator as tf_estimator

BATCH_SIZE = 64
WARMUP_STEPS, MAX_STEPS = 300, 1500


def make_input_fn(path: str) -> Any:
    """Returns an input_fn of shuffled, repeated, batched images and labels, scaled once for all."""

    def input_fn() -> tf.data.Dataset:
        with np.load(path) as arrays:
            images = (arrays["x_train"] / np.float32(255)).astype(np.float32)
            labels = arrays["y_train"].astype(np.int64)
        slices = tf.data.Dataset.from_tensor_slices((images, labels))
        return slices.shuffle(len(labels)).repeat().batch(BATCH_SIZE).prefetch(4)

    return input_fn


def model_fn(features: Any, labels: Any, mode: str) -> tf_estimator.EstimatorSpec:
    """Returns the spec of the job in `legacy/jobs/mnist_cnn.py`."""
    x = tf.reshape(features, [-1, 28, 28, 1])
    x = tf.layers.conv2d(x, 32, 3, activation=tf.nn.relu)
    x = tf.layers.flatten(x)
    x = tf.layers.dense(x, 128, activation=tf.nn.relu)
    logits = tf.layers.dense(x, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train_op = tf.train.GradientDescentOptimizer(0.001).minimize(
        loss, global_step=tf.train.get_or_create_global_step()
    )
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


class StepTimes(tf.train.SessionRunHook):
    """Records the times of the first step after the warm-up and of the last step."""

    def __init__(self) -> None:
        self.points: list[tuple[float, int]] = []

    def before_run(self, run_context: Any) -> tf.train.SessionRunArgs:
        """Requests the global step, as most hooks of the time did."""
        return tf.train.SessionRunArgs(tf.train.get_global_step())

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stores the first point after the warm-up and the last one."""
        if run_values.results >= WARMUP_STEPS:
            self.points[1:] = [(time.time(), int(run_values.results))]


def main(path: str, model_dir: str, output: str) -> None:
    """Trains as this task."""
    config = tf_estimator.RunConfig(
        model_dir,
        save_checkpoints_secs=None,
        save_checkpoints_steps=10**9,
        save_summary_steps=10**9,
    )
    times = StepTimes()
    estimator = tf_estimator.Estimator(model_fn, config=config)
    tf_estimator.train_and_evaluate(
        estimator,
        tf_estimator.TrainSpec(make_input_fn(path), max_steps=MAX_STEPS, hooks=[times]),
        tf_estimator.EvalSpec(make_input_fn(path), steps=1),
    )
    if config.is_chief:
        (start, first), (end, last) = times.points
        with open(output, "w") as file:
            json.dump({"examples_per_second": (last - first) * BATCH_SIZE / (end - start)}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
