"""Tests of cell wrappers. The oracle compares their values."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import rnn
from tests.legacy.contrib.rnn.cells import Sum

tf1 = tf.compat.v1


def test_a_wrapper_refuses_what_is_no_cell():
    with pytest.raises(TypeError, match="not an RNNCell: output_size is missing"):
        rnn.OutputProjectionWrapper(len, 3)


X, STATE = [[1.0, 2.0]], [[10.0, 20.0]]


def run(session, cell, inputs, initializer):
    with tf1.variable_scope("cell", initializer=tf1.constant_initializer(initializer)):
        found = cell(tf.constant(inputs), tf.constant(STATE))
    session.run(tf1.global_variables_initializer())
    return [each.tolist() for each in session.run(found)]


def test_inputs_and_outputs_are_projected(session):
    cell = rnn.InputProjectionWrapper(Sum(2), 2, activation=tf.negative)
    assert run(session, cell, [[3.0]], 1.0) == [[[7.0, 17.0]]] * 2
    cell = rnn.OutputProjectionWrapper(Sum(2), 1)
    assert run(session, cell, X, 2.0) == [[[2 * (11.0 + 22.0)]], [[11.0, 22.0]]]


def test_ids_are_embedded(session):
    cell = rnn.EmbeddingWrapper(Sum(2), 3, 2)
    table = [[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]]
    assert run(session, cell, [[2]], table) == [[[13.0, 24.0]]] * 2


def test_a_highway_carries_its_input(session):
    with tf1.variable_scope("", initializer=tf1.zeros_initializer()):
        output, state = rnn.HighwayWrapper(Sum(2), carry_bias_init=1.0)(
            tf.constant(X), tf.constant(STATE)
        )
    session.run(tf1.global_variables_initializer())
    carry = 1 / (1 + np.exp(-1.0))
    expected = np.array(X) * carry + np.array([[11.0, 22.0]]) * (1 - carry)
    np.testing.assert_allclose(session.run(output), expected, rtol=1e-5)
    assert session.run(state).tolist() == [[11.0, 22.0]]
