"""tensorflow.examples.tutorials.mnist.mnist: the network of TensorFlow 1's MNIST tutorial.

    from tensorflow.examples.tutorials.mnist import mnist

    logits = mnist.inference(images, hidden1_units=128, hidden2_units=32)
    train_op = mnist.training(mnist.loss(logits, labels), learning_rate=0.01)

Four functions build and train two hidden layers.
"""

from __future__ import annotations

import math

import tensorflow.compat.v1 as tf

NUM_CLASSES = 10
IMAGE_SIZE = 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def inference(images: tf.Tensor, hidden1_units: int, hidden2_units: int) -> tf.Tensor:
    """Builds the network.

    Args:
      images: float32 of shape (batch, 784).
      hidden1_units: Size of the first hidden layer.
      hidden2_units: Size of the second hidden layer.

    Returns:
      The logits, float32 of shape (batch, 10).
    """
    hidden1 = tf.nn.relu(_linear("hidden1", images, IMAGE_PIXELS, hidden1_units))
    hidden2 = tf.nn.relu(_linear("hidden2", hidden1, hidden1_units, hidden2_units))
    return _linear("softmax_linear", hidden2, hidden2_units, NUM_CLASSES)


def _linear(scope: str, inputs: tf.Tensor, size: int, units: int) -> tf.Tensor:
    with tf.name_scope(scope):
        start = tf.truncated_normal([size, units], stddev=1.0 / math.sqrt(float(size)))
        weights = tf.Variable(start, name="weights")
        biases = tf.Variable(tf.zeros([units]), name="biases")
        return tf.matmul(inputs, weights) + biases


def loss(logits: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    """Returns the mean cross-entropy.

    Args:
      logits: float32 of shape (batch, 10).
      labels: The classes, integers of shape (batch,).
    """
    return tf.losses.sparse_softmax_cross_entropy(tf.cast(labels, tf.int64), logits)


def training(loss: tf.Tensor, learning_rate: float) -> tf.Operation:
    """Returns the op of one gradient descent step, which also updates the global step.

    Args:
      loss: The loss, a scalar, which is also written as a summary.
      learning_rate: The learning rate.
    """
    tf.summary.scalar("loss", loss)
    # An int32 variable of this name is in the checkpoints of the original.
    global_step = tf.Variable(0, name="global_step", trainable=False)
    return tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=global_step)


def evaluation(logits: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    """Returns the number of correctly classified examples of a batch, an int32 scalar.

    Args:
      logits: float32 of shape (batch, 10).
      labels: The classes, int32 of shape (batch,).
    """
    return tf.reduce_sum(tf.cast(tf.nn.in_top_k(logits, labels, 1), tf.int32))
