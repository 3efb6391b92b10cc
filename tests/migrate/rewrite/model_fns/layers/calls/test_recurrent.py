"""Tests for RNN cells that become layers: refusals and their reasons."""

import pytest

from tests.migrate.rewrite.model_fns import base_program

RNN = "out, _ = tf.nn.dynamic_rnn({}, net, dtype=tf.float32{})"


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (
            RNN.format("tf.nn.rnn_cell.LSTMCell(3, use_peepholes=True)", ""),
            "the argument use_peepholes",
        ),
        (
            RNN.format("tf.nn.rnn_cell.BasicLSTMCell(3, state_is_tuple=False)", ""),
            "the argument state_is_tuple",
        ),
        (
            RNN.format(
                "tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(3), output_keep_prob=0.5, "
                "variational_recurrent=True)",
                "",
            ),
            "the argument variational_recurrent",
        ),
        (
            "out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), net, dtype=tf.float64)",
            "another type than tf.float32",
        ),
        (
            RNN.format("tf.nn.rnn_cell.GRUCell(3)", ", scope=params['scope']"),
            "the scope of tf.nn.dynamic_rnn",
        ),
        (
            RNN.format("tf.nn.rnn_cell.GRUCell(3)", ", time_major=params['major']"),
            "unsupported arguments",
        ),
        (RNN.format("other.Cell(3)", ""), "is another cell"),
        (RNN.format("params['cell']", ""), "is another cell"),
        (RNN.format("CELL", ""), "is another cell"),
        (RNN.format("tf.nn.rnn_cell.MultiRNNCell([other.Cell(3)])", ""), "is another cell"),
        (
            "out, _ = tf.nn.raw_rnn(tf.nn.rnn_cell.GRUCell(3), net)",
            "tf.nn.raw_rnn",
        ),
        (
            "cell = tf.nn.rnn_cell.GRUCell(3)\n"
            "    if mode == e.ModeKeys.TRAIN:\n"
            "        cell = other.wrapped(cell)\n    " + RNN.format("cell", ""),
            "depends on cell",
        ),
        (
            "cell = tf.nn.rnn_cell.GRUCell(3)\n    state = cell.zero_state(4, tf.float32) + 1\n    "
            + RNN.format("cell", ", initial_state=state"),
            "has other uses",
        ),
        (
            "cell = tf.nn.rnn_cell.GRUCell(3)\n    state = None\n"
            "    if mode == e.ModeKeys.TRAIN:\n        state = other.state(cell)\n    "
            + RNN.format("cell", ", initial_state=state"),
            "has other uses",
        ),
    ],
)
def test_cells_that_are_not_understood_are_left_to_the_bridge(new, reason):
    assert reason in base_program.refusal(base_program.OUT, new)
