"""A model_fn of 2018 with every kind of checkpoint content. `twin_port` is its port to Keras."""

import tensorflow as tf

from legacy import estimator
from tests.migrate.checkpoint.twin_port import FEATURES, LABELS, RATE

tf1 = tf.compat.v1


def input_fn():
    return tf.data.Dataset.from_tensors((FEATURES, LABELS)).repeat()


def model_fn(features, labels, mode, params):
    training = mode == estimator.ModeKeys.TRAIN
    table = tf1.get_variable(
        "words/table",
        (9, 4),
        partitioner=tf1.fixed_size_partitioner(3) if params["partitioned"] else None,
    )
    words = tf.reshape(tf.nn.embedding_lookup(table, features["word"]), (-1, 8))
    # No bias before batch_normalization: its gradient is rounding noise, which Adam would amplify.
    net = tf1.layers.conv2d(features["image"], 4, 3, use_bias=False)
    net = tf1.layers.batch_normalization(net, momentum=0.9, epsilon=1e-5, training=training)
    net = tf.concat([tf1.layers.flatten(tf.nn.relu(net)), words], 1)
    net = tf1.layers.dense(net, 8, activation=tf.nn.relu)
    net = tf1.layers.dense(net, 8, activation=tf.nn.relu)
    logits = tf1.layers.dense(net, 1, name="head")
    if mode == estimator.ModeKeys.PREDICT:
        return estimator.EstimatorSpec(mode, predictions=logits)
    loss = tf1.losses.mean_squared_error(labels, logits)
    step = tf1.train.get_global_step()
    train_op = params["optimizer"]().minimize(loss, global_step=step)
    steps = [train_op, *tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)]
    if params.get("averages"):
        averages = tf1.train.ExponentialMovingAverage(0.5)
        with tf.control_dependencies([train_op]):
            steps.append(averages.apply(tf1.trainable_variables()))
    return estimator.EstimatorSpec(mode, loss=loss, train_op=tf.group(*steps))


def train(folder, steps, optimizer, **params):
    """Trains for a number of further steps and returns the Estimator."""
    settings = {"partitioned": True, "optimizer": optimizer, **params}
    trained = estimator.Estimator(
        model_fn,
        str(folder),
        params=settings,
        config=estimator.RunConfig(tf_random_seed=5, log_step_count_steps=None),
    )
    trained.train(input_fn, steps=steps)
    return trained


def adam():
    return tf1.train.AdamOptimizer(RATE, epsilon=1e-7)
