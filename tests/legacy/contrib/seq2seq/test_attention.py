"""Tests of attention to a memory."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import seq2seq

tf1 = tf.compat.v1
MEMORY = np.float32([[[1, 0], [2, 0], [9, 9]]])


def softmax(x):
    return np.exp(x) / np.exp(x).sum()


def test_scores_are_products_within_the_length(session):
    identity = tf1.initializers.identity()
    with tf1.variable_scope("", initializer=identity):
        mechanism = seq2seq.LuongAttention(2, MEMORY, memory_sequence_length=[2])
        alignments, state = mechanism(
            tf.constant([[1.0, 5.0]]), mechanism.initial_state(1, tf.float32)
        )
    session.run(tf1.global_variables_initializer())
    assert state is alignments
    np.testing.assert_allclose(session.run(alignments)[0], [*softmax([1, 2]), 0], rtol=1e-5)
    assert session.run(mechanism.values)[0, 2].tolist() == [0, 0]
    with pytest.raises(ValueError, match="Incompatible or unknown inner dimensions"):
        mechanism(tf.zeros([1, 3]), None)


def test_scores_of_a_tanh_layer(session):
    with tf1.variable_scope("", initializer=tf1.initializers.ones()):
        mechanism = seq2seq.BahdanauAttention(1, MEMORY / 10)
        alignments, _ = mechanism(tf.constant([[0.5]]), None)
    session.run(tf1.global_variables_initializer())
    expected = softmax(np.tanh(MEMORY[0].sum(1) / 10 + 0.5))
    np.testing.assert_allclose(session.run(alignments)[0], expected, rtol=1e-5)


@pytest.mark.usefixtures("session")
def test_a_memory_has_known_sizes():
    with pytest.raises(ValueError, match="to have fully defined inner dims"):
        seq2seq.LuongAttention(2, tf1.placeholder(tf.float32, [1, 3, None]))
