"""Trains mnist_cnn in a v1 session in one process: no cluster, no Estimator, no Keras.

    PYTHON benchmarks/baselines/plain_session.py MNIST_NPZ OUTPUT_JSON

Run with two versions of TensorFlow, it shows the difference between the versions alone. It uses
neither this toolkit nor the original Estimator.
"""

import json
import sys
import time

import numpy as np
import tensorflow.compat.v1 as tf

BATCH_SIZE = 64
WARMUP_STEPS, STEPS = 300, 1500


def batches(path: str) -> tf.data.Iterator:
    """Returns an iterator of shuffled, repeated, batched images and labels, scaled once for all."""
    with np.load(path) as arrays:
        images = (arrays["x_train"] / np.float32(255)).astype(np.float32)
        labels = arrays["y_train"].astype(np.int64)
    slices = tf.data.Dataset.from_tensor_slices((images, labels))
    data = slices.shuffle(len(labels)).repeat().batch(BATCH_SIZE).prefetch(4)
    return tf.data.make_initializable_iterator(data)


def build_loss(images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    """Builds the job's network from TensorFlow's own ops, because its v1 layers need Keras."""
    x = tf.reshape(images, [-1, 28, 28, 1])
    kernel = tf.get_variable("conv/kernel", [3, 3, 1, 32])
    x = tf.nn.relu(tf.nn.conv2d(x, kernel, 1, "VALID") + tf.get_variable("conv/bias", [32]))
    x = tf.reshape(x, [-1, 26 * 26 * 32])
    x = tf.matmul(x, tf.get_variable("hidden/kernel", [26 * 26 * 32, 128]))
    x = tf.nn.relu(x + tf.get_variable("hidden/bias", [128]))
    x = tf.matmul(x, tf.get_variable("logits/kernel", [128, 10]))
    logits = x + tf.get_variable("logits/bias", [10])
    return tf.losses.sparse_softmax_cross_entropy(labels, logits)


def main(path: str, output: str) -> None:
    """Trains and writes the steady part's examples and times."""
    tf.disable_eager_execution()
    iterator = batches(path)
    loss = build_loss(*iterator.get_next())
    train = tf.train.GradientDescentOptimizer(0.001).minimize(loss)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), iterator.initializer])
        for step in range(STEPS):
            if step == WARMUP_STEPS:
                start = time.time()
            session.run([train, loss])
        end = time.time()
    examples = (STEPS - WARMUP_STEPS) * BATCH_SIZE
    with open(output, "w") as file:
        json.dump({"examples": examples, "start": start, "end": end}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
