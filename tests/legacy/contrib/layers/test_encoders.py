"""Tests of embeddings of id sequences."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1

TABLE = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
first = tf1.constant_initializer(TABLE)


@pytest.mark.parametrize("unique", [False, True])
def test_each_id_has_its_vector(session, unique):
    ids = tf.constant([[2, 0], [2, 2]])
    outputs = layers.embed_sequence(ids, 3, 2, unique, first, scope="words")
    again = layers.embed_sequence(ids[:1], scope="words", reuse=True)
    session.run(tf1.global_variables_initializer())
    expected = np.array(TABLE)[[[2, 0], [2, 2]]]
    np.testing.assert_array_equal(session.run(outputs), expected)
    np.testing.assert_array_equal(session.run(again), expected[:1])


@pytest.mark.parametrize(("sparse", "last"), [(True, [5.0, 6.0]), (False, [3.0, 4.0])])
def test_a_bag_of_words_is_their_mean(session, sparse, last):
    ids = tf.constant([[1, 2], [2, 0]])
    outputs = layers.bow_encoder(ids, 3, 2, sparse_lookup=sparse, initializer=first)
    session.run(tf1.global_variables_initializer())
    assert session.run(outputs).tolist() == [[4.0, 5.0], last]  # Zeros are padding if sparse.
