"""Trains mnist_cnn on the real tf.estimator, for a Python that has TensorFlow 2.15.

    TF_CONFIG=... PYTHON benchmarks/baselines/original_estimator.py MNIST_NPZ MODEL_DIR OUTPUT_JSON

It is the baseline of `legacy`. It does not use this toolkit.
"""

import sys
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


if __name__ == "__main__":
    import original_times

    path, model_dir, output = sys.argv[1:]
    original_times.train(
        model_fn, make_input_fn(path), BATCH_SIZE, model_dir, output, WARMUP_STEPS, MAX_STEPS
    )
