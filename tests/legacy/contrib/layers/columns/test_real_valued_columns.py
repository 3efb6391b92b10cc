"""Tests of numeric, bucketized and crossed columns."""

import pytest
import tensorflow as tf

from legacy.contrib import layers

AGES = layers.real_valued_column("age", 2)


def test_buckets_of_each_dimension_have_their_ids():
    column = layers.bucketized_column(AGES, [10.0, 20.0])
    features = {"age": tf.constant([[5.0, 10.0], [25.0, 19.0]])}
    transformed = column.transformed(features)
    lookup = column.wide_lookup(transformed)
    # The second dimension's buckets follow the three of the first.
    assert lookup.ids.values.numpy().tolist() == [0, 3 + 1, 2, 3 + 1]
    assert lookup.size == 6
    dense = column.deep_input(transformed).numpy().tolist()
    assert dense == [[1, 0, 0, 0, 1, 0], [0, 0, 1, 0, 1, 0]]


def test_crosses_are_of_the_columns_that_are_crossed():
    word = layers.sparse_column_with_hash_bucket("word", 10)
    ages = layers.bucketized_column(AGES, [10.0])
    inner = layers.crossed_column([word, ages], 50)
    column = layers.crossed_column([inner, layers.sparse_column_with_hash_bucket("z", 5)], 100)
    assert column.name == "age_bucketized_X_word_X_z"
    assert set(column.config) == {"age", "word", "z"}
    sparse = tf.SparseTensor([[0, 0]], ["a"], [1, 1])
    features = {"age": tf.constant([[5.0, 15.0]]), "word": sparse, "z": sparse}
    ids = column.transformed(features)
    assert ids.values.shape == [2]  # One for each bucket of the two ages.
    assert ids.values.numpy().max() < 100


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: layers.real_valued_column("x", 1.5), TypeError, "dimension must be an integer"),
        (lambda: layers.real_valued_column("x", 0), ValueError, "greater than 0"),
        (lambda: layers.real_valued_column("x", dtype=tf.string), ValueError, "dtype must be"),
        (lambda: layers.bucketized_column("x", [1]), TypeError, "_RealValuedColumn"),
        (lambda: layers.bucketized_column(AGES, []), ValueError, "boundaries"),
        (lambda: layers.crossed_column([AGES, AGES], 5), TypeError, "columns must be a set of"),
    ],
)
def test_what_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()
