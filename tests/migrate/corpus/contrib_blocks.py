"""A network of tf.contrib.layers, in a model_fn that optimize_loss trains."""
import sys

import numpy as np
import tensorflow as tf
from tensorflow.contrib import layers
from tensorflow.contrib.framework import get_or_create_global_step
from tensorflow.contrib.layers import fully_connected


def block(net, filters, is_training):
  net = tf.contrib.layers.conv2d(
      net, filters, [3, 3], activation_fn=None,
      weights_initializer=tf.contrib.layers.variance_scaling_initializer(),
      weights_regularizer=layers.l2_regularizer(1e-4))
  net = tf.contrib.layers.batch_norm(net, is_training=is_training, decay=0.9, fused=True)
  return tf.nn.relu(net)


def model_fn(features, labels, mode):
  training = mode == tf.estimator.ModeKeys.TRAIN
  net = block(tf.reshape(features["pixels"], [-1, 6, 6, 1]), 4, training)
  net = layers.flatten(net)
  net = tf.contrib.layers.flatten(net)
  net = fully_connected(net, 8, weights_initializer=tf.contrib.layers.xavier_initializer())
  net = tf.contrib.layers.layer_norm(net)
  logits = tf.contrib.layers.fully_connected(net, 2, activation_fn=None, scope="logits")
  if mode == tf.estimator.ModeKeys.PREDICT:
    return tf.estimator.EstimatorSpec(mode, predictions=logits)
  loss = tf.losses.softmax_cross_entropy(tf.one_hot(labels, 2), logits)
  train_op = tf.contrib.layers.optimize_loss(
      loss, tf.contrib.framework.get_global_step(), learning_rate=0.05, optimizer="Adam",
      clip_gradients=1.0, learning_rate_decay_fn=decay, summaries=["loss"])
  streaming = {"accuracy": tf.contrib.metrics.streaming_accuracy(tf.argmax(logits, 1), labels)}
  return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=streaming)


def decay(rate, step):
  return tf.train.piecewise_constant(step, [5, 8], [rate, rate / 2, rate / 4])


def ungated_step():
  return tf.contrib.framework.get_or_create_global_step() + get_or_create_global_step()


def main(folder):
  random = np.random.RandomState(3)
  pixels = random.uniform(size=(32, 36)).astype(np.float32)
  labels = (pixels.mean(1) > 0.5).astype(np.int64)
  input_fn = tf.estimator.inputs.numpy_input_fn(
      {"pixels": pixels}, labels, batch_size=8, num_epochs=2, shuffle=False)
  estimator = tf.estimator.Estimator(model_fn, folder)
  estimator.train(input_fn)
  print(estimator.evaluate(input_fn))


if __name__ == "__main__":
  main(sys.argv[1])
