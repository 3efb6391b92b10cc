"""Tests of the parts that all columns share."""

import pytest
import tensorflow as tf

from legacy.contrib import layers
from legacy.contrib.layers.columns import base


def test_a_rank_is_reached_by_flattening_or_by_one_dimension_more():
    cube = tf.reshape(tf.range(12), [2, 3, 2])
    assert base.of_rank(cube, 2, "x").shape == [2, 6]
    assert base.of_rank(cube, 4, "x").shape == [2, 3, 2, 1]
    assert base.of_rank(cube, 3, "x") is cube
    sparse = base.of_rank(tf.sparse.from_dense([[1, 0]]), 3, "x")
    assert sparse.dense_shape.numpy().tolist() == [1, 2, 1]
    with pytest.raises(ValueError, match=r"column x. Rank of input Tensor \(3\).*\(5\)"):
        base.of_rank(cube, 5, "x")


def test_a_transformation_is_cached_and_functions_are_no_part_of_the_key():
    column = layers.real_valued_column("x", normalizer=lambda x: x + 1)
    features = {"x": tf.constant([[1.0]])}
    assert column.transformed(features) is column.transformed(features) is features[column]
    assert "lambda" not in column.key
    with pytest.raises(ValueError, match=r"features dictionary doesn't contain key \(y\)"):
        layers.real_valued_column("y").transformed(features)
