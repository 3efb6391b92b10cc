"""A recurrent regression with cells of tf.nn.rnn_cell, and with layers of Keras."""

import numpy as np
import tensorflow as tf

from modern.process import quiet_import
from modern.process.chosen_keras import keras

quiet_import.import_tensorflow()  # For tf_keras, which has the old cells.
tf1 = tf.compat.v1
cells = tf1.nn.rnn_cell
_RNG = np.random.default_rng(5)
X = _RNG.normal(size=(6, 4, 3)).astype(np.float32)
Y = _RNG.normal(size=(6, 1)).astype(np.float32)
INPUTS, UNITS = 3, 5
RATE = 0.05


def train_v1(make_cell, steps, output, start=None, make_optimizer=None):
    """Trains in a session, as an Estimator does, and saves with a Saver.

    Returns:
      The loss before each step.
    """
    with tf.Graph().as_default(), tf1.Session() as session:
        step = tf1.train.get_or_create_global_step()
        normal = tf1.random_normal_initializer(stddev=0.5, seed=1)
        with tf1.variable_scope("", initializer=normal):
            outputs, _ = tf1.nn.dynamic_rnn(make_cell(), tf.constant(X), dtype=tf.float32)
            head = tf1.get_variable("head/kernel", (outputs.shape[-1], 1))
        loss = tf.reduce_mean(tf.square(tf.matmul(outputs[:, -1], head) - Y))
        optimizer = make_optimizer() if make_optimizer else adam()
        train = optimizer.minimize(loss, global_step=step)
        saver = tf1.train.Saver()
        session.run(tf1.global_variables_initializer())
        if start:
            saver.restore(session, start)
        losses = [session.run([loss, train])[0] for _ in range(steps)]
        saver.save(session, output)
    return losses


def adam():
    return tf1.train.AdamOptimizer(RATE, epsilon=1e-7)


def build(layer, **settings):
    """Builds a compiled model with a recurrent layer, such as `keras.layers.LSTM`."""
    first = layer(UNITS, name="recurrent", **settings)
    head = keras.layers.Dense(1, use_bias=False, name="head")
    model = keras.Sequential([keras.Input(X.shape[1:]), first, head])
    model.compile(keras.optimizers.Adam(RATE, epsilon=1e-7), "mse")
    return model


def lstm():
    return build(keras.layers.LSTM)


def gru():
    return build(keras.layers.GRU, reset_after=False)


def rnn():
    return build(keras.layers.SimpleRNN)


def gru_with_reset_after():
    return build(keras.layers.GRU)


def lstm_with_hard_sigmoid():
    return build(keras.layers.LSTM, recurrent_activation="hard_sigmoid")


def lstm_without_bias():
    return build(keras.layers.LSTM, use_bias=False)


def train_keras(make_model, steps, output, start):
    """Goes on from a checkpoint, and returns the loss before each step."""
    model = make_model()
    model.optimizer.build(model.trainable_variables)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
    checkpoint.read(start).assert_existing_objects_matched()
    losses = [float(model.train_on_batch(X, Y)) for _ in range(steps)]
    checkpoint.write(output)
    return losses
