"""Tests of helpers that feed a decoder its own outputs."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import seq2seq

TABLE = np.float32([[0, 1], [2, 3], [4, 5]])


def test_the_largest_logit_is_embedded():
    helper = seq2seq.GreedyEmbeddingHelper(tf.constant(TABLE), [1, 0], end_token=2)
    finished, inputs = helper.initialize()
    assert (finished.numpy().tolist(), inputs.numpy().tolist()) == ([False] * 2, [[2, 3], [0, 1]])
    ids = helper.sample(0, tf.constant([[0.0, 2.0, 1.0], [0.0, 1.0, 2.0]]), None)
    assert ids.numpy().tolist() == [1, 2]
    finished, inputs, _ = helper.next_inputs(0, None, None, ids)
    assert finished.numpy().tolist() == [False, True]
    assert inputs.numpy().tolist() == [[2, 3], [4, 5]]
    with pytest.raises(TypeError, match="Expected outputs to be a single Tensor"):
        helper.sample(0, (1, 2), None)
    with pytest.raises(ValueError, match="end_token must be a scalar"):
        seq2seq.GreedyEmbeddingHelper(tf.constant(TABLE), [1], [2])


def test_a_low_temperature_draws_the_largest_logit():
    helper = seq2seq.SampleEmbeddingHelper(
        tf.constant(TABLE), [1], 2, softmax_temperature=1e-4, seed=1
    )
    logits = tf.constant([[0.0, 0.1, 0.2]])
    assert {int(helper.sample(0, logits, None)[0]) for _ in range(20)} == {2}


def test_functions_make_samples_and_inputs():
    helper = seq2seq.InferenceHelper(
        sample_fn=lambda outputs: outputs > 0,
        sample_shape=[2],
        sample_dtype=tf.bool,
        start_inputs=tf.zeros([1, 2]),
        end_fn=lambda samples: tf.reduce_all(samples, 1),
        next_inputs_fn=lambda samples: tf.cast(samples, tf.float32) * 5,
    )
    sample = helper.sample(0, tf.constant([[1.0, -1.0]]), None)
    finished, inputs, state = helper.next_inputs(0, None, "state", sample)
    assert (finished.numpy().tolist(), inputs.numpy().tolist()) == ([False], [[5.0, 0.0]])
    assert (int(helper.batch_size), state) == (1, "state")


def test_a_custom_helper_knows_its_batch_after_its_start():
    helper = seq2seq.CustomHelper(
        lambda: (tf.constant([False, False]), None), lambda **given: sorted(given), None
    )
    with pytest.raises(ValueError, match="batch_size accessed before initialize"):
        _ = helper.batch_size
    helper.initialize()
    assert int(helper.batch_size) == 2
    assert helper.sample(0, 1, 2) == ["outputs", "state", "time"]
