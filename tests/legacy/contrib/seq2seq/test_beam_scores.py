"""Tests of the penalties of beam search."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib.seq2seq import beam_scores


def test_long_beams_and_what_they_have_not_attended_to():
    found = beam_scores.length_penalty(tf.constant([1, 7]), 0.5)
    np.testing.assert_allclose(found, [1.0, np.sqrt(2.0)], rtol=1e-6)
    attention = tf.constant([[[0.5, 2.0, 0.0], [1.0, 0.25, 0.1]]])
    found = beam_scores.coverage_penalty(attention, 2.0)
    np.testing.assert_allclose(found, [[2 * np.log(0.5), 2 * np.log(0.025)]], rtol=1e-5)
    assert beam_scores.length_penalty(tf.constant([1]), 0.0) is None
    assert beam_scores.coverage_penalty(attention, 0.0) is None
    with pytest.raises(ValueError, match="coverage_penalty_weight should be a scalar"):
        beam_scores.coverage_penalty(attention, [1.0])


def test_attention_is_the_mean_over_cells_and_mechanisms():
    def state(alignments):
        return beam_scores.AttentionWrapperState(None, None, None, alignments, (), None)

    one, two, three = (tf.constant([float(value)]) for value in (1, 2, 6))
    assert beam_scores.mean_alignments(state(one)) is one
    stack = (state((one, two)), "no attention", state(three))
    assert beam_scores.mean_alignments(stack).numpy().tolist() == [(1.5 + 6) / 2]
    assert beam_scores.has_coverage(tf.constant(0.0))
    assert not beam_scores.has_coverage(0)
