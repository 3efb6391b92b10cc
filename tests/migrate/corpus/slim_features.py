"""A slim network under arg_scope, or Inception's trunk, trained by a session."""
import sys

import tensorflow as tf
import tensorflow.contrib.slim as slim
from tensorflow.contrib.slim.python.slim.nets import inception_v3


def arg_scope(is_training, decay=1e-4):
  batch_norm = {"is_training": is_training, "decay": 0.95}
  with slim.arg_scope([slim.conv2d, slim.fully_connected],
                      weights_regularizer=slim.l2_regularizer(decay),
                      normalizer_fn=slim.batch_norm, normalizer_params=batch_norm) as scope:
    return scope


def small_net(images, classes, is_training=True):
  with slim.arg_scope(arg_scope(is_training)):
    net = slim.conv2d(images, 4, [3, 3], scope="conv1")
    net = slim.max_pool2d(net, [2, 2], scope="pool1")
    net = slim.repeat(net, 2, slim.conv2d, 4, [3, 3], scope="conv2")
    net = slim.dropout(net, 0.8, is_training=is_training)
    net = slim.flatten(net)
    return slim.fully_connected(net, classes, activation_fn=None, normalizer_fn=None)


def inception_features(images):
  net, _ = inception_v3.inception_v3_base(images, final_endpoint="Mixed_5b")
  return tf.reduce_mean(net, [1, 2])


def main(folder, trunk="small"):
  with tf.Graph().as_default():
    tf.set_random_seed(2)
    images = tf.random_uniform([4, 8, 8, 3])
    labels = tf.multinomial(tf.zeros([1, 2]), 4)[0]
    net = small_net if trunk == "small" else inception_features
    logits = net(images, 2)
    tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss = tf.losses.get_total_loss()
    train_op = slim.learning.create_train_op(loss, tf.train.MomentumOptimizer(0.01, 0.9))
    slim.learning.train(train_op, folder, number_of_steps=5, log_every_n_steps=5)


def restore(session, checkpoint):
  variables = slim.get_variables_to_restore(exclude=["global_step"])
  slim.assign_from_checkpoint_fn(checkpoint, variables)(session)
  return tf.contrib.slim.get_model_variables()


def fine_tuned(images):
  with tf.contrib.slim.arg_scope([tf.contrib.slim.conv2d], padding="SAME"):
    net = tf.contrib.slim.conv2d(images, 8, 1)
  net = tf.contrib.slim.max_pool2d(tf.contrib.slim.batch_norm(net), 2)
  return tf.contrib.slim.fully_connected(tf.contrib.slim.flatten(net), 1)


if __name__ == "__main__":
  main(sys.argv[1])
