"""Tests of columns that turn categories into vectors."""

import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1
WORDS = layers.sparse_column_with_keys("word", ["a", "b", "c"])


def input_layer(session, columns, features):
    outputs = layers.input_from_feature_columns(features, columns)
    session.run([tf1.global_variables_initializer(), tf1.tables_initializer()])
    return session.run(outputs).tolist()


def test_several_ids_are_counted(session):
    words = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["c", "a", "b"], [2, 2])
    found = input_layer(session, [layers.one_hot_column(WORDS)], {"word": words})
    assert found == [[1, 0, 1], [0, 1, 0]]


def test_weights_are_the_values_of_one_hot_vectors(session):
    words = tf.SparseTensor([[0, 0], [0, 1]], ["c", "a"], [1, 2])
    weights = tf.SparseTensor([[0, 0], [0, 1]], [0.5, 2.0], [1, 2])
    column = layers.one_hot_column(layers.weighted_sparse_column(WORDS, "weight"))
    found = input_layer(session, [column], {"word": words, "weight": weights})
    assert found == [[2.0, 0.0, 0.5]]


def test_columns_share_their_vectors(session):
    other = layers.sparse_column_with_keys("other", ["a", "b", "c"])
    first = tf1.constant_initializer([[1.0], [2.0], [3.0]])
    columns = layers.shared_embedding_columns([WORDS, other], 1, initializer=first)
    assert {column.shared_embedding_name for column in columns} == {"other_word_shared_embedding"}
    features = {
        "word": tf.SparseTensor([[0, 0], [0, 1]], ["a", "c"], [1, 2]),
        "other": tf.SparseTensor([[0, 0]], ["b"], [1, 1]),
    }
    assert sorted(input_layer(session, columns, features)[0]) == [2.0, 2.0]
    assert len(tf1.model_variables()) == 1


def test_what_is_refused():
    with pytest.raises(ValueError, match="initializer must be callable"):
        layers.embedding_column(WORDS, 2, initializer=0)
    with pytest.raises(ValueError, match="Must specify both `ckpt_to_load_from`"):
        layers.embedding_column(WORDS, 2, ckpt_to_load_from="path")
    with pytest.raises(TypeError, match="must be a non-string sequence"):
        layers.shared_embedding_columns("word", 2)
    longer = layers.sparse_column_with_keys("longer", ["a", "b", "c", "d"])
    with pytest.raises(ValueError, match="are not compatible"):
        layers.shared_embedding_columns([WORDS, longer], 2)
