"""Rewrites calls of tf.layers as calls of Keras layers, for the rules that cover them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

_COLLECTED = (
    "the program reads graph collections (tf.GraphKeys, tf.losses.get_...), and Keras layers add "
    "nothing to them"
)
_IN_SCOPE = "the tf.variable_scope around it sets {}, which Keras layers ignore"
_SCOPE = ("name_or_scope", "default_name", "values")
_REFUSED = frozenset(("reuse", "_reuse", "_scope", "renorm", "virtual_batch_size"))


class Layer(NamedTuple):
    """The Keras counterpart of a function of tf.layers.

    Attributes:
      keras: Class of the Keras layer.
      parameters: Positional parameters after the input that the Keras layer has too.
      called: Parameters that the Keras layer takes when it is called.
    """

    keras: str
    parameters: tuple[str, ...]
    called: tuple[str, ...] = ()


_POOL = ("pool_size", "strides", "padding", "data_format")
_CONV = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate")
WITHOUT_VARIABLES = {
    "average_pooling1d": Layer("AveragePooling1D", _POOL),
    "average_pooling2d": Layer("AveragePooling2D", _POOL),
    "average_pooling3d": Layer("AveragePooling3D", _POOL),
    "dropout": Layer("Dropout", ("rate", "noise_shape", "seed"), ("training",)),
    "flatten": Layer("Flatten", ()),
    "max_pooling1d": Layer("MaxPooling1D", _POOL),
    "max_pooling2d": Layer("MaxPooling2D", _POOL),
    "max_pooling3d": Layer("MaxPooling3D", _POOL),
}
WITH_VARIABLES = {
    "batch_normalization": Layer(
        "BatchNormalization", ("axis", "momentum", "epsilon"), ("training",)
    ),
    "conv1d": Layer("Conv1D", _CONV),
    "conv2d": Layer("Conv2D", _CONV),
    "conv2d_transpose": Layer("Conv2DTranspose", _CONV[:4]),
    "conv3d": Layer("Conv3D", _CONV),
    "dense": Layer("Dense", ("units", "activation", "use_bias")),
    "separable_conv2d": Layer("SeparableConv2D", (*_CONV, "depth_multiplier")),
}


def changes(
    file: SourceFile, rule: Rule, layers: Mapping[str, Layer], unsafe: str = ""
) -> Iterator[Change]:
    """Yields the changes of calls of tf.layers.

    Args:
      file: The file.
      rule: Rule that covers them.
      layers: Keras counterparts, by the name of the function.
      unsafe: Reason why results may differ.
    """
    names_problem = modern_names.problem_of_tensor_names(file)
    is_reported = False
    for match in file.matches(rule):
        name = match.name.rpartition(".")[2]
        if match.call is None:
            continue
        reason = by_hand(name, layers[name], match.call)
        reason_to_keep = (
            modern_names.of_model_fn(file, match.call) if name in WITH_VARIABLES else ""
        )
        if reason_to_keep and is_reported:
            continue  # One suggestion per file is enough.
        is_reported, reason = is_reported or bool(reason_to_keep), reason or reason_to_keep
        if name in WITH_VARIABLES:
            reason = reason or _dependency(file, match.call)
        if reason:
            yield file.suggestion(match.call, reason)
            continue
        keras, imports = modern_names.keras(file)
        text = (
            f"{keras}.layers.{layers[name].keras}{_layer_arguments(file, layers[name], match.call)}"
        )
        yield file.replacement(match.call, text, imports, unsafe or names_problem)


def _dependency(file: SourceFile, call: ast.Call) -> str:
    """Returns the reason why other code depends on the variables of a layer, or ""."""
    if file.program_uses(modern_names.collects_layers):
        return _COLLECTED
    node: ast.AST | None = call
    while node is not None and not isinstance(node, ast.FunctionDef):
        for item in node.items if isinstance(node, ast.With) else ():
            options = _scope_options(file, item.context_expr)
            if options:
                return _IN_SCOPE.format(options)
        node = file.parent(node)
    return ""


def _scope_options(file: SourceFile, node: ast.expr) -> str:
    """Returns the arguments of a tf.variable_scope other than its name, or "" for none."""
    if not isinstance(node, ast.Call) or file.name_of(node.func) != "tf.variable_scope":
        return ""
    args = arguments.bind(node, (*_SCOPE, "initializer", "regularizer"))
    return "other options" if args is None else ", ".join(sorted(set(args) - set(_SCOPE)))


def by_hand(name: str, layer: Layer, call: ast.Call) -> str:
    """Returns the reason why a call of tf.layers has no Keras counterpart, or "" if it has one.

    Args:
      name: Name of the function.
      layer: Its counterpart.
      call: The call.
    """
    args = arguments.bind(call, ("inputs", *layer.parameters))
    if args is not None and "inputs" not in args:
        return f"tf.layers.{name} in line {call.lineno} lacks its inputs"
    if args is None:
        return (
            f"tf.layers.{name} is called with *args or **kwargs, or with positional arguments that "
            "Keras lacks"
        )
    refused = sorted(key for key in _REFUSED.intersection(args) if not is_off(key, args[key]))
    if refused:
        return f"Keras layers do not support {', '.join(refused)} of tf.layers.{name}"
    return ""


def is_off(name: str, value: ast.expr) -> bool:
    """Says whether an argument switches a feature off that Keras lacks, as in `renorm=False`.

    Args:
      name: Name of the argument.
      value: Its value.
    """
    is_constant = isinstance(value, ast.Constant) and value.value in (None, False)
    return name in _REFUSED and is_constant


def _layer_arguments(file: SourceFile, layer: Layer, call: ast.Call) -> str:
    """Returns the arguments of the layer, followed by those of its call."""
    editor = arguments.Arguments(file.segment(call))
    editor.set_function("layer")
    inputs = editor.value("inputs")
    if inputs is None:
        inputs = editor.remove_at(0)
    else:
        editor.remove("inputs")
    if layer.keras == "Dropout" and not editor.count and "rate" not in editor.names:
        editor.add("rate", "0.5")  # Only tf.layers has a default.
    for name in _REFUSED.intersection(editor.names):
        editor.remove(name)
    call_arguments = []
    for name in layer.called:
        # Without the argument, Keras follows the learning phase, but tf.layers did not train.
        call_arguments.append(f", {name}={editor.value(name) or 'False'}")
        editor.remove(name)
    return f"{editor.code.removeprefix('layer')}({inputs}{''.join(call_arguments)})"
