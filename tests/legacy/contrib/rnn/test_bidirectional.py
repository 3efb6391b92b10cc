"""Tests of stacks of bidirectional layers."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import rnn
from tests.legacy.contrib.rnn.cells import Sum

X = np.float32([[[1], [2], [3]]])
# The sums from both sides, and the sums of those.
FORWARD = [[1, 6], [4, 11], [10, 14]]


BACKWARD = [[10, 14], [9, 8], [6, 3]]


def layers():
    return [Sum(1), Sum(2)]


def test_each_layer_reads_both_directions(session):
    dynamic = rnn.stack_bidirectional_dynamic_rnn(layers(), layers(), X, dtype=tf.float32)
    steps = tf.unstack(tf.constant(X), axis=1)
    outputs, *states = rnn.stack_bidirectional_rnn(layers(), layers(), steps, dtype=tf.float32)
    for found, (forward, backward) in (
        (dynamic[0], dynamic[1:]),
        (tf.stack(outputs, 1), states),
    ):
        expected = [[*one, *other] for one, other in zip(FORWARD, BACKWARD, strict=True)]
        assert session.run(found)[0].tolist() == expected
        assert [each.tolist() for each in session.run(forward)] == [[[6]], [[10, 14]]]
        assert [each.tolist() for each in session.run(backward)] == [[[6]], [[10, 14]]]


@pytest.mark.parametrize(
    ("forward", "backward", "message"),
    [
        ([], [1], "at least one fw cell"),
        ([1], (1,), "cells_bw must be a list"),
        ([1], [1, 2], "must have the same depth"),
    ],
)
def test_cells_that_are_refused(forward, backward, message):
    with pytest.raises(ValueError, match=message):
        rnn.stack_bidirectional_dynamic_rnn(forward, backward, X)


def test_the_batch_is_the_second_dimension_of_steps():
    assert rnn.transpose_batch_time(X).shape == [3, 1, 1]
    with pytest.raises(ValueError, match="to have rank at least 2"):
        rnn.transpose_batch_time([1.0])
    with tf.Graph().as_default():
        fed = tf.compat.v1.placeholder(tf.float32, [2, None, 3])
        assert rnn.transpose_batch_time(fed).shape.as_list() == [None, 2, 3]
        assert rnn.best_effort_input_batch_size([fed, tf.zeros([2, 5])]) == 5
