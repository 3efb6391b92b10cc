"""Tests of beam search against an enumeration of all sequences."""

import itertools

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import seq2seq

END, STEPS = 2, 3

# Log probabilities of each word after each word.
CHAIN = np.log([[0.2, 0.7, 0.1], [0.3, 0.1, 0.6], [1 / 3, 1 / 3, 1 / 3]]).astype(np.float32)


class Chain(tf.compat.v1.nn.rnn_cell.RNNCell):
    """Cell whose outputs depend on the last word alone."""

    state_size = output_size = 3

    def call(self, inputs, state):
        return inputs, state


def searched(beams, start=(0, 1), **options):
    state = tf.zeros([len(start) * beams, 3])
    decoder = seq2seq.BeamSearchDecoder(Chain(), CHAIN, list(start), END, state, beams, **options)
    return seq2seq.dynamic_decode(decoder, maximum_iterations=STEPS)


def best_of_all(start, weight=0.0):
    """Returns the best of all sequences that follow a word, and its score."""
    found = {}
    for words in itertools.product(range(3), repeat=STEPS):
        whole = words[: words.index(END) + 1] if END in words else words
        likely = sum(CHAIN[one, other] for one, other in itertools.pairwise((start, *whole)))
        # The end word counts only from the step after it.
        length = len(whole) - (END not in words[:-1] and words[-1] == END)
        found[whole + (END,) * (STEPS - len(whole))] = likely / ((5 + length) / 6) ** weight
    return max(found.items(), key=lambda each: each[1])


@pytest.mark.parametrize("weight", [0.0, 2.0])
def test_a_wide_search_finds_the_best_of_all(weight):
    outputs, _, _ = searched(9, length_penalty_weight=weight)
    for example, start in enumerate((0, 1)):
        words, score = best_of_all(start, weight)
        assert tuple(outputs.predicted_ids[example, :, 0].numpy()) == words
        scores = outputs.beam_search_decoder_output.scores
        np.testing.assert_allclose(scores[example, -1, 0], score, rtol=1e-5)


def test_one_beam_takes_the_likeliest_word():
    outputs, state, _ = searched(1)
    assert outputs.predicted_ids[:, :, 0].numpy().tolist() == [[1, 2], [2, 2]]
    assert state.lengths.numpy().tolist() == [[2], [1]]


def test_a_batch_of_unknown_size_is_searched():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        fed = tf.compat.v1.placeholder_with_default([0, 1], [None])
        state = tf.zeros([tf.size(fed) * 2, 3])
        decoder = seq2seq.BeamSearchDecoder(Chain(), CHAIN, fed, END, state, 2)
        outputs, _, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=1)
        assert session.run(outputs.predicted_ids).tolist() == [[[1, 0]], [[2, 0]]]


def test_what_no_cell_attends_to_cannot_be_covered():
    with pytest.raises(ValueError, match="if no cell is attentional"):
        searched(2, coverage_penalty_weight=1.0)


def test_a_penalty_is_one_number():
    with pytest.raises(ValueError, match=r"length_penalty_weight should be a scalar.*\(2,\)"):
        searched(2, length_penalty_weight=[1.0, 2.0])
