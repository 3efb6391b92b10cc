r"""Finds lists of variables, and code that hashes or compares their variables.

TensorFlow 2 compares the values of variables, and a variable has no hash.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile("import tensorflow as tf\nnew = set(tf.global_variables())\n")
>>> reason_to_stay(file)
'it needs the hash of variables in line 2'
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

# Functions that return lists of variables.
_LISTS = frozenset(
    [
        "tf.all_variables",
        "tf.contrib.framework.get_model_variables",
        "tf.contrib.framework.get_trainable_variables",
        "tf.contrib.framework.get_variables",
        "tf.contrib.framework.get_variables_to_restore",
        "tf.global_variables",
        "tf.local_variables",
        "tf.model_variables",
        "tf.moving_average_variables",
        "tf.trainable_variables",
    ]
)
_COMPARING = frozenset(["count", "index", "remove"])


def is_member(file: SourceFile, name: ast.Name) -> bool:
    """Says whether a name is bound to each variable of a list.

    Args:
      file: The file.
      name: A use of the name.
    """
    return any(_is_from_list(file, binder) for binder in bindings.of_scope(file, name))


def _is_from_list(file: SourceFile, binder: ast.AST) -> bool:
    loop = file.parent(binder)
    if not isinstance(loop, (ast.For, ast.comprehension)) or loop.target is not binder:
        return False
    return _is_list(file, loop.iter)


def _is_list(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is a list of variables."""
    if isinstance(node, ast.Name):
        node = bindings.assigned_value(file, node) or node
    return isinstance(node, ast.Call) and file.name_of(node.func) in _LISTS


def reason_to_stay(file: SourceFile) -> str:
    """Returns the reason why the variables of a file must have a hash, or ""."""
    if not any(match.name in _LISTS for match in file.names()):
        return ""
    for node in file.nodes:
        if isinstance(node, ast.expr) and _needs_hash(file, node):
            return f"it needs the hash of variables in line {node.lineno}"
        if isinstance(node, ast.Call) and _compares(file, node):
            return f"it compares variables in line {node.lineno}"
    return ""


def _needs_hash(file: SourceFile, node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        is_set = ast.unparse(node.func) in ("set", "frozenset", "dict.fromkeys")
        return is_set and bool(node.args) and _is_list(file, node.args[0])
    key: ast.expr | None = None
    if isinstance(node, ast.SetComp):
        key = node.elt
    elif isinstance(node, ast.DictComp):
        key = node.key
    elif isinstance(node, ast.Subscript):
        key = node.slice
    return isinstance(key, ast.Name) and is_member(file, key)


def _compares(file: SourceFile, call: ast.Call) -> bool:
    """Says whether a call such as `variables.index(variable)` compares variables."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _COMPARING:
        return False
    return (
        len(call.args) == 1 and isinstance(call.args[0], ast.Name) and is_member(file, call.args[0])
    )
