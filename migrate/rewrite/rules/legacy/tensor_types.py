"""Tests for a tensor with isinstance, because its type is a subclass of tf.Tensor today."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.rules.legacy import imports

_ONE, _OF = (ast.Is, ast.Eq), (ast.In,)
_NOT_ONE, _NOT_OF = (ast.IsNot, ast.NotEq), (ast.NotIn,)


def _find(file: SourceFile) -> Iterator[Change]:
    if file.plan.program.api != "v1" or file.plan.program.uses(imports.enables_eager):
        return  # Eager tensors had another type.
    for match in file.matches(RULE):
        parent = file.parent(match.node)
        tensor = file.segment(match.node)
        if isinstance(parent, ast.Compare):
            yield from _compared(file, parent, match.node, tensor)
        elif isinstance(parent, (ast.Tuple, ast.List, ast.Set)):
            compare = file.parent(parent)
            if isinstance(compare, ast.Compare) and compare.comparators == [parent]:
                yield from _among(file, compare, parent, match.node, tensor)


def _compared(file: SourceFile, node: ast.Compare, of: ast.expr, tensor: str) -> Iterator[Change]:
    """Rewrites `type(x) is tf.Tensor`, also with swapped operands."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], (*_ONE, *_NOT_ONE)):
        return
    other = node.left if node.comparators[0] is of else node.comparators[0]
    value = _typed(other)
    if value is not None:
        negated = "not " * isinstance(node.ops[0], _NOT_ONE)
        yield file.replacement(node, f"{negated}isinstance({file.segment(value)}, {tensor})")


def _among(
    file: SourceFile,
    node: ast.Compare,
    types: ast.Tuple | ast.List | ast.Set,
    of: ast.expr,
    tensor: str,
) -> Iterator[Change]:
    """Rewrites `type(x) in (dict, tf.Tensor)`, and keeps the test of the other types."""
    value = _typed(node.left)
    if value is None or not isinstance(node.ops[0], (*_OF, *_NOT_OF)):
        return
    others = [file.segment(item) for item in types.elts if item is not of]
    negated = isinstance(node.ops[0], _NOT_OF)
    text = f"{'not ' * negated}isinstance({file.segment(value)}, {tensor})"
    if others:
        if not all(isinstance(part, _PLAIN) for part in ast.walk(value)):
            yield file.suggestion(node, "the argument of type() would be computed twice")
            return
        listed = f"({', '.join(others)},)" if len(others) == 1 else f"({', '.join(others)})"
        operator = "and" if negated else "or"
        kind = "not in" if negated else "in"
        text = f"({text} {operator} type({file.segment(value)}) {kind} {listed})"
    yield file.replacement(node, text)


_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.expr_context)


def _typed(node: ast.expr) -> ast.expr | None:
    """Returns x of type(x)."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    if node.func.id != "type" or len(node.args) != 1 or isinstance(node.args[0], ast.Starred):
        return None
    return node.args[0]


RULE = Rule(
    __name__,
    _find,
    message="isinstance replaces comparisons with tf.Tensor, because tensors now have a subclass "
    "as type.",
    source="https://www.tensorflow.org/api_docs/python/tf/Tensor",
    symbols=("tf.Tensor",),
    recipe="sessions_and_graphs",
)
