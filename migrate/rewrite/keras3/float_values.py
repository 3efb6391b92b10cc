"""Tells whether an expression is a tensor of floats, where that decides the type of a result."""

from __future__ import annotations

import ast

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.keras3 import names
from migrate.rewrite.keras3.tensor_functions import FUNCTIONS

_FLOAT_TYPES = ("bfloat16", "float16", "float32", "float64", "half", "double")
# Layers whose outputs are floats.
_LAYERS = (
    *("AveragePooling2D", "BatchNormalization", "Conv1D", "Conv2D", "Conv3D", "Dense"),
    *("DepthwiseConv2D", "Dropout", "Embedding", "GRU", "GlobalAveragePooling2D", "LSTM"),
    *("LayerNormalization", "LeakyReLU", "ReLU", "SeparableConv2D", "SimpleRNN", "Softmax"),
)
# By the name in TensorFlow, or in Keras 3: see `Replacement.returns_floats`.
_RETURNS = {
    **{name: replacement.returns_floats for name, replacement in FUNCTIONS.items()},
    **{
        f"keras.{replacement.text.partition('(')[0]}": replacement.returns_floats
        for replacement in FUNCTIONS.values()
    },
    "keras.ops.cast": FUNCTIONS["cast"].returns_floats,
    **dict.fromkeys(("constant", "convert_to_tensor"), "as its argument"),
}


def is_float(file: SourceFile, node: ast.AST, seen: frozenset[ast.AST] = frozenset()) -> bool:
    """Says whether an expression is known to be a float, or a tensor of floats.

    Args:
      file: The file.
      node: The expression.
      seen: Expressions that depend on it.
    """
    if node in seen:
        return True  # In a loop, its other values decide.
    seen = seen | {node}
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float)
    if isinstance(node, (ast.List, ast.Tuple)):
        return any(is_float(file, item, seen) for item in node.elts)
    if isinstance(node, ast.BinOp):
        # TensorFlow refuses to combine a tensor of integers and one of floats.
        return is_float(file, node.left, seen) or is_float(file, node.right, seen)
    if isinstance(node, (ast.UnaryOp, ast.Subscript)):
        inner = node.operand if isinstance(node, ast.UnaryOp) else node.value
        return is_float(file, inner, seen)
    if isinstance(node, ast.Name):
        return _is_float_name(file, node, seen)
    return isinstance(node, ast.Call) and _is_float_call(file, node, seen)


def _is_float_name(file: SourceFile, node: ast.Name, seen: frozenset[ast.AST]) -> bool:
    """Says whether all values that a name gets are floats."""
    values = []
    for binder in bindings.of_scope(file, node):
        parent = file.parent(binder)
        if not isinstance(parent, ast.Assign) or binder not in parent.targets:
            return False
        values.append(parent.value)
    return bool(values) and all(is_float(file, value, seen) for value in values)


def _is_float_call(file: SourceFile, node: ast.Call, seen: frozenset[ast.AST]) -> bool:
    name = file.computed(_functions_of_calls).get(node, "")
    returns_floats = _RETURNS.get(name)
    if returns_floats is not None:
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        if returns_floats == "by its type":
            texts = [ast.unparse(value).strip("'\"") for value in values[1:]]
            return any(text.endswith(_FLOAT_TYPES) for text in texts)
        if returns_floats != "as its argument":
            return returns_floats == "always"
        return bool(values) and is_float(file, values[0], seen)
    return _is_layer(file, node.func)


def _functions_of_calls(file: SourceFile) -> dict[ast.Call, str]:
    """Returns the function of TensorFlow or Keras that each call calls."""
    return {
        match.call: _keras_name(match.full_name) or names.public_of(match)
        for match in file.names()
        if match.call is not None
    }


def _keras_name(full_name: str) -> str:
    """Returns the name of a function of either Keras, such as "keras.ops.relu", or ""."""
    path = names.path_of(full_name)
    if path:
        return f"keras.{path}"
    return full_name if full_name.startswith("keras.") else ""


def _is_layer(file: SourceFile, function: ast.expr) -> bool:
    """Says whether a call is that of a layer whose outputs are floats."""
    if isinstance(function, ast.Call):  # keras.layers.Dense(3)(x)
        return _made_by(function) in _LAYERS
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return False
    values = [
        node.value
        for node in file.nodes
        if isinstance(node, ast.Assign)
        and any(
            isinstance(target, ast.Attribute)
            and target.attr == function.attr
            and isinstance(target.value, ast.Name)
            for target in node.targets
        )
    ]
    return bool(values) and all(
        isinstance(value, ast.Call) and _made_by(value) in _LAYERS for value in values
    )


def _made_by(call: ast.Call) -> str:
    """Returns the last part of the name of a class that is called."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
