"""Tests for recurrent layers: steps, lengths, directions and names of variables."""

import numpy as np
import pytest
import tensorflow as tf

from modern.porting import recurrent_layers

INPUTS = np.random.RandomState(0).rand(2, 3, 4).astype("float32")
CELLS = [recurrent_layers.RNNCell, recurrent_layers.LSTMCell, recurrent_layers.GRUCell]


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_an_lstm_adds_the_forget_bias_to_its_third_gate():
    rnn = recurrent_layers.RNN(recurrent_layers.LSTMCell(2, forget_bias=0.5))
    outputs, state = rnn(INPUTS)
    kernel, bias = (one.numpy() for one in rnn.weights)
    c = h = np.zeros([2, 2], "float32")
    for step in range(3):
        i, j, f, o = np.split(np.concatenate([INPUTS[:, step], h], 1) @ kernel + bias, 4, axis=1)
        c = c * _sigmoid(f + 0.5) + _sigmoid(i) * np.tanh(j)
        h = np.tanh(c) * _sigmoid(o)
        np.testing.assert_allclose(outputs[:, step], h, rtol=1e-5)
    np.testing.assert_allclose(state.c, c, rtol=1e-5)


def test_a_gru_resets_the_state_before_the_candidate():
    rnn = recurrent_layers.RNN(recurrent_layers.GRUCell(2))
    outputs, _ = rnn(INPUTS)
    gates, ones, kernel, zeros = (one.numpy() for one in rnn.weights)
    assert ones.tolist() == [1.0] * 4
    assert zeros.tolist() == [0.0] * 2
    h = np.zeros([2, 2], "float32")
    for step in range(3):
        x = INPUTS[:, step]
        r, u = np.split(_sigmoid(np.concatenate([x, h], 1) @ gates + ones), 2, axis=1)
        h = u * h + (1 - u) * np.tanh(np.concatenate([x, r * h], 1) @ kernel)
        np.testing.assert_allclose(outputs[:, step], h, rtol=1e-5)


@pytest.mark.parametrize("cell", CELLS)
def test_a_sequence_ends_at_its_length(cell):
    rnn = recurrent_layers.RNN(cell(2))
    whole, _ = rnn(INPUTS)
    outputs, state = rnn(INPUTS, sequence_length=[1, 3])
    np.testing.assert_array_equal(outputs[0, 1:], np.zeros([2, 2]))
    np.testing.assert_array_equal(outputs[1], whole[1])
    last = getattr(state, "h", state)
    np.testing.assert_array_equal(last, [whole[0, 0], whole[1, 2]])


def test_a_sequence_is_read_from_its_end_by_the_backward_cell():
    cells = [recurrent_layers.GRUCell(2), recurrent_layers.GRUCell(2)]
    layer = recurrent_layers.BidirectionalRNN(*cells)
    (_, backward), (_, last) = layer(INPUTS, sequence_length=[2, 3])
    alone = recurrent_layers.RNN(layer.cell_bw)
    first, _ = alone(INPUTS[:1, 1::-1])
    np.testing.assert_allclose(backward[0, :2], first[0, ::-1], rtol=1e-6)
    np.testing.assert_allclose(last[0], first[0, 1], rtol=1e-6)


def test_steps_may_come_first():
    cell = recurrent_layers.LSTMCell(2)
    outputs, state = recurrent_layers.RNN(cell)(INPUTS, sequence_length=[2, 3])
    swapped, again = recurrent_layers.RNN(cell, time_major=True)(
        INPUTS.transpose(1, 0, 2), sequence_length=[2, 3]
    )
    np.testing.assert_array_equal(tf.transpose(swapped, [1, 0, 2]), outputs)
    np.testing.assert_array_equal(again.c, state.c)


def test_variables_have_the_names_of_dynamic_rnn():
    cells = [recurrent_layers.GRUCell(2, name="gru_cell") for _ in range(2)]
    stack = recurrent_layers.StackedCells(cells, name="multi_rnn_cell")
    rnn = recurrent_layers.RNN(stack, name="tower/rnn")
    tf.function(rnn)(INPUTS)
    names = [one.name for one in rnn.weights]
    assert names[0] == "tower/rnn/multi_rnn_cell/cell_0/gru_cell/gates/kernel:0"
    assert names[-1] == "tower/rnn/multi_rnn_cell/cell_1/gru_cell/candidate/bias:0"


def test_the_first_state_may_be_given():
    rnn = recurrent_layers.RNN(recurrent_layers.RNNCell(2))
    whole, _ = rnn(INPUTS)
    rest, _ = rnn(INPUTS[:, 1:], initial_state=whole[:, 0])
    np.testing.assert_allclose(rest, whole[:, 1:], rtol=1e-6)


def _cell(**options):
    cell = recurrent_layers.LSTMCell(200, name="lstm_cell")
    return recurrent_layers.DropoutCell(cell, **options)


def test_dropout_in_training_leaves_other_modes_alone():
    rnn = recurrent_layers.RNN(_cell(output_keep_prob=0.25, in_training_only=True))
    kept, _ = rnn(INPUTS)
    again, _ = rnn(INPUTS, training=False)
    dropped, _ = rnn(INPUTS, training=True)
    np.testing.assert_array_equal(kept, again)
    share = np.mean(dropped.numpy() == 0)
    assert 0.7 < share < 0.8
    present = dropped.numpy() != 0
    np.testing.assert_allclose(dropped.numpy()[present], 4 * kept.numpy()[present], rtol=1e-5)
    assert len(np.unique((dropped.numpy() == 0).sum(axis=2))) > 1  # Each step draws anew.


def test_dropout_may_be_active_in_all_modes():
    outputs, _ = recurrent_layers.RNN(_cell(output_keep_prob=0.25))(INPUTS, training=False)
    assert 0.7 < np.mean(outputs.numpy() == 0) < 0.8


def test_dropout_of_the_state_keeps_the_memory():
    outputs, state = recurrent_layers.RNN(_cell(state_keep_prob=0.5))(INPUTS)
    assert 0.4 < np.mean(state.h.numpy() == 0) < 0.6
    assert not np.any(state.c.numpy() == 0)
    assert not np.any(outputs.numpy() == 0)


def test_dropout_of_the_inputs_drops_all_values_of_some_steps():
    rnn = recurrent_layers.RNN(
        recurrent_layers.DropoutCell(recurrent_layers.RNNCell(2), input_keep_prob=1e-9)
    )
    outputs, _ = rnn(INPUTS)
    np.testing.assert_array_equal(outputs, np.zeros([2, 3, 2]))


def test_a_wrapped_cell_keeps_its_names_in_a_stack():
    cells = [_cell(output_keep_prob=0.5), recurrent_layers.ResidualCell(_cell())]
    rnn = recurrent_layers.RNN(
        recurrent_layers.StackedCells(cells, name="multi_rnn_cell"), name="rnn"
    )
    tf.function(rnn)(INPUTS, training=True)
    names = [weight.name for weight in rnn.weights]
    assert names[0] == "rnn/multi_rnn_cell/cell_0/lstm_cell/kernel:0"
    assert names[2] == "rnn/multi_rnn_cell/cell_1/lstm_cell/kernel:0"


def test_a_residual_cell_adds_its_inputs():
    cell = recurrent_layers.GRUCell(4)
    plain, _ = recurrent_layers.RNN(cell)(INPUTS)
    sums, _ = recurrent_layers.RNN(recurrent_layers.ResidualCell(cell))(INPUTS)
    np.testing.assert_allclose(sums, plain + INPUTS, rtol=1e-6)


def test_a_list_of_steps_is_a_sequence():
    cells = [recurrent_layers.GRUCell(2), recurrent_layers.GRUCell(2)]
    steps = tf.unstack(INPUTS, axis=1)
    outputs, state = recurrent_layers.RNN(cells[0])(INPUTS, sequence_length=[2, 3])
    listed, last = recurrent_layers.StaticRNN(cells[0])(steps, sequence_length=[2, 3])
    np.testing.assert_array_equal(tf.stack(listed, 1), outputs)
    np.testing.assert_array_equal(last, state)
    pair, states = recurrent_layers.BidirectionalRNN(*cells)(INPUTS)
    joined, *last_states = recurrent_layers.StaticBidirectionalRNN(*cells)(steps)
    np.testing.assert_array_equal(tf.stack(joined, 1), tf.concat(pair, 2))
    np.testing.assert_array_equal(last_states, states)
