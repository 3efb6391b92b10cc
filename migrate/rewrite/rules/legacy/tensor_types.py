"""Tests for tensors with isinstance, because their type is now a subclass of tf.Tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.rules.legacy import imports

_EQUAL, _IN = (ast.Is, ast.Eq), (ast.In,)
_NOT_EQUAL, _NOT_IN = (ast.IsNot, ast.NotEq), (ast.NotIn,)


def _find(file: SourceFile) -> Iterator[Change]:
    if file.plan.program.api != "v1" or file.plan.program.uses(imports.enables_eager):
        return  # Eager tensors had another type.
    for match in file.matches(RULE):
        parent = file.parent(match.node)
        tensor = file.segment(match.node)
        if isinstance(parent, ast.Compare):
            yield from _comparison(file, parent, match.node, tensor)
        elif isinstance(parent, (ast.Tuple, ast.List, ast.Set)):
            compare = file.parent(parent)
            if isinstance(compare, ast.Compare) and compare.comparators == [parent]:
                yield from _membership(file, compare, parent, match.node, tensor)


def _comparison(
    file: SourceFile, node: ast.Compare, operand: ast.expr, tensor: str
) -> Iterator[Change]:
    """Rewrites `type(x) is tf.Tensor`, also with swapped operands."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], (*_EQUAL, *_NOT_EQUAL)):
        return
    other = node.left if node.comparators[0] is operand else node.comparators[0]
    value = _argument_of_type(other)
    if value is not None:
        negation = "not " * isinstance(node.ops[0], _NOT_EQUAL)
        yield file.replacement(node, f"{negation}isinstance({file.segment(value)}, {tensor})")


def _membership(
    file: SourceFile,
    node: ast.Compare,
    types: ast.Tuple | ast.List | ast.Set,
    operand: ast.expr,
    tensor: str,
) -> Iterator[Change]:
    """Rewrites `type(x) in (dict, tf.Tensor)`, and keeps the test of the other types."""
    value = _argument_of_type(node.left)
    if value is None or not isinstance(node.ops[0], (*_IN, *_NOT_IN)):
        return
    other_types = [file.segment(item) for item in types.elts if item is not operand]
    is_negated = isinstance(node.ops[0], _NOT_IN)
    text = f"{'not ' * is_negated}isinstance({file.segment(value)}, {tensor})"
    if other_types:
        if not all(isinstance(part, _PLAIN) for part in ast.walk(value)):
            yield file.suggestion(node, "the argument of type() would be computed twice")
            return
        type_tuple = (
            f"({', '.join(other_types)},)"
            if len(other_types) == 1
            else f"({', '.join(other_types)})"
        )
        operator = "and" if is_negated else "or"
        relation = "not in" if is_negated else "in"
        text = f"({text} {operator} type({file.segment(value)}) {relation} {type_tuple})"
    yield file.replacement(node, text)


_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.expr_context)


def _argument_of_type(node: ast.expr) -> ast.expr | None:
    """Returns x of `type(x)`, or None for any other expression."""
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
