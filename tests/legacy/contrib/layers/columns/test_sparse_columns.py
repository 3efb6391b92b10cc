"""Tests of columns whose values become ids."""

import pytest
import tensorflow as tf

from legacy.contrib import layers

tf1 = tf.compat.v1


def ids(session, column, values):
    found = column.transformed({"x": tf.convert_to_tensor(values)})
    session.run(tf1.tables_initializer())
    found = session.run(found)
    return found.indices.tolist(), found.values.tolist()


def test_integers_are_taken_modulo_and_minus_one_is_missing(session):
    column = layers.sparse_column_with_integerized_feature("x", 10)
    values = tf.constant([[3, -1], [12, 19]], tf.int64)
    assert ids(session, column, values) == ([[0, 0], [1, 0], [1, 1]], [3, 2, 9])


def test_keys_are_numbered_and_others_have_the_default(session):
    column = layers.sparse_column_with_keys("x", ["a", "b"], default_value=7)
    assert ids(session, column, [["b", ""], ["c", "a"]])[1] == [1, 7, 0]


def test_lines_of_a_file_are_numbered(session, tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("a\nb\nc\n")
    column = layers.sparse_column_with_vocabulary_file("x", str(file), 1, vocab_size=2)
    assert column.length == 3
    assert ids(session, column, [["b", "c", "a"]])[1] == [1, 2, 0]  # "c" is out of vocabulary.


def test_values_are_hashed(session):
    column = layers.sparse_column_with_hash_bucket("x", 5)
    expected = tf.strings.to_hash_bucket_fast(["u", "v"], 5)
    assert ids(session, column, [["u", "v"]])[1] == session.run(expected).tolist()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: layers.sparse_column_with_hash_bucket("x", 5, dtype=tf.float32),
            "string or integer",
        ),
        (
            lambda: layers.sparse_column_with_integerized_feature("x", 5, dtype=tf.string),
            "must be an integer",
        ),
        (
            lambda: layers.sparse_column_with_hash_bucket("x", 5, hash_keys=[[1]]),
            "pair of integers",
        ),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
