"""Tests for the comparison of dropout."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from migrate.verify.measures import dropouts
from migrate.verify.sides import randomness


@pytest.mark.parametrize(
    ("function", "alike"),
    [
        (lambda x: 3 * x.T, True),
        (lambda x: np.maximum(x, 0), True),
        (lambda x: x + 0.1, False),
        (lambda x: x[:-1], False),
    ],
    ids=["transposed and scaled", "rectified", "shifted", "a part"],
)
def test_knows_what_dropout_is_applied_to_by_its_values(function, alike):
    value = np.random.default_rng(1).normal(size=(4, 3)).astype(np.float32)
    assert dropouts._same_values(value, function(value), 1e-6) is alike


class DroppingCell(tf_keras.layers.Layer):
    """RNN cell that drops its input with each rate in a list."""

    state_size = 3

    def __init__(self, rates):
        super().__init__()
        self.rates = rates

    def call(self, inputs, states):
        for rate in self.rates:
            inputs = tf.nn.dropout(inputs, rate)
        return inputs + states[0], [inputs]


def in_a_loop(rates):
    """Returns the dropouts of a graph whose while loop drops with each rate."""
    with tf.Graph().as_default(), randomness.dropout_off() as calls:
        cell = DroppingCell(rates)
        tf.while_loop(
            lambda step, _: step < 5,
            lambda step, x: (step + 1, cell(x, [x])[0]),
            [0, tf.ones([2, 3])],
        )
    return calls


def step_by_step(*cells):
    """Returns the dropouts of Keras RNNs in eager execution."""
    with randomness.dropout_off() as calls:
        for rates in cells:
            tf_keras.layers.RNN(DroppingCell(rates), unroll=True)(tf.ones([2, 5, 3]))
    return calls


@pytest.mark.parametrize(
    ("cells", "alike"),
    [
        ([[0.5, 0.3]], True),
        ([[0.5]], False),
        ([[0.5, 0.3], [0.5]], False),
    ],
    ids=["the same", "one is missing", "one more cell drops"],
)
def test_counts_dropout_in_the_steps_of_an_rnn_once(cells, alike):
    assert dropouts._same_counts(in_a_loop([0.5, 0.3]), step_by_step(*cells)) is alike
