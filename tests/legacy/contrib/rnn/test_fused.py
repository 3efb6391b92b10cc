"""Tests of cells that run over whole sequences."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import rnn
from tests.legacy.contrib.rnn.cells import Sum

X = np.float32([[[1], [10]], [[2], [20]], [[3], [30]]])


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_cell_runs_over_tensors_and_lists(session, dynamic):
    cell = rnn.FusedRNNCellAdaptor(Sum(), dynamic)
    outputs, state = cell(tf.constant(X), dtype=tf.float32)
    listed, _ = cell(tf.unstack(X), initial_state=tf.constant([[1.0], [1.0]]))
    found, state, listed = session.run([outputs, state, listed])
    assert found[..., 0].tolist() == [[1, 10], [3, 30], [6, 60]]
    assert state.ravel().tolist() == [6, 60]
    assert [each.ravel().tolist() for each in listed] == [[2, 11], [4, 31], [7, 61]]


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [(None, [[6, 60], [5, 50], [3, 30]]), ([2, 3], [[3, 60], [2, 50], [0, 30]])],
)
def test_time_is_reversed_within_each_length(session, lengths, expected):
    cell = rnn.TimeReversedFusedRNN(rnn.FusedRNNCellAdaptor(Sum(), use_dynamic_rnn=True))
    outputs, _ = cell(tf.constant(X), dtype=tf.float32, sequence_length=lengths)
    assert session.run(outputs)[..., 0].tolist() == expected


def test_a_list_of_steps_is_reversed(session):
    cell = rnn.TimeReversedFusedRNN(rnn.FusedRNNCellAdaptor(Sum()))
    outputs, state = cell(tf.unstack(X), dtype=tf.float32)
    found = [each.ravel().tolist() for each in session.run(outputs)]
    assert found == [[6, 60], [5, 50], [3, 30]]
    assert session.run(state).ravel().tolist() == [6, 60]
