"""Tests of helpers that feed a decoder its targets."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import seq2seq

INPUTS = np.float32([[[1], [2], [3]], [[10], [20], [30]]])


@pytest.mark.parametrize("time_major", [False, True])
def test_inputs_are_read_up_to_their_lengths(time_major):
    inputs = INPUTS.transpose(1, 0, 2) if time_major else INPUTS
    helper = seq2seq.TrainingHelper(inputs, [3, 1], time_major)
    finished, first = helper.initialize()
    steps = [(finished, first), *(helper.next_inputs(time, [], None)[:2] for time in range(3))]
    assert [done.numpy().tolist() for done, _ in steps] == [
        [False, False],
        [False, True],
        [False, True],
        [True, True],
    ]
    assert [values.numpy().ravel().tolist() for _, values in steps] == [
        [1, 10],
        [2, 20],
        [3, 30],
        [0, 0],
    ]
    with pytest.raises(ValueError, match="Expected sequence_length to be a vector"):
        seq2seq.TrainingHelper(INPUTS, 3)


@pytest.mark.parametrize(
    ("probability", "ids", "inputs"), [(0.0, [-1, -1], [2, 20]), ([1.0, 0.0], [1, -1], [200, 20])]
)
def test_some_inputs_are_replaced_by_samples(probability, ids, inputs):
    table = tf.constant([[100.0], [200.0]])
    helper = seq2seq.ScheduledEmbeddingTrainingHelper(INPUTS, [3, 3], table, probability)
    sampled = helper.sample(0, tf.constant([[-1e9, 1e9]] * 2), None)
    assert sampled.numpy().tolist() == ids
    _, found, _ = helper.next_inputs(0, None, None, sampled)
    assert found.numpy().ravel().tolist() == inputs
