"""Trains a small convolutional network on digits, with an Estimator of its own."""
from __future__ import absolute_import, division, print_function

import os

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("model_dir", "/tmp/digits", "Where checkpoints go.")
flags.DEFINE_string("export_dir", "", "Where the SavedModel goes.")
flags.DEFINE_integer("train_steps", 1000, "How many steps to train.")
flags.DEFINE_integer("batch_size", 64, "Examples in a batch.")
flags.DEFINE_float("learning_rate", 0.01, "Where the decay begins.")
FLAGS = flags.FLAGS


def network(images, is_training):
  images = tf.to_float(images) / 255.0
  images = tf.image.resize_bilinear(tf.reshape(images, [-1, 8, 8, 1]), [12, 12])
  tf.summary.image("digits", images, max_outputs=3)
  net = tf.layers.conv2d(images, 8, 3, padding="same", activation=tf.nn.relu,
                         kernel_initializer=tf.truncated_normal_initializer(stddev=0.1),
                         kernel_regularizer=tf.contrib.layers.l2_regularizer(1e-4))
  net = tf.layers.max_pooling2d(net, 2, 2)
  net = tf.layers.conv2d(net, 16, 3, use_bias=False,
                         kernel_initializer=tf.variance_scaling_initializer())
  net = tf.layers.batch_normalization(net, training=is_training, momentum=0.9)
  net = tf.layers.average_pooling2d(tf.nn.relu(net), 2, 2)
  net = tf.layers.flatten(net)
  net = tf.layers.dropout(net, rate=0.4, training=is_training)
  return tf.layers.dense(net, 10, name="logits")


def model_fn(features, labels, mode, params):
  is_training = mode == tf.estimator.ModeKeys.TRAIN
  logits = network(features["x"], is_training)
  predictions = {"classes": tf.argmax(logits, 1), "probabilities": tf.nn.softmax(logits)}
  if mode == tf.estimator.ModeKeys.PREDICT:
    outputs = {"serving_default": tf.estimator.export.PredictOutput(predictions)}
    return tf.estimator.EstimatorSpec(mode, predictions=predictions, export_outputs=outputs)

  loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
  loss += tf.losses.get_regularization_loss()
  if mode == tf.estimator.ModeKeys.EVAL:
    metrics = {"accuracy": tf.metrics.accuracy(labels, predictions["classes"])}
    return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)

  step = tf.train.get_or_create_global_step()
  rate = tf.train.exponential_decay(params["learning_rate"], step, 100, 0.96, staircase=True)
  tf.summary.scalar("learning_rate", rate)
  optimizer = tf.train.MomentumOptimizer(rate, 0.9)
  with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train_op = optimizer.minimize(loss, global_step=step)
  return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(unused_argv):
  random = np.random.RandomState(7)
  images = random.randint(0, 256, size=(96, 64)).astype(np.uint8)
  labels = (images.mean(axis=1) > 127).astype(np.int32)
  config = tf.estimator.RunConfig(tf_random_seed=7, save_summary_steps=5)
  classifier = tf.estimator.Estimator(model_fn, FLAGS.model_dir, config,
                                      params={"learning_rate": FLAGS.learning_rate})
  train_input_fn = tf.estimator.inputs.numpy_input_fn(
      {"x": images}, labels, batch_size=FLAGS.batch_size, num_epochs=None, shuffle=True)
  eval_input_fn = tf.estimator.inputs.numpy_input_fn(
      {"x": images}, labels, num_epochs=1, shuffle=False)
  classifier.train(train_input_fn, steps=FLAGS.train_steps)
  tf.logging.info("Evaluation: %s", classifier.evaluate(eval_input_fn))
  first = next(classifier.predict(eval_input_fn))
  tf.logging.debug("The first one is %d", first["classes"])
  if FLAGS.export_dir:
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.uint8, [None, 64])})
    classifier.export_savedmodel(os.path.join(FLAGS.export_dir, "digits"), receiver)


if __name__ == "__main__":
  tf.logging.set_verbosity(tf.logging.INFO)
  tf.app.run(main)
