"""Tests for layers of tf.contrib.layers and slim as those of Keras."""

import ast

import pytest

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.layers.calls import contrib_layers


def read(call):
    node = ast.parse(call, mode="eval").body
    return contrib_layers.read(f"tf.contrib.layers.{ast.unparse(node.func)}", node)


@pytest.mark.parametrize(
    ("call", "keras", "layer_arguments", "options"),
    [
        ("fully_connected(x, 3)", "Dense", {"units": "3"}, ['activation="relu"']),
        ("fully_connected(x, 3, activation_fn=None)", "Dense", {"units": "3"}, []),
        ("linear(x, 3)", "Dense", {"units": "3"}, []),
        ("linear(x, 3, activation_fn=f)", "Dense", {"units": "3", "activation": "f"}, []),
        ("linear(x, 3, activation_fn=None)", "Dense", {"units": "3"}, []),
        ("relu(x, 3)", "Dense", {"units": "3"}, ['activation="relu"']),
        ("relu(x, 3, activation_fn=f)", "Dense", {"units": "3", "activation": "f"}, []),
        (
            "fully_connected(x, 3, tf.tanh, biases_initializer=None)",
            "Dense",
            {"units": "3", "activation": "tf.tanh"},
            ["use_bias=False"],
        ),
        ("max_pool2d(x, 2)", "MaxPooling2D", {"pool_size": "2"}, ["strides=2"]),
        ("dropout(x, 0.9)", "Dropout", {}, ["rate=0.1"]),
        ("dropout(x)", "Dropout", {}, ["rate=0.5"]),
        (
            "batch_norm(x, 0.9, scale=True, updates_collections=tf.GraphKeys.UPDATE_OPS)",
            "BatchNormalization",
            {"momentum": "0.9", "scale": "True"},
            ["epsilon=0.001"],
        ),
        (
            "layer_norm(x, begin_norm_axis=-1, begin_params_axis=-1)",
            "LayerNormalization",
            {},
            ["epsilon=1e-12"],
        ),
    ],
)
def test_the_old_defaults_are_written_out(call, keras, layer_arguments, options):
    layer = read(call)
    assert layer.keras == keras
    assert {name: ast.unparse(value) for name, value in layer.arguments.items()} == layer_arguments
    assert layer.options == options
    assert ast.unparse(layer.inputs) == "x"


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("conv2d(x, 3, 3, normalizer_fn=norm)", "the argument normalizer_fn"),
        ("batch_norm(x, activation_fn=f)", "the argument activation_fn"),
        ("batch_norm(x, updates_collections=c)", "the argument updates_collections"),
        ("layer_norm(x)", "may normalize more axes"),
        ("conv2d(*x)", r"\*args or \*\*kwargs"),
        ("conv2d(num_outputs=3, kernel_size=3)", "conv2d in line 1 lacks its inputs"),
        ("conv2d(x, 3, **options)", r"\*args or \*\*kwargs"),
    ],
)
def test_what_keras_does_not_have_is_refused(call, reason):
    with pytest.raises(NotUnderstood, match=reason):
        read(call)


def test_other_functions_are_no_layers():
    assert read("l2_regularizer(0.1)") is None
    assert contrib_layers.default_name("tf.contrib.slim.convolution2d") == "Conv"
