"""Tests of beams and of sequence losses."""

import pytest
import tensorflow as tf

from legacy.contrib import seq2seq


def test_beams_are_followed_back_from_their_ends():
    ids = tf.constant([[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]]])
    parents = tf.constant([[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]]])
    found = seq2seq.gather_tree(ids, parents, max_sequence_lengths=[3], end_token=10)
    assert found.numpy()[:, 0].T.tolist() == [[2, 6, 7], [2, 5, 8], [2, 6, 9]]
    found = seq2seq.gather_tree(ids, parents, max_sequence_lengths=[2], end_token=5)
    assert found.numpy()[:, 0].T.tolist() == [[1, 4, 5], [2, 5, 5], [2, 6, 5]]


def test_a_batch_of_unknown_size_is_tiled():
    with tf.Graph().as_default():
        fed = tf.compat.v1.placeholder(tf.float32, [None, 3])
        assert seq2seq.tile_batch(fed, 2).shape.as_list() == [None, 3]


def test_a_dimension_is_averaged_or_summed():
    logits, targets = tf.zeros([1, 2, 3]), tf.zeros([1, 2], tf.int32)
    with pytest.raises(ValueError, match="average_across_batch and sum_over_batch"):
        seq2seq.sequence_loss(logits, targets, tf.ones([1, 2]), sum_over_batch=True)


def test_beams_without_a_step_are_followed():
    none = tf.zeros([0, 2, 3], tf.int32)
    assert seq2seq.gather_tree(none, none, [0, 0], 9).shape == [0, 2, 3]
