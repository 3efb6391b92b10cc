"""Test of the decoding loop."""

import tensorflow as tf

from legacy.contrib import rnn, seq2seq


def test_decoding_runs_eagerly():
    helper = seq2seq.TrainingHelper(tf.ones([2, 3, 4]), [3, 1])
    cell = rnn.LSTMBlockCell(5)
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32))
    outputs, _, lengths = seq2seq.dynamic_decode(decoder)
    assert outputs.rnn_output.shape == [2, 3, 5]
    assert lengths.numpy().tolist() == [3, 1]
