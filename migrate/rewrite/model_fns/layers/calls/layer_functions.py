"""Replaces functions of TensorFlow that run a layer, such as tf.layers.dense, by Keras layers.

    layer_functions.take(maker, statement, call, "dense")  # tf.layers.dense(x, 3)
    layer_functions.take_columns(maker, statement, call)  # tf.feature_column.input_layer(...)

`__init__` makes the layer. The call becomes a call of the layer.
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis import layer_calls
from migrate.rewrite.engine import arguments
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.layers.calls import dropout_rates, training_arguments
from migrate.rewrite.model_fns.layers.object_maker import ObjectMaker

_LAYERS = {**layer_calls.WITHOUT_VARIABLES, **layer_calls.WITH_VARIABLES}
_REUSE = "reuse"
_INPUT_LAYER = ("features", "feature_columns", "weight_collections", "trainable")


def layer_of(name: str) -> str:
    """Returns the function of tf.layers that a public name is, such as "dense", or ""."""
    function = name.removeprefix("tf.layers.")
    return function if function != name and function in _LAYERS else ""


def take(maker: ObjectMaker, statement: ast.stmt, node: ast.Call, name: str) -> None:
    """Replaces tf.layers.dense(x, 3) by tf_keras.layers.Dense(3), and a call of it."""
    layer = _LAYERS[name]
    reason = layer_calls.by_hand(name, layer, _without_reuse(node))
    args = arguments.bind(node, ("inputs", *layer.parameters))
    if reason or args is None:
        raise NotUnderstood(reason)
    called = {key: maker.rendered.text(args[key]) for key in layer.called if key in args}
    rate = None
    if "rate" in args and called.get("training") in ("True", "training"):
        rate = dropout_rates.in_training(maker.scope, args["rate"], unused=0)
        called["training"] = "training" if rate is not None else called["training"]
    init_args = {str(i): value for i, value in enumerate(node.args) if value is not args["inputs"]}
    for keyword in node.keywords:
        name_of_keyword = str(keyword.arg)
        is_off = layer_calls.is_off(name_of_keyword, keyword.value)
        if not is_off and name_of_keyword not in ("inputs", _REUSE, *layer.called):
            init_args[name_of_keyword] = keyword.value
    if rate is not None:
        maker.leave_out([args["rate"]])
        init_args = {
            key: rate if value is args["rate"] else value for key, value in init_args.items()
        }
    if name == "dropout":
        init_args = dropout_rates.with_noise_shape(maker, init_args, args["inputs"])
    options = [f", {key}={text}" for key, text in called.items()]
    options += [f", {key}=False" for key in layer.called if key not in args]
    training = called.get("training", "")
    training_arguments.check(node, f"tf.layers.{name}", name == "batch_normalization", training)
    # Keras' Dropout has no default rate.
    default = ("rate=0.5",) if name == "dropout" and "rate" not in args else ()
    attribute = maker.add(statement, node, f"layers.{layer.keras}", init_args, name, default)
    inputs = maker.rendered.text(args["inputs"])
    maker.replace(node, f"{attribute}({inputs}{''.join(options)})")


def take_columns(maker: ObjectMaker, statement: ast.stmt, node: ast.Call) -> None:
    """Replaces tf.feature_column.input_layer(features, columns) by a layer for columns."""
    args = arguments.bind(node, _INPUT_LAYER)
    if args is None or set(args) != {"features", "feature_columns"}:
        raise NotUnderstood(f"input_layer in line {node.lineno} has unsupported arguments")
    init_args = {"0": args["feature_columns"]}
    attribute = maker.add(statement, node, "layers.DenseFeatures", init_args, "input_layer")
    maker.replace(node, f"{attribute}({maker.rendered.text(args['features'])})")


def _without_reuse(call: ast.Call) -> ast.Call:
    """Returns a call of a named layer without `reuse`. The name tells which layer is reused."""
    if not any(keyword.arg == "name" for keyword in call.keywords):
        return call
    keywords = [keyword for keyword in call.keywords if keyword.arg != _REUSE]
    return ast.copy_location(ast.Call(call.func, call.args, keywords), call)
