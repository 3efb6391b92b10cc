"""A model with every kind of checkpoint content, as a 2018 model_fn and as its Keras port."""

import numpy as np
import tensorflow as tf
import tf_keras

from legacy import estimator

tf1 = tf.compat.v1
RATE = 0.01
_RNG = np.random.default_rng(3)
FEATURES = {
    "image": _RNG.normal(size=(8, 6, 6, 1)).astype(np.float32),
    "word": _RNG.integers(0, 9, size=(8, 2)),
}
LABELS = _RNG.normal(size=(8, 1)).astype(np.float32)


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


def build_model(optimizer=None):
    layers = tf_keras.layers
    image, word = layers.Input((6, 6, 1), name="image"), layers.Input((2,), name="word")
    words = layers.Flatten()(layers.Embedding(9, 4, name="words")(word))
    net = layers.Conv2D(4, 3, use_bias=False, name="convolution")(image)
    net = layers.BatchNormalization(momentum=0.9, epsilon=1e-5, name="norm")(net)
    net = layers.Concatenate()([layers.Flatten()(layers.ReLU()(net)), words])
    net = layers.Dense(8, activation="relu", name="first")(net)
    net = layers.Dense(8, activation="relu", name="second")(net)
    model = tf_keras.Model([image, word], layers.Dense(1, name="head")(net))
    model.compile(optimizer or tf_keras.optimizers.Adam(RATE, epsilon=1e-7), "mse")
    return model


def build_legacy():
    return build_model(tf_keras.optimizers.legacy.Adam(RATE, epsilon=1e-7))


def losses(model, steps):
    return [model.train_on_batch(FEATURES, LABELS) for _ in range(steps)]
