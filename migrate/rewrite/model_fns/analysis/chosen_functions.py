"""Recognizes functions of TensorFlow that a setting chooses, such as an activation.

is_choice(file, call)
is_chosen(file, call.func)

For example, `act = getattr(tf.nn, params["act"])` chooses a function, and `act(x)` calls it. Each
function of these modules that takes one argument computes a tensor, and makes no variable.
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

_MODULES = ("tf.keras.activations", "tf.math", "tf.nn", "tf_keras.activations")
_PREFIXES = tuple(f"{module}." for module in _MODULES)
# Functions of TensorFlow itself that activations use.
_FUNCTIONS = ("tf.identity", "tf.sigmoid", "tf.tanh")
_MAX_DEPTH = 5


def is_choice(file: SourceFile, call: ast.Call) -> bool:
    """Says whether a call chooses a function, such as `getattr(tf.nn, name)` or `ACTS.get(name)`.

    Args:
      file: The file.
      call: The call.
    """
    function = call.func
    if call.keywords or not call.args:
        return False
    if isinstance(function, ast.Attribute) and function.attr == "get":
        others = call.args[1:]
        return _holds_functions(file, function.value) and all(_is_function(file, x) for x in others)
    if not isinstance(function, ast.Name) or function.id != "getattr":
        return False
    others = call.args[2:]
    is_of_module = file.name_of(call.args[0]) in _MODULES and not bindings.of_scope(file, function)
    return is_of_module and all(_is_function(file, other) for other in others)


def is_chosen(file: SourceFile, node: ast.expr, depth: int = 0) -> bool:
    """Says whether an expression is a function that a setting chooses.

    Args:
      file: The file.
      node: The expression, such as `act`, or `{"relu": tf.nn.relu, "tanh": tf.tanh}[name]`.
      depth: Number of expressions that contain it.
    """
    if depth > _MAX_DEPTH:
        return False
    if _is_function(file, node):
        return True
    if isinstance(node, ast.Name):
        value = bindings.assigned_value(file, node)
        return value is not None and is_chosen(file, value, depth + 1)
    if isinstance(node, ast.IfExp):
        return all(is_chosen(file, branch, depth + 1) for branch in (node.body, node.orelse))
    if isinstance(node, ast.Call):
        return is_choice(file, node)
    return isinstance(node, ast.Subscript) and _holds_functions(file, node.value)


def _is_function(file: SourceFile, node: ast.expr) -> bool:
    name = file.name_of(node) or ""
    return name.startswith(_PREFIXES) or name in _FUNCTIONS


def _holds_functions(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is a dictionary of functions that nothing changes."""
    table: ast.expr | None = node
    if isinstance(node, ast.Name):
        table = bindings.assigned_value(file, node)
        uses = bindings.uses_of_value(file, table) if table is not None else None
        if uses is None or not all(_is_lookup(file, use) for use in uses):
            return False
    if not isinstance(table, ast.Dict) or None in table.keys:
        return False
    return all(_is_function(file, value) for value in table.values)


def _is_lookup(file: SourceFile, use: ast.Name) -> bool:
    """Says whether a use of a dictionary only reads an entry."""
    parent = file.parent(use)
    if isinstance(parent, ast.Attribute):
        return parent.attr == "get" and isinstance(file.parent(parent), ast.Call)
    return isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Load)
