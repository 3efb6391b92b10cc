"""A model_fn whose sparse gradient has another number of rows in each step."""

import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator

ROWS = 8


def input_fn():
    """Returns batches of eight ids. The n-th batch has n distinct ids."""
    batches = tf.data.Dataset.range(1, ROWS + 1)
    return batches.map(lambda n: ({"ids": tf.range(8, dtype=tf.int64) % n}, tf.ones([8, 1])))


def model_fn(features, labels, mode):
    table = tf.get_variable("table", [ROWS, 1], initializer=tf.zeros_initializer())
    distinct, positions = tf.unique(features["ids"])
    outputs = tf.gather(tf.nn.embedding_lookup(table, distinct), positions)
    loss = tf.losses.mean_squared_error(labels, outputs)
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, outputs, loss, train_op)
