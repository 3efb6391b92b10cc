"""Reads the statements that a call of a function runs, and the result that it returns.

    selection = read(factory, {"mode": "train"})
    selection.statements, selection.result

Constant arguments decide conditions. For example, `if mode == "train":` of a function that is
called with "train".
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis.other_functions import Definition
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood

_MODES = {
    "tf.estimator.ModeKeys.EVAL": "eval",
    "tf.estimator.ModeKeys.PREDICT": "infer",
    "tf.estimator.ModeKeys.TRAIN": "train",
}
_ENDS = (ast.Return, ast.Raise)
_SIMPLE = (
    *(ast.AnnAssign, ast.Assert, ast.Assign, ast.AugAssign, ast.Expr, ast.For, ast.FunctionDef),
    *(ast.Global, ast.If, ast.Pass, ast.With),
)
_OWN_STATE = (ast.AsyncFunctionDef, ast.Await, ast.ClassDef, ast.Delete, ast.Nonlocal, ast.Yield)


class Selection(NamedTuple):
    """The part of a function that a call runs.

    Attributes:
      statements: Statements before the result.
      result: Expression that the function returns.
    """

    statements: tuple[ast.stmt, ...]
    result: ast.expr


class _Unknown(Exception):
    """Raised if only a run of the program tells the value of an expression."""


def constant(file: SourceFile, node: ast.expr) -> object:
    """Returns the value of a constant or of a mode.

    Args:
      file: The file.
      node: The expression.

    Raises:
      ValueError: It is another expression.
    """
    if isinstance(node, ast.Constant):
        return node.value
    name = file.name_of(node)
    if name in _MODES:
        return _MODES[name]
    raise ValueError(ast.unparse(node))


def read(factory: Definition, values: Mapping[str, object]) -> Selection:
    """Returns the part of a function that a call runs.

    Args:
      factory: The function.
      values: Constant arguments of the call.

    Raises:
      NotUnderstood: Only a run of the program tells what the function returns.
    """
    function = factory.function
    for node in ast.walk(function):
        if isinstance(node, (*_OWN_STATE, ast.YieldFrom)):
            raise NotUnderstood(f"{function.name}() has state or yields")
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    statements: list[ast.stmt] = []
    end = _select(factory, body, values, statements)
    if not isinstance(end, ast.Return) or end.value is None:
        raise NotUnderstood(f"{function.name}() returns nothing for these arguments")
    return Selection(tuple(statements), end.value)


def _select(
    factory: Definition,
    body: Sequence[ast.stmt],
    values: Mapping[str, object],
    statements: list[ast.stmt],
) -> ast.stmt | None:
    """Adds the statements of a body that run, and returns the one that ends the function."""
    name = factory.function.name
    for statement in body:
        if isinstance(statement, _ENDS):
            return statement
        if isinstance(statement, ast.If):
            try:
                is_true = bool(_value(factory.file, statement.test, values))
            except _Unknown:
                if _ends_in(statement):
                    raise NotUnderstood(
                        f"{name}() returns another object if "
                        f"{ast.unparse(statement.test)}, which its arguments do not decide"
                    ) from None
            else:
                branch = statement.body if is_true else statement.orelse
                end = _select(factory, branch, values, statements)
                if end is not None:
                    return end
                continue
        if not isinstance(statement, _SIMPLE) or _ends_in(statement):
            kind = type(statement).__name__.lower()
            raise NotUnderstood(f"{name}() has a statement of the kind {kind}")
        is_comment = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_comment and not isinstance(statement, (ast.Global, ast.Pass)):
            statements.append(statement)
    return None


def _ends_in(statement: ast.stmt) -> bool:
    """Says whether a statement contains a `return` of its function."""
    if isinstance(statement, ast.FunctionDef):
        return False
    return any(isinstance(node, ast.Return) for node in _own_nodes(statement))


def _own_nodes(node: ast.AST) -> list[ast.AST]:
    """Returns the nodes of a statement without those of nested functions."""
    nodes = [node]
    for part in nodes:  # The list grows during the loop.
        children = ast.iter_child_nodes(part)
        nodes += [child for child in children if not isinstance(child, ast.FunctionDef)]
    return nodes


def _value(file: SourceFile, node: ast.expr, values: Mapping[str, object]) -> object:
    """Returns the value of a condition, as far as constants decide it."""
    if isinstance(node, ast.Name) and node.id in values:
        return values[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _value(file, node.operand, values)
    if isinstance(node, ast.BoolOp):
        return _of_operands(file, node, values)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        first = _value(file, node.left, values)
        return _compared(node.ops[0], first, _value(file, node.comparators[0], values))
    if isinstance(node, (ast.List, ast.Set, ast.Tuple)):
        return [_value(file, element, values) for element in node.elts]
    try:
        return constant(file, node)
    except ValueError:
        raise _Unknown from None


def _of_operands(file: SourceFile, node: ast.BoolOp, values: Mapping[str, object]) -> bool:
    """Returns the value of `and` or `or`. The first operand that decides it ends it."""
    is_or = isinstance(node.op, ast.Or)
    for operand in node.values:
        if bool(_value(file, operand, values)) is is_or:
            return is_or
    return not is_or


def _compared(operator: ast.cmpop, first: object, second: object) -> bool:
    if isinstance(operator, (ast.Eq, ast.NotEq)):
        return (first == second) is isinstance(operator, ast.Eq)
    is_none = first is None or second is None
    if isinstance(operator, (ast.Is, ast.IsNot)) and is_none:
        return (first is second) is isinstance(operator, ast.Is)
    if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(second, list):
        return (first in second) is isinstance(operator, ast.In)
    raise _Unknown
