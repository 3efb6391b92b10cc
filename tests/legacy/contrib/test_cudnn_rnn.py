"""Tests of the LSTM of cuDNN."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import cudnn_rnn, rnn

tf1 = tf.compat.v1
INPUTS = np.random.RandomState(0).uniform(size=(5, 2, 3)).astype(np.float32)


def names():
    return sorted(variable.op.name for variable in tf1.trainable_variables())


def test_compatible_cells_read_its_checkpoint(session, tmp_path):
    lstm = cudnn_rnn.CudnnLSTM(2, 4, dropout=0.5)
    state = tuple(tf.fill([2, 2, 4], value) for value in (0.5, 0.25))
    outputs, (h, c) = lstm(tf.constant(INPUTS), initial_state=state, training=False)
    session.run(tf1.global_variables_initializer())
    expected = session.run([outputs, h[1], c[0]])
    assert expected[0].shape == (5, 2, 4)
    assert len(lstm.trainable_weights) == 4
    path = tf1.train.Saver().save(session, str(tmp_path / "model"))
    with tf1.Graph().as_default(), tf1.Session() as other:
        cells = [cudnn_rnn.CudnnCompatibleLSTMCell(4) for _ in range(2)]
        pair = rnn.LSTMStateTuple(tf.fill([2, 4], 0.25), tf.fill([2, 4], 0.5))
        with tf1.variable_scope("cudnn_lstm"):
            outputs, states = tf1.nn.dynamic_rnn(
                rnn.MultiRNNCell(cells),
                tf.constant(INPUTS),
                initial_state=(pair, pair),
                time_major=True,
            )
        tf1.train.Saver().restore(other, path)
        read = other.run([outputs, states[1].h, states[0].c])
    for value, other_value in zip(expected, read, strict=True):
        np.testing.assert_allclose(value, other_value, rtol=1e-5)


def test_both_directions(session):
    lstm = cudnn_rnn.CudnnLSTM(1, 4, direction="bidirectional", name="both")
    outputs, (h, c) = lstm(tf.constant(INPUTS), sequence_lengths=[5, 2])
    scope = "both/stack_bidirectional_rnn/cell_0/bidirectional_rnn"
    assert names() == [
        f"{scope}/{direction}/cudnn_compatible_lstm_cell/{name}"
        for direction in ("bw", "fw")
        for name in ("bias", "kernel")
    ]
    session.run(tf1.global_variables_initializer())
    values, last = session.run([outputs, h])
    assert values.shape == (5, 2, 8)
    np.testing.assert_allclose(last[0], [values[4, 0, :4], values[1, 1, :4]])
    np.testing.assert_allclose(last[1], values[0, :, 4:])
    assert c.shape == tuple(lstm.state_shape(2)[1])


def test_dropout_is_between_layers_in_training(session):
    lstm = cudnn_rnn.CudnnLSTM(2, 64, dropout=0.5)
    outputs = [lstm(tf.constant(INPUTS), training=flag)[0] for flag in (True, True, False, False)]
    session.run(tf1.global_variables_initializer())
    first, second, third, fourth = session.run(outputs)
    assert not np.allclose(first, second)
    np.testing.assert_allclose(third, fourth, rtol=1e-5)
    assert len(names()) == 4


def test_each_gate_is_initialized_by_itself(session):
    ones = tf1.ones_initializer()
    lstm = cudnn_rnn.CudnnLSTM(1, 4, bias_initializer=ones)
    lstm(tf.constant(INPUTS))
    session.run(tf1.global_variables_initializer())
    bias, kernel = session.run(sorted(lstm.trainable_weights, key=lambda weight: weight.op.name))
    assert bias.tolist() == [1.0] * 16
    assert np.abs(kernel).max() > np.sqrt(6 / (3 + 4 + 16))  # The limit for one matrix.


@pytest.mark.parametrize("arguments", [{"direction": "up"}, {"input_mode": "skip_input"}])
def test_unknown_arguments(arguments):
    with pytest.raises(ValueError, match="use one of|only 'linear_input'"):
        cudnn_rnn.CudnnLSTM(1, 4, **arguments)
