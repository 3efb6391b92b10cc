"""Tests for calls of tf.layers as calls of Keras layers."""

import ast
import inspect

import pytest
import tf_keras

from migrate.rewrite.analysis import layer_calls
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

LAYERS = {**layer_calls.WITH_VARIABLES, **layer_calls.WITHOUT_VARIABLES}


@pytest.mark.parametrize("name", LAYERS)
def test_the_parameters_are_those_of_the_keras_layer(name):
    layer = LAYERS[name]
    keras = getattr(tf_keras.layers, layer.keras)
    known = list(inspect.signature(keras.__init__).parameters)[1:]
    assert known[: len(layer.parameters)] == list(layer.parameters)
    assert set(layer.called) <= set(inspect.signature(keras.call).parameters)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("dense(x, 3, tf.nn.relu, name='a')", ""),
        ("dense(inputs=x, units=3)", ""),
        ("dense(x, 3, reuse=None, _scope=None)", ""),
        ("dense(x, 3, reuse=True)", "Keras layers do not support reuse of tf.layers.dense"),
        ("dense(x, 3, None, True, start)", "positional arguments that Keras lacks"),
        ("dense(units=3)", "tf.layers.dense in line 1 lacks its inputs"),
        (
            "dense(*args)",
            "called with *args or **kwargs, or with positional arguments that Keras lacks",
        ),
    ],
)
def test_a_call_that_keras_cannot_take_says_why(call, reason):
    node = ast.parse(call, mode="eval").body
    found = layer_calls.by_hand("dense", LAYERS["dense"], node)
    assert reason in found
    assert bool(reason) == bool(found)


def test_an_argument_that_switches_off_what_keras_lacks_is_left_out():
    text = "import tensorflow.compat.v1 as tf\nx = tf.layers.flatten(y, reuse=None)\n"
    outcome = fixed_point.rewrite(text, tools.rule("modern", "layers"), plan=tools.plan())
    assert "tf_keras.layers.Flatten()(y)" in outcome.text


def test_a_dropout_has_the_rate_of_tf_layers():
    text = "import tensorflow.compat.v1 as tf\nx = tf.layers.dropout(y, training=True)\n"
    outcome = fixed_point.rewrite(text, tools.rule("modern", "layers"), plan=tools.plan())
    assert "tf_keras.layers.Dropout(rate=0.5)(y, training=True)" in outcome.text
