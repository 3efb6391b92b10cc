"""Tests of attention that moves only forward."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import seq2seq

CHOOSE = np.float32([[0.3, 0.6, 0.2, 0.9]])
PREVIOUS = np.float32([[0.5, 0.25, 0.25, 0.0]])


def expected():
    """Returns the probabilities by their definition: from each position, step by step."""
    found = np.zeros(4)
    for start in range(4):
        left = PREVIOUS[0, start]
        for position in range(start, 4):
            found[position] += left * CHOOSE[0, position]
            left *= 1 - CHOOSE[0, position]
    return [found]


@pytest.mark.parametrize("mode", ["recursive", "parallel"])
def test_probabilities_of_arriving_at_a_position(mode):
    found = seq2seq.monotonic_attention(CHOOSE, PREVIOUS, mode)
    np.testing.assert_allclose(found, expected(), rtol=1e-5)


def test_hard_attention_goes_to_the_first_choice_from_where_it_was():
    choose, previous = [[1.0, 0.0, 1.0, 1.0]], [[0.0, 1.0, 0.0, 0.0]]
    assert seq2seq.monotonic_attention(choose, previous, "hard").numpy().tolist() == [[0, 0, 1, 0]]
    with pytest.raises(ValueError, match="mode must be 'recursive', 'parallel', or 'hard'"):
        seq2seq.monotonic_attention(choose, previous, "soft")


def test_a_product_with_zeros():
    assert seq2seq.safe_cumprod([0.5, 0.0, 0.5]).numpy() == pytest.approx([0.5, 0.0, 0.0])


def test_it_begins_at_the_first_position_with_a_bias(session):
    mechanism = seq2seq.LuongMonotonicAttention(
        1, tf.ones([1, 3, 1]), score_bias_init=-100.0, mode="hard"
    )
    first = mechanism.initial_state(1, tf.float32)
    alignments, _ = mechanism(tf.zeros([1, 1]), first)
    session.run(tf.compat.v1.global_variables_initializer())
    assert session.run([first, alignments])[0].tolist() == [[1, 0, 0]]
    assert session.run(alignments).tolist() == [[0, 0, 0]]
