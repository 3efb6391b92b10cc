"""Columns, data and functions to read checkpoints, for the tests of deep and wide models."""

import numpy as np
import tensorflow as tf

fc = tf.feature_column

FEATURES = {
    "x": np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 0.5], [-2.0, 1.0]], np.float32),
    "word": np.array([["a"], ["b"], ["a"], ["?"]]),
}
LABELS = np.array([[1], [0], [1], [0]])


def number():
    return fc.numeric_column("x", shape=(2,))


def word():
    return fc.categorical_column_with_vocabulary_list("word", ["a", "b"])


def input_fn():
    return tf.data.Dataset.from_tensors((FEATURES, LABELS)).repeat()


def checkpoint(folder):
    """Returns the arrays of the newest checkpoint by name."""
    reader = tf.train.load_checkpoint(str(folder))
    return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


def shapes(folder):
    return dict(tf.train.list_variables(str(folder)))


def dnn_logits(weights):
    """Returns the logits of a network with one hidden layer for FEATURES["x"]."""
    hidden = FEATURES["x"] @ weights["dnn/hiddenlayer_0/kernel"] + weights["dnn/hiddenlayer_0/bias"]
    return np.maximum(hidden, 0) @ weights["dnn/logits/kernel"] + weights["dnn/logits/bias"]


def linear_logits(weights):
    """Returns the logits of a linear model of both columns for FEATURES."""
    words = weights["linear/linear_model/word/weights"]
    known = np.concatenate([words, np.zeros_like(words[:1])])
    return (
        FEATURES["x"] @ weights["linear/linear_model/x/weights"]
        + known[[0, 1, 0, 2]]
        + weights["linear/linear_model/bias_weights"]
    )
