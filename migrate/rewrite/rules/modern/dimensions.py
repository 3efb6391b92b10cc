"""Replaces `shape[1].value`, because the dimensions of TensorFlow 2 are plain numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Change, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile

_V1 = Import("tensorflow.compat.v1", "tf")
# Methods of a Dimension, which plain numbers lack.
_METHODS = frozenset(
    ["assert_is_compatible_with", "is_compatible_with", "is_convertible_with", "merge_with"]
)
# Methods of a shape that return a shape.
_OF_SHAPES = frozenset(
    ["concatenate", "merge_with", "with_rank", "with_rank_at_least", "with_rank_at_most"]
)


def _find(file: SourceFile) -> Iterator[Change]:
    if ".value" not in file.text and not any(f".{name}" in file.text for name in _METHODS):
        return
    for node in file.nodes:
        if not isinstance(node, ast.Attribute) or file.is_displaced(node):
            continue
        parent = file.parent(node)
        is_called = isinstance(parent, ast.Call) and parent.func is node
        if node.attr == "value" and isinstance(node.ctx, ast.Load) and not is_called:
            if _is_dimension(file, node.value, ()):
                tf, imports = _tensorflow(file)
                text = f"{tf}.compat.dimension_value({file.segment(node.value)})"
                yield file.replacement(node, text, imports)
        elif node.attr in _METHODS and is_called and _is_element(file, node.value):
            tf, imports = _tensorflow(file)
            text = f"{tf}.compat.v1.Dimension({file.segment(node.value)})"
            yield file.replacement(node.value, text, imports)


def _tensorflow(file: SourceFile) -> tuple[str, tuple[Import, ...]]:
    """Returns the name of TensorFlow in a file, and the imports that it needs."""
    name = bridged_configs.tensorflow(file)
    return (name, ()) if name else (file.module_name(_V1), (_V1,))


def _is_element(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is certainly a dimension, and not a shape from a list of shapes.

    A shape has methods of the same names.
    """
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
        return False
    return not isinstance(node.value, ast.Name) and _is_shape(file, node.value, ())


def _is_dimension(file: SourceFile, node: ast.AST | None, stack: tuple[ast.AST, ...]) -> bool:
    """Says whether an expression is a dimension of a shape, if it has an attribute `value`.

    Args:
      file: The file.
      node: The expression.
      stack: Bindings under inspection, to end a recursion.
    """
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, ast.Slice) and _is_shape(file, node.value, stack)
    if isinstance(node, ast.BinOp):
        return any(_is_dimension(file, side, stack) for side in (node.left, node.right))
    if isinstance(node, ast.IfExp):
        return any(_is_dimension(file, side, stack) for side in (node.body, node.orelse))
    if not isinstance(node, ast.Name):
        return False
    binders = (binder for binder in bindings.of_scope(file, node) if binder not in stack)
    return any(_binds_dimension(file, binder, (*stack, binder)) for binder in binders)


def _binds_dimension(file: SourceFile, binder: ast.AST, stack: tuple[ast.AST, ...]) -> bool:
    """Says whether a node binds its name to a dimension."""
    value = bindings.value_of(file, binder)
    if value is not None:
        return _is_dimension(file, value, stack)
    parent = file.parent(binder)
    if isinstance(parent, (ast.For, ast.comprehension)) and parent.target is binder:
        return _is_shape(file, parent.iter, stack)
    if isinstance(parent, ast.Tuple):
        return _unpacks_shape(file, parent, stack)
    if isinstance(binder, ast.arg):
        # map(lambda size: size.value, x.shape)
        function = file.function(binder)
        call = file.parent(function) if isinstance(function, ast.Lambda) else None
        if not isinstance(call, ast.Call) or ast.unparse(call.func) != "map":
            return False
        return len(call.args) == 2 and _is_shape(file, call.args[1], stack)
    return False


def _unpacks_shape(file: SourceFile, target: ast.Tuple, stack: tuple[ast.AST, ...]) -> bool:
    """Says whether a tuple of names gets the dimensions of a shape."""
    statement = file.parent(target)
    if isinstance(statement, ast.Assign) and statement.targets == [target]:
        return _is_shape(file, statement.value, stack)
    # for i, size in enumerate(x.shape)
    if isinstance(statement, (ast.For, ast.comprehension)) and statement.target is target:
        call = statement.iter
        if not isinstance(call, ast.Call) or ast.unparse(call.func) != "enumerate":
            return False
        return bool(call.args) and _is_shape(file, call.args[0], stack)
    return False


def _is_shape(file: SourceFile, node: ast.AST, stack: tuple[ast.AST, ...]) -> bool:
    """Says whether an expression is a shape, by its spelling or by its value.

    The shape of an array counts too. Its elements have no attribute `value`.
    """
    if isinstance(node, ast.Call):
        return _returns_shape(file, node.func, stack)
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice) and _is_shape(file, node.value, stack)
    if isinstance(node, ast.Attribute):
        return node.attr.endswith("shape") or node.attr == "dims"
    if not isinstance(node, ast.Name):
        return False
    if "shape" in node.id.lower():
        return True
    binders = [binder for binder in bindings.of_scope(file, node) if binder not in stack]
    values = [(binder, bindings.value_of(file, binder)) for binder in binders]
    return any(
        value is not None and _is_shape(file, value, (*stack, binder)) for binder, value in values
    )


def _returns_shape(file: SourceFile, function: ast.expr, stack: tuple[ast.AST, ...]) -> bool:
    if isinstance(function, ast.Attribute) and function.attr in _OF_SHAPES:
        return _is_shape(file, function.value, stack)
    name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
    return name.lower().endswith("shape")


RULE = Rule(
    __name__,
    _find,
    message="A dimension's value is read in a way that works for TensorFlow 1 and 2.",
    source="https://www.tensorflow.org/api_docs/python/tf/compat/dimension_value",
    symbols=("tf.Dimension.value",),
    recipe="sessions_and_graphs",
)
