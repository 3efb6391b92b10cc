"""Tests that cells also run eagerly."""

import pytest
import tensorflow as tf

from legacy.contrib import rnn, seq2seq

CELLS = {
    "LayerNormBasicLSTMCell": lambda: rnn.LayerNormBasicLSTMCell(3),
    "LSTMBlockCell": lambda: rnn.LSTMBlockCell(3),
    "AttentionCellWrapper": lambda: rnn.AttentionCellWrapper(
        rnn.LSTMBlockCell(3), attn_length=2, state_is_tuple=True
    ),
    "AttentionWrapper": lambda: seq2seq.AttentionWrapper(
        rnn.LSTMBlockCell(3), seq2seq.LuongAttention(3, tf.ones([2, 4, 5])), 3
    ),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_runs_eagerly(name):
    cell = CELLS[name]()
    output, _ = cell(tf.ones([2, 4]), cell.zero_state(2, tf.float32))
    assert output.shape == [2, 3]
