"""Test of an LSTM cell that is a single operation."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import rnn

tf1 = tf.compat.v1

pytestmark = pytest.mark.filterwarnings("ignore:`tf.nn.rnn_cell:UserWarning")


def outputs_and_gradient(cell, session):
    inputs = tf.constant(np.random.RandomState(1).standard_normal((2, 3)).astype("float32"))
    initializer = tf1.constant_initializer(0.1)
    with tf1.variable_scope("x", initializer=initializer, reuse=tf1.AUTO_REUSE):
        outputs, _ = rnn.static_rnn(cell, [inputs, inputs], dtype=tf.float32)
    kernel = tf1.trainable_variables()[0]
    session.run(tf1.global_variables_initializer())
    return session.run([outputs[-1], tf.gradients(outputs[-1], kernel)[0]])


def test_a_block_cell_is_an_lstm_cell_with_the_same_variables():
    with tf.Graph().as_default(), tf1.Session() as session:
        expected = outputs_and_gradient(rnn.LSTMCell(4), session)
        names = [v.op.name for v in tf1.global_variables()]
        found = outputs_and_gradient(rnn.LSTMBlockCell(4), session)
        assert [v.op.name for v in tf1.global_variables()] == names
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
