r"""Splits the body of a function at its returns, so that its statements can replace a call.

>>> body = ast.parse("def f(x):\n    if x:\n        return 1\n    return 2\n").body[0].body
>>> [type(part).__name__ for part in without_returns(body)]
['Branches']
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite.model_fns import NotUnderstood


class Result(NamedTuple):
    """The end of a path through a function.

    Attributes:
      value: Returned expression. None if the path returns None.
    """

    value: ast.expr | None


class Branches(NamedTuple):
    """An `if` that contains returns. The branch that reaches later statements includes them.

    Attributes:
      statement: The `if`.
      body: Parts of its first branch.
      orelse: Parts of its second branch.
    """

    statement: ast.If
    body: list[Part]
    orelse: list[Part]


class Block(NamedTuple):
    """A `with` that ends in a return.

    Attributes:
      statement: The `with`.
      body: Parts of its body.
    """

    statement: ast.With
    body: list[Part]


Part = ast.stmt | Result | Branches | Block


def without_returns(body: Sequence[ast.stmt]) -> list[Part]:
    """Returns the statements of a function, where each path ends in a `Result` or a `raise`.

    Args:
      body: The statements.

    Raises:
      NotUnderstood: A loop or a `try` contains a return, or neither branch of an `if` always ends.
    """
    parts: list[Part] = []
    for i, statement in enumerate(body):
        rest = body[i + 1 :]
        if isinstance(statement, ast.Return):
            return [*parts, Result(statement.value)]
        if isinstance(statement, ast.Raise):
            return [*parts, statement]
        if isinstance(statement, ast.FunctionDef) or not _returns(statement):
            parts.append(statement)
        elif isinstance(statement, ast.If):
            ends = [always_ends(part) for part in (statement.body, statement.orelse)]
            if not any(ends):
                raise NotUnderstood(f"a helper may return early in line {statement.lineno}")
            branches = [
                without_returns(part if is_end else [*part, *rest])
                for part, is_end in zip((statement.body, statement.orelse), ends, strict=True)
            ]
            return [*parts, Branches(statement, branches[0], branches[1])]
        elif isinstance(statement, ast.With) and always_ends(statement.body):
            return [*parts, Block(statement, without_returns(statement.body))]
        else:
            raise NotUnderstood(f"a helper may return early in line {statement.lineno}")
    return [*parts, Result(None)]


def _returns(node: ast.AST) -> bool:
    """Says whether a node contains a `return` of its function, and not of an inner one."""
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        return False
    return isinstance(node, ast.Return) or any(map(_returns, ast.iter_child_nodes(node)))


def always_ends(body: Sequence[ast.stmt]) -> bool:
    """Says whether statements end in a return or a `raise` in any case.

    Args:
      body: The statements.
    """
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return always_ends(last.body) and always_ends(last.orelse)
    if isinstance(last, ast.With):
        return always_ends(last.body)
    return isinstance(last, (ast.Return, ast.Raise))
