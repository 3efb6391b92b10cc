"""Tests for the names of weights."""

import tensorflow as tf

from migrate.verify.sides import weight_names


def test_numbers_repeated_names():
    weights = [tf.Variable(n, name=name) for n, name in enumerate(["a", "b", "a", "a"])]
    names = weight_names.unique(lambda weight: weight.name.partition(":")[0], weights)
    assert {name: int(weight) for name, weight in names.items()} == {
        "a": 0,
        "b": 1,
        "a#2": 2,
        "a#3": 3,
    }
