"""Two networks in one model_fn, each with its own optimizer and variables."""
import sys

import tensorflow as tf
from tensorflow.contrib.framework import arg_scope
from six.moves import range


def generator(noise, reuse=tf.AUTO_REUSE):
  with tf.variable_scope("generator", reuse=reuse) as scope:
    net = tf.layers.dense(noise, 4 * 4 * 4, activation=tf.nn.relu)
    net = tf.reshape(net, [-1, 4, 4, 4])
    net = tf.layers.conv2d_transpose(net, 1, 3, strides=2, padding="same", activation=tf.tanh)
    assert tf.get_variable_scope() is not None and scope.name
    return net


class Discriminator(object):

  def __init__(self):
    self.conv = tf.layers.Conv2D(4, 3, strides=2, padding="same")
    self.score = tf.layers.Dense(1)

  def __call__(self, images):
    with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
      return self.score(tf.layers.flatten(tf.nn.leaky_relu(self.conv(images))))


def model_fn(features, labels, mode):
  fake = generator(features["noise"])
  discriminator = Discriminator()
  scores = [discriminator(images) for images in (features["images"], fake)]
  d_loss = sum(tf.losses.sigmoid_cross_entropy(make(score), score)
               for make, score in zip((tf.ones_like, tf.zeros_like), scores))
  g_loss = tf.losses.sigmoid_cross_entropy(tf.ones_like(scores[1]), scores[1])
  step = tf.train.get_or_create_global_step()
  ours = tf.trainable_variables("generator")
  theirs = [v for v in tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES) if v not in ours]
  train_d = tf.train.RMSPropOptimizer(1e-3).minimize(d_loss, var_list=theirs)
  with tf.control_dependencies([train_d]), tf.colocate_with(step):
    train_g = tf.train.AdamOptimizer(1e-3, beta1=0.5).minimize(
        g_loss, global_step=step, var_list=ours)
  for tensor in tf.get_collection(tf.GraphKeys.SUMMARIES):
    tf.logging.debug(tensor.op.name)
  tf.add_to_collection("losses", d_loss)
  return tf.estimator.EstimatorSpec(mode, fake, g_loss, train_g)


def input_fn():
  noise = tf.random_normal([4, 3], seed=1)
  images = tf.rsqrt(tf.random_uniform([4, 8, 8, 1], minval=1.0, maxval=2.0, seed=2))
  return {"noise": noise, "images": images}, None


def main(folder):
  estimator = tf.estimator.Estimator(model_fn, folder)
  for _ in range(2):
    estimator.train(input_fn, steps=2)
  steps = estimator.get_variable_value(tf.GraphKeys.GLOBAL_STEP)
  tf.logging.warning("%d steps, %d variables", steps, len(estimator.get_variable_names()))


if __name__ == "__main__":
  main(sys.argv[1])
