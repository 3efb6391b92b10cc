"""Replaces functions of tf.contrib.layers and slim by Keras layers.

    contrib_calls.take(maker, statement, call, "tf.contrib.layers.fully_connected")

Softmax, and dropout without a mode and with a computed probability, become functions of tf.nn.
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine import arguments
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.layers.calls import (
    contrib_layers,
    dropout_rates,
    training_arguments,
)
from migrate.rewrite.model_fns.layers.calls.contrib_layers import ContribLayer
from migrate.rewrite.model_fns.layers.object_maker import ObjectMaker
from migrate.rewrite.names import modern_names


def take(maker: ObjectMaker, statement: ast.stmt, node: ast.Call, name: str) -> None:
    """Replaces tf.contrib.layers.fully_connected(x, 3) by a Dense layer, and a call of it."""
    if name in contrib_layers.SOFTMAX:
        _take_softmax(maker, node)
        return
    layer = contrib_layers.read(name, node)
    if layer is None:
        return
    keep_prob = None
    if layer.keep_prob is not None:
        keep_prob = dropout_rates.in_training(maker.scope, layer.keep_prob, unused=1)
        maker.leave_out([layer.keep_prob] if keep_prob is not None else [])
        layer = layer._replace(keep_prob=keep_prob or layer.keep_prob)
    init_args = {**layer.arguments, **({"name": layer.name} if layer.name is not None else {})}
    if layer.keep_prob is not None:
        is_plain = layer.keras == "Dropout" and not layer.arguments
        if layer.training == "True" and is_plain and keep_prob is None:
            _take_dropout(maker, node, layer, layer.keep_prob)
            return
        rate = f"1 - {modern_names.factor(maker.file, layer.keep_prob)}"
        maker.init_rendered.replace(layer.keep_prob, rate)
        init_args["rate"] = layer.keep_prob
    training = layer.training
    training = maker.rendered.text(training) if isinstance(training, ast.expr) else training
    # A probability of 1 in other modes drops nothing there.
    training = "training" if keep_prob is not None and training == "True" else training
    if layer.keras == "BatchNormalization":
        training_arguments.check(node, name, True, training or "")
        if not _is_image(maker, layer.inputs):
            # For inputs of two axes, its averages of the variance differ from Keras'.
            raise NotUnderstood(f"the input of {name} in line {node.lineno} may be no image")
    kind = contrib_layers.default_name(name)
    place = layer.keras if "." in layer.keras else f"layers.{layer.keras}"
    attribute = maker.add(statement, node, place, init_args, kind, layer.options)
    option = f", training={training}" if training else ""
    maker.replace(node, f"{attribute}({maker.rendered.text(layer.inputs)}{option})")


def _is_image(maker: ObjectMaker, node: ast.expr) -> bool:
    """Says whether an expression is the result of a convolution or a pooling of images."""
    while isinstance(node, ast.Name):
        values = [
            statement.value
            for statement in maker.scope.statements
            if isinstance(statement, ast.Assign)
            and statement.lineno < node.lineno
            and node.id in slices.bound(statement)
        ]
        if not values:
            return False
        node = values[-1]
    name = maker.file.name_of(node.func) if isinstance(node, ast.Call) else None
    return "2d" in (name or "").rpartition(".")[2].lower()


def _take_softmax(maker: ObjectMaker, node: ast.Call) -> None:
    """Replaces tf.contrib.layers.softmax(x) by tf.nn.softmax, which has no variables either."""
    args = arguments.bind(node, ("logits", "scope"))
    if args is None or "logits" not in args or set(args) - {"logits", "scope"}:
        raise NotUnderstood(f"the softmax in line {node.lineno} has unsupported arguments")
    module, imports = modern_names.tensorflow_2(maker.file)
    maker.imports.update(imports)
    maker.leave_out([args["scope"]] if "scope" in args else [])
    maker.replace(node, f"{module}.nn.softmax({maker.rendered.text(args['logits'])})")


def _take_dropout(
    maker: ObjectMaker, node: ast.Call, layer: ContribLayer, keep_prob: ast.expr
) -> None:
    """Replaces tf.contrib.layers.dropout(x, keep_prob) by tf.nn.dropout, as it has no mode."""
    module, imports = modern_names.tensorflow_2(maker.file)
    maker.imports.update(imports)
    rate = maker.rendered.text(keep_prob)
    rate = rate if isinstance(keep_prob, (ast.Name, ast.Subscript)) else f"({rate})"
    inputs = maker.rendered.text(layer.inputs)
    maker.replace(node, f"{module}.nn.dropout({inputs}, rate=1 - {rate})")
