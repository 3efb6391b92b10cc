from .compat import *


def model_fn(features, labels, mode, params):
  tf = tf1
  scores = layers.dense(features["x"], 1, kernel_initializer=tf.zeros_initializer())
  if mode == tf.estimator.ModeKeys.PREDICT:
    return tf.estimator.EstimatorSpec(mode, {"scores": scores})
  loss = tf.losses.mean_pairwise_squared_error(labels, scores)
  train_op = tf.train.GradientDescentOptimizer(params["rate"]).minimize(
      loss, tf.train.get_global_step())
  return tf.estimator.EstimatorSpec(mode, {"scores": scores}, loss, train_op)
