"""A model_fn of 2018 with a table, a convolution, batch normalization, dropout and a schedule."""

import numpy as np
import tensorflow.compat.v1 as tf

PARAMS = {"rate": 0.05}


def input_fn():
    random = np.random.default_rng(0)
    features = {
        "ids": random.integers(0, 20, (32, 6)),
        "images": random.normal(size=(32, 8, 8, 1)).astype(np.float32),
    }
    return tf.data.Dataset.from_tensor_slices((features, random.integers(0, 3, 32))).batch(8)


def model_fn(features, labels, mode, params):
    training = mode == tf.estimator.ModeKeys.TRAIN
    table = tf.get_variable("words/table", (20, 5))
    words = tf.reduce_mean(tf.nn.embedding_lookup(table, features["ids"]), 1)
    net = tf.layers.conv2d(features["images"], 4, 3, name="conv", use_bias=False)
    net = tf.layers.batch_normalization(net, momentum=0.9, epsilon=1e-5, training=training)
    net = tf.concat([words, tf.layers.flatten(tf.nn.relu(net))], 1)
    penalty = tf.keras.regularizers.l2(0.01)
    net = tf.layers.dense(net, 16, tf.nn.relu, name="hidden", kernel_regularizer=penalty)
    net = tf.layers.dropout(net, 0.3, training=training)
    logits = tf.layers.dense(net, 3, name="logits")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=logits)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    loss += tf.losses.get_regularization_loss()
    metrics = {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))}
    step = tf.train.get_global_step()
    rate = tf.train.exponential_decay(params["rate"], step, 10, 0.5)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = tf.train.AdamOptimizer(rate, epsilon=1e-7).minimize(loss, step)
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops=metrics, predictions=logits
    )
