"""Tests for inputs that only the graph of a session has."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.bridging import graph_inputs


def _reason(line, rest=""):
    head = "import tensorflow as tf\n"
    file = SourceFile(f"{head}def model_fn(features, labels, mode):\n    {line}\n{rest}")
    return graph_inputs.reason_to_stay(file, file.tree.body[1])


@pytest.mark.parametrize(
    "line",
    [
        "rate = tf.placeholder(tf.float32)",
        "def scaled(net):\n        return net * tf.compat.v1.placeholder(tf.float32)",
        "ids = tf.sparse_placeholder(tf.int64)",
    ],
)
def test_a_placeholder_is_found(line):
    assert "feed the placeholder" in _reason(line)


@pytest.mark.parametrize(
    "line",
    [
        "inputs = tf.keras.Input(tensor=features)",
        "inputs = tf.keras.layers.Input(tensor=features)",
        "first = tf.keras.layers.InputLayer(input_tensor=features)",
        "net = tf.keras.applications.VGG16(input_tensor=features)",
    ],
)
def test_a_keras_input_of_a_tensor_is_found(line):
    assert "a Keras input of a tensor in line 3" in _reason(line)


def test_a_keras_input_in_a_helper_is_found():
    helper = "def network(net):\n    return tf.keras.Input(tensor=net)\n"
    assert "in line 5" in _reason("net = network(features)", helper)


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("inputs = tf.keras.Input([4])", ""),
        ("rate = tf.placeholder_with_default(0.1, [])", ""),
        ("loss = summed(tensor=features)", ""),
        ("pass", "def serving_fn():\n    return tf.placeholder(tf.float32)\n"),
    ],
)
def test_other_inputs_are_left_alone(line, rest):
    assert _reason(line, rest) == ""
