"""Test of conditional random fields against an enumeration of all sequences."""

import itertools

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import crf

SCORES = np.random.RandomState(2).standard_normal((1, 3, 2)).astype("float32")
TRANSITIONS = np.random.RandomState(3).standard_normal((2, 2)).astype("float32")


def score_of(tags):
    found = sum(SCORES[0, i, tag] for i, tag in enumerate(tags))
    return found + sum(TRANSITIONS[pair] for pair in itertools.pairwise(tags))


def test_likelihood_norm_and_decoding_agree_with_all_sequences():
    sequences = list(itertools.product([0, 1], repeat=3))
    expected = np.array([score_of(tags) for tags in sequences])
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        inputs = tf.tile(SCORES, [len(sequences), 1, 1])
        lengths = tf.fill([len(sequences)], 3)
        likelihood, _ = crf.crf_log_likelihood(
            inputs, tf.constant(sequences), lengths, tf.constant(TRANSITIONS)
        )
        best = crf.crf_decode(tf.constant(SCORES), tf.constant(TRANSITIONS), tf.constant([3]))
        likelihood, (tags, score) = session.run([likelihood, best])
    np.testing.assert_allclose(likelihood, expected - np.logaddexp.reduce(expected), rtol=1e-4)
    assert tuple(tags[0]) == sequences[int(expected.argmax())]
    assert score[0] == pytest.approx(expected.max(), rel=1e-5)
    numpy_tags, numpy_score = crf.viterbi_decode(SCORES[0], TRANSITIONS)
    assert tuple(numpy_tags) == tuple(tags[0])
    assert numpy_score == pytest.approx(score[0], rel=1e-5)
