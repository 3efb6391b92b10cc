"""Tests that tensors of floats are recognized, and no others."""

import ast

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import float_values

TEXT = """
import tensorflow as tf
import keras
class Layer(keras.layers.Layer):
    def __init__(self):
        self.dense, self.lookup = None, keras.layers.StringLookup()
        self.layer = keras.layers.Dense(1)
    def call(self, x, y):
        net = self.layer(x)
        net = tf.nn.relu(net)
        other = tf.cast(x, tf.int32)
        return {}
"""


def is_float(expression):
    file = SourceFile(TEXT.format(expression))
    (node,) = (node for node in file.nodes if isinstance(node, ast.Return))
    return float_values.is_float(file, node.value)


@pytest.mark.parametrize(
    "expression",
    ["net", "2.0 * x", "-net", "tf.concat([net, x], 1)", "tf.cast(y, tf.float32)", "net[:, 0]"]
    + [
        "keras.ops.square(net)",
        "tf.exp(x)",
        "tf.constant([[1.0, 2]])",
        "keras.ops.cast(y, 'half')",
    ],
)
def test_floats_are_recognized(expression):
    assert is_float(expression)


@pytest.mark.parametrize(
    "expression",
    ["x", "other", "2 * x", "tf.equal(net, x)", "tf.argmax(net)", "self.lookup(x)"]
    + ["tf.cast(net, tf.int32)", "tf.constant([1, 2])", "tf.concat([x, y], 1)", "unknown(net)"],
)
def test_others_are_not(expression):
    assert not is_float(expression)
