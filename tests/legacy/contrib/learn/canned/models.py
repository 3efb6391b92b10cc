"""A column and data, for the tests of canned estimators."""

import tensorflow as tf

from legacy.contrib import layers

X = [layers.real_valued_column("x")]


def input_fn():
    features = {"x": tf.constant([[1.0], [-1.0]]), "id": tf.constant(["1", "2"])}
    return features, tf.constant([[1], [0]])
